package budget

import (
	"context"
	"io"
	"strings"
	"testing"

	"reseller/client"
	"reseller/client/record"
	"reseller/cmd/cli"
)

// parseEstimate runs the command as far as its options.
func parseEstimate(raw bool, args ...string) (*estimateOptions, error) {
	f := cli.NewFrame(cli.Streams{Err: io.Discard}, "")
	f.Flags.Raw = raw
	var got *estimateOptions
	c := newEstimateCmd(f, func(_ context.Context, _ *cli.Frame, o *estimateOptions) error { got = o; return nil })
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.Execute()
	return got, err
}

func TestRequestHasOnlyWhatWasGiven(t *testing.T) {
	const site = "https://example.com"
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"the URL alone": {args: []string{site}, want: `{"url":"https://example.com"}`},
		"fields": {
			args: []string{site, "--max-keywords", "1000", "--market", "UK", "--language", ""},
			want: `{"url":"https://example.com","market":"UK","language":"","max_keywords":1000}`,
		},
		"lists": {
			args: []string{site, "--seed", "a, b", "--seed", `"c"`, "--category", "Bikes, new and used"},
			want: `{"url":"https://example.com","categories":["Bikes, new and used"],"seeds":["a, b","\"c\""]}`,
		},
		"repaired":              {args: []string{"example.com"}, want: `{"url":"https://example.com"}`},
		"not validated":         {args: []string{"ftp://example.com", "--max-keywords", "0", "--no-validate"}, want: `{"url":"ftp://example.com","max_keywords":0}`},
		"no number, no address": {args: []string{"://", "--max-keywords", "many", "--no-validate"}, want: `{"url":"://","max_keywords":"many"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseEstimate(false, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			if body := string(got.calls[0].Body); body != c.want {
				t.Errorf("got %s, want %s", body, c.want)
			}
		})
	}
}

func TestRequestForEachURL(t *testing.T) {
	got, err := parseEstimate(false, "https://a.example.com", "https://b.example.com", "--seed", "s")
	if err != nil || len(got.calls) != 2 {
		t.Fatalf("got %+v, %v, want 2 calls", got, err)
	}
	for i, want := range []string{`{"url":"https://a.example.com","seeds":["s"]}`, `{"url":"https://b.example.com","seeds":["s"]}`} {
		if body := string(got.calls[i].Body); body != want {
			t.Errorf("call %d: got %s, want %s", i, body, want)
		}
	}
}

func TestInvalidFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "missing: a URL",
		"ftp://example.com":                    `URL: "ftp://example.com" is not an http or https address`,
		"https://example.com --max-keywords 0": `--max-keywords: "0" is not between 1 and 1000`,
		"https://example.com --max-keywords 1001":   `--max-keywords: "1001" is not between 1 and 1000`,
		"https://example.com --max-keywords 1.5":    `--max-keywords: "1.5" is not a whole number`,
		"https://example.com --max-keywords=":       `--max-keywords: "" is not a whole number`,
		"https://a.example.com ftp://b.example.com": `"ftp://b.example.com" is not an http`,
	} {
		t.Run(args, func(t *testing.T) {
			if _, err := parseEstimate(false, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) || cli.ExitCode(err) != cli.ExitUsage {
				t.Errorf("got %v, want a usage error with %q", err, want)
			}
		})
	}
	t.Run("--raw --summary", func(t *testing.T) {
		if _, err := parseEstimate(true, "https://example.com", "--summary"); err == nil || cli.ExitCode(err) != cli.ExitUsage {
			t.Errorf("got %v, want a usage error", err)
		}
	})
}

func parse(t *testing.T, text string) record.Record {
	t.Helper()
	rec, err := record.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestKeywordsOf(t *testing.T) {
	for estimate, want := range map[string]string{
		`{}`:                                   "",
		`{"keywords":null}`:                    "",
		`{"keywords":[{"keyword":"a","x":1}]}`: `{"keyword":"a","x":1}`,
		`{"keywords":["a","b"]}`:               `{"keyword":"a"} {"keyword":"b"}`,
	} {
		t.Run(estimate, func(t *testing.T) {
			items, err := keywordsOf(parse(t, estimate))
			var got []string
			for _, item := range items {
				got = append(got, string(item.Raw()))
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("got %q, %v, want %s", got, err, want)
			}
		})
	}
	if _, err := keywordsOf(parse(t, `{"keywords":{"a":1}}`)); err == nil {
		t.Error("got no error for keywords that are an object")
	}
}

func TestKeywordRowOfSeveralEstimates(t *testing.T) {
	o := &estimateOptions{several: true, calls: []client.Call{{Body: []byte(`{"url":"asked","language":"fr"}`)}}}
	for name, c := range map[string]struct{ estimate, item, want string }{
		"identified by the answer": {`{"url":"u","market":"us","language":"en","keywords":[]}`, `{"keyword":"a","url":"page","cpc":"1"}`,
			`{"url":"u","market":"us","language":"en","keyword":"a","keyword_url":"page","cpc":"1"}`},
		"identified by the request": {`{"market":null}`, `{"keyword":"a","market":"de"}`, `{"url":"asked","market":null,"language":"fr","keyword":"a","keyword_market":"de"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(keywordRow(o.identify(0, parse(t, c.estimate)), parse(t, c.item)).Raw()); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTotalsLeaveOutKeywords(t *testing.T) {
	got := string(totals(parse(t, `{"url":"u","keywords":[{"keyword":"a"}],"estimated_budget":{"average_cpc":"1"},"new":[1]}`)).Raw())
	if want := `{"url":"u","estimated_budget":{"average_cpc":"1"},"new":[1]}`; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
}
