package customers

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"reseller/client/bulk"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output/textwidth"
)

type tally map[string]int

// tallyOf counts customers by what happens to them. A customer of whom a part changes and another part is not known counts as
// changed, but in onboard as unknown.
func tallyOf(plans []portfolio.Plan, onlyNew bool) tally {
	t := tally{}
	for i := range plans {
		outcome := plans[i].Outcome()
		switch why := plans[i].Unknown(); {
		case why == nil, outcome != portfolio.ActionKeep && !onlyNew:
		case errors.Is(why, errRefused):
			outcome = bulk.Refused
		default:
			outcome = bulk.Unknown
		}
		t[outcome]++
	}
	return t
}

func (t tally) changes() bool {
	return t[portfolio.ActionCreate]+t[portfolio.ActionUpdate]+t[portfolio.ActionDeactivate] > 0
}

func (t tally) String() string {
	create, update, deactivate, unchanged := t[portfolio.ActionCreate], t[portfolio.ActionUpdate], t[portfolio.ActionDeactivate], t[portfolio.ActionKeep]
	text := fmt.Sprintf("%s: %d to create, %d to update, %d to deactivate, %d unchanged",
		phrase.Count(create+update+deactivate+unchanged+t[bulk.Unknown]+t[bulk.Refused], "customer", "customers"), create, update, deactivate, unchanged)
	if n := t[bulk.Refused]; n > 0 {
		text += fmt.Sprintf(", %d refused", n)
	}
	if n := t[bulk.Unknown]; n > 0 {
		text += fmt.Sprintf(", %d not known", n)
	}
	return text
}

// showPlans writes plans for people to read, and at the end what the file does not name and a line that counts the customers.
func showPlans(ctx context.Context, w io.Writer, width int, color bool, plans []portfolio.Plan, pruned *portfolio.Pruned, flags *compareFlags) error {
	r := rendering{bufio.NewWriterSize(w, 32<<10), max(width, minWidth), color, flags}
	for i := range plans {
		if err := cmp.Or(ctx.Err(), r.plan(&plans[i])); err != nil {
			return err
		}
	}
	for i := range pruned.Unmanaged {
		r.line(signKept, 0, r.title(&pruned.Unmanaged[i]))
	}
	if words := unmanaged(pruned, &flags.prune); words != "" {
		fmt.Fprintln(r.w, words)
	}
	fmt.Fprintln(r.w, tallyOf(plans, flags.onlyNew))
	return r.w.Flush()
}

// unmanaged says what stays active although the file does not name it, and which flags prune it. If they are given, a new job
// does: this one was planned before. It is empty if there is nothing.
func unmanaged(p *portfolio.Pruned, prune *pruneFlags) string {
	var words, counts, flags []string
	add := func(n int, kind, one, many string) {
		if n > 0 {
			counts = append(counts, phrase.Count(n, one, many))
		}
		if n > 0 && !prune.has(kind) {
			flags = append(flags, kind)
		}
	}
	add(p.UnmanagedAccounts, pruneAccounts, "account", "accounts")
	add(p.UnmanagedKeywords, pruneKeywords, "keyword", "keywords")
	if counts != nil {
		how := "`--restart` prunes by what is there now"
		if flags != nil {
			how = "`--prune " + strings.Join(flags, ",") + "`"
		}
		words = append(words, fmt.Sprintf("%s (%s)", strings.Join(counts, ", "), how))
	}
	if n := p.UnmanagedCampaigns; n > 0 {
		campaigns := phrase.Count(n, "more campaign", "more campaigns") + " of its accounts"
		if keywords := p.KeywordsOfCampaigns; keywords > 0 {
			campaigns += ", with " + phrase.Count(keywords, "keyword", "keywords")
		}
		words = append(words, campaigns)
	}
	if words == nil {
		return ""
	}
	return "not in the file: " + strings.Join(words, "; ")
}

var signs = map[string]rune{
	portfolio.ActionCreate: '+', portfolio.ActionUpdate: '~', portfolio.ActionDeactivate: '-', portfolio.ActionKeep: '=',
}

const signKept = '·'

// A rendering writes plans for people to read: a line for each customer that changes, and below
// it a line for each change. No line is wider than width columns, except in terminals that are
// narrower than minWidth.
type rendering struct {
	w     *bufio.Writer
	width int
	color bool
	flags *compareFlags
}

const (
	minWidth    = 60 // the least width of a line
	maxName     = 31 // the greatest width of the name of what changes: that of the longest field
	alignedName = 23 // the greatest width of a name behind which the values of the others are aligned, so that one long name cuts no other value
)

// An entry is a line below a customer: a sign, which is a blank for fields of the account and of
// the notes, the name of what changes, and its values in the service and in the file, or one text.
// All texts are escaped.
type entry struct {
	sign     rune
	name     string
	from, to string
	between  string // from and to; empty if from is the text
	words    string // about the change, in parentheses at the end; may be empty
}

// plan writes the plan of a customer. It writes nothing if there is nothing to tell.
func (r *rendering) plan(p *portfolio.Plan) error {
	outcome := p.Outcome()
	if !slices.ContainsFunc(p.Changes, func(c portfolio.Change) bool {
		return c.Action != portfolio.ActionKeep || c.Object != portfolio.ObjectCredentials
	}) {
		return nil
	}
	sign := signs[outcome]
	if !p.Differs() && p.Kept == nil {
		sign = signKept
	}
	r.line(sign, 0, r.title(p))
	entries := r.entriesOf(p)
	column := 0
	for i := range entries {
		if n := textwidth.Of(entries[i].name); n <= alignedName {
			column = max(column, n)
		}
	}
	for i := range entries {
		r.entry(&entries[i], max(column, textwidth.Of(entries[i].name))+3)
	}
	_, err := r.w.Write(nil) // returns the error of an earlier write
	return err
}

func (r *rendering) title(p *portfolio.Plan) string {
	var ids []string
	if p.Identifier != "" {
		ids = append(ids, textwidth.Truncate(safetext.Escape(p.Identifier), r.width/3))
	}
	if p.Account != 0 {
		ids = append(ids, fmt.Sprintf("account %d", p.Account))
	}
	if p.OneOfSeveral {
		ids = append(ids, fmt.Sprintf("campaign %d", p.Campaign))
	}
	if p.Customer == "" {
		return r.fit(strings.Join(ids, ", "), "", 2)
	}
	return r.fit(safetext.Escape(p.Customer), strings.Join(ids, ", "), 2)
}

// fit returns a text with words in parentheses. Of the text, what does not fit into a line
// behind the first columns is cut.
func (r *rendering) fit(text, words string, columns int) string {
	words = phrase.With("", words)
	room := r.width - columns
	whole := textwidth.Truncate(text, max(room-textwidth.Of(words), 1)) + words
	return textwidth.Truncate(strings.TrimPrefix(whole, " "), room)
}

// line writes a line that begins with a sign, behind as many blanks as indent says.
func (r *rendering) line(sign rune, indent int, text string) {
	color := map[rune]string{'+': "\x1b[32m", '-': "\x1b[31m", '~': "\x1b[33m"}[sign]
	if !r.color || color == "" {
		fmt.Fprintf(r.w, "%*s%c %s\n", indent, "", sign, text)
		return
	}
	fmt.Fprintf(r.w, "%*s%s%c %s\x1b[0m\n", indent, "", color, sign, text)
}

// entry writes an entry whose values begin at a column behind the indentation.
func (r *rendering) entry(e *entry, column int) {
	name := e.name + strings.Repeat(" ", column-textwidth.Of(e.name))
	if e.between == "" {
		r.line(e.sign, 2, name+r.fit(e.from, e.words, 4+column))
		return
	}
	words := phrase.With("", e.words)
	whole := name + e.from + e.between + e.to + words
	if textwidth.Of(whole) <= r.width-4 {
		r.line(e.sign, 2, whole)
		return
	}
	room := r.width - 4 - column
	from, to := window(e.from, e.to, room-textwidth.Of(words))
	r.line(e.sign, 2, name+textwidth.Truncate(from, room))
	between := strings.TrimLeft(e.between, ", ")
	r.line(' ', 2, strings.Repeat(" ", column-textwidth.Of(between))+between+textwidth.Truncate(to, room-textwidth.Of(words))+words)
}

func shown(field, value string) string {
	if field == "attributes" {
		value = attributesText(value)
	}
	if value == "" {
		return "(empty)"
	}
	return safetext.Escape(value)
}

// attributesText returns the JSON text of attributes as NAME=VALUE, separated by commas, or the
// text itself if it is none.
func attributesText(text string) string {
	list, err := record.ParseValue([]byte(text))
	if err != nil || list.Kind() != record.Array {
		return text
	}
	var parts []string
	for pair := range list.Elements() {
		parts = append(parts, pair.Get("field_name").Text()+"="+pair.Get("field_value").Text())
	}
	return strings.Join(parts, ", ")
}

// window returns two texts without what both begin with, as far as their difference would
// otherwise be cut off with what does not fit into room columns.
func window(a, b string, room int) (restA, restB string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	for same > 0 && (same < len(a) && !utf8.RuneStart(a[same]) || same < len(b) && !utf8.RuneStart(b[same])) {
		same--
	}
	if textwidth.Of(a[:same]) <= room*2/3 || max(textwidth.Of(a), textwidth.Of(b)) <= room {
		return a, b
	}
	// As much as fits stays of what comes before the difference, but at least a third of the room.
	context := max(room/3, room-1-max(textwidth.Of(a[same:]), textwidth.Of(b[same:])))
	start := same
	for start > 0 && same-start < textwidth.MaxPrefix*context && textwidth.Of(a[start:same]) < context {
		_, n := utf8.DecodeLastRuneInString(a[:start])
		start -= n
	}
	return "…" + a[start:], "…" + b[start:]
}

// entriesOf returns the entries of a plan. The rows of one keyword are one entry; doubles that change alike have one each.
func (r *rendering) entriesOf(p *portfolio.Plan) []entry {
	var entries []entry
	var before *portfolio.Change
	for c := range p.All() {
		if c.Action == portfolio.ActionCreate || len(p.Changes) == 1 && p.Status != "" && p.Outcome() == portfolio.ActionDeactivate {
			continue // the sign before the name says it
		}
		e := r.entryOf(c)
		if n := len(entries); n > 0 && c.Object == portfolio.ObjectKeyword && before.Object == c.Object && before.Field == c.Field && entries[n-1].words != e.words {
			last := &entries[n-1]
			switch last.sign {
			case '~':
				last.sign = e.sign
			case '+': // it is added deactivated
				e.words = safetext.Escape(c.To)
			}
			last.words = phrase.List(last.words, e.words)
			continue
		}
		entries, before = append(entries, e), c
	}
	return entries
}

func (r *rendering) entryOf(c *portfolio.Change) entry {
	e := entry{sign: ' ', name: textwidth.Truncate(safetext.Escape(c.Field), maxName), from: shown(c.Field, c.From), to: shown(c.Field, c.To), between: " → "}
	if c.IsLate {
		e.from = "(not known)"
	} else if c.From == "" && (c.To == "" || c.Field == "status") { // an empty text would be no change
		e.from = "(not shown)"
	}
	action := func(sign rune, name, text, words string) entry {
		return entry{sign: sign, name: name, from: safetext.Escape(text), words: safetext.Escape(words)}
	}
	switch {
	case c.Action == portfolio.ActionKeep && c.Object == portfolio.ObjectPlan:
		return action(signKept, c.Object, c.From, "stays and goes on billing")
	case c.Action == portfolio.ActionKeep && c.Object == portfolio.ObjectCredentials:
		return action(signKept, c.Object, c.To, "stay as they are")
	case c.Action == portfolio.ActionKeep && c.Object == portfolio.ObjectKeyword && c.From != c.To:
		return action('=', c.Object, c.Field, c.From+", not "+c.To)
	case c.Action == portfolio.ActionKeep && c.Object == portfolio.ObjectKeyword && r.flags.prune.has(pruneKeywords): // but not this one
		return action(signKept, c.Object, c.Field, "stays active")
	case c.Action == portfolio.ActionKeep && c.Object == portfolio.ObjectKeyword:
		return action(signKept, c.Object, c.Field, "stays active; --prune keywords")
	case c.Action == portfolio.ActionKeep:
		e.sign, e.between, e.words = '=', ", not ", "can't be changed"
		if r.flags.onlyNew {
			e.words = "is not changed"
		}
	case c.Object == portfolio.ObjectAccount && c.Action == portfolio.ActionAdd:
		return entry{sign: ' ', name: e.name, from: e.to}
	case c.Object == portfolio.ObjectPlan:
		return action('+', c.Object, c.To, c.Action)
	case c.Object == portfolio.ObjectCredentials:
		return action('+', c.Object, c.To, "")
	case c.Object != portfolio.ObjectKeyword:
	case c.Action == portfolio.ActionAdd:
		return action('+', c.Object, c.Field, c.To)
	case c.Action == portfolio.ActionUpdate:
		return action('~', c.Object, c.Field, strings.TrimSpace(c.From+" → "+c.To))
	case c.Action == portfolio.ActionDeactivate:
		return action('-', c.Object, c.Field, c.Action)
	default:
		return action('+', c.Object, c.Field, c.Action)
	}
	return e
}
