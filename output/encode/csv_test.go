package encode

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"reseller/client/record"
	"reseller/client/safetext"
)

func FuzzCSVReadsBack(f *testing.F) {
	f.Add("a,b", `"`, "\n")
	f.Add(" ", "\t", "\r\n")
	f.Add("=1", "\x00\x7f", "x\"y\",")
	f.Add("'=1", "a;b", "''-")
	f.Add(`\.`, "#", "\u202e\u009b\xff")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, safe := range []bool{false, true} {
			in := stringRecord(t, []string{a, b, c})
			out := document(t, CSV, Layout{Columns: abc, CSVSafe: safe}, in)
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if err != nil || len(rows) != 2 || !slices.Equal(rows[0], []string{"a", "b", "c"}) {
				t.Fatalf("reading %q: got %q, %v", out, rows, err)
			}
			rec, _ := record.Parse([]byte(in))
			for i, name := range rows[0] {
				want := string(safetext.AppendData(nil, rec.Get(name).AppendText(nil), '\n', '\t'))
				got := rows[1][i]
				if safe {
					got = safetext.FormulaUnsafe(got)
					if strings.ContainsAny(rows[1][i][:min(1, len(rows[1][i]))], "=+-@\t\r") {
						t.Fatalf("a spreadsheet would run %q", rows[1][i])
					}
				}
				if got != want {
					t.Fatalf("reading %q: got %q, want %q", out, got, want)
				}
				escaped := func(r rune) bool { return safetext.IsControl(r) && r != '\n' && r != '\t' }
				if text := rec.Get(name).Text(); !safe && !strings.ContainsFunc(text, escaped) && got != text {
					t.Fatalf("reading %q: got %q, want the text %q", out, got, text)
				}
			}
			one := document(t, CSV, Layout{Columns: abc[:1]}, in)
			if rows, err := csv.NewReader(strings.NewReader(one)).ReadAll(); err != nil || len(rows) != 2 {
				t.Fatalf("reading one column %q: got %q, %v", one, rows, err)
			}
		}
	})
}

// FuzzSafeCellsAreNoFormulas checks that no cell begins a formula, wherever a
// spreadsheet splits the lines and whether or not it heeds quotes.
func FuzzSafeCellsAreNoFormulas(f *testing.F) {
	f.Add("a;=1+1", `"=1+1"`, "x\n+1")
	f.Add("a\t@x", `a,""-1`, "'=1;'=2")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		list, _ := json.Marshal([]any{a, b, -1, map[string]string{c: a}})
		rec := stringRecord(t, []string{a, b, c})
		rec = rec[:len(rec)-1] + `,"list":` + string(list) + "}"
		for _, format := range []Format{CSV, TSV} {
			out := document(t, format, Layout{Columns: append(abc[:3:3], Column{Name: "list"}), CSVSafe: true}, rec)
			for _, part := range strings.FieldsFunc(out, func(r rune) bool { return strings.ContainsRune(";,\t\n", r) }) {
				first, _ := utf8.DecodeRuneInString(strings.TrimLeft(part, `"`))
				if safetext.IsFormulaSign(first) && part != "-1" {
					t.Fatalf("a spreadsheet would run %q of the %s %q", part, format, out)
				}
			}
		}
	})
}

// unescapeTSV returns the text of a tsv cell.
func unescapeTSV(t *testing.T, s string) string {
	t.Helper()
	if escaped, ok := strings.CutPrefix(s, `\`); ok && safetext.HasCSVQuotes(escaped) {
		s = escaped
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 't':
			out.WriteByte('\t')
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case '\\':
			out.WriteByte('\\')
		case 'u':
			var r string
			if err := json.Unmarshal([]byte(`"\u`+s[i+1:i+5]+`"`), &r); err != nil {
				t.Fatal(err)
			}
			out.WriteString(r)
			i += 4
		default:
			t.Fatalf("unknown escape in %q", s)
		}
	}
	return out.String()
}

func FuzzTSVReadsBack(f *testing.F) {
	f.Add("a\tb", `\n`, "\n\\\t")
	f.Add("\r", `\u001b`, "\u001b\u202e")
	f.Add(`""""`, `\""""`, `"a""\"`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		in := stringRecord(t, []string{a, b, c})
		lines := strings.Split(document(t, TSV, Layout{Columns: abc}, in), "\n")
		if len(lines) != 3 || lines[2] != "" {
			t.Fatalf("got lines %q, want a header, a row and nothing", lines)
		}
		cells := strings.Split(lines[1], "\t")
		rec, _ := record.Parse([]byte(in))
		for i, name := range []string{"a", "b", "c"} {
			if got := unescapeTSV(t, cells[i]); got != rec.Get(name).Text() {
				t.Fatalf("reading %q: got %q, want %q", cells[i], got, rec.Get(name).Text())
			}
		}
	})
}

func TestCSVCells(t *testing.T) {
	for _, tc := range []struct {
		value      string
		want, safe string
	}{
		{`"x"`, "x", "x"}, {`""`, "", ""}, {`null`, "", ""}, {`-5`, "-5", "-5"}, {`"-5"`, "-5", "'-5"}, {`1e400`, "1e400", "1e400"}, {`false`, "false", "false"},
		{`"a,b"`, `"a,b"`, `"a,b"`}, {`"say \"x\""`, `"say ""x"""`, `"say ""x"""`}, {`" a"`, `" a"`, `" a"`}, {`"a "`, `"a "`, `"a "`}, {`"a b"`, "a b", "a b"},
		{`"=1,2"`, `"=1,2"`, `"'=1,2"`}, {`"+1"`, "+1", "'+1"}, {`"@x"`, "@x", "'@x"}, {`"\t=1"`, "\"\t=1\"", "\"'\t'=1\""}, {`"\r=1"`, `\r=1`, `'\r=1`},
		{`"\uff1d1"`, "＝1", "'＝1"}, {`"a\nb"`, "\"a\nb\"", "\"a\nb\""}, {`"\u001b[0m"`, `\u001b[0m`, `\u001b[0m`}, {`"\u0000"`, `\u0000`, `\u0000`},
		{`[ 1, "x" ]`, `"[1,""x""]"`, `"[1,""x""]"`}, {`{ "k" : [] }`, `"{""k"":[]}"`, `"{""k"":[]}"`}, {`"'"`, "'", "'"},
		{`"a;b"`, "a;b", `"a;b"`}, {`"a;=1"`, "a;=1", `"a;'=1"`}, {`"a,=1"`, `"a,=1"`, `"a,'=1"`}, {`"a\t+1"`, "\"a\t+1\"", "\"a\t'+1\""}, {`"a\n@x"`, "\"a\n@x\"", "\"a\n'@x\""},
		{`"\"=1\""`, `"""=1"""`, `"'""=1"""`}, {`"a;\"=1"`, `"a;""=1"`, `"a;'""=1"`}, {`"'=1"`, "'=1", "''=1"}, {`"a; -1"`, "a; -1", `"a; -1"`},
		{`["=1",-2,"a;+1","1+1"]`, `"[""=1"",-2,""a;+1"",""1+1""]"`, `"[""\u003d1"",-2,""a;\u002b1"",""1+1""]"`}, {`{"\"=1":"\\=1"}`, `"{""\""=1"":""\\=1""}"`, `"{""\""\u003d1"":""\\=1""}"`},
	} {
		for safe, want := range map[bool]string{false: tc.want, true: tc.safe} {
			t.Run(fmt.Sprintf("%s safe=%v", tc.value, safe), func(t *testing.T) {
				got := document(t, CSV, Layout{Columns: abc, NoHeader: true, CSVSafe: safe}, `{"b":`+tc.value+`}`)
				if want := "," + want + ",\n"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

func TestCSVHeaderIsSafeToo(t *testing.T) {
	got := document(t, CSV, Layout{Columns: []Column{{Name: "=cmd()"}, {Name: "x,y"}}, CSVSafe: true}, `{"=cmd()":1,"x,y":2}`)
	if want := "'=cmd(),\"x,y\"\n1,2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCSVDoesNotAllocate(t *testing.T) {
	rec, _ := record.Parse([]byte(`{"account_id":1,"campaign_id":101,"account_name":"Red shoes","note":"a, b","external_account_manager":{"name":"Ann","email":"x"}}`))
	var columns []Column
	for _, name := range []string{"account_id", "campaign_id", "account_name", "note", "external_account_manager.name", "attributes"} {
		columns = append(columns, Column{Name: name})
	}
	columns = append(columns, Column{Name: "phone"})
	e := newDelimited(Layout{Columns: columns}, ',', false)
	buf := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(1000, func() { buf, _ = e.Record(buf[:0], rec) }); n > 0 {
		t.Errorf("got %v allocations for a record, want none", n)
	}
}
