package decode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"reseller/client/safetext"
	"reseller/client/trust"
)

// list sets the files of a folder, in the order of their names. Hidden files and the backups of editors are passed over. Any
// other file or folder that holds no rows is an error, since nobody knows whether rows are missing without it.
func (f *File) list() error {
	o := &f.options
	if o.Format != "" {
		return &FileError{What: fmt.Sprintf("%s is a folder, whose files have the formats that their names end with: leave --input-format out", f.Name)}
	}
	if err := f.setEncoding(nil); err != nil {
		return err
	}
	entries, err := os.ReadDir(o.Path)
	if err != nil {
		return &FileError{What: f.Name + " can't be read", Err: err}
	}
	for _, entry := range entries {
		path, format := filepath.Join(o.Path, entry.Name()), FormatOfName(entry.Name())
		switch {
		case isPassedOver(entry.Name()):
			continue
		case entry.IsDir():
			return &FileError{What: path + " is a folder inside of the folder: only files are read"}
		case format == "", format == "txt" && f.schema.LineField() == "":
			return &FileError{What: fmt.Sprintf("%s: the files of a folder end in .csv, .tsv, .xlsx, .json, .ndjson, .yaml or .yml: move this one to another folder", path)}
		}
		if info, err := entry.Info(); err == nil {
			f.Size += info.Size()
		}
		f.Parts, f.parts = append(f.Parts, entry.Name()), append(f.parts, newChecksums())
	}
	has := func(isWorkbook bool) bool {
		return slices.ContainsFunc(f.Parts, func(name string) bool { return (FormatOfName(name) == formatWorkbook) == isWorkbook })
	}
	switch {
	case f.parts == nil:
		return &FileError{What: o.Path + " is a folder without a file that can be read: one that ends in .csv, .tsv, .xlsx, .json, .ndjson, .yaml or .yml"}
	case o.Sheet != "" && !has(true):
		return &FileError{What: fmt.Sprintf("--sheet %s: no file of %s is a workbook", safetext.Quote(o.Sheet), f.Name)}
	case o.Encoding != "" && !has(false):
		return &FileError{What: fmt.Sprintf("--encoding %s: all files of %s are workbooks, whose encoding is known", safetext.Quote(o.Encoding), f.Name)}
	}
	return nil
}

// isPassedOver reports whether a file of a folder is not read: a hidden one, one that an editor or a spreadsheet keeps beside
// the file that it has open, or one of the rejects or unknown rows that a load has written beside its file.
func isPassedOver(name string) bool {
	ofJob := regexp.MustCompile(`\.[0-9a-f]+-[0-9]+\.(rejects|unknown)\.[a-z]+$`)
	return ofJob.MatchString(name) || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || strings.HasPrefix(name, "~$") || strings.HasPrefix(name, "#")
}

// ReadsFile reports whether a folder is read with the file at a path in it.
func ReadsFile(folder, path string) bool {
	in, err := os.Stat(folder)
	if err != nil || !in.IsDir() || isPassedOver(filepath.Base(path)) {
		return false
	}
	other, err := os.Stat(filepath.Dir(path))
	return err == nil && os.SameFile(in, other)
}

// Part opens a file of a folder, by its index in Parts. The caller closes it. A file that is
// gone or has another content than when Part opened it first gives ErrChanged.
func (f *File) Part(i int) (*File, error) {
	p, o := f.parts[i], f.options
	o.Path = filepath.Join(o.Path, f.Parts[i])
	if FormatOfName(o.Path) == formatWorkbook {
		o.Encoding = ""
	} else {
		o.Sheet = ""
	}
	out := newFile(o, f.schema, p)
	file, err := trust.OpenUnnamed(o.Path)
	switch {
	case p.size >= 0 && errors.Is(err, fs.ErrNotExist):
		return nil, &FileError{What: o.Path, Err: ErrChanged}
	case err != nil:
		return nil, &FileError{What: o.Path + " can't be opened", Err: err}
	}
	out.file, out.data = file, file
	if info, err := file.Stat(); err == nil && p.size < 0 {
		p.size = info.Size()
	}
	out.Size = p.size
	if err = out.Unchanged(); err == nil {
		err = out.detectFormat()
	}
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	return out, nil
}

// FormatOfName returns the format that the ending of a file's name stands for, empty if there is none.
func FormatOfName(name string) string { return formatOfEnding[strings.ToLower(filepath.Ext(name))] }

// WrittenAs returns the format in which the rows of the file are written to a path: that of the file, or csv for txt, and for a
// folder json, ndjson or yaml, whichever the path ends with. It is ndjson if the path has no such ending.
func (f *File) WrittenAs(path string) string {
	if f.Parts == nil {
		return strings.Replace(f.Format, "txt", "csv", 1)
	}
	if format := FormatOfName(path); format == "json" || format == "yaml" {
		return format
	}
	return "ndjson"
}
