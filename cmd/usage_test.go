package cmd_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"reseller/cmd"
	"reseller/cmd/cli"
	"reseller/cmd/form"
)

// usageErrors are command lines that are refused, each with how its error begins and, after another arrow, its hint.
const usageErrors = `
accounts get => missing: an ACCOUNT_ID
accounts get 1.0 => ACCOUNT_ID: "1.0" is not a whole number
accounts get 7 1.5 => ACCOUNT_ID: "1.5" is not a whole number
accounts get 9223372036854775808 => ACCOUNT_ID: "9223372036854775808" is not a whole number
accounts list --status Active => --status: "Active" is neither active nor deactivated
accounts status - --deactivate => ACCOUNT_ID: "-" is not a whole number => hint: --file - reads ids from standard input
products plans list 3 => 'reseller products plans list' takes no arguments => hint: 'reseller products plans list --campaign ID --server mock' selects a campaign
accounts list Portland => 'reseller accounts list' takes no arguments => hint: 'reseller accounts list --search TEXT --server mock' finds records
accounts list --api-version 1 => invalid argument "1" for "--api-version" flag: "1" is neither v1 nor v2
accounts list --api-version= => invalid argument "" for "--api-version" flag: "" is neither v1 nor v2
accounts list --all => unknown flag: --all => hint: 'reseller accounts list --help' shows the flags
accounts list -o excel => unknown output format "excel" => hint: the formats are table, json, ndjson, csv, tsv, yaml, markdown, ids, name, xlsx
accounts list -f csv => unknown shorthand flag: 'f' in -f => hint: -o FORMAT sets the output format
accounts list --colums x => unknown flag: --colums => hint: did you mean --columns?
accounts list --columns acount_id => unknown column "acount_id" => hint: did you mean account_id?
accounts list --columns eyJhbGciOiJub25lIn0.eyJzdWIiOiA3fQ.x => unknown column "[hidden]" => hint: to name a field that is not documented, put a dot before it: .[hidden]
accounts list --sort nothing => unknown sort column "nothing"
accounts list -o jsn => unknown output format "jsn" => hint: did you mean json? The formats are table, json, ndjson, csv, tsv, yaml, markdown, ids, name, xlsx
accounts list --color sometimes => --color: "sometimes" is not one of auto, always, never
accounts list --jq .[ => invalid jq expression: unexpected EOF at byte 2 of 2
accounts list --jq . -o csv => --jq filters what -o json prints, so it can't be used with -o csv
accounts list --raw --status active => --raw prints the response unchanged, so it can't be filtered
accounts list --timeout soon => --timeout: "soon" is not a duration such as 90s, 5m or 60
accounts status => missing: ACCOUNT_ID
accounts status 7 --request-string on => --request-string requires --deactivate or --reactivate
accounts status 7 --deactivate --request-string= => --request-string: the string is empty
accounts status 7 --deactivate --reactivate => --deactivate and --reactivate can't be used together
accounts status 7 --file x --deactivate => ACCOUNT_ID and --file can't be used together
accounts status 1 --activate => unknown flag: --activate => hint: did you mean --reactivate?
accounts status 1 --shutdown => unknown flag: --shutdown => hint: 'reseller accounts status --help' shows the flags
accounts status 7.0 => ACCOUNT_ID: "7.0" is not a whole number
accounts update => missing: ACCOUNT_ID
accounts update 7 8 => too many arguments: "8"
accounts update 1.0 => ACCOUNT_ID: "1.0" is not a whole number
accounts update 7 --account 8 --phone 1 => ACCOUNT_ID 7 and --account 8 name different accounts
accounts update 7 => nothing to change: no field was given
accounts update 7 --website-url https://a.example.com --phone 1 => --website-url: website_url can't be updated after the account was created
accounts update 7 --country-code US => --country-code: country_code can't be updated after the account was created
accounts update 7 --external-account-manager-email nobody => --external-account-manager-email: "nobody" is not an e-mail address
accounts update 7 --attributes [] --attribute a=b => --attributes and --attribute can't be used together
accounts update 7 --phone 1 --file rows.csv => ACCOUNT_ID and --file can't be used together
accounts update --attribute a=b --file rows.csv => --attribute and --file can't be used together: use a column attributes.NAME
accounts update 1 --phone 5 --results out.csv => --results requires --file
accounts create x => 'reseller accounts create' takes no arguments
accounts create --api-version v1 --phone 1 --account-name 7 => missing: --first-name, --last-name, --email, --address-1, --city, --state, --postal, --website-url
accounts create --api-version v1 --account-name Harbour => --account-name: "Harbour" is not a whole number
accounts create --email nobody => --email: "nobody" is not an e-mail address
accounts create --website-url ftp://bikes.example.com => --website-url: "ftp://bikes.example.com" is not an http or https address
accounts create --country-code Narnia => --country-code: "Narnia" is not a two-letter country code
accounts create --account-id 1.5 => --account: "1.5" is not a whole number
accounts create --attribute Industry => --attribute: "Industry" is not NAME=VALUE
accounts create --attribute =Bikes => --attribute: "=Bikes" is not NAME=VALUE
accounts create --attributes {"a":1} => --attributes: is an object, not an array of field_name and field_value
accounts create --attributes [] --attribute a=b => --attributes and --attribute can't be used together
accounts create --api-version v1 --country-code US => --country-code: not a field of the account in this version
accounts create --api-version v1 --external-account-identifier crm-1001 => --external-account-identifier: "crm-1001" is not FIELD=VALUE
accounts credentials create --password-stdin --file - => --password-stdin and --file - both read stdin
accounts credentials create --account 1 --password-stdin hunter2 => 'reseller accounts credentials create' takes no arguments => hint: pass the password on stdin with --password-stdin, since other users can see the command line
accounts frobnicate => unknown command "frobnicate" for "reseller accounts" => hint: 'reseller accounts --help' lists the commands
accounts delete 1 => unknown command "delete" for "reseller accounts" => hint: did you mean 'reseller accounts status ID --deactivate'?
accounts Hunter2 => unknown command for "reseller accounts"
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
campaigns delete => unknown command "delete" for "reseller campaigns" => hint: 'reseller campaigns --help' lists the commands
keywords add a --file x => KEYWORD and --file can't be used together
keywords add => missing: --account, --campaign, KEYWORD, --type
keywords add red --no-valid => unknown flag: --no-valid => hint: 'reseller keywords add --help' shows the flags
keywords add red --no-validat => unknown flag: --no-validat => hint: did you mean --no-validate?
keywords add x => missing: --account, --campaign, --type
keywords add --account 1 --campaign 2 --type target => missing: KEYWORD
keywords add x --account 1 --campaign 2 --type= --dry-run => missing: --type
keywords add x --account 1 --campaign 2 --type both => --type: "both" is not one of target, interest
keywords add x --account 1.5 --campaign 2 --type target => --account: "1.5" is not a whole number
keywords add x --account 1 --campaign 9223372036854775808 --type target => --campaign: "9223372036854775808" is not a whole number
keywords add --file rows.csv --results - => --results: - is not a file
keywords add a --account 1 --campaign 2 --type target --shard 1/2 => --shard requires --file
keywords add a --account 1 --campaign 2 --type target --file= => --file: the path is empty
keywords update 1 => nothing to change
keywords update --status activate => missing: RANK_ID
keywords update x --status 1 => RANK_ID: "x" is not a whole number
keywords update 1 --file x => RANK_ID and --file can't be used together
keywords update 1 --status on => --status: "on" is not one of activate, deactivate, 1, 0, false, true
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
keywords create => unknown command "create" for "reseller keywords" => hint: 'reseller keywords --help' lists the commands
keywords show 1014 => unknown command "show" for "reseller keywords" => hint: did you mean 'reseller keywords get'?
keywords remove 1014 => unknown command "remove" for "reseller keywords" => hint: did you mean 'reseller keywords delete'?
keywords lst --status 1 => unknown command "lst" for "reseller keywords" => hint: did you mean 'reseller keywords list'?
keywords --status 1 => unknown flag: --status
apply => missing: --file
apply --file f.yaml --type both => --type: "both" is neither target nor interest
apply --file f.yaml --prune plans => --prune: "plans" is neither keywords nor accounts
apply --file f.yaml --plan-file= => --plan-file: the path is empty
apply --file f.yaml --prune-limit 5 => --prune-limit requires --prune
apply --file f.yaml --prune keywords --shard 1/2 => --prune and --shard can't be used together: the customers of other shards would be pruned
apply --file f.yaml --keyword-separator= => --keyword-separator: "" can't separate keywords
diff => missing: --file
diff all.yaml => 'reseller diff' takes no arguments => hint: 'reseller diff --file FILE --server mock' reads a file
diff --file a.yaml --type other => --type: "other" is neither target nor interest
diff --file a.yaml --keyword-separator || => --keyword-separator: "||" can't separate keywords
diff --file a.yaml --prune plans => --prune: "plans" is neither keywords nor accounts
diff --file a.yaml --prune-limit 5 => --prune-limit requires --prune
diff --file a.yaml --prune keywords --prune-limit -1 => --prune-limit: "-1" is neither a number nor a percentage from 0% to 100%
diff --file a.yaml --plan-file= => --plan-file: the path is empty
export --account 1 --all => --all exports every customer and can't be used with --account
export --account 1.0 => --account: "1.0" is not a whole number
export 1 => 'reseller export' takes no arguments => hint: 'reseller export --account ID --server mock' selects an account
export hunter2 => 'reseller export' takes no arguments
onboard => missing: --file
onboard --file f.csv --type both => --type: "both" is neither target nor interest
onboard --file f.csv --keyword-separator || => --keyword-separator: "||" can't separate keywords
onboard --file f.csv --repeat notes => --repeat: "notes" is neither credentials nor plan
onboard --file= => --file: the path is empty
budget estimate => missing: a URL
budget estimate ftp://example.com => URL: "ftp://example.com" is not an http or https address
budget estimate https://example.com --max-keywords 0 => --max-keywords: "0" is not between 1 and 1000
budget estimate https://example.com --max-keywords 1001 => --max-keywords: "1001" is not between 1 and 1000
budget estimate https://example.com --max-keywords 1.5 => --max-keywords: "1.5" is not a whole number
budget estimate https://example.com --max-keywords= => --max-keywords: "" is not a whole number
budget estimate https://a.example.com ftp://b.example.com => URL: "ftp://b.example.com" is not an http or https address
budget estimate https://example.com --raw --summary => --raw prints the response unchanged, so it can't be used with --summary
budget estimate --file - => unknown flag: --file => hint: 'reseller budget estimate --help' shows the flags
budget estimate https://a.example.com -o csv --columns keyward => unknown column "keyward" => hint: did you mean keyword?
budget estimat https://a.example.com => unknown command "estimat" for "reseller budget" => hint: did you mean 'reseller budget estimate'?
reports keywords => missing: --account or --campaign, --all, or --file
reports keywords --all --account 1 => --all selects every campaign and can't be used with --account, --campaign or --file
reports keywords --all --raw => --raw prints one response unchanged: give exactly one --campaign
reports keywords --account 1 --raw => --raw prints one response unchanged: give exactly one --campaign
reports keywords --campaign 1 --campaign 2 --raw => --raw prints one response unchanged: give exactly one --campaign
reports keywords --account 1.0 => --account: "1.0" is not a whole number
reports keywords --campaign 1,2 => --campaign: "1,2" is not a whole number
reports keywords --account 1 more => 'reseller reports keywords' takes no arguments
reports keywords --account 1 --from today => --from requires --compare or --history
reports keywords 101 => 'reseller reports keywords' takes no arguments => hint: 'reseller reports keywords --campaign ID --server mock' selects a campaign
reports summary 101 => 'reseller reports summary' takes no arguments => hint: 'reseller reports summary --campaign ID --server mock' selects a campaign
reports backlinks lost --all --to today => --to requires --from
auth login --with-token --username ana => --with-token and --username can't be used together
auth login --with-token --password-stdin => --with-token and --password-stdin can't be used together
auth login --with-token --remember => --remember stores user name and password, so it requires --username
auth login --remember => --remember stores user name and password, so it requires --username
auth login --password-stdin => --password-stdin requires --username
auth login now => 'reseller auth login' takes no arguments
auth login --username ana -phunter2 => unknown shorthand flag: -p => hint: pass the token on stdin with --with-token, since other users can see the command line
auth login an-opaque-token => 'reseller auth login' takes no arguments => hint: pass the token on stdin with --with-token, since other users can see the command line
auth login --with-token=an-opaque-token => --with-token takes no value but true or false
auth login --username eve --password-stdin=s3cret => --password-stdin takes no value but true or false
auth remove => unknown command "remove" for "reseller auth" => hint: did you mean 'reseller auth logout'?
auth hunter2 => unknown command for "reseller auth" => hint: 'reseller auth --help' lists the commands
auth lgoin => unknown command "lgoin" for "reseller auth" => hint: did you mean 'reseller auth login'?
auth token hunter2 => 'reseller auth token' takes no arguments
auth status hunter2 => 'reseller auth status' takes no arguments
auth logout hunter2 => 'reseller auth logout' takes no arguments
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
mock token eyJhbGciOiJub25lIn0.eyJzdWIiOiA3fQ.x => 'reseller mock token' takes no arguments
api POST /x --input - => --input: not JSON
api POST /x --json-field a => --json-field: "a" is not NAME=VALUE
api POST /x --field a => --field: "a" is not NAME=VALUE
api POST /x --field a=1 --json-field a=2 => --json-field: a is given twice
api POST /x --json-field a= => --json-field a: empty, not JSON
api POST /x --input body.json --field a=b => --input gives the whole body, so it can't be used with --field or --json-field
api POST /api/v1/keywords --input= => --input: the path is empty
api POST /x --field =b => --field: "" is not NAME=VALUE
api POST /x --json-field a={ => --json-field a: not JSON
api HEAD /x --json-field a=1 => a HEAD request has no body; use --query for parameters
api del /api/v1/keywords => METHOD: "DEL" is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS
api GET //other.example.com/x => PATH: "//other.example.com/x" begins with more than one /
api GET http://other.example.com/x => PATH: "http://other.example.com/x" does not begin with /
api GET /\other.example.com => PATH: "/\\other.example.com" contains \ or #
api GET /%zz => PATH: "/%zz" is not a valid path
api GET /api/v2/accounts/{account_id} => PATH: "/api/v2/accounts/{account_id}" contains a placeholder in braces: replace it with a value
api GET => missing: PATH
api GET /x y => too many arguments: "y"
api GET /x --field a=b => a GET request has no body; use --query for parameters
api GET /x --query a => --query: "a" is not NAME=VALUE
api GET /x -o csv => -o csv: the response is printed as received, which is JSON
api GET /x --columns a => the response is printed as received, so --columns, --sort, --no-header, --csv-safe and --csv-bom can't be used
api GET /x --jq .[ => invalid jq expression: unexpected EOF at byte 2 of 2
api GET /x --jq . --raw => --raw prints the response unchanged, so it can't be used with --jq
api GET /a#b => PATH: "/a#b" contains \ or #
api GET /x --sort a => the response is printed as received, so --columns, --sort, --no-header, --csv-safe and --csv-bom can't be used
api GET /x --no-header => the response is printed as received, so --columns, --sort, --no-header, --csv-safe and --csv-bom can't be used
api GTE /x => METHOD: "GTE" is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS => hint: did you mean GET?
api => missing: METHOD, PATH
jobs remov => unknown command "remov" for "reseller jobs" => hint: did you mean 'reseller jobs remove'?
jobs delete => unknown command "delete" for "reseller jobs" => hint: did you mean 'reseller jobs remove'?
jobs show eyJhbGciOiJub25lIn0.eyJzdWIiOiA3fQ.x => no job "[hidden]"
help frobnicate => no help topic or command "frobnicate"
help hunter2 => no such help topic or command
help auth hunter2 => no such help topic or command
help auth lgoin => unknown command "lgoin" of 'reseller auth' => hint: did you mean login?
help enviroment => no help topic or command "enviroment" => hint: did you mean environment?
help environment extra => the topic environment takes no arguments, got "extra"
help guide spreadsheet => no guide "spreadsheet" => hint: did you mean spreadsheets?
help guide onboard now => a guide takes no arguments, got "now"
help guid => no help topic or command "guid" => hint: did you mean guide?
help spreadsheets => no help topic or command "spreadsheets" => hint: 'reseller help guide spreadsheets' shows the guide
help --man again accounts => --man, --markdown and --json-schema are about all commands: they take no command, got "accounts"
help --man= => --man: the path is empty
login => unknown command "login" for "reseller" => hint: did you mean 'reseller auth login'?
login --with-token => unknown command "login" for "reseller" => hint: did you mean 'reseller auth login'?
logout => unknown command "logout" for "reseller" => hint: did you mean 'reseller auth logout'?
customers => unknown command "customers" for "reseller" => hint: did you mean 'reseller accounts list'?
whoami => unknown command "whoami" for "reseller" => hint: did you mean 'reseller auth status'?
status => unknown command "status" for "reseller" => hint: did you mean 'reseller auth status'?
import => unknown command "import" for "reseller" => hint: did you mean 'reseller onboard'?
show => unknown command "show" for "reseller" => hint: did you mean 'reseller accounts get'?
find => unknown command "find" for "reseller" => hint: did you mean 'reseller accounts list --search TEXT'?
nosuch --help => unknown command "nosuch" for "reseller" => hint: 'reseller --help' lists the commands
--version accounts => unknown flag: --version
acounts => unknown command "acounts" for "reseller" => hint: did you mean 'reseller accounts'?
config init hunter2 => 'reseller config init' takes no arguments
config get eyJhbGciOiJub25lIn0.eyJzdWIiOiA3fQ.x => unknown key "[hidden]"
config get base-url => unknown key "base-url" => hint: did you mean base_url?
config get a b => too many arguments: "b"
config set retries lots --dry-run => retries: "lots" is not an integer from 0 to 100
config set base_ulr https://api.example.com => unknown key "base_ulr" => hint: did you mean base_url?
config set token abc => unknown key "token" => hint: the configuration file does not contain tokens or passwords: run 'reseller auth login --server mock'
config set output xml => output: "xml" is not one of table, json, ndjson, csv, tsv, yaml, markdown, xlsx
config set server live => server: "live" is not one of production, sandbox, mock
config set rate 0 => rate: "0" is not a number greater than zero
config set timeout soon => timeout: "soon" is not a duration such as 90s, 5m or 60
config set base_url http://api.example.com => base_url: plain http to api.example.com would send the token unencrypted
config set base_url https://user:pw@api.example.com => base_url: the address contains a user name or password
config set base_url => missing: VALUE
config set timeout 1s --color blue => --color: "blue" is not one of auto, always, never
config use => missing: PROFILE
config list all => 'reseller config list' takes no arguments
eyJhbGciOiJub25lIn0.eyJzdWIiOiA3fQ.x => unknown command for "reseller"
completion eyJhbGciOiJub25lIn0.eyJzdWIiOiA3fQ.x => unknown shell "[hidden]"
completion tcsh => unknown shell "tcsh" => hint: supported shells: bash, zsh, fish, powershell
completion => missing: bash, zsh, fish or powershell
version now => 'reseller version' takes no arguments
version -o xml => unknown output format "xml"
`

// typedSecrets are what some of these lines have where a password or a token may be typed by mistake.
var typedSecrets = regexp.MustCompile("(?i)hunter2|eyJ|opaque|s3cret|pw")

// TestUsageErrors gives commands what they don't take. No error repeats a secret, and no command is meant that the row does not have.
func TestUsageErrors(t *testing.T) {
	for row := range strings.Lines(strings.TrimSpace(usageErrors)) {
		line, want, _ := strings.Cut(strings.TrimSpace(row), " => ")
		want, hint, _ := strings.Cut(want, " => ")
		t.Run(line, func(t *testing.T) {
			code, out, errs := session{stdin: "\xff"}.run(t, append(strings.Fields(line), "--server", "mock", "--no-input")...)
			got := strings.ReplaceAll(errs, "`", "'")
			if code != 2 || out != "" || !strings.HasPrefix(got, "error: "+want) || !strings.Contains(got, hint) {
				t.Errorf("got exit code %d, want 2 and %s, %s: %s%s", code, want, hint, errs, out)
			}
			if typedSecrets.MatchString(errs) || strings.Contains(got, "did you mean") && hint == "" {
				t.Errorf("got what the row does not have: %s", errs)
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
