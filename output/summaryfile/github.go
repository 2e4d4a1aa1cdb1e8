package summaryfile

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"reseller/client/safetext"
)

const maxAnnotations = 50

// Annotate writes the error, if it is not about faults and refused rows alone, and the first of these as annotations of
// GitHub Actions, which looks for files in the folder workspace.
func (s *Summary) Annotate(w io.Writer, workspace string) {
	list := slices.DeleteFunc(s.entries(), func(e entry) bool { return e.kind != kindInvalid && e.kind != kindRefused })
	if s.Error != "" && (s.IsWhole || len(list) == 0 || s.Unknown > 0 || s.DoubledRows != nil || s.MissingRows != nil) {
		list = slices.Insert(list, 0, entry{kind: s.State, Row: Row{Reason: s.Error}})
	}
	for _, e := range list[:min(len(list), maxAnnotations)] {
		var properties []string
		if path := s.path(e.File); path != "" && e.kind != s.State {
			if full, err := filepath.Abs(path); err == nil {
				if inside, err := filepath.Rel(workspace, full); err == nil && filepath.IsLocal(inside) {
					path = filepath.ToSlash(inside)
				}
			}
			properties = append(properties, "file="+property.Replace(safetext.Escape(path)))
		}
		if line := valueOf(e.Line); line > 0 { // GitHub shows the text beside it
			properties = append(properties, fmt.Sprintf("line=%d", line))
			e.Line, e.Row.Row = nil, nil
		}
		command := "::error"
		if properties != nil {
			command += " " + strings.Join(properties, ",")
		}
		fmt.Fprintf(w, "%s::%s\n", command, message.Replace(safetext.Escape(e.String())))
	}
}

// message and property escape the texts of a workflow command as GitHub asks. Beyond that, message escapes
// two colons in a row, so that no text looks like the beginning of a command.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "::", "%3A%3A", "##[", "##%5B")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", "##%5B")
)

// A CommandGuard is the stderr of a command whose log GitHub Actions reads: nothing that is written to it is a
// workflow command. GitHub finds ::command:: at the beginning of a line, and ##[command] anywhere in it.
type CommandGuard struct {
	w  io.Writer
	on func() bool // reports whether GitHub reads the log

	mu   sync.Mutex
	last [2]byte // the last two bytes that were written
}

// NewCommandGuard returns a guard for w. Everything passes as it is while on returns false.
func NewCommandGuard(w io.Writer, on func() bool) *CommandGuard { return &CommandGuard{w: w, on: on} }

// Write writes p. It escapes the second of two colons, the bracket of ##[, % and carriage returns. What one
// command would be may be split over several calls.
func (g *CommandGuard) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]byte, 0, len(p)+16)
	for _, c := range p {
		switch {
		case c == '%':
			out = append(out, "%25"...)
		case c == '\r':
			out = append(out, "%0D"...)
		case c == ':' && g.last[1] == ':':
			out = append(out, "%3A"...)
		case c == '[' && g.last == [2]byte{'#', '#'}:
			out = append(out, "%5B"...)
		default:
			out = append(out, c)
		}
		g.last = [2]byte{g.last[1], c}
	}
	if len(out) == len(p) || !g.on() {
		out = p
	}
	if _, err := g.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (g *CommandGuard) Unguarded() io.Writer { return g.w }

// GuardJSON returns JSON with the same value in which w, if it is a CommandGuard, finds nothing to escape.
func GuardJSON(w io.Writer, text []byte) []byte {
	if g, ok := w.(*CommandGuard); !ok || !g.on() {
		return text
	}
	return []byte(jsonGuard.Replace(string(text)))
}

var jsonGuard = strings.NewReplacer("%", `\u0025`, "::", `\u003a\u003a`, "##[", `#\u0023[`)
