package summary

import (
	"math"
	"strings"

	"reseller/client/record"
)

// A distinct has items, of which those with one identity count once: the last of them, in the place of the first.
type distinct[T any] struct {
	Kept   []T
	places map[string]int // of the identities
}

// add adds an item, and reports whether it replaces another one. Without an identity, it is none of the others.
func (d *distinct[T]) add(identity string, item T) (isRepeated bool) {
	place, isRepeated := d.places[identity]
	switch {
	case isRepeated:
		d.Kept[place] = item
		return true
	case d.places == nil:
		d.places = map[string]int{}
	}
	if identity != "" {
		d.places[identity] = len(d.Kept)
	}
	d.Kept = append(d.Kept, item)
	return false
}

// Rows are those of one report of a campaign. Of several rows of one keyword, day, task or link, the last one counts.
type Rows struct {
	distinct[record.Record]
	Repeated int // rows that do not count
}

// Add adds a row, whose memory it keeps.
func (r *Rows) Add(report Report, row record.Record) {
	if r.add(identity(report, row), row) {
		r.Repeated++
	}
}

// identity returns what a row of a report shares only with other rows of the same keyword, day, task or link, empty if that is not known.
func identity(r Report, row record.Record) string {
	text := func(field string) string { return row.Get(field).Text() }
	of, rest := "", ""
	switch r {
	case ReportKeywords:
		of, rest = strings.ToLower(strings.TrimSpace(text("keyword"))), text("type")
	case ReportTraffic:
		if v, _ := ParseVisits(row); !v.Unknown() {
			of = dayText(row.Get("date"))
		}
	case ReportReferring:
		if !math.IsNaN(ParseNumber(row.Get("quantity"))) {
			of = dayText(row.Get("date_checked"))
		}
	case ReportBacklinks:
		of = "campaign"
	case ReportLost:
		of, rest = text("url_from"), dayText(row.Get("date_last_seen"))+"\x00"+text("url_to")+"\x00"+text("anchor_text")
	case ReportWorkflows, ReportProvisioned:
		of, rest = text("task_id"), text("url")
	}
	if of == "" && eventFields[r].name != "" { // what the service does not identify is the same if all of the row is
		for name, v := range row.Fields() {
			rest += "\x00" + name + "\x00" + v.Text()
		}
	} else if of == "" {
		return ""
	}
	return of + "\x00" + rest
}
