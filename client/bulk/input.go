package bulk

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"reseller/client/schema"
)

// Input is where the rows come from.
type Input struct {
	Path   string // "-" is Stdin
	Stdin  io.Reader
	Format string // csv, tsv, json, ndjson, yaml or txt; empty to tell it by the ending
}

// maxHeld is the most that is held in memory of an input with passwords.
const maxHeld = 50 << 20

var endings = map[string]string{
	".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson",
	".yaml": "yaml", ".yml": "yaml", ".txt": "txt",
}

var formats = []string{"csv", "tsv", "json", "ndjson", "yaml", "txt"}

// input is the bytes of an input, which can be read again.
type input struct {
	name   string
	format string
	data   io.ReaderAt
	size   int64
	file   *os.File
	temp   string // removed when the input is closed

	seed maphash.Seed
	sums []uint64 // of the blocks that were read
}

func open(in Input, spec *Spec) (*input, error) {
	i := &input{name: in.Path, seed: maphash.MakeSeed()}
	err := i.find(in, spec)
	if err == nil {
		err = i.look(in, spec)
	}
	if err != nil {
		_ = i.close()
		return nil, err
	}
	return i, nil
}

// find opens the file. What can be read only once is copied.
func (i *input) find(in Input, spec *Spec) error {
	if in.Path == "-" {
		i.name = "standard input"
		if in.Stdin == nil {
			return &InputError{What: "there is no standard input"}
		}
		return i.copy(in.Stdin, in, spec)
	}
	file, err := os.Open(in.Path)
	if err != nil {
		return &InputError{What: "the file can't be opened", Err: err}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = &InputError{What: in.Path + " is a folder"}
	case info.Mode().IsRegular():
		i.file, i.data, i.size = file, file, info.Size()
		return nil
	default:
		err = i.copy(file, in, spec) // a pipe
	}
	return errors.Join(err, file.Close())
}

// copy spools r to a temporary file. Passwords never get there: an input that
// may hold them stays in memory.
func (i *input) copy(r io.Reader, in Input, spec *Spec) error {
	if !spec.secret() {
		return i.spool(r)
	}
	held, err := io.ReadAll(io.LimitReader(r, maxHeld+1))
	if err != nil {
		return &InputError{What: i.name + " can't be read", Err: err}
	}
	i.data, i.size = bytes.NewReader(held), int64(len(held))
	if len(held) <= maxHeld {
		return nil
	}
	beginning := Source{spec: *spec, in: i, format: in.Format, comma: ','}
	if beginning.format == "csv" || beginning.format == "tsv" {
		if err := beginning.readHeader(); err != nil {
			return err
		}
		if !beginning.Secret() {
			return i.spool(io.MultiReader(bytes.NewReader(held), r))
		}
	}
	return &InputError{What: fmt.Sprintf("%s is over %d MB; passwords are held in memory only: give a file", i.name, maxHeld>>20)}
}

func (i *input) spool(r io.Reader) error {
	file, err := os.CreateTemp("", "reseller-stdin-*") // mode 0600
	if err != nil {
		return &InputError{What: i.name + " can't be kept", Err: err}
	}
	i.file, i.temp, i.data = file, file.Name(), file
	_ = os.Remove(i.temp) // where that is possible, nothing stays after a kill
	if i.size, err = io.Copy(file, r); err != nil {
		return &InputError{What: i.name + " can't be copied", Err: err}
	}
	return nil
}

// look finds the format and refuses what is no UTF-8 at once.
func (i *input) look(in Input, spec *Spec) error {
	start := make([]byte, 4096)
	n, err := i.data.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return &InputError{What: i.name + " can't be read", Err: err}
	}
	start = start[:n]
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) {
		return &InputError{What: i.name + " is a spreadsheet or an archive: save it as CSV"}
	}
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) || bytes.IndexByte(start, 0) >= 0 {
		return &InputError{What: i.name + " is not UTF-8 but looks like UTF-16: save the file as UTF-8"}
	}
	i.format = in.Format
	if i.format == "" {
		i.format = endings[strings.ToLower(filepath.Ext(in.Path))]
	}
	if i.format == "" {
		i.format = sniff(bytes.TrimPrefix(start, bom), spec)
	}
	for _, known := range formats {
		if i.format == known {
			if known == "txt" && spec.line() == "" {
				return &InputError{What: "txt holds keywords or URLs; give csv, tsv, json, ndjson or yaml"}
			}
			return nil
		}
	}
	list := strings.Join(formats, ", ")
	if i.format != "" {
		return &InputError{What: fmt.Sprintf("unknown format %s: --input-format is one of %s", quote(i.format), list)}
	}
	return &InputError{What: fmt.Sprintf("the format of %s can't be told: give --input-format, one of %s", i.name, list)}
}

// line is the field that a line of txt is, empty where there is none.
func (s *Spec) line() string {
	for _, f := range s.Resource.Having(schema.TextLine) {
		if f.Use&s.Use != 0 {
			return f.Name
		}
	}
	return ""
}

// sniff tells the format by how the text begins: JSON by its bracket or brace,
// tables by a first line of which every cell names a field.
func sniff(start []byte, spec *Spec) string {
	start = bytes.TrimLeft(start, " \t\r\n")
	line, _, _ := bytes.Cut(start, []byte("\n"))
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return ""
	case line[0] == '[':
		return "json"
	case line[0] == '{' && line[len(line)-1] == '}':
		return "ndjson"
	case line[0] == '{':
		return "json"
	}
	for format, separator := range map[string]string{"tsv": "\t", "csv": string(comma(string(line)))} {
		cells := strings.Split(string(line), separator)
		known := len(cells) > 1
		cols := newColumns(spec)
		for _, cell := range cells {
			t, _ := cols.find(strings.Trim(strings.TrimSpace(cell), `"`))
			known = known && t != nil
		}
		if known {
			return format
		}
	}
	return ""
}

var bom = []byte("\xef\xbb\xbf")

// reader reads from the beginning, behind a byte order mark.
func (i *input) reader() (io.Reader, error) {
	if err := i.unchanged(); err != nil {
		return nil, err
	}
	p := &blocks{input: i}
	if err := p.next(); err != nil && err != io.EOF {
		return nil, err
	}
	p.left = bytes.TrimPrefix(p.left, bom)
	return p, nil
}

// unchanged tells whether the file is as long as it was. What else changes is
// found in its blocks.
func (i *input) unchanged() error {
	if i.file == nil || i.temp != "" {
		return nil
	}
	info, err := i.file.Stat()
	if err == nil && (info.Size() != i.size) {
		err = ErrChanged
	}
	if err != nil {
		return &InputError{What: i.name, Err: err}
	}
	return nil
}

// is tells whether the input is the file of a path.
func (i *input) is(path string) bool {
	other, err := os.Stat(path)
	if i.file == nil || err != nil {
		return false
	}
	info, err := i.file.Stat()
	return err == nil && os.SameFile(info, other)
}

func (i *input) close() error {
	if i.file == nil {
		return nil
	}
	err := i.file.Close()
	if i.temp != "" {
		_ = os.Remove(i.temp)
	}
	i.file = nil
	return err
}
