package meta

import (
	"fmt"
	"strings"

	"reseller/cmd/cli"
	"reseller/config"
	"reseller/output/encode"
)

// A topic is a page of help that belongs to no command.
type topic struct {
	name string
	text func() string
}

func topics() []topic {
	return []topic{
		{"environment", environment}, {"formatting", formatting}, {"exit-codes", exitCodes}, {"files", func() string { return filesTopic }},
	}
}

// rows lays pairs out in two columns.
func rows(pairs [][2]string) string {
	wide := 0
	for _, p := range pairs {
		wide = max(wide, len(p[0]))
	}
	var b strings.Builder
	for _, p := range pairs {
		text := strings.ReplaceAll(p[1], "\n", "\n"+strings.Repeat(" ", wide+4))
		fmt.Fprintf(&b, "  %-*s  %s\n", wide, p[0], text)
	}
	return b.String()
}

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
	return `Settings come from flags, environment variables and a profile of the configuration file, in this order; what
none of them gives has a default. A variable that is empty counts as unset. ` + "`reseller config list`" + ` shows each
value and where it comes from.

VARIABLES
` + rows([][2]string{
		{"RESELLER_CONFIG", "path of the configuration file; else XDG_CONFIG_HOME/reseller/config.yaml or\nthe same below the user's configuration folder"},
		{"RESELLER_PROFILE", "profile to use; --profile beats it, the file's active profile is next"},
		{"RESELLER_TOKEN", "token of every call; it beats token_command and what is kept by auth login"},
		{"RESELLER_USERNAME", "user name to log in with, together with RESELLER_PASSWORD, where nothing else\ngives a token; --username of auth login beats it"},
		{"RESELLER_PASSWORD", "password to that user name"},
		{"NO_COLOR", "no color, whatever is in it; --color beats it"},
		{"XDG_DATA_HOME", "the mock's database is in its folder reseller"},
		{"XDG_STATE_HOME", "the journals of loads are in its folder reseller/jobs"},
		{"HTTPS_PROXY, NO_PROXY", "the proxy to go through, and for which hosts not to"},
	}) + `
Each key of a profile has a variable and may have a flag:

` + rows(settings) + `
KEYS OF A PROFILE
` + rows(keys) + `
THE ADDRESS
  --base-url, else --server (a RESELLER_BASE_URL is passed over then), else RESELLER_BASE_URL, else
  RESELLER_SERVER, else the profile. --base-url and --server together are an error. Server mock with no
  mock_url runs the mock service inside the command and uses a token of its own; production with no
  base_url is an error. Plain http goes to this machine only, unless --allow-http is given. An address with
  a user name or password in it is refused.

THE TOKEN
  RESELLER_TOKEN, else what token_command prints, else what auth login kept for the profile and the
  address, else a login with RESELLER_USERNAME and RESELLER_PASSWORD. A kept token, a token_command of
  the profile and a remembered login serve only the scheme, host and port they were set up for. After a
  401 the token is renewed where that can be: token_command is run again, a login is made again.
`
}

func formatting() string {
	var formats [][2]string
	for _, format := range encode.Formats() {
		formats = append(formats, [2]string{string(format), format.Help()})
	}
	return `Data goes to stdout; notes, progress, questions and errors go to stderr.

FORMATS (-o: ` + strings.Join(encode.Names(), ", ") + `)
` + rows(formats) + `
Lists appear as they arrive, save where the format or --sort needs all rows at once. Reports in csv, tsv and
ndjson begin with account_id and campaign_id, unless exactly one pair was named by --account and --campaign. Of
a budget estimate, table shows the figures and then the keywords; csv, tsv and ndjson carry the keywords, with
url, market and language in front when several URLs or a --file were asked for, or with --summary the figures.

FLAGS
` + rows([][2]string{
		{"--columns a,b", "pick columns, in json, ndjson and yaml too. A dotted name goes into an object,\nattributes.NAME picks one attribute, .name any field that no document names,\nand all reads everything first and shows what there is"},
		{"--sort COLUMN", "sort by a column, -COLUMN downwards; numbers by value, else bytes, missing last"},
		{"--no-header", "leave out the header row"},
		{"--jq EXPR", "run a jq expression on what -o json would print; strings come raw, one a line, all else\nas compact JSON; a program that begins with .[] takes the records as they arrive"},
		{"--raw", "print the service's answer exactly as it came, envelope and all"},
		{"--csv-safe", "put a ' before cells that a spreadsheet would run as a formula"},
		{"--output-file PATH", "write the data there, whole or not at all"},
		{"--color WHEN", "auto, always or never"},
		{"-q, --quiet", "no notes and no progress"},
	}) + `
DATES
  The service sends dates as 2024-04-10T04:04:00, 2024-04-10 04:04:00 or 2024-04-10. Tables and markdown show
  them as 2024-04-10 04:04, or as 2024-04-10 where the time is midnight; what is no such date, and every other
  format, stays as it came. They carry no zone, save a Z, which is UTC.

CHARTS
  Reports and budget estimates take --chart, which shows a chart in place of the table, as wide as the
  terminal or 80 columns in a pipe, and --chart-file F, which writes one beside whatever is printed, whole
  or not at all: F.html with the numbers below it and nothing that is loaded from elsewhere, F.svg or F.png.
  ` + "`reseller reports summary`" + ` has those of all reports of a campaign on one page.

CONTROL CHARACTERS
  Characters that a terminal would obey are shown escaped in tables, markdown and messages. csv keeps tab
  and line feed inside quotes and escapes the rest; json, ndjson and yaml write \uXXXX. --raw, ` + "`reseller api`" + `
  and strings of --jq are exact in a pipe and escaped on a terminal.

ERRORS
  An error is one line on stderr, often with a hint. With -o json or ndjson the last line of stderr is one
  object instead: {"error":{"message","exit_code","http_status","messages","error_code","operation"}}.
`
}

// codes are the exit codes and what they mean.
var codes = [...][2]string{
	{fmt.Sprint(cli.ExitOK), "done"},
	{fmt.Sprint(cli.ExitFailed), "anything not below: an answer that can't be read (not JSON, cut short, over 32 MB for one\nrecord), a refused redirect, a local file that can't be written, a question answered no"},
	{fmt.Sprint(cli.ExitUsage), "usage, input or configuration not valid, no address, plain http, an unknown job, a job that\nanother run holds; nothing was sent"},
	{fmt.Sprint(cli.ExitPartial), "partly done: some rows were refused or are unknown, or some of several ids, reports or\nestimates failed; the others are in"},
	{fmt.Sprint(cli.ExitAuth), "no token, or the service refused it (401, 403)"},
	{fmt.Sprint(cli.ExitNotFound), "not found (404)"},
	{fmt.Sprint(cli.ExitRefused), "refused by the service: another 4xx, error true, an error_code, a status_code of 400 or\nmore in the answer, or all rows refused; an update of one keyword exits by the\nstatus_code of its item"},
	{fmt.Sprint(cli.ExitUnreachable), "not reachable, timed out, 429 or 5xx after all retries, or a load that the network stopped;\nwhat can be continued says how"},
	{"130", "interrupted by Ctrl-C, 143 by SIGTERM, 129 where the terminal was closed;\nwhat can be continued says how"},
}

func exitCodes() string {
	return "What the exit code of every command says:\n\n" + rows(codes[:]) + `
A token that is no JWT, or that looks expired with nothing to renew it, is sent all the same: the service
has the last word. With -o json or ndjson the error on stderr carries the code too, as exit_code.
`
}
