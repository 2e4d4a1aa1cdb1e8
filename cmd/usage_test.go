package cmd_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// usageErrors are command lines that are refused, each with how its error begins.
const usageErrors = `
accounts get => missing: an ACCOUNT_ID
accounts get 1.0 => ACCOUNT_ID: "1.0" is not a whole number
accounts get 7 1.5 => ACCOUNT_ID: "1.5" is not a whole number
accounts get 9223372036854775808 => ACCOUNT_ID: "9223372036854775808" is not a whole number
accounts list --status Active => --status: "Active" is neither active nor deactivated
accounts list 7 => 'reseller accounts list' takes no arguments
accounts list --api-version 1 => invalid argument "1" for "--api-version" flag: "1" is neither v1 nor v2
accounts list --api-version= => invalid argument "" for "--api-version" flag: "" is neither v1 nor v2
accounts status => missing: ACCOUNT_ID
accounts status 7 --request-string on => --request-string requires --deactivate or --reactivate
accounts status 7 --deactivate --request-string= => --request-string: the string is empty
accounts status 7 --deactivate --reactivate => --deactivate and --reactivate can't be used together
accounts status 7 --file x --deactivate => ACCOUNT_ID and --file can't be used together
accounts update => missing: ACCOUNT_ID
accounts update 7 8 => too many arguments: "8"
accounts update 1.0 => ACCOUNT_ID: "1.0" is not a whole number
accounts update 7 --account 8 --phone 1 => ACCOUNT_ID 7 and --account 8 name different accounts
accounts create x => 'reseller accounts create' takes no arguments
accounts credentials create --password-stdin --file - => --password-stdin and --file - both read stdin
campaigns list --account 1.0 => --account: "1.0" is not a whole number
campaigns list --account= => --account: "" is neither an id nor a name
campaigns list more => 'reseller campaigns list' takes no arguments
campaigns notes get => missing: CAMPAIGN_ID
campaigns notes get 1.0 => CAMPAIGN_ID: "1.0" is not a whole number
campaigns notes get 101 102 => too many arguments: "102"
campaigns notes update --writer-instructions x => missing: CAMPAIGN_ID
campaigns notes update 101 --campaign 102 --writer-instructions x => CAMPAIGN_ID 101 and --campaign 102 name different campaigns
campaigns notes update 1.0 => CAMPAIGN_ID: "1.0" is not a whole number
campaigns notes update 101 102 => too many arguments: "102"
campaigns notes update 101 --writer-instructions x --writer-instructions-file f => --writer-instructions and --writer-instructions-file can't be used together
campaigns notes update 101 --writer-instructions-file - --additional-instructions x --additional-instructions-file f => --additional-instructions and --additional-instructions-file can't be used together
campaigns notes update 101 --writer-instructions-file - --additional-instructions-file - => --writer-instructions-file - and --additional-instructions-file - both read stdin
campaigns notes update --file - --additional-instructions-file - => --file - and --additional-instructions-file - both read stdin
campaigns notes update 101 --writer-instructions-file= => --writer-instructions-file: the path is empty
campaigns notes update 101 --writer-instructions-file absent => --writer-instructions-file: 
keywords add a --file x => KEYWORD and --file can't be used together
keywords add => missing: --account, --campaign, KEYWORD, --type
keywords update x --status 1 => RANK_ID: "x" is not a whole number
keywords update 1 --file x => RANK_ID and --file can't be used together
keywords delete 1 --file x => RANK_ID and --file can't be used together
keywords delete x => RANK_ID: "x" is not a whole number
keywords delete => missing: RANK_ID
keywords list --campaign 1.0 => --campaign: "1.0" is not a whole number
keywords list --account= => --account: "" is neither an id nor a name
keywords list --type both => --type: "both" is neither target nor interest
keywords list --status activate => --status: "activate" is neither 0 nor 1
keywords list x => 'reseller keywords list' takes no arguments
keywords get => missing: a RANK_ID
keywords get 1 x => RANK_ID: "x" is not a whole number
apply => missing: --file
apply --file f.yaml --type both => --type: "both" is neither target nor interest
apply --file f.yaml --prune plans => --prune: "plans" is neither keywords nor accounts
apply --file f.yaml --plan-file= => --plan-file: the path is empty
apply --file f.yaml --prune-limit 5 => --prune-limit requires --prune
apply --file f.yaml --prune keywords --shard 1/2 => --prune and --shard can't be used together: the customers of other shards would be pruned
apply --file f.yaml --keyword-separator= => --keyword-separator: "" can't separate keywords
diff => missing: --file
diff --file a.yaml --type other => --type: "other" is neither target nor interest
diff --file a.yaml --keyword-separator || => --keyword-separator: "||" can't separate keywords
diff --file a.yaml --prune plans => --prune: "plans" is neither keywords nor accounts
diff --file a.yaml --prune-limit 5 => --prune-limit requires --prune
diff --file a.yaml --prune keywords --prune-limit -1 => --prune-limit: "-1" is neither a number nor a percentage from 0% to 100%
diff --file a.yaml --plan-file= => --plan-file: the path is empty
export --account 1 --all => --all exports every customer and can't be used with --account
export --account 1.0 => --account: "1.0" is not a whole number
export 1 => 'reseller export' takes no arguments
onboard => missing: --file
onboard --file f.csv --type both => --type: "both" is neither target nor interest
onboard --file f.csv --repeat notes => --repeat: "notes" is neither credentials nor plan
budget estimate => missing: a URL
budget estimate ftp://example.com => URL: "ftp://example.com" is not an http or https address
budget estimate https://example.com --max-keywords 0 => --max-keywords: "0" is not between 1 and 1000
budget estimate https://example.com --max-keywords 1001 => --max-keywords: "1001" is not between 1 and 1000
budget estimate https://example.com --max-keywords 1.5 => --max-keywords: "1.5" is not a whole number
budget estimate https://example.com --max-keywords= => --max-keywords: "" is not a whole number
budget estimate https://a.example.com ftp://b.example.com => URL: "ftp://b.example.com" is not an http or https address
budget estimate https://example.com --raw --summary => --raw prints the response unchanged, so it can't be used with --summary
reports keywords => missing: --account or --campaign, --all, or --file
reports keywords --all --account 1 => --all selects every campaign and can't be used with --account, --campaign or --file
reports keywords --all --raw => --raw prints one response unchanged: give exactly one --campaign
reports keywords --account 1 --raw => --raw prints one response unchanged: give exactly one --campaign
reports keywords --campaign 1 --campaign 2 --raw => --raw prints one response unchanged: give exactly one --campaign
reports keywords --account 1.0 => --account: "1.0" is not a whole number
reports keywords --campaign 1,2 => --campaign: "1,2" is not a whole number
reports keywords --account 1 more => 'reseller reports keywords' takes no arguments
reports keywords --account 1 --from today => --from requires --compare or --history
reports backlinks lost --all --to today => --to requires --from
auth login --with-token --username ana => --with-token and --username can't be used together
auth login --with-token --password-stdin => --with-token and --password-stdin can't be used together
auth login --with-token --remember => --remember stores user name and password, so it requires --username
auth login --remember => --remember stores user name and password, so it requires --username
auth login --password-stdin => --password-stdin requires --username
auth login now => 'reseller auth login' takes no arguments
mock serve --faults late => --faults requires --fail-rate
mock serve --fail-rate 1 --faults sleet => --faults: unknown fault "sleet": must be all
mock serve now => 'reseller mock serve' takes no arguments
mock serve --addr 127.0.0.1:99999 => --addr: invalid port "99999"
mock serve --fail-rate 1.5 => --fail-rate: 1.5 is not between 0 and 1
mock serve --rate-limit -1 => --rate-limit: -1 is not between 0 and 1000000000
mock serve --addr nowhere => --addr: invalid address "nowhere": must be HOST:PORT
mock serve --addr a:b => --addr: invalid port "b"
mock serve --addr a:-1 => --addr: invalid port "-1"
mock serve --fail-rate NaN => --fail-rate: NaN is not between 0 and 1
mock serve --rate-limit +Inf => --rate-limit: +Inf is not between 0 and 1000000000
mock serve --latency -1ns => --latency: -1ns is negative
mock serve --db= => --db: the path is empty
api POST /x --input - => --input: not JSON
api POST /x --json-field a => --json-field: "a" is not NAME=VALUE
api HEAD /x --field a=b => a HEAD request has no body; use --query for parameters
`

// TestUsageErrors gives commands what they don't take.
func TestUsageErrors(t *testing.T) {
	for row := range strings.Lines(strings.TrimSpace(usageErrors)) {
		line, want, _ := strings.Cut(strings.TrimSpace(row), " => ")
		t.Run(line, func(t *testing.T) {
			code, out, errs := session{stdin: "\xff"}.run(t, append(strings.Fields(line), "--server", "mock", "--no-input")...)
			if code != 2 || out != "" || !strings.HasPrefix(strings.ReplaceAll(errs, "`", "'"), "error: "+want) {
				t.Errorf("got exit code %d, want 2 and %s: %s%s", code, want, errs, out)
			}
		})
	}
}

// TestBodiesHaveOnlyWhatWasGiven compares the bodies that command lines send with those that are meant.
func TestBodiesHaveOnlyWhatWasGiven(t *testing.T) {
	const estimate, notes = "budget estimate ", "campaigns notes update 101 --writer-instructions-file -"
	for _, c := range []struct{ line, stdin, want string }{
		{estimate + "https://example.com", "", `{"url":"https://example.com"}`},
		{estimate + "https://example.com --max-keywords 1000 --market UK --language=", "", `{"language":"","market":"UK","max_keywords":1000,"url":"https://example.com"}`},
		{estimate + `example.com --seed a,b --seed "c" --category Bikes,used`, "", `{"categories":["Bikes,used"],"seeds":["a,b","\"c\""],"url":"https://example.com"}`},
		{estimate + "ftp://example.com --max-keywords 0 --no-validate", "", `{"max_keywords":0,"url":"ftp://example.com"}`},
		{estimate + ":// --max-keywords many --no-validate", "", `{"max_keywords":"many","url":"://"}`},
		{estimate + "https://a.example.com https://b.example.com --seed s --concurrency 1", "", `{"seeds":["s"],"url":"https://a.example.com"} {"seeds":["s"],"url":"https://b.example.com"}`},
		{notes, "a\nb\n", `{"additional_instructions":"held","campaign_id":101,"writer_instructions":"a\nb"}`},
		{notes, "a\n\n", `{"additional_instructions":"held","campaign_id":101,"writer_instructions":"a\n"}`},
		{notes, "a\r\n", `{"additional_instructions":"held","campaign_id":101,"writer_instructions":"a"}`},
		{notes, "a\r", `{"additional_instructions":"held","campaign_id":101,"writer_instructions":"a\r"}`},
		{notes, "\n", `{"additional_instructions":"held","campaign_id":101,"writer_instructions":""}`},
		{notes, "\ufeffa", `{"additional_instructions":"held","campaign_id":101,"writer_instructions":"a"}`},
		{"campaigns notes update --campaign-id 101 --writer-instructions= --additional-instructions-file -", "from stdin\n", `{"additional_instructions":"from stdin","campaign_id":101,"writer_instructions":""}`},
		{"keywords add a b --account 1 --campaign-id 2 --keyword-type target", "", `{"account_id":1,"campaign_id":2,"keywords":[{"keyword":"a","keyword_type":"target"},{"keyword":"b","keyword_type":"target"}]}`},
		{"keywords update 1 --status 1 --type interest", "", `{"keywords":[{"keyword_type":"interest","rank_id":1,"status":"activate"}]}`},
	} {
		t.Run(c.line+c.stdin, func(t *testing.T) {
			s := newService(t, `[{"campaign_id":101,"rank_id":1,"writer_instructions":"held","additional_instructions":"held"}]`, `{"keywords":[]}`)
			env := map[string]string{"RESELLER_TOKEN": "t", "RESELLER_BASE_URL": s.url}
			_, out, errs := session{env: env, stdin: c.stdin}.run(t, strings.Fields(c.line)...)
			var bodies []string
			for _, body := range s.written() {
				text, err := json.Marshal(body)
				noError(t, err)
				bodies = append(bodies, string(text))
			}
			if got := strings.Join(bodies, " "); got != c.want {
				t.Errorf("got the bodies %s, want %s: %s%s", got, c.want, errs, out)
			}
		})
	}
}

// TestLoginAtAForm types tokens at a form, of which one line is stored and shown nowhere, and gives the password of a user in the
// environment to no other user.
func TestLoginAtAForm(t *testing.T) {
	for typed, want := range map[string]string{" atoken ": "atoken\n", "": "", "a\nb": ""} {
		s := session{home: t.TempDir(), form: func(_ context.Context, fm *form.Form) error {
			if fm.Fields[0].Value = typed; !fm.Fields[0].Secret {
				t.Error("the form shows the token, want it hidden")
			}
			return fm.Fields[0].Check(typed)
		}}
		address := []string{"--base-url", "https://api.example.com"}
		code, out, errs := s.run(t, append(address, "auth", "login", "--insecure-storage", "--no-verify")...)
		if (code == 0) != (want != "") || strings.Contains(out+errs, "atoken") {
			t.Errorf("%q: got exit code %d and the token %q, want it nowhere: %s%s", typed, code, want, out, errs)
		}
		if _, out, errs = s.run(t, append(address, "auth", "token")...); out != want {
			t.Errorf("%q: got the token %q, want %q: %s", typed, out, want, errs)
		}
	}
	s := session{env: map[string]string{"RESELLER_USERNAME": "eve", "RESELLER_PASSWORD": "hers"}}
	if code, _, errs := s.run(t, "auth", "login", "--username", "ana", "--base-url", "http://127.0.0.1:1"); code != 2 || !strings.Contains(errs, "--password-stdin") {
		t.Errorf("the password of another user: got exit code %d, want 2 and --password-stdin: %s", code, errs)
	}
}

// TestResetAsksForSignals resets a database after a signal came: once it begins, the database and what is remembered of it go
// together.
func TestResetAsksForSignals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mock.db")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cli.Interrupted{Signal: os.Interrupt})
	streams := cli.Streams{Out: &strings.Builder{}, Err: &strings.Builder{}, Env: func(string) (string, bool) { return "", false }}
	if code := cmd.Main(ctx, []string{"mock", "reset", "--yes", "--db", path}, streams, ""); code != 130 {
		t.Errorf("got exit code %d, want that of a signal: %s", code, streams.Err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the database was reset after a signal")
	}
}
