package budget

import (
	"io"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
)

func estimateWith(raw, loose bool, args ...string) (*estimateOptions, error) {
	f := &cli.Factory{}
	f.Flags.Raw = raw
	var got *estimateOptions
	c := newEstimateCmd(f, func(o *estimateOptions) error { got = o; return nil })
	c.SetArgs(args)
	if loose {
		c.SetArgs(append(args, "--no-validate"))
	}
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.Execute()
	return got, err
}

func TestOnlyWhatWasGivenIsSent(t *testing.T) {
	const site = "https://example.com"
	for _, c := range []struct {
		args  []string
		loose bool
		want  string
	}{
		{args: []string{site}, want: `{"url":"https://example.com"}`},
		{args: []string{site, "--max-keywords", "1000", "--market", "UK", "--language", ""},
			want: `{"url":"https://example.com","market":"UK","language":"","max_keywords":1000}`},
		{args: []string{site, "--seed", "a, b", "--seed", `"c"`, "--category", "Bikes, new and used"},
			want: `{"url":"https://example.com","categories":["Bikes, new and used"],"seeds":["a, b","\"c\""]}`},
		{args: []string{"example.com", "--max-keywords", "0"}, loose: true, want: `{"url":"example.com","max_keywords":0}`},
		{args: []string{"", "--max-keywords", "many"}, loose: true, want: `{"url":"","max_keywords":"many"}`},
	} {
		got, err := estimateWith(false, c.loose, c.args...)
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
		} else if body := string(got.calls[0].Body); body != c.want {
			t.Errorf("%q: %s, want %s", c.args, body, c.want)
		}
	}
}

func TestSeveralAddresses(t *testing.T) {
	got, err := estimateWith(false, false, "https://a.example.com", "https://b.example.com", "--seed", "s")
	if err != nil || len(got.calls) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range []string{`{"url":"https://a.example.com","seeds":["s"]}`, `{"url":"https://b.example.com","seeds":["s"]}`} {
		if body := string(got.calls[i].Body); body != want {
			t.Errorf("%s, want %s", body, want)
		}
	}
}

func TestFaultyFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "missing: a URL",
		"example.com":                          `URL: "example.com" is not an http or https address`,
		"https://example.com --max-keywords 0": `--max-keywords: "0" is not 1 to 1000`,
		"https://example.com --max-keywords 1001":   `--max-keywords: "1001" is not 1 to 1000`,
		"https://example.com --max-keywords 1.5":    `--max-keywords: "1.5" is not a whole number`,
		"https://example.com --max-keywords=":       `--max-keywords: "" is not a whole number`,
		"https://a.example.com ftp://b.example.com": `"ftp://b.example.com" is not an http`,
	} {
		if _, err := estimateWith(false, false, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) || cli.ExitCode(err) != cli.ExitUsage {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	if _, err := estimateWith(true, false, "https://example.com", "--summary"); err == nil || cli.ExitCode(err) != cli.ExitUsage {
		t.Error("--raw went with --summary")
	}
}

func rec(t *testing.T, text string) record.Record {
	t.Helper()
	r, err := record.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKeywordsOf(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                   "",
		`{"keywords":null}`:                    "",
		`{"keywords":[{"keyword":"a","x":1}]}`: `{"keyword":"a","x":1}`,
		`{"keywords":["a","b"]}`:               `{"keyword":"a"} {"keyword":"b"}`,
	} {
		items, err := keywords(rec(t, text))
		var got []string
		for _, item := range items {
			got = append(got, string(item.Raw()))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	if _, err := keywords(rec(t, `{"keywords":{"a":1}}`)); err == nil {
		t.Error("an object was taken for the list of keywords")
	}
}

func TestRowOfSeveral(t *testing.T) {
	asked := &estimateOptions{several: true, calls: []client.Call{{Body: []byte(`{"url":"asked","language":"fr"}`)}}}
	for _, c := range []struct{ estimate, item, want string }{
		{`{"url":"u","market":"us","language":"en","keywords":[]}`, `{"keyword":"a","url":"page","cpc":"1"}`,
			`{"url":"u","market":"us","language":"en","keyword":"a","keyword_url":"page","cpc":"1"}`},
		{`{"market":null}`, `{"keyword":"a","market":"de"}`, `{"url":"asked","market":null,"language":"fr","keyword":"a","keyword_market":"de"}`},
	} {
		if got := row(asked.named(0, rec(t, c.estimate)), rec(t, c.item)); string(got.Raw()) != c.want {
			t.Errorf("%s, want %s", got.Raw(), c.want)
		}
	}
}

func TestFiguresLeaveKeywordsOut(t *testing.T) {
	got := figures(rec(t, `{"url":"u","keywords":[{"keyword":"a"}],"estimated_budget":{"average_cpc":"1"},"new":[1]}`))
	if string(got.Raw()) != `{"url":"u","estimated_budget":{"average_cpc":"1"},"new":[1]}` {
		t.Fatalf("%s", got.Raw())
	}
}
