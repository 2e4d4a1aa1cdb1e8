package rows

import (
	"context"
	"errors"
	"slices"
	"testing"

	"reseller/client/schema"
)

// TestTolerate checks for which invalid rows accept is called, and that the rows it
// accepts are valid. Accounts 2 and 3 have an invalid cell, account 4 has too many cells.
func TestTolerate(t *testing.T) {
	const text = "account_id,email\n1,ada@example.com\n2,nobody\n3,nobody\n4,nobody,x\n"
	failed := errors.New("no list")
	for name, c := range map[string]struct {
		text     string
		skip     bool
		failure  error    // the error that accept returns
		accepted string   // the account that is accepted
		asked    []string // the accounts that accept is called for
		invalid  int      // rows that are invalid afterwards
		err      error
	}{
		"with rows that can't be read":             {text, false, nil, "2", nil, 3, nil},
		"with rows that can't be read, skipped":    {text, true, nil, "2", []string{"2", "3"}, 2, nil},
		"with cells only":                          {text[:len(text)-len("4,nobody,x\n")], false, nil, "2", []string{"2", "3"}, 1, nil},
		"none is accepted":                         {text, true, nil, "", []string{"2", "3"}, 3, nil},
		"accept fails":                             {text, true, failed, "", nil, 3, failed},
		"only rows that can't be read are skipped": {"account_id,email\n4,nobody,x\n", true, nil, "", nil, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := source(t, "csv", c.text, accountSchema(schema.Update))
			noError(t, err)
			_, err = s.Validate(t.Context())
			wantError(t, err)
			var asked []string
			err = s.Tolerate(t.Context(), c.skip, func(row *Row) (bool, error) {
				if c.failure != nil {
					return false, c.failure
				}
				id := row.Values.Get("account_id").Text()
				if asked = append(asked, id); s.AreValid(row) || !s.AreValid(&Row{Values: row.Values[:1]}) {
					t.Errorf("account %s: want the e-mail address to be invalid, and nothing else", id)
				}
				return id == c.accepted, nil
			})
			if !errors.Is(err, c.err) || !slices.Equal(asked, c.asked) {
				t.Errorf("got the accounts %q asked about, error %v; want %q, %v", asked, err, c.asked, c.err)
			}
			if report, _ := s.Validate(t.Context()); report.Invalid != c.invalid {
				t.Errorf("got %d invalid rows, want %d", report.Invalid, c.invalid)
			}
			canceled, cancel := context.WithCancel(t.Context())
			cancel()
			if err := s.Tolerate(canceled, c.skip, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("got error %v of a canceled check, want that it was canceled", err)
			}
		})
	}
}

// TestBrokenDiskIsNoInvalidRow checks that a file which can't be read further ends the validation.
func TestBrokenDiskIsNoInvalidRow(t *testing.T) {
	s, err := source(t, "csv", "account_id,email\n1,ada@example.com\n", accountSchema(schema.Update))
	noError(t, err)
	broken := errors.New("input/output error")
	if err := (&validation{Source: s}).addInvalid(&Row{}, broken); err != broken {
		t.Errorf("got error %v, want %v", err, broken)
	}
}
