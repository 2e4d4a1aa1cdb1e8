// Package words has every word of the pages that customers get, in one file for each language. A text is a whole sentence
// or label with named places for values, and has a form for each number where its language needs them.
package words

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"reseller/client/phrase"
)

//go:embed *.yaml
var files embed.FS

// Languages are those whose words are part of the program.
var Languages = []string{"en", "de", "es", "fr"}

// MaxFile is the size of the largest file of words, in bytes.
const MaxFile = 256 << 10

// Words are the texts of one language. A nil *Words is English.
type Words struct {
	Language string
	texts    map[string]*text
	tag      language.Tag
	printer  *message.Printer
	isLatin  bool     // small numbers have the digits 0 to 9
	elided   []string // words that lose their last letter before a vowel
}

// A text has parts, or forms of which a value chooses one.
type text struct {
	parts []part
	forms map[string]*text
}

// A part is a constant text and then a place for a value, which the last part does not have.
type part struct {
	constant, place string
	isOptional      bool // translations may leave the place out
}

// A Case is a value that chooses a form by its name and is not shown.
type Case string

// otherForm is the form for everything that has none of its own.
const otherForm = "other"

var shipped = func() map[string]func() *Words {
	all := map[string]func() *Words{}
	for _, name := range Languages {
		all[name] = sync.OnceValue(func() *Words {
			w, err := read(Source(name))
			if err != nil {
				panic(err) // the files are tested
			}
			return w
		})
	}
	return all
}()

// Source returns the file of a language that is part of the program.
func Source(name string) []byte {
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		panic(err)
	}
	return data
}

// In returns the words of a language that is part of the program.
func In(name string) (w *Words, ok bool) {
	load, ok := shipped[name]
	if !ok {
		return nil, false
	}
	return load(), true
}

func (w *Words) or() *Words {
	if w == nil {
		return shipped["en"]()
	}
	return w
}

// Tag returns the language as pages name it.
func (w *Words) Tag() string { return w.or().Language }

// Direction returns rtl if the language is written from the right to the left, and else nothing.
func (w *Words) Direction() string {
	if script, _ := w.or().tag.Script(); slices.Contains([]string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"}, script.String()) {
		return "rtl"
	}
	return ""
}

// Say returns a text with its values, each after the name of its place. An int, a float64 or a Case chooses a form,
// in the order of the values.
func (w *Words) Say(key string, values ...any) string {
	w = w.or()
	t := w.texts[key]
	if t == nil {
		panic("there is no text " + key)
	}
	for i := 1; i < len(values); i += 2 {
		switch v := values[i].(type) {
		case Case:
			t = t.form(string(v))
		case int:
			t = t.form(strconv.Itoa(v), w.category(float64(v)))
		case float64:
			t = t.form(strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64), w.category(v))
		}
	}
	for t.forms[otherForm] != nil {
		t = t.forms[otherForm]
	}
	if len(t.parts) == 1 && t.parts[0].place == "" {
		return t.parts[0].constant
	}
	var b strings.Builder
	value := ""
	for _, p := range t.parts {
		if strings.HasSuffix(value, ".") { // of an abbreviation, which ends a sentence, too
			p.constant = strings.TrimPrefix(p.constant, ".")
		}
		value = ""
		for i := 0; i < len(values) && p.place != ""; i += 2 {
			if values[i] == p.place {
				value = w.show(values[i+1])
			}
		}
		b.WriteString(w.elide(p.constant, value))
		b.WriteString(value)
	}
	return b.String()
}

// form returns the form by the first of some names that there is.
func (t *text) form(names ...string) *text {
	for _, name := range append(names, otherForm) {
		if form := t.forms[name]; form != nil {
			return form
		}
	}
	return t
}

func (w *Words) show(value any) string {
	switch v := value.(type) {
	case int:
		return w.Number(float64(v))
	case float64:
		return w.Number(v)
	}
	return fmt.Sprint(value)
}

// elide returns the words before a value, of which the last may lose a letter before a vowel.
func (w *Words) elide(before, value string) string {
	first, _ := utf8.DecodeRuneInString(value)
	if len(w.elided) == 0 || !strings.ContainsRune("aeiouàâéèêëîïôûœ", unicode.ToLower(first)) {
		return before
	}
	for _, word := range w.elided {
		if strings.HasSuffix(" "+before, " "+word+" ") {
			return before[:len(before)-2] + "’"
		}
	}
	return before
}

func (w *Words) category(n float64) string {
	tenths := int(math.Mod(math.Round(n*10), 1e8))
	digits := min(tenths%10, 1)
	form := plural.Cardinal.MatchPlural(w.tag, tenths/10, digits, digits, tenths%10, tenths%10)
	return [...]string{plural.Other: otherForm, plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}[form]
}

// Minus is the minus sign of prose.
const Minus = "−"

// Number returns a number as people read it: with at most one decimal and thousands set apart. It is empty for NaN.
func (w *Words) Number(n float64) string {
	w = w.or()
	if math.IsNaN(n) {
		return ""
	}
	size, sign := math.Round(math.Abs(n)*10)/10, ""
	if n < 0 && size > 0 {
		sign = Minus
	}
	if whole := math.Trunc(size); w.isLatin && whole == size && size < 1000 {
		return sign + strconv.Itoa(int(whole))
	}
	return sign + w.printer.Sprint(number.Decimal(size, number.MaxFractionDigits(1)))
}

func (w *Words) Month(m time.Month) (name, short string) {
	n := strconv.Itoa(int(m))
	return w.Say("month." + n), w.Say("short_month." + n)
}

// List joins texts by commas, and Clauses by semicolons. Both leave out empty ones, and those that came before.
func (w *Words) List(all ...string) string { return phrase.Join(w.Say("list.comma"), all...) }

func (w *Words) Clauses(all ...string) string { return phrase.Join(w.Say("list.semicolon"), all...) }

// First joins the first texts of a list by commas, and says how many more there are.
func (w *Words) First(all []string, limit int) string {
	list := strings.Join(all[:min(len(all), limit)], w.Say("list.comma"))
	if more := len(all) - limit; more > 0 {
		return w.Say("list.more", "list", list, "n", more)
	}
	return list
}

// Capital returns a text as a title begins.
func Capital(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

func (w *Words) Each(keys ...string) []string {
	return phrase.Each(keys, func(key string) string { return w.Say(key) })
}

// Parse reads a file of words, whose keys, places and forms must be those that the program and the language need.
func Parse(data []byte) (*Words, error) {
	w, err := read(data)
	if err != nil {
		return nil, err
	}
	if problems := w.problems(); len(problems) > 0 {
		return nil, errors.New(phrase.First(problems, maxProblems))
	}
	return w, nil
}

const maxProblems = 12

// read reads a file of words. Its lines are those of YAML: a key and a text or, indented below a key, its forms.
func read(data []byte) (*Words, error) {
	root := &text{forms: map[string]*text{}}
	open := []*text{root} // the texts to whose forms a line may belong, by its indent
	n := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		if n++; !utf8.ValidString(line) {
			return nil, fmt.Errorf("line %d: letters that are not in UTF-8: save the file with the encoding UTF-8", n)
		}
		content := strings.TrimLeft(strings.TrimSuffix(line, "\r"), " ")
		if content == "" || content[0] == '#' {
			continue
		}
		key, value, found := strings.Cut(content+" ", ": ")
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		if !found || depth >= len(open) {
			return nil, fmt.Errorf("line %d: not a key and a text, or a form that is indented by two blanks", n)
		}
		above := open[depth]
		if above.forms[key] != nil {
			return nil, fmt.Errorf("line %d: %s is there before", n, key)
		}
		t := &text{}
		if value = strings.TrimSpace(value); value == "" {
			t.forms = map[string]*text{}
			open = append(open[:depth+1], t)
		} else {
			open = open[:depth+1]
			if err := t.parse(value); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
		above.forms[key] = t
	}
	w := &Words{texts: root.forms}
	name := w.constant("language")
	tag, err := language.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("language %q is none such as en or pt-BR", name)
	}
	w.Language, w.tag, w.printer = tag.String(), tag, message.NewPrinter(tag)
	w.isLatin = w.printer.Sprint(number.Decimal(0)) == "0"
	w.elided = strings.Fields(w.constant("elided"))
	return w, nil
}

func (w *Words) constant(key string) string {
	if t := w.texts[key]; t != nil && len(t.parts) > 0 {
		return t.parts[0].constant
	}
	return ""
}

// parse reads a text, which is in quotes where YAML would take it for something else.
func (t *text) parse(value string) (err error) {
	switch {
	case value[0] == '"':
		if value, err = strconv.Unquote(value); err != nil {
			return errors.New("the quotes do not fit")
		}
	case strings.ContainsRune("'{}[]&*!|>%@`,", rune(value[0])), strings.Contains(value, ": "), strings.Contains(value, " #"):
		return errors.New("a text with such characters is in double quotes")
	}
	for rest := value; ; {
		constant, after, found := strings.Cut(rest, "{")
		place, next, ended := strings.Cut(after, "}")
		if found != ended || strings.Contains(constant, "}") || strings.Contains(place, "{") {
			return errors.New("a place such as {n} begins with { and ends with }")
		}
		name, isOptional := strings.CutSuffix(place, "?")
		t.parts = append(t.parts, part{constant, name, isOptional})
		if rest = next; !found {
			return nil
		}
	}
}

func (t *text) each(name string, do func(name string, t *text)) {
	do(name, t)
	for _, form := range slices.Sorted(maps.Keys(t.forms)) {
		t.forms[form].each(name+", "+form, do)
	}
}

// problems compares the words with the English ones, which say what there must be.
func (w *Words) problems() (all []string) {
	english := shipped["en"]().texts
	for _, key := range slices.Sorted(maps.Keys(w.texts)) {
		if english[key] == nil {
			all = append(all, "unknown key "+key)
		}
	}
	categories := map[string]bool{}
	for n := range 200 {
		categories[w.category(float64(n))] = true
	}
	for _, key := range slices.Sorted(maps.Keys(english)) {
		if t := w.texts[key]; t == nil {
			all = append(all, "missing key "+key)
		} else {
			all = append(all, t.problems(key, english[key], categories)...)
		}
	}
	return all
}

// problems compares a text with the English one. Of numbers, a text has all forms that its language needs, or only one.
func (t *text) problems(key string, english *text, categories map[string]bool) (all []string) {
	isRequired, said, forms := map[string]bool{}, map[string]bool{}, maps.Clone(categories)
	english.each("", func(_ string, t *text) {
		for _, p := range t.parts {
			isRequired[p.place] = isRequired[p.place] || !p.isOptional
		}
		for form := range t.forms {
			forms[form] = true
		}
	})
	t.each(key, func(name string, t *text) {
		if len(t.parts) == 1 && t.parts[0] == (part{}) {
			all = append(all, name+" is empty")
		}
		for _, p := range t.parts {
			said[p.place] = true
			if _, isKnown := isRequired[p.place]; !isKnown {
				all = append(all, fmt.Sprintf("%s has an unknown place {%s}", name, p.place))
			}
		}
		isPlural := false
		for _, form := range slices.Sorted(maps.Keys(t.forms)) {
			isPlural = isPlural || categories[form] && form != otherForm
			if _, err := strconv.Atoi(form); err != nil && !forms[form] {
				all = append(all, fmt.Sprintf("%s has an unknown form %s", name, form))
			}
		}
		for _, form := range slices.Sorted(maps.Keys(categories)) {
			if t.forms != nil && t.forms[form] == nil && (isPlural || form == otherForm) {
				all = append(all, fmt.Sprintf("%s lacks the form %s", name, form))
			}
		}
	})
	for _, place := range slices.Sorted(maps.Keys(isRequired)) {
		if isRequired[place] && !said[place] {
			all = append(all, fmt.Sprintf("%s lacks {%s}", key, place))
		}
	}
	return all
}
