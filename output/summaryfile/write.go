package summaryfile

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"reseller/client/phrase"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/output"
	"reseller/output/encode"
)

var formats = map[string]func(*Summary) []byte{".json": (*Summary).json, ".xml": (*Summary).junit, ".md": (*Summary).Markdown}

const Endings = ".json, .xml (JUnit) or .md"

func IsKnown(path string) bool { return formats[endingOf(path)] != nil }

func endingOf(path string) string { return strings.ToLower(filepath.Ext(path)) }

// WriteFile writes the summary to a file, in the form that its ending names. The file appears whole
// or not at all.
func (s *Summary) WriteFile(path string) error {
	return output.Replace(output.OpenFile, path, func(w io.Writer) error {
		_, err := w.Write(formats[endingOf(path)](s))
		return err
	})
}

func (s *Summary) json() []byte {
	text, err := record.Encode(s.Printable())
	if err != nil {
		panic(err) // a struct of texts and numbers
	}
	return append(encode.AppendJSON(nil, text, 0), '\n')
}

// Printable returns the summary with arrays where a list has no entries.
func (s *Summary) Printable() Summary {
	out := *s
	out.Faults, out.RefusedRows = append([]output.Fault{}, s.Faults...), append([]Row{}, s.RefusedRows...)
	return out
}

// junit returns the summary as a JUnit report: a test case for each file or request.
func (s *Summary) junit() []byte {
	var cases []byte
	parts, failures, skipped := s.parts(s.entries()), 0, 0
	for _, p := range parts {
		cases = fmt.Appendf(cases, "    <testcase classname=%s name=%s time=\"%.3f\"", attribute(s.Operation), attribute(p.name), s.Seconds/float64(len(parts)))
		switch {
		case p.failed != nil:
			failures++
			message, lines := p.failed[0].String(), phrase.Each(p.failed, func(e entry) string { return xmlText(e.kind + ": " + e.String()) })
			if n := len(p.failed); n > 1 {
				message = fmt.Sprintf("%s, and %d more", message, n-1)
			}
			cases = fmt.Appendf(cases, ">\n      <failure type=%s message=%s>%s</failure>\n    </testcase>\n", attribute(p.failed[0].kind), attribute(message), strings.Join(lines, "\n"))
		case p.skipped:
			skipped++
			cases = append(cases, "><skipped/></testcase>\n"...)
		default:
			cases = append(cases, "/>\n"...)
		}
	}
	counts := fmt.Sprintf(`tests="%d" failures="%d" errors="0" time="%.3f"`, len(parts), failures, s.Seconds)
	return fmt.Appendf(nil, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"reseller\" %s>\n  <testsuite name=%s %s skipped=\"%d\">\n%s  </testsuite>\n</testsuites>\n",
		counts, attribute(s.Operation), counts, skipped, cases)
}

func attribute(text string) string { return `"` + xmlText(text) + `"` }

// xmlText returns a text as XML can hold it: characters that XML does not allow are escaped as on a
// terminal.
func xmlText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return unicode.ReplacementChar
		}
		return r
	}, safetext.Escape(text))
	return html.EscapeString(text)
}

// maxShown is how many faults and rows the Markdown of a summary has: GitHub shows no page of more
// than 1 MB.
const maxShown = 100

// Markdown returns the summary as a page for people: a table of the counts, and one of the failures.
func (s *Summary) Markdown() []byte {
	entries := s.entries()
	b := []byte("### reseller ")
	title := s.Operation
	if s.path("") != "" {
		title += " of " + s.Input
	}
	if s.Shard != "" {
		title += ", shard " + s.Shard
	}
	b = encode.AppendMarkdown(b, fmt.Sprintf("%s: %s (exit code %d)", title, s.State, s.ExitCode))
	b = append(b, "\n\n"...)
	reason, _, _ := strings.Cut(s.Error, "\n")
	for _, text := range []string{s.Outcome, reason} {
		if text != "" {
			b = append(encode.AppendMarkdown(b, text), "\n\n"...)
		}
	}
	var names, counts []string
	text, _ := json.Marshal(s.Summary) // a struct of texts and numbers
	for name, v := range record.Value(text).Members() {
		if name != "job" && name != "operation" {
			names, counts = append(names, name), append(counts, v.Text())
		}
	}
	b = appendRow(appendRow(b, names), slices.Repeat([]string{"---"}, len(names)))
	b = appendRow(b, counts)
	if entries == nil {
		return b
	}
	b = append(b, "\n| outcome | file | place | record | reason | http_status |\n| --- | --- | --- | --- | --- | --- |\n"...)
	for _, e := range entries[:min(len(entries), maxShown)] {
		status := ""
		if e.HTTPStatus != nil {
			status = strconv.Itoa(*e.HTTPStatus)
		}
		b = appendRow(b, []string{e.kind, s.path(e.File), e.place(), valueOf(e.Record), safetext.Cut(e.Reason, safetext.MaxMessage), status})
	}
	if more := len(entries) - maxShown; more > 0 {
		b = fmt.Appendf(b, "\nand %d more\n", more)
	}
	return b
}

func appendRow(b []byte, cells []string) []byte {
	for _, cell := range cells {
		b = encode.AppendMarkdown(append(b, "| "...), cell)
		b = append(b, ' ')
	}
	return append(b, "|\n"...)
}
