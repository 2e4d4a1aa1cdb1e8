package page

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"reseller/client/summary"
)

// lineKeys are figures that a course may have.
var lineKeys = []string{summary.TileVisits, summary.TileOrganicVisits, summary.TileTasksCompleted, summary.TileLinksGained, summary.TileLinksLost, summary.FigureReferringBacklinks}

// fill sets all that v holds: most texts are the text and the others empty, lines are of figures, and every number is
// small.
func fill(v reflect.Value, text string, random *rand.Rand) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, random)
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				fill(f, text, random)
			}
		}
		switch of := v.Addr().Interface().(type) {
		case *summary.Line:
			of.Key = lineKeys[random.IntN(len(lineKeys))]
		case *summary.Page:
			of.Traffic.Course.Lines[1].Key, of.Traffic.Course.Lines[2].Key = summary.TileOrganicVisits, summary.LineBefore
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			fill(v.Index(i), text, random)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text, random)
		}
	case reflect.String:
		if random.IntN(4) > 0 {
			v.SetString(text)
		}
	case reflect.Bool:
		v.SetBool(random.IntN(2) > 0)
	case reflect.Uint8:
		v.SetUint(random.Uint64N(3))
	case reflect.Int, reflect.Int64:
		v.SetInt(random.Int64N(30))
	case reflect.Float64:
		v.SetFloat(float64(random.IntN(30)))
		if random.IntN(6) == 0 {
			v.SetFloat(math.NaN())
		}
	default:
		panic(fmt.Sprint("no value for a ", v.Type()))
	}
}

// structure returns the tags of a page with the names of their attributes, in order.
func structure(t *testing.T, page []byte) string {
	t.Helper()
	var b strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String()
		}
		token := z.Token()
		if kind == html.TextToken {
			continue
		}
		if kind == html.CommentToken {
			t.Errorf("got a comment %q, want none", token.Data)
		}
		b.WriteString(kind.String() + " " + token.Data)
		for _, a := range token.Attr {
			b.WriteString(" " + a.Key)
		}
		b.WriteString("\n")
	}
}

func firstDifference(got, want string) string {
	gots, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gots), len(wants)) {
		if gots[i] != wants[i] {
			return fmt.Sprintf("got %q as tag %d, want %q", gots[i], i, wants[i])
		}
	}
	return fmt.Sprintf("got %d tags, want %d", len(gots), len(wants))
}

// FuzzTextsMakeNoMarkup compares pages in which every text is hostile with pages in which every
// text is a letter: they have the same tags and attributes.
func FuzzTextsMakeNoMarkup(f *testing.F) {
	for i, text := range []string{
		hostile, `" onload="alert(1)`, "' onload='alert(1)", "</style><script>alert(1)</script>", "</title></svg><img src=x>", "<!-- ", "-->", "]]>",
		"\x00<b>", "\xff<b>", "&lt;script&gt;", "$ $", "` onload=alert(1) `", "/><a href=javascript:alert(1)>", "\u2028<b\u200b>", "=\n<b>", "0\n<0*",
	} {
		f.Add(text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		made := func(text string) (page, index []byte) {
			random := rand.New(rand.NewPCG(seed, 0))
			var p summary.Page
			var b Brand
			var ix Index
			fill(reflect.ValueOf(&p).Elem(), text, random)
			fill(reflect.ValueOf(&b).Elem(), text, random)
			fill(reflect.ValueOf(&ix).Elem(), text, random)
			for _, e := range ix.Entries {
				for i := range e.Figures {
					e.Figures[i].Value = 1 // Describe sets no other than a number
				}
			}
			made := ix.Render(english, &b)
			// How many dates an axis has room for depends on how wide they are.
			dates := regexp.MustCompile(`<path [^>]*class="axis"/>|<text [^>]*class="axis"[^>]*>[^<]*</text>`)
			return dates.ReplaceAll(Render(&p, Options{Appendix: true, Brand: &b}), nil), made
		}
		text = text[:min(len(text), 200)] // an appendix of too many bytes is cut
		page, index := made("a" + text)
		wantPage, wantIndex := made("a")
		if got, want := structure(t, page), structure(t, wantPage); got != want {
			t.Errorf("got a page with other tags or attributes because of %q:\n%s", text, firstDifference(got, want))
		}
		if got, want := structure(t, index), structure(t, wantIndex); got != want {
			t.Errorf("got an index with other tags or attributes because of %q:\n%s", text, firstDifference(got, want))
		}
		for _, r := range "\x00\u0085\u202e\u200b" {
			if strings.ContainsRune(string(page)+string(index), r) {
				t.Errorf("got %U in a page or an index because of %q, want it escaped", r, text)
			}
		}
	})
}

// TestMarkupIsConstant checks that the package converts no text into markup, so that the compiler
// takes nothing but constants and the style for it.
func TestMarkupIsConstant(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("got no files (%v), want those of the package", err)
	}
	for _, name := range names {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		noError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if to, ok := call.Fun.(*ast.Ident); ok && to.Name == "markup" {
					t.Errorf("got a text that becomes markup at %s, want none", files.Position(call.Pos()))
				}
			}
			return true
		})
	}
}

func TestAddressesStayInTheFolder(t *testing.T) {
	for _, file := range []string{"javascript:alert(1)", "//example.com/a", "../a.html", "https://example.com", "a b?c#d.html", "\u202ea.html"} {
		t.Run(file, func(t *testing.T) {
			got, err := url.Parse(fileAddress(file))
			if err != nil || got.Scheme != "" || got.Host != "" || got.Path != file || strings.Contains(fileAddress(file), "/") {
				t.Errorf("got %#v (%v), want the path %q", got, err, file)
			}
		})
	}
}

func TestInvisibleTextsOfAnIndexAreReadAgain(t *testing.T) {
	want := "a\u202e\u200b\U000e0041\x7f\u0085é"
	text := Index{Entries: []Entry{{Error: want}}}.Render(english, nil)
	if got, ok := ParseIndex(text); !ok || got.Entries[0].Error != want {
		t.Errorf("got %+q (%v), want %+q", fmt.Sprint(got.Entries), ok, want)
	}
}
