package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"sync"
)

const (
	// maxInflated is how large the parts of a workbook may be together, and how large the
	// texts of its cells, in bytes.
	maxInflated = 1 << 30
	// maxDirectory is how much of an archive may be the list of its members, in bytes. A
	// member takes about six times as much memory.
	maxDirectory = 4 << 20
	// maxSmallPart is how large each part may be whose content is kept in memory, in bytes.
	maxSmallPart = 4 << 20
)

// An Error says what is wrong with a workbook, or that a file is none and what it is
// instead.
type Error struct {
	Row  int    // the row of the sheet that it is about, 0 for the whole file
	What string // continues a sentence whose subject is the file, or the row
}

func (e *Error) Error() string {
	if e.Row > 0 {
		return fmt.Sprintf("row %d %s", e.Row, e.What)
	}
	return e.What
}

func errorf(format string, args ...any) *Error { return &Error{What: fmt.Sprintf(format, args...)} }

// A source is the file of a workbook. It keeps the first error of reading it, which
// archive/zip and the readers above it may wrap or replace.
type source struct {
	r      io.ReaderAt
	length int64
	limit  int64 // how many bytes may still be read; negative for any number

	mu  sync.Mutex
	err error
}

func (s *source) ReadAt(b []byte, offset int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if offset < 0 || offset >= s.length {
		return 0, io.EOF // a damaged archive may have its members anywhere
	}
	if s.limit >= 0 {
		if s.limit -= int64(len(b)); s.limit < 0 {
			s.limit, s.err = 0, errorf("is an archive with more files than any workbook has")
			return 0, s.err
		}
	}
	n, err := s.r.ReadAt(b, offset)
	if err != nil && err != io.EOF && s.err == nil {
		s.err = err
	}
	return n, err
}

// failure returns the error of reading the file, nil if all of it could be read.
func (s *source) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// An archive is the members of a zip file. Their names are in lower case, since names of
// parts are compared so.
type archive struct {
	file    *source
	members map[string]*zip.File
	doubled map[string]bool // names of which there are several, which are not opened
}

// openArchive reads the list of the members of a file. If the file is no archive, the error says what it is.
func openArchive(r io.ReaderAt, length int64) (*archive, error) {
	a := &archive{file: &source{r: r, length: length, limit: -1}, members: map[string]*zip.File{}, doubled: map[string]bool{}}
	start := make([]byte, 512)
	n, err := a.file.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if start = start[:n]; !bytes.HasPrefix(start, []byte("PK")) {
		return nil, a.noArchive(start)
	}
	if length > maxInflated {
		return nil, errorf("is larger than %d GB", maxInflated>>30)
	}
	a.file.limit = maxDirectory
	z, err := zip.NewReader(a.file, length)
	a.file.limit = -1
	if failure := a.file.failure(); failure != nil {
		return nil, failure
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, errorf("is damaged or cut short: the list of contents at its end can't be read")
	}
	var inflated uint64
	for _, f := range z.File {
		if inflated += f.UncompressedSize64; f.UncompressedSize64 > maxInflated || inflated > maxInflated {
			return nil, errorf("inflates to more than %d GB", maxInflated>>30)
		}
		name := memberName(f.Name)
		a.doubled[name] = a.members[name] != nil
		a.members[name] = f
	}
	return a, nil
}

// memberName returns the name under which a part is looked up. It leads nowhere outside of
// the archive: a name is compared with those in the archive, and never opened elsewhere.
func memberName(name string) string {
	return strings.ToLower(path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:])
}

// oleMagic begins files of Office 97, and those that Office protects by a password.
const oleMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

func (a *archive) noArchive(start []byte) error {
	text := trimmed(bytes.TrimPrefix(start, []byte("\ufeff")))
	switch {
	case len(start) == 0:
		return errorf("is empty")
	case bytes.HasPrefix(start, []byte(oleMagic)):
		return a.officeFile()
	case bytes.HasPrefix(text, []byte("<")):
		return errorf("is HTML or XML, not a workbook: open it in a spreadsheet and save it as .xlsx")
	}
	return errorf("is not a workbook (.xlsx), which is a zip archive: give its format with --input-format")
}

// officeFile says what a file of Office 97 contains, by the names of its streams.
func (a *archive) officeFile() error {
	isProtected, isWorkbook := false, false
	const overlap = 64
	buf := make([]byte, bufferSize)
	for offset := int64(0); offset < a.file.length && !isProtected; offset += bufferSize - overlap {
		n, err := a.file.ReadAt(buf, offset)
		if err != nil && err != io.EOF {
			return err
		}
		has := func(stream string) bool { return bytes.Contains(buf[:n], utf16Name(stream)) }
		isProtected = has("EncryptedPackage")
		isWorkbook = isWorkbook || has("Workbook") || has("Book")
	}
	switch {
	case isProtected:
		return errorf("is protected by a password: save it without one")
	case isWorkbook:
		return errorf("is an old workbook (.xls): save it as .xlsx")
	}
	return errorf("is an old Office file, not a workbook (.xlsx)")
}

// utf16Name returns the name of a stream as a directory entry of Office 97 has it.
func utf16Name(name string) []byte {
	return []byte(strings.Join(strings.Split(name, ""), "\x00") + "\x00\x00\x00")
}

func (a *archive) noWorkbook() error {
	kind := ""
	if _, body, err := a.open("mimetype", maxSmallPart); err == nil {
		text, _ := io.ReadAll(io.LimitReader(body, maxSmallPart))
		_ = body.Close()
		kind = string(text)
	}
	const document = "application/vnd.oasis.opendocument"
	switch {
	case strings.HasPrefix(kind, document+".spreadsheet"):
		return errorf("is an OpenDocument spreadsheet (.ods): save it as .xlsx")
	case strings.HasPrefix(kind, document):
		return errorf("is an OpenDocument file, not a workbook (.xlsx)")
	case a.members["xl/workbook.bin"] != nil:
		return errorf("is a binary workbook (.xlsb): save it as .xlsx")
	case a.members["word/document.xml"] != nil:
		return errorf("is a Word document (.docx), not a workbook (.xlsx)")
	case a.members["ppt/presentation.xml"] != nil:
		return errorf("is a presentation (.pptx), not a workbook (.xlsx)")
	}
	return errorf("is a zip archive without a workbook in it")
}

// open opens a part of at most max bytes.
func (a *archive) open(name string, max uint64) (f *zip.File, body io.ReadCloser, err error) {
	switch f = a.members[memberName(name)]; {
	case f == nil:
		return nil, nil, errorf("is damaged: its part %.80s is missing", name)
	case a.doubled[memberName(name)]:
		return nil, nil, errorf("is damaged: it has two parts with the name %.80s", memberName(name))
	case f.Flags&1 != 0:
		return nil, nil, errorf("is protected by a password: save it without one")
	case f.UncompressedSize64 > max: // no reader of the archive returns more
		return nil, nil, errorf("is no usual workbook: its part %.80s is larger than %d MB", name, max>>20)
	}
	if body, err = f.Open(); err != nil {
		err = a.wrap(f, err)
	}
	return f, body, err
}

// wrap returns the error of reading a part: that of the file, or one that says that the
// part is damaged. It keeps an *Error.
func (a *archive) wrap(f *zip.File, err error) error {
	if failure := a.file.failure(); failure != nil {
		return failure
	}
	switch {
	case errors.As(err, new(*Error)):
		return err
	case errors.Is(err, zip.ErrAlgorithm):
		return errorf("is compressed in a way that no spreadsheet uses: open it in one and save it again")
	case strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()): // that of encoding/xml has no type of its own
		err = errors.New("it ends early")
	}
	return errorf("is damaged: its part %.80s can't be read: %s", f.Name, strings.TrimPrefix(strings.TrimPrefix(err.Error(), "zip: "), "xml: "))
}

// A relationship says where another part of a workbook is.
type relationship struct{ kind, target string }

// relationships returns those of a part, by their names. A part without any has none.
func (a *archive) relationships(of string) (map[string]relationship, error) {
	folder, file := path.Split(of)
	name := folder + "_rels/" + file + ".rels"
	if a.members[memberName(name)] == nil {
		return nil, nil
	}
	found := map[string]relationship{}
	err := a.eachStart(name, maxSmallPart, func(x *xmlReader) error {
		if x.Name.Local != "Relationship" {
			return nil
		}
		id, target := x.attr("Id"), ""
		if x.attr("TargetMode") != "External" {
			target = a.resolve(folder, x.attr("Target"))
		}
		if _, isTwice := found[id]; isTwice {
			return errorf("is damaged: it has two relationships with the id %.40q", id)
		}
		found[id] = relationship{path.Base(x.attr("Type")), target}
		return nil
	})
	return found, err
}

// only returns the target of the relationship of a kind, "" if there is none.
func only(of map[string]relationship, kind string) (target string, err error) {
	count := 0
	for _, to := range of {
		if to.kind == kind {
			count, target = count+1, to.target
		}
	}
	if count > 1 {
		return "", errorf("is damaged: it has several parts of the kind %s, of which a workbook has one", kind)
	}
	return target, nil
}

// resolve returns the name of the part that a target in a folder means. Targets are
// addresses, but some programs write names as they are.
func (a *archive) resolve(folder, target string) string {
	if !strings.HasPrefix(target, "/") {
		target = "/" + folder + target
	}
	target = path.Clean(target)[1:]
	if plain, err := url.PathUnescape(target); err == nil && a.members[memberName(target)] == nil {
		return plain
	}
	return target
}

// errStopped is what visit returns if it needs no more elements.
var errStopped = errors.New("stopped")

// eachStart calls visit at the start of each element of a part of at most max bytes. Without an error, it has read the whole part.
func (a *archive) eachStart(name string, max uint64, visit func(*xmlReader) error) error {
	f, body, err := a.open(name, max)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	x := newXMLReader(body)
	for {
		token, err := x.next()
		if _, isStart := token.(xml.StartElement); isStart {
			err = visit(x)
		}
		if err == errStopped || err == io.EOF {
			return nil
		}
		if err != nil {
			return a.wrap(f, err)
		}
	}
}
