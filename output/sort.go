package output

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"reseller/client/atomicfile"
	"reseller/client/record"
	"reseller/output/encode"
)

// sortMemory is about how many bytes of rows are sorted in memory. More rows are sorted in
// runs of this size, which are written to a temporary file and merged.
const sortMemory = 48 << 20

// rowSize is about how many bytes a row takes besides its text and its key.
const rowSize = 64

// keySize is about how many bytes a key takes besides its text.
const keySize = 56

// maxSortedRecord is the largest record in a run, in bytes: no response has a larger one.
const maxSortedRecord = 64 << 20

type sortColumn struct {
	wantedColumn
	descending bool
}

// A sorter sorts records by columns: those with equal values in the first one by the second,
// and so on. Records whose values are all equal keep their order.
type sorter struct {
	columns []sortColumn
	memory  int // see sortMemory
	rows    []sortedRow
	size    int                 // about how many bytes rows take
	file    *atomicfile.Unnamed // of the runs, nil before the first one
	runs    []*io.SectionReader // sorted records in file, one run behind the other
}

type sortedRow struct {
	raw  []byte
	keys []sortKey // one for each column
}

// sorted reads all of seq and returns its records in the order of columns. If seq ends in an error, it returns the error alone,
// since any of the records that are missing could be among the first.
func sorted(seq iter.Seq2[record.Record, error], columns []sortColumn, memory int) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		s, isEmpty := &sorter{columns: slices.Clone(columns), memory: memory}, true
		defer func() {
			if s.file != nil {
				_ = s.file.Close()
			}
		}()
		for rec, err := range seq {
			if err == nil {
				err = s.add(rec)
			}
			if err != nil {
				yield(record.Record{}, err)
				return
			}
			isEmpty = false
		}
		for _, c := range s.columns {
			if missing := c.missing(); missing != "" && !isEmpty {
				yield(record.Record{}, &UsageError{Message: "--sort: " + missing, Hint: fieldsHint})
				return
			}
		}
		s.each(yield)
	}
}

func (s *sorter) add(rec record.Record) error {
	row := sortedRow{slices.Clone(rec.Raw()), s.keys(&rec)}
	s.rows = append(s.rows, row)
	s.size += rowSize + len(row.raw)
	for _, key := range row.keys {
		s.size += keySize + len(key.text)
	}
	if s.size < s.memory {
		return nil
	}
	return s.spill()
}

func (s *sorter) keys(rec *record.Record) []sortKey {
	keys := make([]sortKey, len(s.columns))
	for i := range s.columns {
		keys[i] = newSortKey(s.columns[i].of(rec), s.columns[i].Type)
	}
	return keys
}

func (s *sorter) compare(a, b []sortKey) int {
	for i := range s.columns {
		if c := a[i].compare(b[i], s.columns[i].descending); c != 0 {
			return c
		}
	}
	return 0
}

// spill appends the rows to the temporary file, as one more run.
func (s *sorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = atomicfile.CreateUnnamed(); err != nil {
			return sortError(err)
		}
	}
	s.sort()
	start, _ := s.file.Seek(0, io.SeekCurrent)
	out, size := bufio.NewWriterSize(s.file, flushSize), 0
	for _, row := range s.rows {
		_, _ = out.Write(row.raw) // Flush returns its error
		_ = out.WriteByte('\n')
		size += len(row.raw) + 1
	}
	if err := out.Flush(); err != nil {
		return sortError(err)
	}
	s.runs = append(s.runs, io.NewSectionReader(s.file, start, int64(size)))
	clear(s.rows) // so that their texts can be freed
	s.rows, s.size = s.rows[:0], 0
	return nil
}

func sortError(err error) error { return fmt.Errorf("sorting in a temporary file: %w", err) }

func (s *sorter) sort() {
	slices.SortStableFunc(s.rows, func(a, b sortedRow) int { return s.compare(a.keys, b.keys) })
}

// each passes the records in their order to yield, or an error.
func (s *sorter) each(yield func(record.Record, error) bool) {
	if s.runs == nil {
		s.sort()
		for _, row := range s.rows {
			if !yield(record.Parse(row.raw)) {
				return
			}
		}
		return
	}
	err := s.spill()
	if s.rows = nil; err == nil {
		err = s.merge(yield)
	}
	if err != nil {
		yield(record.Record{}, err)
	}
}

// merge passes the records of all runs in their order to yield.
func (s *sorter) merge(yield func(record.Record, error) bool) error {
	type head struct {
		reader *record.Reader
		rec    record.Record
		keys   []sortKey
	}
	var heads []*head
	for _, run := range s.runs {
		heads = append(heads, &head{reader: record.NewReader(run, maxSortedRecord)})
	}
	next := func(at int) error {
		h := heads[at]
		if _, err := h.reader.Peek(); err == io.EOF {
			heads = slices.Delete(heads, at, at+1)
			return nil
		}
		if err := h.reader.Record(&h.rec); err != nil {
			return sortError(err)
		}
		h.keys = s.keys(&h.rec)
		return nil
	}
	for at := range slices.Backward(s.runs) {
		if err := next(at); err != nil {
			return err
		}
	}
	for len(heads) > 0 {
		first := 0 // of equal records, that of the earlier run comes first
		for i := range heads {
			if s.compare(heads[i].keys, heads[first].keys) < 0 {
				first = i
			}
		}
		if !yield(heads[first].rec, nil) {
			return nil
		}
		if err := next(first); err != nil {
			return err
		}
	}
	return nil
}

// The classes of values, in ascending order. Numbers and texts have classes of
// their own, since an order that compares some pairs by value and others by
// bytes would not be transitive.
const (
	classNumber = iota
	classText
	classMissing // stays last in descending order, too
)

// sortKey is a value in the form that sorting compares. A number is
// ±0.text × 10^exponent, which is exact for numbers of any size and length.
type sortKey struct {
	class    int
	negative bool
	exponent int64
	text     string // a text, or the digits of a number without zeros at either end
}

// newSortKey returns the key of a value in a column of a type: a text is compared as --where compares it, also if it is a number.
func newSortKey(v record.Value, t encode.Type) sortKey {
	switch kind := v.Kind(); {
	case kind == record.Missing, kind == record.Null, t == encode.TypeNumber && v.Text() == "":
		return sortKey{class: classMissing}
	case t != encode.TypeText && (kind == record.Number || kind == record.String):
		if k, ok := parseNumber(strings.TrimSpace(v.Text())); ok {
			return k
		}
	}
	return sortKey{class: classText, text: v.Text()}
}

func (k sortKey) compare(other sortKey, descending bool) int {
	if k.class == classMissing || other.class == classMissing {
		return cmp.Compare(k.class, other.class)
	}
	c := cmp.Or(cmp.Compare(k.class, other.class), k.compareInClass(other))
	if descending {
		return -c
	}
	return c
}

func (k sortKey) compareInClass(other sortKey) int {
	if k.class == classText {
		return cmp.Compare(k.text, other.text)
	}
	if c := cmp.Compare(k.sign(), other.sign()); c != 0 || k.text == "" {
		return c
	}
	return k.sign() * cmp.Or(cmp.Compare(k.exponent, other.exponent), cmp.Compare(k.text, other.text))
}

func (k sortKey) sign() int {
	switch {
	case k.text == "":
		return 0
	case k.negative:
		return -1
	}
	return 1
}

// parseNumber reads a decimal number, in the notation of JSON or with a plus
// sign, leading zeros or nothing before its point.
func parseNumber(s string) (sortKey, bool) {
	k := sortKey{class: classNumber}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		k.negative = s[0] == '-'
		s = s[1:]
	}
	whole := digits(s)
	rest := s[len(whole):]
	fraction := ""
	if strings.HasPrefix(rest, ".") {
		fraction = digits(rest[1:])
		rest = rest[1+len(fraction):]
	}
	if whole == "" && fraction == "" {
		return k, false
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		power := strings.TrimLeft(rest[1:], "+-")
		if len(rest)-len(power) > 2 || power == "" || digits(power) != power {
			return k, false
		}
		n, err := strconv.ParseInt(rest[1:], 10, 32)
		if err != nil { // out of range: beyond all others
			n = 1 << 40
			if rest[1] == '-' {
				n = -n
			}
		}
		k.exponent, rest = n, ""
	}
	if rest != "" {
		return k, false
	}
	all := whole + fraction
	k.text = strings.TrimLeft(all, "0")
	k.exponent += int64(len(whole) - (len(all) - len(k.text)))
	k.text = strings.TrimRight(k.text, "0")
	return k, true
}

func digits(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return s[:i]
		}
	}
	return s
}
