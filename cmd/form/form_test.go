package form

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"reseller/output/textwidth"
)

// A typist fills in a form without a terminal.
type typist struct {
	t     *testing.T
	m     *model
	waits bool // lists are not loaded before load is called
	loads []func()
}

func newTypist(t *testing.T, f *Form) *typist {
	ty := &typist{t: t}
	ty.begin(f)
	return ty
}

func (ty *typist) begin(f *Form) {
	ty.m = &model{form: f, width: 80, height: 24, later: func(load func(context.Context) func()) {
		ty.loads = append(ty.loads, func() { load(ty.t.Context())() })
	}}
	ty.m.setFocus(0)
	ty.load()
}

// load loads the lists that are waited for.
func (ty *typist) load() {
	if !ty.waits {
		for _, load := range ty.loads {
			load()
		}
		ty.loads = nil
	}
}

// send hands to the form what a terminal sends.
func (ty *typist) send(text string) {
	ty.m.send(text)
	ty.load()
}

func (ty *typist) paste(text string) { ty.send(pasteBegin + text + pasteEnd) }

func (ty *typist) resize(width, height int) { ty.m.width, ty.m.height = width, height }

// press presses keys: names, such as enter, or the characters of a text.
func (ty *typist) press(keys ...string) {
	codes := map[string]string{
		"enter": "\r", "tab": "\t", "shift+tab": keyBackTab, "up": keyUp, "down": "\x1bOB", "left": "\x1b[D", "home": "\x1b[1~", "end": "\x1bOF",
		"ctrl+u": "\x15", "ctrl+w": "\x17", "ctrl+c": keyCtrlC, "ctrl+v": "\x16", "ctrl+j": "\n", "ctrl+d": keyCtrlD, "esc": "\x1b", "two at once": "\x1b\x1bOA\x1b\x1bx", "broken": "\x1b[é\x1b[A",
		"ctrl+a": "\x01", "ctrl+e": "\x05", "ctrl+k": "\x0b", "alt+b": "\x1bb", "alt+f": "\x1bf", "ctrl+left": "\x1b[1;5D", "ctrl+right": "\x1b[1;5C",
		"backspace": "\x7f", "delete": "\x1b[3~", "f1": "\x1bOP", "f5": "\x1b[15~", "console f1": "\x1b[[A", "nul": "\x00",
	}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			ty.send(code)
			continue
		}
		for _, r := range k {
			ty.send(string(r))
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// screen returns what the form shows, without colors.
func (ty *typist) screen() string {
	text, _, _ := ty.m.view()
	return sgr.ReplaceAllString(text, "")
}

func (ty *typist) wantScreen(parts ...string) {
	ty.t.Helper()
	for _, part := range parts {
		if got := ty.screen(); !strings.Contains(got, part) {
			ty.t.Errorf("got screen\n%s\nwant %q on it", got, part)
		}
	}
}

func TestMoving(t *testing.T) {
	name, city, note := &Field{Name: "name"}, &Field{Name: "city"}, &Field{Name: "note", MayBeEmpty: true}
	ty := newTypist(t, &Form{Title: "create account", Fields: []*Field{name, city}, Optional: []*Field{note}, Send: "create"})
	ty.press("enter")
	ty.wantScreen("> name", "this field is required")
	ty.press("Bikes", "enter", "shift+tab", "up", "end", "!", "down", "up", "tab") // back is possible with an empty city, too
	ty.wantScreen("> city")
	ty.press("Portland", "ctrl+j")
	ty.wantScreen("> optional fields (1)? [y/N]")
	ty.press("x", "y")
	ty.wantScreen("> note")
	ty.press(" a  b ", "enter")
	ty.wantScreen("> create", "name  Bikes!", "city  Portland", "note  a  b", "Enter: create")
	ty.press("down", "tab", "up", "up", "ctrl+u", "down")
	ty.wantScreen("> city", "this field is required")
	ty.press("up", "down", "Rome", "down", "down", "enter")
	if ty.m.state != stateDone || name.Value != "Bikes!" || city.Value != "Rome" || note.Value != "a  b" {
		t.Errorf("got state %d, %q, %q, %q, want it done with Bikes!, Rome, a  b", ty.m.state, name.Value, city.Value, note.Value)
	}
	ty.wantScreen("city  Rome\n")
}

// TestReviewChecksAllFields: a field that was emptied on the way back is found before the
// form is sent.
func TestReviewChecksAllFields(t *testing.T) {
	name, city := &Field{Name: "name"}, &Field{Name: "city"}
	ty := newTypist(t, &Form{Fields: []*Field{name, city}, Send: "create"})
	ty.press("a", "enter", "b", "enter", "up", "up", "ctrl+u", "up", "enter")
	ty.wantScreen("> name", "this field is required")
	if ty.m.state != stateAsking {
		t.Errorf("got state %d, want the form to go on", ty.m.state)
	}
	ty.press("c", "enter", "ctrl+u", "shift+tab", "enter", "b", "enter", "enter")
	if ty.m.state != stateDone || name.Value != "c" || city.Value != "b" {
		t.Errorf("got state %d, %q, %q, want it done with c, b", ty.m.state, name.Value, city.Value)
	}
}

func TestEditing(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"begin and end":          {[]string{"bc", "home", "a", "end", "d"}, "abcd"},
		"word":                   {[]string{"one two three", "ctrl+w", "3"}, "one two 3"},
		"line":                   {[]string{"one two", "ctrl+u", "x"}, "x"},
		"in the middle":          {[]string{"ac", "left", "b"}, "abc"},
		"wide":                   {[]string{"港の自転車", "left", "x"}, "港の自転x車"},
		"bidirectional override": {[]string{"a\u202eb\u0085c"}, "abc"},
		"the clipboard key":      {[]string{"a", "ctrl+v", "b"}, "ab"},
		"delete":                 {[]string{"ab", "left", "ctrl+d", "c"}, "ac"},
		"escape":                 {[]string{"a", "esc", "b", "esc", "left", "esc", "Oslo "}, "aOslo b"},
		"keys of shells":         {[]string{"bcx", "ctrl+a", "a", "ctrl+e", "backspace", "d", "left", "left", "ctrl+k", "!"}, "ab!"},
		"words":                  {[]string{"one two three", "alt+b", "ctrl+left", "2", "alt+f", "x", "ctrl+right", "y"}, "one 2twox threey"},
		"forward":                {[]string{"abc", "home", "delete", "end", "delete"}, "bc"},
		"what is no key":         {[]string{"a", "esc", "two at once", "broken", "c"}, "a[éc"},
		"other keys":             {[]string{"a", "f1", "f5", "console f1", "nul", "b"}, "ab"},
	} {
		t.Run(name, func(t *testing.T) {
			field := &Field{Name: "name"}
			newTypist(t, &Form{Fields: []*Field{field}}).press(append(c.keys, "enter")...)
			if field.Value != c.want {
				t.Errorf("got %q, want %q", field.Value, c.want)
			}
		})
	}
}

func TestPaste(t *testing.T) {
	for pasted, want := range map[string]string{
		"Harbour Bikes\n": "Harbour Bikes", "1 Quay Street\r\nFloor 2\r\n\r\n": "1 Quay Street Floor 2", "a\tb": "a b", "a\n\n\tb": "a b",
		"a\x1b[31mb\x00\x07\u009bc": "abc", "a\u202eb\u2066": "ab",
	} {
		t.Run(fmt.Sprintf("%q", pasted), func(t *testing.T) {
			field := &Field{Name: "name"}
			ty := newTypist(t, &Form{Fields: []*Field{field}})
			ty.paste(pasted)
			ty.press("enter")
			if field.Value != want {
				t.Errorf("got %q, want %q", field.Value, want)
			}
		})
	}
}

// TestSecret: a secret is never on the screen, and nothing in it is changed.
func TestSecret(t *testing.T) {
	secret, other := &Field{Name: "password", Secret: true}, &Field{Name: "note", MayBeEmpty: true}
	ty := newTypist(t, &Form{Fields: []*Field{secret, other}, Send: "store"})
	hidden := func() {
		t.Helper()
		if strings.Contains(ty.screen(), "hunter") {
			t.Errorf("got screen\n%s\nwant no secret on it", ty.screen())
		}
	}
	for _, pasted := range []string{"hun\nter2", "hun\x00ter2", "hun\u202eter2"} {
		ty.paste(pasted)
		ty.wantScreen("line break or another control character")
	}
	ty.paste(" hunter2 \n")
	ty.wantScreen("9 characters, hidden")
	hidden()
	ty.press("home", "enter")
	ty.wantScreen("password  hidden")
	ty.press("up", "down")
	hidden()
	ty.press("enter", "enter")
	hidden()
	if secret.Value != " hunter2 " {
		t.Errorf("got %q, want the text that was pasted, with its blanks", secret.Value)
	}
}

func TestChoices(t *testing.T) {
	var loads []string
	account := &Field{Name: "account_id", Choices: func(context.Context, string) ([]Choice, error) {
		return []Choice{{Value: "1", Text: "1 (Harbour  Bikes)"}, {Value: "12", Text: "12 (Café)"}, {Value: "2", Text: "2 (Bike 1)"}}, nil
	}}
	campaign := &Field{Name: "campaign_id", After: account, Choices: func(_ context.Context, account string) ([]Choice, error) {
		loads = append(loads, account)
		return []Choice{{Value: account + "01", Text: "campaign of " + account}}, nil
	}}
	ty := newTypist(t, &Form{Fields: []*Field{account, campaign}, Send: "add"})
	ty.wantScreen("→ 1 (Harbour  Bikes)")
	ty.press("R BIKE")
	ty.wantScreen("→ 1 (Harbour  Bikes)")
	ty.press("ctrl+u", "BIKE", "down")
	ty.wantScreen("→ 2 (Bike 1)")
	ty.press("ctrl+u", "1")
	ty.wantScreen("→ 1 (Harbour  Bikes)") // the id comes before names that contain it
	ty.press("ctrl+u", "zzz", "enter")
	if account.Value != "zzz" { // an id that the list does not have, which Check judges
		t.Errorf("got account %q, want zzz", account.Value)
	}
	ty.press("up", "ctrl+u", "cafe\u0301", "enter")
	ty.wantScreen("account_id   12 (Café)", "→ campaign of 12")
	ty.press("enter", "up")
	ty.wantScreen("→ campaign of 12")
	ty.press("up")
	ty.wantScreen("→ 12 (Café)")
	ty.press("up", "enter", "enter", "enter")
	if ty.m.state != stateDone || account.Value != "1" || campaign.Value != "101" {
		t.Errorf("got state %d, account %q, campaign %q, want 1 and 101", ty.m.state, account.Value, campaign.Value)
	}
	if got, want := fmt.Sprint(loads), "[zzz 12 1]"; got != want {
		t.Errorf("campaigns were loaded for %s, want %s", got, want)
	}
}

// TestChoicesThatCannotBeLoaded: the user types the value then.
func TestChoicesThatCannotBeLoaded(t *testing.T) {
	account := &Field{Name: "account_id", Choices: func(context.Context, string) ([]Choice, error) {
		return nil, errors.New("the service is \x1b[31mdown")
	}}
	ty := newTypist(t, &Form{Fields: []*Field{account}, Send: "add"})
	ty.wantScreen(`the service is \u001b[31mdown; type the value`)
	ty.press("7", "enter")
	if ty.m.state != stateDone || account.Value != "7" {
		t.Errorf("got state %d, account %q, want 7", ty.m.state, account.Value)
	}
}

// TestChoicesThatAreStillLoading: Enter waits for the list, unless the user has typed the
// value; what was typed meanwhile is searched for.
func TestChoicesThatAreStillLoading(t *testing.T) {
	account, note := &Field{Name: "account_id", Choices: func(context.Context, string) ([]Choice, error) {
		return []Choice{{Value: "1", Text: "1 (Harbour Bikes)"}, {Value: "2", Text: "2 (Cafe)"}}, nil
	}}, &Field{Name: "note", MayBeEmpty: true}
	ty := &typist{t: t, waits: true}
	ty.begin(&Form{Fields: []*Field{account, note}, Send: "add"})
	ty.press("enter")
	ty.wantScreen("> account_id", "loading")
	ty.press("7", "enter")
	if account.Value != "7" || ty.m.field() != note {
		t.Errorf("got account %q and the focus on %v, want 7 and note", account.Value, ty.m.field())
	}
	ty.press("up", "ctrl+u", "caf")
	ty.waits = false
	ty.load()
	ty.wantScreen("→ 2 (Cafe)")
}

// TestManyChoices: of a long list, the lines around the cursor are shown.
func TestManyChoices(t *testing.T) {
	words := make([]string, 20_000)
	for i := range words {
		words[i] = fmt.Sprintf("customer %d", i)
	}
	field := &Field{Name: "account", Words: words}
	ty := newTypist(t, &Form{Fields: []*Field{field}})
	ty.wantScreen("→ customer 0\n", "  customer 7\n", "… and 19992 more")
	for range 30 {
		ty.press("down")
	}
	ty.wantScreen("→ customer 30\n")
	if n := strings.Count(ty.screen(), "customer"); n != maxChoices {
		t.Errorf("got %d choices on the screen, want %d", n, maxChoices)
	}
	ty.press("19999", "enter")
	if field.Value != "customer 19999" {
		t.Errorf("got %q, want customer 19999", field.Value)
	}
}

// TestSizes: at any size, no line is wider than the terminal, there are no more lines than
// it has, and the row with the focus is on it.
func TestSizes(t *testing.T) {
	long := strings.Repeat("港 a long value ", 40)
	for _, size := range [][2]int{{10, 5}, {20, 8}, {40, 24}, {80, 10}, {80, 24}, {200, 50}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			f := &Form{Title: "create account with many fields", Send: "create account", Optional: []*Field{{Name: "note"}}}
			for i := range 15 {
				f.Fields = append(f.Fields, &Field{Name: fmt.Sprintf("external_account_identifier_%d", i), Help: "help of some length, in words", Value: "x"})
			}
			f.Fields[3].Value = long
			f.Fields[5].Words = []string{"one", "two", long}
			ty := newTypist(t, f)
			ty.resize(80, 24)
			ty.resize(size[0], size[1])
			for row := range ty.m.rows() {
				lines := strings.Split(ty.screen(), "\n")
				if len(lines) > size[1] {
					t.Errorf("row %d: got %d lines, want %d at most:\n%s", row, len(lines), size[1], ty.screen())
				}
				for _, line := range lines {
					if textwidth.Of(line) > size[0] {
						t.Errorf("row %d: got a line of %d columns, want %d at most: %s", row, textwidth.Of(line), size[0], line)
					}
				}
				_, at, _ := ty.m.view()
				if marked := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "> ") }); marked < 1 || at != marked && at != marked+1 {
					t.Errorf("row %d is in line %d and the cursor in line %d of\n%s", row, marked, at, ty.screen())
				}
				ty.press("tab")
			}
		})
	}
}

// TestWords: only the words of a list can be given.
func TestWords(t *testing.T) {
	field := &Field{Name: "server", Words: []string{"production", "mock"}}
	ty := newTypist(t, &Form{Fields: []*Field{field}})
	ty.press("staging", "enter")
	ty.wantScreen(`nothing in the list contains "staging"`)
	if ty.press("ctrl+u", "MOCK", "enter"); ty.m.state != stateDone || field.Value != "mock" {
		t.Errorf("got state %d, %q, want it done with mock", ty.m.state, field.Value)
	}
}

// TestWider: on a terminal that was made wider, more of a long value is shown, with the cursor where it was.
func TestWider(t *testing.T) {
	field := &Field{Name: "name"}
	ty := newTypist(t, &Form{Fields: []*Field{field}})
	ty.resize(40, 24)
	ty.press("one two three four five six seven eight nine ten", "left")
	ty.resize(80, 24)
	ty.wantScreen("> name  one two three four five six seven eight nine ten")
	ty.resize(40, 24)
	ty.wantScreen("nine ten")
	ty.press("s", "enter")
	if want := "one two three four five six seven eight nine tesn"; field.Value != want {
		t.Errorf("got %q, want %q", field.Value, want)
	}
}

// TestHidden: a field that is left out because of another is neither asked for nor checked.
func TestHidden(t *testing.T) {
	server := &Field{Name: "server", Words: []string{"production", "mock"}}
	address := &Field{Name: "address", Hidden: func() bool { return server.Value == "mock" }}
	ty := newTypist(t, &Form{Fields: []*Field{server, address}, Optional: []*Field{{Name: "output", MayBeEmpty: true}}, Send: "write"})
	ty.press("enter", "up", "down", "enter")
	ty.wantScreen("> optional fields (1)?")
	if strings.Contains(ty.screen(), "address") {
		t.Errorf("got screen\n%s\nwant no address on it", ty.screen())
	}
	ty.press("y", "enter", "enter")
	if ty.m.state != stateDone {
		t.Errorf("got state %d, want it done", ty.m.state)
	}
}

// TestNarrow: on a narrow terminal, lines break between words, and the line of keys between keys; an empty value takes no
// line. What does not fit is counted in the title.
func TestNarrow(t *testing.T) {
	address := &Field{Name: "address", Help: "address of the service, such as https://api.example.com"}
	f := &Form{Title: "report the visits", Send: "report the visits to a campaign's site", Fields: []*Field{address, {Name: "name", MayBeEmpty: true}, {Name: "city", Value: "Rome"}}}
	ty := newTypist(t, f)
	ty.resize(30, 24)
	ty.press("enter")
	ty.wantScreen("Report the visits\n> address\n", "    address of the service,\n    such as\n    https://api.example.com\n    this field is required\n  name\n  city\n    Rome\n",
		"\n\nEnter: next, Ctrl-C: cancel")
	ty.press("a", "enter")
	ty.wantScreen("\n\nEnter: next, Shift-Tab: back\nCtrl-C: cancel")
	ty.press("enter", "enter")
	ty.wantScreen("\n\nEnter: report the visits to a\ncampaign's site\nShift-Tab: back\nCtrl-C: cancel", "> report the visits to a\n  campaign's site\n")
	ty.resize(30, 18)
	ty.wantScreen("\n\nEnter: go on, Shift-Tab: back\nCtrl-C: cancel")
	ty.resize(30, 6)
	ty.wantScreen("Report the visits (4 of 4)\n", "\n\nEnter: go on, Shift-Tab: back")
}

// TestLongValueOnANarrowTerminal: as much of a long value is shown as there is room for, also after the terminal got wider.
func TestLongValueOnANarrowTerminal(t *testing.T) {
	ty := newTypist(t, &Form{Fields: []*Field{{Name: "name"}}})
	ty.resize(24, 24)
	ty.press("abcdefghijklmnopqrstuvwxyz0123456789", "left")
	ty.resize(38, 24)
	ty.wantScreen("    defghijklmnopqrstuvwxyz0123456789")
}

// TestNothingFound: what is not in the list is told while the user types.
func TestNothingFound(t *testing.T) {
	field := &Field{Name: "type", Words: []string{"target", "interest"}}
	ty := newTypist(t, &Form{Fields: []*Field{field}})
	ty.press("x")
	ty.wantScreen("nothing in the list contains this")
	ty.press("ctrl+u", "tar")
	ty.wantScreen("→ target")
	ty = newTypist(t, &Form{Fields: []*Field{{Name: "column", Listed: ChoicesOf([]string{"email"})}}})
	ty.press("x")
	ty.wantScreen("not in the list; Enter takes it as it is")
}

// TestNoColors: a form has no colors, which nobody chose for the background of the terminal.
func TestNoColors(t *testing.T) {
	ty := newTypist(t, &Form{Fields: []*Field{{Name: "name", Help: "help"}}})
	if got, _, _ := ty.m.view(); regexp.MustCompile("\x1b\\[[0-9;]*[34][0-9]").MatchString(got) {
		t.Errorf("got colors in %q", got)
	}
}

func TestCancel(t *testing.T) {
	ty := newTypist(t, &Form{Fields: []*Field{{Name: "name"}}})
	if ty.press("a", "ctrl+d"); ty.m.state != stateAsking {
		t.Errorf("after Ctrl-D behind a value: got state %d, want the form to go on", ty.m.state)
	}
	if ty.press("ctrl+u", "ctrl+d"); ty.m.state != stateCanceled {
		t.Errorf("after Ctrl-D without a value: got state %d, want it canceled", ty.m.state)
	}
}

func TestCancelSecret(t *testing.T) {
	ty := newTypist(t, &Form{Title: "log in", Fields: []*Field{{Name: "token", Secret: true}}})
	ty.press("hunter2", "ctrl+c")
	if ty.m.state != stateCanceled || ty.screen() != "" {
		t.Errorf("got state %d, screen %q, want it canceled and empty", ty.m.state, ty.screen())
	}
}
