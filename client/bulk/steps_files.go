package bulk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"reseller/client/record"
)

// manyReasons is how many reasons the error of a row tells.
const manyReasons = 5

// files writes the rejects and the results of a job of steps. Results are of
// all rows the first step of which is in: what the steps gave, and what became
// of each.
func (s *stepping) files(ctx context.Context) error {
	if len(s.ledger.tracks) < len(s.steps) {
		return nil // it ended before anything was sent
	}
	var results *rowFile
	var unseen error
	if s.o.Results != "" && slices.ContainsFunc(s.ledger.tracks[0].state, goesOn) {
		results = newRowFile(s.src, s.o.Results, s.columns()...)
		for _, r := range s.runs {
			if r != nil && unseen == nil && (ctx.Err() == nil || s.complete) {
				unseen = r.lookForIDs(ctx)
			}
		}
		s.complete = s.complete && unseen == nil
	}
	return errors.Join(s.fileRows(s.rejectsFile(), results, s.write), unseen)
}

// columns are those that the results add.
func (s *stepping) columns() []string {
	var out []string
	for _, step := range s.steps {
		for _, name := range step.Gives {
			if name = step.column(name); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for _, step := range s.steps {
		out = append(out, step.Word+"_state")
	}
	return out
}

func (s *Step) column(name string) string {
	if as := s.As[name]; as != "" {
		return as
	}
	return name
}

func (s *stepping) write(row Row, rejects, results *rowFile) error {
	n := uint32(row.ordinal)
	if rejects != nil && s.ledger.state[n] == refused {
		rejects.empty = s.done(n)
		words, status := s.reasons(row)
		err := rejects.write(row, visible(words), status)
		if rejects.empty = nil; err != nil {
			return err
		}
	}
	if results == nil || !s.ledger.goesOn(n) {
		return nil
	}
	return results.write(row, s.results(n)...)
}

// done are the fields of a row that must not be sent again.
func (s *stepping) done(row uint32) []string {
	var fields []string
	for i, t := range s.ledger.tracks {
		if state, ok := t.worst(t.of(row)); ok && goesOn(state) {
			fields = append(fields, s.steps[i].Once...)
		}
	}
	return fields
}

// reasons are why a row was refused, by its steps, and the first status of HTTP.
func (s *stepping) reasons(row Row) (words, status string) {
	var parts []string
	more := 0
	for i, t := range s.ledger.tracks {
		step := &s.steps[i]
		first, end := t.of(uint32(row.ordinal))
		var units []string
		if step.Label != nil && slices.Contains(t.state[first:end], refused) {
			for _, values := range step.Units(row) {
				units = append(units, " "+step.Label(values))
			}
		}
		for unit := first; unit < end; unit++ {
			if t.state[unit] != refused {
				continue
			}
			why, label := t.reasonOf(uint32(unit)), ""
			if units != nil {
				label = units[unit-first]
			}
			if status == "" && why.status != 0 {
				status = strconv.Itoa(why.status)
			}
			if len(parts) < manyReasons {
				parts = append(parts, step.Word+label+": "+why.words)
			} else {
				more++
			}
		}
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; "), status
}

// results are the texts of a row's added columns.
func (s *stepping) results(row uint32) []string {
	texts := map[string]string{}
	for i, t := range s.ledger.tracks {
		step := &s.steps[i]
		first, end := t.of(row)
		if state, ok := t.worst(first, end); ok {
			texts[step.Word+"_state"] = wordOf[state]
		}
		for _, name := range step.Gives {
			var list []string
			for unit := first; unit < end; unit++ {
				list = append(list, s.gift(i, row, unit).Get(name).Text())
			}
			if column, all := step.column(name), strings.Join(list, ";"); texts[column] == "" && strings.Trim(all, ";") != "" {
				texts[column] = all // with a place for what has none, so that they can be told apart
			}
		}
	}
	var out []string
	for _, column := range s.columns() {
		out = append(out, texts[column])
	}
	return out
}

// gift is what a step gave for a unit of a row.
func (s *stepping) gift(step int, row uint32, unit int) record.Record {
	switch {
	case s.given[step] != nil:
		return s.given[step][row].Given
	case s.runs[step] != nil:
		return s.runs[step].gift(uint32(unit))
	}
	r := run{ledger: s.ledger.tracks[step].ledger} // this run did not come to it
	return r.gift(uint32(unit))
}
