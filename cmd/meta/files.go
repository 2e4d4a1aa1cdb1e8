package meta

const filesTopic = `Commands with --file FILE process many rows in one run. They read the rows from FILE, from stdin if FILE is -,
or from all files in it if FILE is a folder.

FORMATS
  The format is taken from the extension of the file name or from --input-format: csv, tsv, xlsx, json, ndjson,
  yaml or txt (one keyword or URL per line; blank lines are skipped). Texts are in UTF-8, with or without a byte
  order mark, in UTF-16 with one, or in the encoding that --encoding names, such as windows-1252, with LF or CRLF
  line ends. csv may use semicolons or tabs instead of commas, as spreadsheets do. The first row with cells names the
  columns; titles above it are passed over. Rows that contain only separators are skipped, and columns without a name
  must be empty. A txt file with tabs in its first line is read as csv. --example csv (or ndjson, yaml, xlsx)
  prints a sample file. What comes through a pipe may have 16 GB.

WORKBOOKS
  Of a workbook (xlsx), the sheet that --sheet names is read, or the first visible one with cells. Hidden
  rows and columns are read too. Numbers are read as decimals, dates as 2026-11-22 (with a time, as
  2026-11-22T18:30:00), and formulas as their last value. A workbook may have 1 GB of data, uncompressed. Files with
  passwords from stdin may have 50 MB.

FOLDERS
  The files of a folder are read in the order of their names, each in the format that its name ends with, with columns
  of its own. Errors and notes name the file: b.csv: line 3. Hidden files and backups (names that begin with . or # or
  end with ~) are passed over; any other file, and a folder inside of the folder, is an error. All the rows are one load:
  rows of two files that contradict each other are an error, and a job is resumed only if no file was changed, added or
  removed. Rejects and results are written as ndjson, or as json or yaml if the path ends so.

COLUMNS
  Columns have the JSON names of the fields, with dots for nested fields. Attributes are one column of JSON, or
  columns named attributes.NAME. Only letters and digits of a name count: Account Name, ZIP code and E-Mail are
  found. Fields have other names too, such as company for account_name, zip for postal and website for
  website_url; docs/spreadsheets.md lists them. Two columns that name one field are an error. As a status, 1 means
  activate and 0 means deactivate; for accounts, active and deactivated are accepted too.

  An unknown column is an error; on a terminal, you are asked for its field. --map "Client Name=account_name" gives
  a column its field, --map "MRR=" passes it over, and --ignore-unknown passes over all columns that no field takes.
  --map-file FILE reads this from a yaml file: columns has the field of each column, "" to pass it over, or a list such
  as [first_name, last_name] to split each cell at its last space; values has, for each field, cells and what they
  become. --map takes precedence. --save-map FILE writes such a file.

  The columns error and http_status are ignored, so that a rejects file can be loaded. --account, --campaign and
  --type can replace the columns account_id, campaign_id and keyword_type; a cell that contradicts the flag is an
  error. White space around a keyword or URL is removed. tsv has no quotes: \t, \n, \r and \\ in a cell mean tab,
  line feed, carriage return and backslash.

VALIDATION
  All rows are validated before the first one is sent. If any row is invalid, nothing is sent, and the error
  lists line, column and reason of the first 20 invalid rows and counts the rest. With --on-invalid skip, the
  valid rows are loaded and the invalid ones written to the rejects file. Identical rows count once. Rows with
  the same identity and different content are an error that names both lines. --no-validate leaves the
  validation of e-mail addresses, URLs, dates, enumerated values and country codes to the service.

EMPTY CELLS
  When rows are created, an empty cell counts as missing. When rows are updated, an empty cell means "leave as it
  is"; with --empty clear it sets an empty string. In JSON every field that is present is set, except null, which
  counts as missing.

UPDATES
  accounts update and keywords update accept the csv output of their list commands. They compare each row with
  the service's current data and send only what differs; --send-all sends everything. accounts update does not
  validate a cell that equals the current value, unless --send-all or --shard is given. If a cell of a read-only
  column differs, a note names the first such line and the command that changes the value.

JOBS
  A load is a job with a journal, so every row is written exactly once, even if the machine, the network or a
  response fails. To resume an unfinished job, run the same command again, or jobs resume. After a finished
  job, the same command starts a new one; --restart always does. jobs list shows the jobs. The last 50 finished
  jobs are kept.

  Rows that the service already has count as present and are not sent again, unless --no-skip-existing is given.
  If the outcome of a call is unknown, its rows are looked up before any of them is sent again. The service may go on
  with such a call, and its list may be late. So a row that the list does not show is sent again only after the
  settling time (--settle-time), and only if the list shows another row that was sent after that. Otherwise it
  stays unknown until --resend-unknown is given.

  For 24 hours, this machine remembers the keywords and accounts that its jobs have sent. They count as present
  even if the list does not show them yet, with a note, unless --restart or --no-skip-existing is given. That goes by
  the address: if a test service begins afresh, such as mock serve with a new database, use --restart once. Another
  machine sees only what the list shows; use --shard to split a file between machines.

  Credentials, business profiles, and plans that the service does not list can't be looked up. The machine remembers
  which of them it has sent to which address, for which reseller and when, for all files and jobs, without a limit
  of time; jobs remove and --restart forget nothing. What was sent before counts as present, with a note that has
  its line and date, until --resend-sent is given. Only hashes are stored, in jobs/sent.log of the state folder.
  Another machine, or one whose state folder was deleted, can't know what was sent: it sends everything again.

  --batch-size N        send up to N rows per call (default 100)
  --concurrency N       make up to N calls at a time (default 8); --rate N limits all calls per second
  --shard I/N           load only shard I/N of the file, so that N machines can share it; --rate is then the rate of
                        all machines together. --shard auto takes I and N from the variables of Kubernetes
                        (JOB_COMPLETION_INDEX with RESELLER_SHARDS), GitLab, CircleCI, Buildkite or Slurm
  --update-existing     update keywords that exist with another type or with status 0
  --settle-time TIME    how long the service may go on with a call that had no response (default: by its speed; a
                        minute or more)
  --verify              read the service once more at the end. Rows that it holds more than once, as after two machines
                        have loaded the same file, or does not list are noted and counted as doubled and missing, and
                        the exit code is 3. A row is missing only after the settling time of late lists (two minutes, or
                        --settle-time). Each shard verifies its own rows. Credentials and business profiles can't be
                        read back, so they are not verified
  --unknown FILE        rows with an unknown outcome, in the format of the input
  --rejects FILE        refused rows, in the format of the input, with the columns error and http_status
  --results FILE        every row that was written, with the ids that the service returned; where there is nothing to
                        tell, FILE of --results and --rejects is written with its header alone. If nothing was sent,
                        a FILE that is there stays, with a note. None is written without the rows that an unfinished job
                        has sent
  --dry-run             show the plan: rows to send, present, refused, and the calls

  The summary on stdout contains job, operation, rows, sent, present, differs, duplicates, invalid, refused, unknown,
  requests, retries, seconds, remaining, exit_code and state, for customers also customers_complete, steps and
  steps_done, with --verify doubled and missing, and as json or yaml faults and refused_rows (10,000 of each at most).
  Always sent + present + differs + duplicates + invalid + refused + unknown + remaining = rows. requests counts all
  calls of the job, those that read included. steps counts the writes that the customers may need: the account, the
  notes and so on, and each keyword, which apply counts twice, since it may be added or changed. steps_done counts those
  that were made or refused, or that no request is needed for, since the service agrees with the file: most of them, if
  few customers change.

  The state is finished if nothing is left to do, or an export has the rows that --limit asks for; stopped if the load
  can be resumed, failed if it ended before a row was sent, and planned after a dry run. The exit code is 3 if some rows
  were refused or are unknown, 6 if all rows were refused, and 7 if the network stopped the load; in that case you can
  resume it.

OUTCOMES FOR PROGRAMS
  --summary-file FILE writes the outcome of a load, a comparison or an export, also if it fails or is interrupted, in
  the form that the ending asks for: .json is the summary, with faults and refused_rows (file in a folder, line, row,
  record, http_status and reason); .xml is a JUnit report, with a test case for each file or, in an export, for each
  campaign; .md is a table for people. The flag can be given several times. In an export, the rows are the requests: sent
  are those that succeeded, refused those that failed, and remaining those that were not made.

  If GITHUB_ACTIONS is true, or with --ci github, the first 50 faults and refused rows are written to stderr as
  annotations, the .md form is added to the summary of the step, and no other text on stderr is a command to GitHub: ::
  is written as :%3A, ##[ as ##%5B, and % as %25. --ci none turns this off. What a command prints on stdout stays exactly
  as it is: write it to a file.

EXPORTS
  reports read account_id and campaign_id from the file. With an account only, they cover all its campaigns; with
  a campaign only, they look up its account. The output of campaigns list can be used as it is. budget estimate
  reads url and optionally market, language, max_keywords, categories and seeds, or a txt file with one URL per
  line. Several requests run at the same time (--concurrency); rows are printed in the order of the file. A
  failed request prints no rows, and the others continue. (If a report is larger than 512 kB, some of its rows
  may already be printed; a note says so.) --failures FILE lists the failed requests as csv, with error and
  http_status; pass it to --file to retry them. It is written after all requests. If none failed, it has no rows, and a
  command that reads it requests nothing. If an error or a signal ends the command before that, a file that exists stays
  as it is, and a new one lists all requests whose rows are not in the output. With --fail-fast the command stops at
  the first failure, with its exit code.

ONBOARDING
  The file of ` + "`reseller onboard`" + ` has the columns of accounts create and these: keywords (a list, or text separated
  by ;, where text|interest sets the type); credentials.credentials_types_id, .reseller_account_id, .username,
  .password, .note; writer_instructions, additional_instructions; service_plan_id. Every step is recorded in the
  journal and sent once. If the account exists already, the steps continue with it. Its credentials, and a plan
  that is not in its list, are then present if this machine has sent them, and otherwise unknown and sent only with
  --repeat. The results file contains all ids and the state of each step.

PASSWORDS
  No flag takes a password. It comes from a prompt, from --password-stdin or from a column. A file with a
  password column is never copied; if it is read from stdin, it is held in memory only, and you must give it
  again to resume the job. --password-stdin and --file - can't be used together.
`
