package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"reseller/output/textwidth"
)

// TestColumnsThatFit checks, for lists on terminals of any width, that no line is too wide, that
// each column is shown or told as left out, and that no two headers look the same.
func TestColumnsThatFit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`(campaign_|account_)?(na|nam|name|id|start_date|end_date|status)`), 1, 10, rapid.ID).Draw(rt, "names")
		width := rapid.IntRange(24, 120).Draw(rt, "width")
		var leftOut []string
		l := Layout{Width: width, Picked: rapid.Bool().Draw(rt, "picked"), LeftOut: func(columns []string) { leftOut = columns }}
		for _, name := range names {
			c := Column{Name: name}
			c.Title = rapid.Bool().Draw(rt, "title")
			l.Columns = append(l.Columns, c)
		}
		var texts []string
		for range rapid.IntRange(0, 4).Draw(rt, "rows") {
			var members []string
			for _, name := range names {
				value := rapid.SampledFrom([]string{`"short"`, `"` + strings.Repeat("long ", 20) + `"`, "1", "123456789", "null", `"日本語日本語"`}).Draw(rt, name)
				members = append(members, fmt.Sprintf("%q:%s", name, value))
			}
			texts = append(texts, "{"+strings.Join(members, ",")+"}")
		}
		lines := strings.Split(strings.TrimSuffix(document(t, Table, l, texts...), "\n"), "\n")
		for _, line := range lines {
			if textwidth.Of(line) > width {
				rt.Errorf("%q is wider than %d", line, width)
			}
		}
		headers := strings.Fields(lines[0])
		if len(headers)+len(leftOut) != len(names) {
			rt.Errorf("got the columns %q and %q left out, want all of %q", headers, leftOut, names)
		}
		for i, header := range headers {
			if slices.Contains(headers[:i], header) {
				rt.Errorf("two columns have the header %s in %q", header, lines[0])
			}
			if !l.Picked && len(headers) > 1 && strings.HasSuffix(header, "…") {
				rt.Errorf("header %s is cut, want the columns left out", header)
			}
		}
	})
}

// TestColumnsStayTheSame checks that lists with other cells show the same columns, and that what the user asked for, so that it is the
// same in all rows, goes first.
func TestColumnsStayTheSame(t *testing.T) {
	columns := []Column{
		{Name: "status", Enum: []string{"active", "deactivated"}}, {Name: "own_id", Type: TypeNumber}, {Name: "other_id", Type: TypeNumber},
		{Name: "name", Title: true, Type: TypeText}, {Name: "city", Type: TypeText, Example: "Portland"}, {Name: "site", Type: TypeText},
	}
	long := strings.Repeat("long ", 10)
	lists := map[string][]string{
		"short": {`{"status":"active","own_id":1,"other_id":11,"name":"Quay","city":"Rye","site":"a"}`},
		"long":  {`{"status":"deactivated","own_id":1,"other_id":11,"name":"` + long + `","city":"` + long + `","site":"` + long + `"}`},
		"alike": slices.Repeat([]string{`{"status":"active","own_id":1,"other_id":11,"name":"Quay","city":"Rye","site":"a"}`}, 2),
		"empty": nil,
	}
	for _, c := range []struct {
		width    int
		constant string
		want     []string
	}{
		{83, "", []string{"NAME", "STATUS", "OWN_ID", "OTHER_ID", "CITY", "SITE"}},
		{74, "", []string{"NAME", "STATUS", "OWN_ID", "CITY", "SITE"}},
		{47, "", []string{"NAME", "STATUS", "OWN_ID", "CITY"}},
		{47, "status", []string{"NAME", "OWN_ID", "OTHER_ID", "CITY"}},
		{47, "city", []string{"NAME", "STATUS", "OWN_ID", "OTHER_ID"}},
		{36, "city", []string{"NAME", "OWN_ID", "OTHER_ID"}},
		{36, "other_id", []string{"NAME", "OWN_ID", "CITY"}},
		{26, "", []string{"NAME", "OWN_ID"}},
		{8, "", []string{"NAME"}},
		{3, "", []string{"NA…"}},
	} {
		for name, list := range lists {
			of := slices.Clone(columns)
			for i := range of {
				of[i].Constant = of[i].Name == c.constant
			}
			header, _, _ := strings.Cut(document(t, Table, Layout{Columns: of, Width: c.width}, list...), "\n")
			if got := strings.Fields(header); !slices.Equal(got, c.want) {
				t.Errorf("width %d, constant %q, the %s list: got the columns %q, want %q", c.width, c.constant, name, got, c.want)
			}
		}
	}
}

func TestNumbersAreToTheRight(t *testing.T) {
	number, rank := Column{Name: "n"}, Column{Name: "rank"}
	number.Type, rank.Shown = TypeNumber, [][2]string{{"999", "–"}}
	columns := []Column{number, rank, Column{Name: "zip"}, Column{Name: "mixed"}}
	rows := []string{`{"n":"7","rank":999,"zip":"02134","mixed":1}`, `{"n":123,"rank":4,"zip":"1","mixed":"x"}`, `{"rank":""}`}
	want := "  N  RANK  ZIP    MIXED\n  7     –  02134  1\n123     4  1      x\n"
	if got := document(t, Table, Layout{Columns: columns, Width: 80}, rows...); strings.TrimSuffix(got, "\n\n")+"\n" != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	rows = slices.Repeat([]string{`{"n":1,"rank":22}`}, sampleSize)
	out := document(t, Table, Layout{Columns: columns, Width: 80}, append(rows, `{"n":12345,"rank":999,"zip":"9"}`, `{"n":3,"rank":1}`)...)
	if want := "\n…     –  9\n3     1\n"; !strings.HasSuffix(out, want) {
		t.Errorf("got %q at the end of a list, want %q", out[len(out)-40:], want)
	}
}

func TestCellsAreWrapped(t *testing.T) {
	columns := []Column{Column{Name: "check"}, Column{Name: "detail"}}
	out := document(t, Table, Layout{Columns: columns, Width: 30, Wrap: true}, `{"check":"a","detail":"the file of the settings does not exist"}`, `{"check":"b","detail":"\u001b[31m"}`)
	want := "CHECK  DETAIL\na      the file of the\n       settings does not exist\nb      \\u001b[31m\n"
	if out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

// TestHeadersThatAreNotShownTakeNoRoom has a header that would leave no room for a long word.
func TestHeadersThatAreNotShownTakeNoRoom(t *testing.T) {
	var columns []Column
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "first_of_all", "long"} {
		columns = append(columns, Column{Name: name})
	}
	var leftOut []string
	l := Layout{Columns: columns, Width: 50, Wrap: true, NoHeader: true, LeftOut: func(columns []string) { leftOut = columns }}
	out := document(t, Table, l, `{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6","first_of_all":"7","long":"settings abcdefghijklmnopqrst of one"}`)
	if leftOut != nil {
		t.Errorf("got the columns %q left out of\n%s", leftOut, out)
	}
}

// TestHeadersAreCut checks that headers of columns that the user named are cut to where they differ from others.
func TestHeadersAreCut(t *testing.T) {
	var columns []Column
	for _, name := range []string{"rank_google_organic_of_the_whole_country", "rank_google_organic_of_the_whole_state"} {
		columns = append(columns, Column{Name: name})
	}
	header, _, _ := strings.Cut(document(t, Table, Layout{Columns: columns, Width: 72, Picked: true}, `{}`), "\n")
	if want := "RANK_GOOGLE_ORGANIC_OF_THE_WHOLE_C…  RANK_GOOGLE_ORGANIC_OF_THE_WHOLE_S…"; header != want {
		t.Errorf("got  %s\nwant %s", header, want)
	}
}

func TestListsWithTooManyColumnsAreNotWrapped(t *testing.T) {
	columns := []Column{Column{Name: "line"}, Column{Name: "account_name"}, Column{Name: "keywords_send"}}
	var leftOut []string
	l := Layout{Columns: columns, Width: 25, Wrap: true, LeftOut: func(columns []string) { leftOut = columns }}
	out := document(t, Table, l, `{"line":2,"account_name":"Harbour Bikes of Portland","keywords_send":3}`, `{"line":3,"account_name":"North Bakery","keywords_send":2}`)
	if want := "LINE  ACCOUNT_NAME\n   2  Harbour Bikes of P…\n   3  North Bakery\n"; out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	if want := []string{"keywords_send"}; !slices.Equal(leftOut, want) {
		t.Errorf("got told of the columns %q, want %q", leftOut, want)
	}
}

// TestWordsOfWrappedCells checks that a list whose cells are wrapped breaks long words only, leaves out columns before
// it breaks others, and has its numbers to the right.
func TestWordsOfWrappedCells(t *testing.T) {
	columns := []Column{Column{Name: "job"}, Column{Name: "operation"}, Column{Name: "file"}, Column{Name: "rows"}, Column{Name: "started"}}
	rows := []string{
		`{"job":"7e959448-1","operation":"keywords.create","file":"/home/ada/customers/keywords-of-november.csv","rows":1,"started":"2026-11-23T03:51:20Z"}`,
		`{"job":"8f9b1c28-1","operation":"keywords.delete","file":"-","rows":120,"started":"2026-11-23T03:51:21Z"}`,
	}
	for _, test := range []struct {
		width   int
		leftOut []string
		want    string
	}{
		{80, nil, "" +
			"JOB         OPERATION        FILE                     ROWS  STARTED\n" +
			"7e959448-1  keywords.create  /home/ada/customers/key     1  2026-11-23T03:51:20Z\n" +
			"                             words-of-november.csv\n" +
			"8f9b1c28-1  keywords.delete  -                         120  2026-11-23T03:51:21Z\n"},
		{60, []string{"started"}, "" +
			"JOB         OPERATION        FILE                       ROWS\n" +
			"7e959448-1  keywords.create  /home/ada/customers/keywo     1\n" +
			"                             rds-of-november.csv\n" +
			"8f9b1c28-1  keywords.delete  -                           120\n"},
	} {
		t.Run(strconv.Itoa(test.width), func(t *testing.T) {
			var leftOut []string
			l := Layout{Columns: columns, Width: test.width, Wrap: true, LeftOut: func(columns []string) { leftOut = columns }}
			if got := document(t, Table, l, rows...); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if !slices.Equal(leftOut, test.leftOut) {
				t.Errorf("left out: got %q, want %q", leftOut, test.leftOut)
			}
		})
	}
}
