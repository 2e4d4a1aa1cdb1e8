package bulk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"reseller/client/bulk/decode"
	"reseller/client/record"
)

// files writes the rejects and the results of the whole job, earlier runs
// included, in one more walk of the file.
func (r *run) files(ctx context.Context) error {
	var results *rowFile
	var unseen error
	if r.o.Results != "" && r.ledger.counts[sent]+r.ledger.counts[present] > 0 {
		results = newRowFile(r.src, r.o.Results, r.op.Gives...)
		if ctx.Err() == nil || r.complete { // else the run tells that it was interrupted
			unseen = r.lookForIDs(ctx)
		}
		r.complete = r.complete && unseen == nil
	}
	err := r.fileRows(r.rejectsFile(), results, func(row Row, rejects, results *rowFile) error { return r.write(ctx, row, rejects, results) })
	if r.idless > 0 && r.complete {
		r.o.Note(fmt.Sprintf("%d rows of %s are without ids: the service does not show them", r.idless, r.o.Results))
	}
	return errors.Join(err, unseen)
}

// rejectsFile is nil where nothing is to be rejected, or where it would replace
// an input that is needed to go on.
func (r *run) rejectsFile() *rowFile {
	if r.o.Rejects == "" || r.ledger.counts[refused]+r.src.report.Invalid == 0 || !r.complete && r.src.file.SameAs(r.o.Rejects) {
		return nil
	}
	return newRowFile(r.src, r.o.Rejects, "error", "http_status")
}

// fileRows has write put the rows of the file into rejects and results, and
// puts the invalid ones into the rejects. A job is finished when that was done.
func (r *run) fileRows(rejects, results *rowFile, write func(row Row, rejects, results *rowFile) error) error {
	if rejects == nil && results == nil {
		r.finish()
		return nil
	}
	for row, err := range r.src.Rows() {
		if wrong := decode.AsError(err); wrong != nil && !wrong.Fatal {
			if state := r.ledger.state[row.ordinal]; state != todo && state != refused {
				continue // an earlier run was told to check less: it is in, or may be
			}
			err = rejects.write(*row, strings.ReplaceAll(wrong.Error(), "\n", "; "), "")
		} else if err == nil {
			err = write(*row, rejects, results)
		}
		if err != nil {
			return errors.Join(err, rejects.discard(), results.discard())
		}
	}
	r.rejected, r.told = rejects != nil && rejects.rows > 0, results != nil && results.rows > 0
	err := results.close()
	if rejects != nil && r.src.file.SameAs(rejects.path) { // what would be needed to go on
		if err != nil {
			return errors.Join(err, rejects.discard())
		}
		r.finish()
		return rejects.close()
	}
	if err = errors.Join(err, rejects.close()); err == nil {
		r.finish()
	}
	return err
}

func (r *run) finish() {
	if r.complete {
		r.note([]byte{entryFinish})
	}
}

// lookForIDs reads the list again where calls did not answer the ids that the
// service gave: a few times, for it may be behind. Without them the results are
// what is known.
func (r *run) lookForIDs(ctx context.Context) error {
	if r.op.Look == nil || r.op.OneByOne {
		return nil
	}
	for n := 0; n < 3 && !r.allGiven() && r.stop() == nil; n++ {
		if n > 0 {
			if err := r.o.Pause(ctx, settlePause); err != nil {
				return err
			}
		}
		view, err := r.look(ctx, true)
		if err != nil {
			return err
		}
		r.view = view
		if _, listed := view.(*Holdings); !listed {
			break // it is asked for each row
		}
	}
	return nil
}

func (r *run) write(ctx context.Context, row Row, rejects, results *rowFile) error {
	n := uint32(row.ordinal)
	switch r.ledger.state[n] {
	case refused:
		why := r.ledger.reasonOf(n)
		status := ""
		if why.status != 0 {
			status = strconv.Itoa(why.status)
		}
		return rejects.write(row, visible(why.words), status)
	case sent, present:
		if results == nil {
			return nil
		}
		rec := r.gift(n)
		if _, ok := r.view.(ViewFunc); ok && r.ledger.resultOf(n) == "" {
			shown := row
			if out, err := r.view.Find(ctx, &shown); err == nil && out.State == Present {
				rec = out.Result
			}
		}
		if _, listed := r.view.(*Holdings); listed && rec.Len() == 0 {
			r.idless++
		}
		given := make([]string, len(r.op.Gives))
		for i, name := range r.op.Gives {
			if v := rec.Get(name); v != nil {
				given[i] = v.Text()
			} else {
				given[i] = row.Values.Get(name).Text()
			}
		}
		return results.write(row, given...)
	}
	return nil
}

// gift is what the service gave for a row, or what a list shows of it.
func (r *run) gift(row uint32) record.Record {
	if text := r.ledger.resultOf(row); text != "" {
		return parsed(text)
	}
	if holdings, ok := r.view.(*Holdings); ok {
		return holdings.given(int(row))
	}
	return emptyRecord()
}

// allGiven tells whether it is known of all loaded rows what the service gave.
func (r *run) allGiven() bool {
	holdings, _ := r.view.(*Holdings)
	for row, state := range r.ledger.state {
		if state != sent && state != present || r.ledger.resultOf(uint32(row)) != "" || r.src.invalid.Has(row) {
			continue
		}
		if holdings == nil || holdings.at(row).Held == 0 {
			return false
		}
	}
	return true
}

// visible escapes what a terminal obeys in the service's words: rejects are
// looked at on one.
func visible(s string) string {
	obeyed := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }
	if !strings.ContainsFunc(s, obeyed) {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
