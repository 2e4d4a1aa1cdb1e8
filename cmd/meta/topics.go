package meta

import (
	"fmt"
	"strings"

	"reseller/cmd/cli"
	"reseller/config"
	"reseller/docs"
	"reseller/output/encode"
)

// A topic is a help page about something other than a command.
type topic struct {
	name  string
	short string
	text  func() string
}

func topics() []topic {
	return []topic{
		{"environment", "environment variables and the keys of the configuration", environment},
		{"formatting", "output formats, --columns, --sort, --jq and --raw", formatting},
		{"exit-codes", "the meaning of the exit codes", exitCodes},
		{"files", "the files that --file reads, and how to resume a load", func() string { return filesTopic }},
	}
}

// A guide is a page of docs for users. Guides have names of their own, since some are those
// of commands.
type guide struct{ name, title, text string }

func guides() ([]guide, error) {
	entries, err := docs.Guides.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var list []guide
	for _, entry := range entries {
		text, err := docs.Guides.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		list = append(list, guide{strings.TrimSuffix(entry.Name(), ".md"), title, string(text)})
	}
	return list, nil
}

// environment returns the page about settings. It lists config.Keys.
func environment() string {
	var keys, settings [][2]string
	for _, key := range config.Keys {
		help := key.Help
		switch {
		case len(key.Values) > 0:
			help += ":\n" + strings.Join(key.Values, ", ")
		case key.Type != "text":
			help += " (" + key.Type + ")"
		}
		if key.Default != "" {
			help += "; default " + key.Default
		}
		keys = append(keys, [2]string{key.Name, help})
		flag := key.Flag
		if flag == "" {
			flag = "no flag"
		}
		settings = append(settings, [2]string{key.Env, key.Name + ", " + flag})
	}
	return `Settings come from flags, environment variables and a profile of the configuration file, in this order of
precedence, and otherwise have a default value. An empty variable counts as unset. ` + "`reseller config list`" + ` shows
every value and where it comes from.

VARIABLES
` + cli.Rows([][2]string{
		{"RESELLER_CONFIG", "path of the configuration file; default XDG_CONFIG_HOME/reseller/config.yaml,\nor the same below the user's configuration folder"},
		{"RESELLER_PROFILE", "profile to use; --profile overrides it, and it overrides the active profile"},
		{"RESELLER_TOKEN", "token for all calls; overrides token_command and the token stored by auth login"},
		{"RESELLER_USERNAME", "user name to log in with, together with RESELLER_PASSWORD, if there is no other\ntoken; auth login --username overrides it"},
		{"RESELLER_PASSWORD", "password of that user"},
		{"RESELLER_TOKEN_HOST", "host, or host:port, that the token, token command and login of these variables are for:\nat any other address, commands fail before they send anything"},
		{"RESELLER_CA_FILE", "file with root certificates (PEM) to trust in addition to the system's, for example that\nof a company's proxy; --ca-file overrides it"},
		{"RESELLER_STATE_DIR", "folder for state, instead of the subfolder reseller of XDG_STATE_HOME; --state-dir\noverrides it"},
		{"RESELLER_SHARDS", "number of machines that share a file with --shard auto in an Indexed Job of Kubernetes"},
		{"GITHUB_ACTIONS", "if true, faults and refused rows are written to stderr as annotations of GitHub Actions,\nno other text on stderr is a command to it, and the outcome of a load or an export is\nadded to the file of GITHUB_STEP_SUMMARY; --ci overrides it"},
		{"NO_COLOR", "no colors, if set to any value; --color overrides it"},
		{"XDG_DATA_HOME", "folder for data; the database of the built-in mock is in its subfolder reseller;\ndefault ~/.local/share, or %LocalAppData% on Windows"},
		{"XDG_STATE_HOME", "folder for state; the journals of jobs are in its subfolder reseller/jobs;\ndefault ~/.local/state, or %LocalAppData% on Windows"},
		{"HTTPS_PROXY, NO_PROXY", "the proxy to use, and the hosts to reach without it"},
	}) + `
Each key of a profile has a variable, and most have a flag:

` + cli.Rows(settings) + `
KEYS OF A PROFILE
` + cli.Rows(keys) + `
THE ADDRESS
  The address comes from --base-url, else --server (RESELLER_BASE_URL is then ignored), else RESELLER_BASE_URL,
  else RESELLER_SERVER, else the profile. --base-url and --server can't be used together. Server mock without a
  mock_url is the built-in mock service, which has its own token. Server production without a base_url is an
  error. Plain http is allowed to this machine only, unless --allow-http is given. An address that contains a
  user name or password is an error.

THE TOKEN
  The token comes from RESELLER_TOKEN, else from token_command, else it is the one that auth login stored for
  the profile and the address, else from a login with RESELLER_USERNAME and RESELLER_PASSWORD. A stored token,
  the token_command of a profile and a remembered login are used only for the scheme, host and port that they
  were set up for. After a 401 the token is renewed if possible: token_command runs again, or a new login is
  made.
`
}

func formatting() string {
	var formats [][2]string
	for _, format := range encode.Formats() {
		formats = append(formats, [2]string{string(format), format.Help()})
	}
	return `Data is written to stdout; notes, progress, questions and errors to stderr.

FORMATS (-o: ` + strings.Join(encode.Names(), ", ") + `)
` + cli.Rows(formats) + `
Lists are printed as they arrive, unless the format or --sort needs all rows first. If a list ends in an error, which
the service may tell behind the rows, the rows before it are printed, except with --output-file, --sort and xlsx: then
nothing is written, and a file that exists stays as it was. In all formats,
rows of reports begin with account_id, campaign_id and account_name; a campaign without rows has none. For a budget
estimate, table shows the totals, then the keywords. csv, tsv, ndjson and xlsx contain the keywords, with url, market
and language first if several URLs or a --file were given, or with --summary the totals.

A documented field has one name and one value in all formats, and for --where, --search, --sort and --jq. Where the
service sends an older form, such as "active": 0, json, ndjson and yaml keep it and add "status": "deactivated".

FLAGS
` + cli.Rows([][2]string{
		{"--columns a,b", "choose columns, also for json, ndjson and yaml. A dotted name selects a nested field,\nattributes.NAME one attribute, .NAME a field that is not documented, and all every\nfield that the service sent, after all rows were read"},
		{"--sort a,-b", "sort by columns, descending with -COLUMN; numbers by value, other values by bytes,\nand missing values last"},
		{"--where CONDITION", "only records of a list that meet the condition, such as city=Portland; with several, all of\nthem. The operators are =, !=, <, <=, >, >=, ~ (contains, in capitals or not) and in, as in\n'type in target,interest'. Numbers compare by value, texts as they are: keyword=42 does not\nfind 0042. The column decides which, and of a field that is not documented what was sent.\nA value that the column can't have, and a field that no record has, are errors"},
		{"--search TEXT", "only records of a list that contain the text in a column that is shown"},
		{"--limit N", "at most N records of a list; what follows is not read, unless --sort needs it"},
		{"--no-header", "omit the header row"},
		{"--jq EXPRESSION", "apply a jq expression to the output of -o json; strings are printed raw, one per line,\nother values as compact JSON; if it begins with .[], records are read as they arrive"},
		{"--raw", "print the service's response exactly as received, with its envelope"},
		{"--csv-safe", "put a ' in front of cells that a spreadsheet would run as a formula"},
		{"--csv-bom", "begin csv with a byte-order mark, by which Excel knows that the text is UTF-8"},
		{"--output-file FILE", "write the data to a file, completely or not at all; without -o, the ending of the name\nis the format: .csv, .tsv, .json, .ndjson, .yaml, .md or .xlsx"},
		{"--color WHEN", "auto, always or never"},
		{"-q, --quiet", "print no notes and no progress"},
	}) + `
DATES
  The service sends dates as 2024-04-10T04:04:00, 2024-04-10 04:04:00 or 2024-04-10. table and markdown show
  them as 2024-04-10 04:04, or as 2024-04-10 if the time is midnight, and xlsx as dates of a spreadsheet. Other
  values, and dates in other formats, are printed as received. Dates have no time zone unless they end in Z, which means UTC.

CHARTS
  For reports and budget estimates, --chart shows a chart instead of the table, as wide as the terminal, or 80
  columns wide in a pipe. --chart-file FILE writes a chart in addition to the normal output, completely or not
  at all. FILE ends in .html (also with the numbers; needs no other files), .svg or .png.
  --open opens it with the system's program for such files, unless CI is set or nobody sits at a terminal.
  ` + "`reseller reports summary`" + ` shows the charts of all reports of a campaign on one page.

CONTROL CHARACTERS
  Control characters are escaped in tables, markdown and messages, and so are invisible ones, such as spaces without
  a width, the joiners of some emoji, and tags. The other formats print invisible characters as received: csv keeps
  tabs and line feeds inside quotes, xlsx in its cells, and both escape the other control characters; json, ndjson
  and yaml write them as \uXXXX. --raw, ` + "`reseller api`" + ` and strings of --jq are printed as received in a
  pipe, and escaped on a terminal.

SECRETS
  Values of fields such as password, api_key and access_token are shown as [hidden], and so is any value that equals
  the token or the password of the call. --raw and ` + "`reseller api`" + ` print them as received.

ERRORS
  An error is one line on stderr, often followed by a hint. With -o json or ndjson, the last line on stderr is an
  object instead: {"error":{"message","exit_code","http_status","messages","error_code","operation"}}. For mistakes in
  a file it also has "faults", an array of {"line","row","column","value","reason"} with the first 10,000 of them.
`
}

// exitCodeHelp describes every exit code.
var exitCodeHelp = [...][2]string{
	{fmt.Sprint(cli.ExitOK), "done"},
	{fmt.Sprint(cli.ExitFailed), "any other failure: a response that can't be read (not JSON, incomplete, over 32 MB for one\nrecord), a refused redirect, a local file that can't be written, a confirmation answered with no"},
	{fmt.Sprint(cli.ExitUsage), "invalid usage, input or configuration; no address; plain http; an unknown job, or a job that\nis already running; nothing was sent"},
	{fmt.Sprint(cli.ExitPartial), "partly done: some rows were refused or are unknown, or some of several ids, reports,\nestimates or customers failed; the others succeeded. If all failed, it is the code of\nthe failure, or 1 if the codes differ"},
	{fmt.Sprint(cli.ExitAuth), "no token, or the service refused it (401, 403)"},
	{fmt.Sprint(cli.ExitNotFound), "not found (404)"},
	{fmt.Sprint(cli.ExitRefused), "refused by the service: another 4xx status, error: true, an error_code, a status_code of 400 or\nmore in the response, or all rows refused; for an update of a single keyword, the\nstatus_code of its item decides"},
	{fmt.Sprint(cli.ExitUnreachable), "not reachable, timed out, 429 or 5xx after all retries, or a load that the network stopped;\nif it can be resumed, a hint says how"},
	{fmt.Sprint(cli.ExitChanges), "`reseller diff --exit-code` found changes"},
	{"130", "interrupted by Ctrl-C; 143 if interrupted by SIGTERM, 129 if the terminal was closed;\nif it can be resumed, a hint says how"},
}

func exitCodes() string {
	return "The exit codes of all commands:\n\n" + cli.Rows(exitCodeHelp[:]) + `
A token that is not a JWT, or that looks expired and can't be renewed, is sent anyway: the service decides.
With -o json or ndjson, the error on stderr contains the exit code as exit_code.
`
}
