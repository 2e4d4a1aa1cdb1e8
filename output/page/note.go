package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The largest file of notes, in bytes, and the longest text in it.
const (
	MaxNotesFile = 16 << 20
	maxNote      = 10_000
)

// A Note is what a reseller writes to one customer.
type Note struct {
	Key      string // a campaign or an account, as the file names it
	Language string // of the customer's page, empty if it is not given
	Targets  map[string]float64
	Text     []Block
}

// A Block is a paragraph, or the items of a list.
type Block struct {
	IsList  bool
	Items   [][]Span
	Numbers []int // those of the items of a numbered list
}

// A Span is a part of a text. One with an address is a link.
type Span struct {
	Text, Address string
	IsBold        bool
}

// commentLine matches a comment that begins a line. It may stand between the lines of a text, which YAML forbids.
var commentLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^#.*`) })

// ParseNotes reads a file of notes. It has no aliases, with which a small file could name a large one.
func ParseNotes(data []byte) ([]Note, error) {
	file, err := parseYAML(commentLine().ReplaceAll(data, nil))
	if err != nil {
		return nil, err
	}
	var notes []Note
	err = eachPair(file, "a campaign or an account", func(key string, value *yaml.Node) error {
		n := Note{Key: key}
		err := eachPair(value, "text, targets or language", func(field string, value *yaml.Node) error { return n.set(field, value) })
		notes = append(notes, n)
		return err
	})
	return notes, err
}

// parseYAML reads a file of one document. What is wrong is told in words of people who write letters.
func parseYAML(data []byte) (*yaml.Node, error) {
	var file, more yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(data))
	err := documents.Decode(&file)
	if err == io.EOF {
		return nil, errors.New("the file is empty")
	}
	if err == nil {
		if err = documents.Decode(&more); err == nil {
			return nil, fmt.Errorf("line %d: another document: put all into one", more.Line)
		}
	}
	if err == io.EOF {
		return file.Content[0], nil
	}
	line := 0
	for text := range bytes.Lines(data) {
		if line++; !utf8.Valid(text) {
			return nil, fmt.Errorf("line %d: letters that are not in UTF-8: save the file with the encoding UTF-8", line)
		}
	}
	if strings.Contains(err.Error(), "control characters") {
		return nil, errors.New("it has control characters, which are no text")
	}
	all := slices.Collect(bytes.Lines(data))
	line = sort.Search(len(all), func(n int) bool { // the parser names the line where the text around the mistake begins
		err := yaml.Unmarshal(bytes.Join(all[:n], nil), new(yaml.Node))
		return err != nil
	})
	return nil, fmt.Errorf("line %d: not to be understood, or the line beside it: indent with blanks and not with tabs, and put a text with a colon, # or quotes into quotes, or on lines of its own below a |", line)
}

// eachPair calls do with each key and value of a mapping, and names the line of what is wrong.
func eachPair(n *yaml.Node, keys string, do func(key string, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode || n.Anchor != "" {
		return fmt.Errorf("line %d: not keys with values: a key is %s", n.Line, keys)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		err := errors.New("anchors and aliases are not taken")
		switch isPlain := key.Kind == yaml.ScalarNode && key.Anchor+value.Anchor == "" && value.Kind != yaml.AliasNode; {
		case isPlain && seen[key.Value]:
			err = fmt.Errorf("%q is there before", clean(key.Value, maxName))
		case isPlain:
			seen[key.Value] = true
			err = do(key.Value, value)
		}
		switch {
		case err != nil && strings.HasPrefix(err.Error(), "line "):
			return err
		case err != nil:
			return fmt.Errorf("line %d: %w", key.Line, err)
		}
	}
	return nil
}

// setWord sets a value that is no list and has no keys. It is empty without a value.
func setWord(to *string, key string, value *yaml.Node) error {
	if value.Kind != yaml.ScalarNode {
		return fmt.Errorf("%s is not a text", key)
	}
	*to = value.Value
	if value.Tag == "!!null" {
		*to = ""
	}
	return nil
}

// setText sets a text that customers read, of which no end may be lost as a comment.
func setText(to *string, key string, value *yaml.Node) error {
	if value.LineComment != "" && value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return fmt.Errorf("%s ends before %q, which YAML takes for a comment: put the text into quotes, or on lines of its own below a |", key, clean(value.LineComment, maxName))
	}
	return setWord(to, key, value)
}

func (n *Note) set(field string, value *yaml.Node) error {
	switch field {
	case "targets":
		n.Targets = map[string]float64{}
		return eachPair(value, "the name of a figure", func(name string, value *yaml.Node) error {
			target, err := strconv.ParseFloat(value.Value, 64)
			whole, thousands, hasPoint := strings.Cut(value.Value, ".")
			switch {
			case err != nil || !(target > 0 && target < 1e12) || strings.Trim(value.Value, "0123456789.") != "":
				return fmt.Errorf("%s: %q is no number above 0, such as 12000 or 0.5", name, clean(value.Value, maxName))
			case hasPoint && len(thousands) == 3 && strings.Trim(whole, "0") != "": // 0 thousands are none
				return fmt.Errorf("%s: %q may mean thousands: write %s, or %s0", name, value.Value, whole+thousands, value.Value)
			}
			n.Targets[name] = target
			return nil
		})
	case "language":
		return setWord(&n.Language, field, value)
	case "text":
		text := ""
		switch err := setText(&text, field, value); {
		case err != nil:
			return err
		case len(text) > maxNote:
			return fmt.Errorf("the text has more than %d bytes", maxNote)
		}
		n.Text = parseMarkdown(text)
		return nil
	}
	return fmt.Errorf("unknown key %q: use text, targets, language", clean(field, maxName))
}

var (
	listItem = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:[-*]|([1-9]\d{0,2})[.)])\s+(.*)$`) })
	// A span is bold or a link: anything else is a text.
	span = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*\*([^*\n]+)\*\*|\[([^\[\]\n]+)\]\(([^()\s]+)\)`) })
)

func parseMarkdown(text string) []Block {
	var blocks []Block
	isOpen := false // the last block takes more lines
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		item := listItem().FindStringSubmatch(line)
		line = strings.TrimSpace(line)
		last, number := len(blocks)-1, 0
		if item != nil {
			number, _ = strconv.Atoi(item[1])
		}
		switch {
		case line == "":
			isOpen = false
		case item != nil && (!isOpen || number <= 1 || blocks[last].Numbers != nil):
			if !isOpen || !blocks[last].IsList || (number > 0) != (blocks[last].Numbers != nil) {
				blocks, isOpen = append(blocks, Block{IsList: true}), true
			}
			b := &blocks[len(blocks)-1]
			if n := len(b.Numbers); n > 0 && number == 1 && b.Numbers[0] == 1 {
				number = b.Numbers[n-1] + 1 // of a list whose items are all written with 1
			}
			if b.Items = append(b.Items, parseSpans(item[2])); number > 0 {
				b.Numbers = append(b.Numbers, number)
			}
		case isOpen:
			end := len(blocks[last].Items) - 1
			blocks[last].Items[end] = append(blocks[last].Items[end], parseSpans(" "+line)...)
		default:
			blocks, isOpen = append(blocks, Block{Items: [][]Span{parseSpans(line)}}), true
		}
	}
	return blocks
}

func parseSpans(text string) (spans []Span) {
	add := func(s Span) {
		if s.Text != "" {
			spans = append(spans, s)
		}
	}
	end := 0
	for _, at := range span().FindAllStringSubmatchIndex(text, -1) {
		s := Span{IsBold: true}
		if at[2] >= 0 {
			s.Text = text[at[2]:at[3]]
		} else if s = (Span{Text: text[at[4]:at[5]], Address: text[at[6]:at[7]]}); !isSafeAddress(s.Address) {
			continue
		}
		add(Span{Text: text[end:at[0]]})
		add(s)
		end = at[1]
	}
	add(Span{Text: text[end:]})
	return spans
}

// isSafeAddress reports whether an address opens a page or a mail, and runs nothing.
func isSafeAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && visible(address) == address && (u.Scheme == "mailto" && u.Opaque != "" || (u.Scheme == "http" || u.Scheme == "https") && u.Host != "")
}

func (w *writer) addNote(text []Block) {
	if len(text) == 0 {
		return
	}
	w.add(`<div class="letter">`)
	for _, b := range text {
		var list, item, end, listEnd markup = "", "<p>", "</p>\n", ""
		switch {
		case b.Numbers != nil:
			list, item, end, listEnd = "<ol>", `<li value="$">`, "</li>\n", "</ol>\n"
		case b.IsList:
			list, item, end, listEnd = "<ul>", "<li>", "</li>\n", "</ul>\n"
		}
		w.add(list)
		for i, spans := range b.Items {
			if b.Numbers != nil {
				w.add(item, strconv.Itoa(b.Numbers[i]))
			} else {
				w.add(item)
			}
			for _, s := range spans {
				switch {
				case s.Address != "":
					w.add(`<a href="$">$</a>`, s.Address, s.Text)
				case s.IsBold:
					w.add("<strong>$</strong>", s.Text)
				default:
					w.add("$", s.Text)
				}
			}
			w.add(end)
		}
		w.add(listEnd)
	}
	w.add("</div>\n")
}

// addNote writes what the reseller writes to the customer, with addresses in place of links.
func (s *sheet) addNote(text []Block) {
	for _, b := range text {
		for n, item := range b.Items {
			spans := slices.Clone(item)
			for i, part := range item {
				if address := strings.TrimPrefix(part.Address, "mailto:"); !slices.Contains([]string{"", part.Text}, address) {
					spans[i].Text += " (" + address + ")"
				}
			}
			switch {
			case b.Numbers != nil:
				spans = append([]Span{{Text: strconv.Itoa(b.Numbers[n]) + "." + string(noBreak)}}, spans...)
			case b.IsList:
				spans = append([]Span{{Text: bullet}}, spans...)
			}
			s.addSpans(spans, 10.5)
		}
		s.y += 5
	}
}

// addSpans writes a text of which parts may be bold. Its lines are as long as they could be if all of it were.
func (s *sheet) addSpans(spans []Span, size float64) {
	text, isBold := "", []bool{} // of each letter
	for _, span := range spans {
		shown := s.shown(span.Text)
		text += shown
		for range strings.ReplaceAll(shown, " ", "") {
			isBold = append(isBold, span.IsBold)
		}
	}
	for _, line := range s.lines(text, look{size, slices.Contains(isBold, true), ink}, s.ink()) {
		s.need(size * lineHeight)
		x := sheetMargin
		for rest := line; rest != "" && len(isBold) > 0; {
			run, l := "", look{size, isBold[0], ink}
			for rest != "" && (rest[0] == ' ' || len(isBold) > 0 && isBold[0] == l.isBold) {
				_, n := utf8.DecodeRuneInString(rest)
				if rest[0] != ' ' {
					isBold = isBold[1:]
				}
				run, rest = run+rest[:n], rest[n:]
			}
			s.write(run, l, x, s.y, s.ink(), 0)
			x += s.font.Width(run, size)
		}
		s.y += size * lineHeight
	}
}
