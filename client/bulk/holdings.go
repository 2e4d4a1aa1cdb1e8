package bulk

import (
	"context"
	"strconv"

	"reseller/client/bulk/dedupe"
	"reseller/client/record"
)

// Holdings notes which rows of a file a list of the service shows. Only what
// is about a row of the file takes memory.
type Holdings struct {
	src   *Source
	rows  *dedupe.Index // of src, until the list was read
	held  []holding
	ids   [][]int64 // by name: the ids that the list shows for a row
	Names []string  // of those ids
	Alone bool      // two records for one row are ambiguous
}

func (s *Source) holdings() *Holdings { return &Holdings{src: s, rows: s.rows} }

// A holding is how often a row was seen, and whether as the row wants it.
type holding struct {
	n    uint8
	fits bool
}

// Shown is what a record of the list is about.
type Shown struct {
	ID   []byte // as the Identity of the rows has it
	Same string // likewise
	Any  bool   // whatever Same is
	Off  bool   // it is there, but not in force
	IDs  []int64
}

// See notes a record.
func (h *Holdings) See(s Shown) {
	seen := h.rows.Fingerprint(s.ID, []byte(s.Same))
	row := h.rows.Find(seen)
	if row < 0 {
		return
	}
	if h.held == nil {
		h.held = make([]holding, h.src.all)
		for range h.Names {
			h.ids = append(h.ids, make([]int64, h.src.all))
		}
	}
	have := &h.held[row]
	if h.Alone && have.n > 0 && len(s.IDs) > 0 && h.ids[0][row] == s.IDs[0] {
		return // the list shows it twice
	}
	fits := !s.Off && (s.Any || h.rows.At(row).SameContent(seen))
	if have.n < 255 {
		have.n++
	}
	if have.fits && !fits {
		return // the better one stays
	}
	have.fits = fits
	for i, id := range s.IDs {
		h.ids[i][row] = id
	}
}

// Row is the number of the file's row with an identity.
func (h *Holdings) Row(id string) (int, bool) {
	row := h.rows.Find(h.rows.Fingerprint([]byte(id), nil))
	return row, row >= 0
}

// Rows is one more than the highest number of a row.
func (h *Holdings) Rows() int { return h.src.all }

// Find tells of a row what the list showed, and gives it the ids.
func (h *Holdings) Find(_ context.Context, row *Row) (Outcome, error) {
	out := h.at(row.ordinal)
	if out.Held > 0 {
		for i, name := range h.Names {
			row.Values.Set(name, h.id(i, row.ordinal))
		}
	}
	return out, nil
}

func (h *Holdings) id(i, row int) record.Value {
	return record.Value(strconv.FormatInt(h.ids[i][row], 10))
}

// given are the ids that the list showed for a row.
func (h *Holdings) given(row int) record.Record {
	if h.at(row).Held == 0 {
		return emptyRecord()
	}
	var pairs []record.Pair
	for i, name := range h.Names {
		if h.ids[i][row] != 0 {
			pairs = append(pairs, record.Pair{Name: name, Value: h.id(i, row)})
		}
	}
	return emptyRecord().Prepend(pairs...)
}

func (h *Holdings) at(row int) Outcome {
	if h.held == nil {
		return Outcome{State: Absent}
	}
	out := Outcome{Held: int(h.held[row].n), State: Differs}
	switch {
	case out.Held == 0:
		out.State = Absent
	case h.Alone && out.Held > 1:
		out.State, out.Message = Unknown, "the service holds more than one that this may be"
	case h.held[row].fits:
		out.State = Present
	}
	return out
}
