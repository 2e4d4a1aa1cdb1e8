// Package bulk loads many rows from a file: it reads, maps and checks them
// (Source), and sends them in batches (Run).
package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"reseller/client/bulk/decode"
	"reseller/client/bulk/dedupe"
	"reseller/client/record"
	"reseller/client/schema"
)

// Spec says what the rows of a file are.
type Spec struct {
	Resource *schema.Resource
	Use      schema.Use        // schema.Create or schema.Update: which fields may be columns, and which must be
	Map      map[string]string // column to field
	// Constants are values that flags set for all rows, by field name.
	Constants map[string]string
	// Defaults are values of rows that have none of their own.
	Defaults schema.Values
	// ReadOnly accepts columns of fields that are only read, and of fields that
	// no document names: a list that was written is loaded again as it is.
	ReadOnly    bool
	EmptyClears bool // on update an empty cell makes the field empty
	Check       bool // off, values are left to the service
	// Rule tells what is wrong with a row whose fields are good. Nil for nothing.
	Rule func(Values) error
	// Identity tells which rows are about the same thing; Whole where nil.
	Identity Identity
	// Also tells what else is wrong with a row as a whole, and with which field.
	Also  func(Values) (field, reason string)
	Shard Shard

	needed, orEmpty []*schema.Field
}

// A Shard is the I-th of N parts of a file. The rows of one identity are in
// one part. The zero value is the whole file.
type Shard struct{ I, N int }

func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// Source is an input file that can be walked more than once.
type Source struct {
	file      *decode.File
	opened    time.Time
	spec      Spec
	header    []string  // of csv, tsv and txt
	targets   []*target // of the header's columns
	constants []constant
	notes     []string

	// What Check found.
	report    Report
	all       int           // rows of the file, those of other shards included
	rows      *dedupe.Index // the identities of the rows
	digest    []byte        // of the rows without their passwords, where they may have any
	outside   dedupe.Bitmap // rows of other shards
	invalid   dedupe.Bitmap // rows that can't be sent, those of conflicts apart
	lenient   dedupe.Bitmap // rows the values of which are not checked
	repeated  dedupe.Bitmap // rows that repeat an earlier one
	conflicts map[int]int   // by row: the line that says something else about the same thing

	made iter.Seq2[*Row, error] // the rows, where they are made of another source's
}

type constant struct {
	field *schema.Field
	value record.Value
}

// Open opens the input, tells its format and matches its columns with the
// fields. A header that is wrong is a *Error. The source must be closed.
func Open(in decode.Options, spec Spec) (*Source, error) {
	spec.prepare()
	s := &Source{spec: spec, opened: time.Now()}
	var err error
	if s.constants, err = spec.constants(); err != nil {
		return nil, err
	}
	if err := spec.checkMap(); err != nil {
		return nil, err
	}
	if s.file, err = decode.Open(in, fileSchema{&s.spec}); err != nil {
		return nil, err
	}
	if err := s.readHeader(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Close lets go of the file, and of the copy of standard input.
func (s *Source) Close() error { return s.file.Close() }

// Copied tells whether the input could be read only once, and was copied.
func (s *Source) Copied() bool { return s.file.IsCopy() }

// Format is csv, tsv, json, ndjson, yaml or txt.
func (s *Source) Format() string { return s.file.Format() }

// Len is the number of rows of the file, once it was checked.
func (s *Source) Len() int { return s.all }

// Content is a hash of what the file holds, passwords left out. The file was
// checked.
func (s *Source) Content() (string, error) {
	if s.digest != nil {
		return hex.EncodeToString(s.digest), nil
	}
	sum := sha256.New()
	if err := s.file.CopyTo(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Secret tells whether the file may hold passwords: it must not be copied.
func (s *Source) Secret() bool {
	if s.targets != nil {
		return slices.ContainsFunc(s.targets, (*target).secret)
	}
	return s.spec.secret()
}

func (s *Spec) secret() bool {
	return slices.ContainsFunc(s.Resource.Having(s.Use), func(f *schema.Field) bool { return f.Type == schema.Password })
}

// public are values without the passwords.
func (s *Spec) public(values Values) Values {
	return slices.DeleteFunc(slices.Clone(values), func(v value) bool {
		f := s.Resource.Field(v.name)
		return f != nil && f.Type == schema.Password
	})
}

func (s *Spec) constants() ([]constant, error) {
	var out []constant
	for _, name := range slices.Sorted(maps.Keys(s.Constants)) {
		t, why := s.named(name)
		if t == nil || t.kind != whole {
			return nil, &decode.FileError{What: fmt.Sprintf("%s: %s", name, why)}
		}
		v, err := t.field.FromText(s.Constants[name], s.Check)
		if err != nil {
			return nil, &decode.FileError{What: fmt.Sprintf("%s: %s", name, reason(t.field, s.Constants[name], err))}
		}
		out = append(out, constant{t.field, v})
	}
	return out, nil
}

func (s *Spec) checkMap() error {
	for _, from := range slices.Sorted(maps.Keys(s.Map)) {
		if t, why := s.named(s.Map[from]); t == nil {
			return &decode.FileError{What: fmt.Sprintf("--map %s: %s: %s", decode.Quote(from+"="+s.Map[from]), decode.Shorten(s.Map[from]), why)}
		}
	}
	return nil
}

// Rows walks the rows in the order of the file, those left out that Check found
// to repeat an earlier one or to be of another shard. A row that can't be sent comes with a *Error
// of its faults, and the walk goes on; after an error that is Fatal, or is of
// another type, it ends. Rows may be walked again.
func (s *Source) Rows() iter.Seq2[*Row, error] {
	if s.made != nil {
		return s.made
	}
	return func(yield func(*Row, error) bool) {
		for row, err := range s.walk(newColumns(&s.spec)) {
			if s.outside.Has(row.ordinal) || s.repeated.Has(row.ordinal) && err == nil {
				continue
			}
			if len(s.conflicts) > 0 && err == nil {
				if line, ok := s.conflicts[row.ordinal]; ok {
					err = &decode.Error{Issues: []decode.Issue{s.contradicts(row.Line, line)}}
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
