package meta

const filesTopic = `Commands that take --file PATH (or - for stdin) write, or ask for, many in one run.

FORMATS
  By the ending of the name, or --input-format: csv, tsv, json, ndjson, yaml, txt (one keyword or URL a
  line, blank lines skipped). UTF-8 with or without a byte order mark, lines ended by LF or CRLF. A csv
  may have semicolons for commas, as spreadsheets write it; rows of separators alone are passed over, and so are
  columns at the end that have no name and nothing in them. --example csv (ndjson, yaml) prints a file to start from.

COLUMNS
  The columns are the JSON names of the fields, nested ones dotted; attributes as one column of JSON or as
  attributes.NAME. These name the same: zip and postal, phone_number and phone, type and keyword_type,
  country and country_code; and as a status 1 and activate, 0 and deactivate (of
  accounts also active and deactivated). --map "Client Name=account_name"
  renames a column. An unknown column is an error that names the nearest field; error and http_status are
  passed over, so that a rejects file can be loaded. --account, --campaign and --type may stand for
  account_id, campaign_id and keyword_type; a cell that contradicts the flag is an error.
  White space around a keyword or URL is dropped. tsv has no quotes: \t, \n, \r and \\ in a cell stand for a
  tab, the ends of lines, and a backslash.

CHECKS
  Every row is checked before the first is sent. With a bad one nothing is sent, and the error names line,
  column and reason of the first 20 and counts the rest; --on-invalid skip loads the others and writes the bad
  ones to the rejects file. Rows that agree count once. Rows with one identity and different content are
  errors that name both lines.
  --no-validate leaves the look of e-mails, URLs, dates, words and country codes to the service.

EMPTY CELLS
  In files to create from, an empty cell is as if absent. In files to update from it means "leave as it is";
  --empty clear makes it an empty string. In JSON what is present is set, save null,
  which is as if absent.

UPDATES
  accounts update and keywords update take back what their list commands write as csv. They compare with
  what the service holds and send only what differs; --send-all sends everything. In accounts
  update, a cell that says what the service holds is not checked (but with --send-all or --shard). A changed cell of a
  column that can't be written is told, with its first line and the command that changes it.

LOADS ARE JOBS
  A load keeps a journal, so that every row is in exactly once whatever happens to the machine, the network
  or an answer: the same command continues an unfinished load, and begins a new one after a finished one.
  jobs list shows them, jobs resume continues one, --restart begins anew; the last 50 finished ones are
  kept. What the service holds already is
  counted as present and not sent again (--no-skip-existing sends it). A call whose outcome is unknown is
  settled by reading the service back, never by sending it again blindly; what can't be read back stays
  unknown until --resend-unknown.

  --batch-size N        rows in a call (default 100)
  --concurrency N       calls at a time (default 8); --rate N limits the calls a second of all together
  --shard I/N           only the rows of shard I of N, so that N machines share one file
  --update-existing     bring keywords that are there with another type or status in line
  --rejects PATH        refused rows, in the format of the input, with columns error and http_status
  --results PATH        every row that is in, with the ids that the service gave it
  --dry-run             the plan: rows to send, present, refused, and the calls

  The summary on stdout has job, operation, rows, sent, present, differs, duplicates, invalid, refused, unknown,
  requests, retries, seconds. The exit code is 3 where some rows were refused or are unknown, 6 where all were
  refused, and 7 where the network stopped the load; then it can be continued.

EXPORTS
  reports take account_id and campaign_id from a file, or one of them: an account alone is all its campaigns, a
  campaign alone has its account looked up. What campaigns list writes is taken as it is. budget estimate takes
  url, and with it market, language, max_keywords, categories, seeds; or a txt of one URL a line.
  Several are asked for at a time (--concurrency), and the rows come in the order of the file. One that fails gives no rows
  (of a report above 512 kB some may have been printed; that is told) and the others go on.
  --failures PATH lists what failed as csv: what was asked, error and http_status. --file takes it as it is. It
  is written when all have been asked for, with no rows where none failed, and asking for no rows does nothing.
  --fail-fast ends with the first failure instead, with its exit code.

ONBOARDING
  The file of ` + "`reseller onboard`" + ` has the columns of accounts create, and: keywords (a list, or set apart by ;
  where text|interest sets the type); credentials.credentials_types_id, .reseller_account_id, .username,
  .password, .note; writer_instructions, additional_instructions; service_plan_id. Each step is journaled and
  goes out once. An account that is there is gone on with; its credentials, and a plan that its list does not
  show, are unknown then, and sent only with --repeat. The results have all ids and the state of each step.

PASSWORDS
  There is no flag for a password: it comes from a prompt, from --password-stdin or from a column. A file with
  a password column is never copied; from stdin it is held in memory and has to be given again to continue.
  --password-stdin can't go with --file -.
`
