package bulkcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"reseller/client"
	"reseller/client/bulk"
	"reseller/client/bulk/decode"
	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
	"reseller/client/loads"
	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/output"
	"reseller/output/encode"
)

type FileFlags struct {
	InputFlags
	bulk.Options
	SendAll, Restart bool
	AllowSimilar     bool         // see AddAllowSimilar
	Check            func() error // checks the other flags of the command, before a form asks for its arguments; may be nil

	empty, shard string
	readOnly     map[int]bool // the rows that differ from the service in a column that can't be changed
}

// AddTo adds the flags to a command whose file may have the formats, by default all.
func (ff *FileFlags) AddTo(c *cobra.Command, session *cli.Session, formats ...string) {
	ff.sends = true
	flags := c.Flags()
	if formats == nil {
		formats = decode.Formats
	}
	ff.InputFlags.AddTo(c, session, formats...)
	c.PreRunE = ff.rejectFileOnlyFlags
	ff.AddValidation(c, session, "send nothing")
	flags.StringVar(&ff.Rejects, "rejects", "", "write refused and invalid rows to `FILE` (default: beside the file that was read)")
	flags.StringVar(&ff.Unknown, "unknown", "", "write rows with an unknown outcome to `FILE` (default: beside the file that was read)")
	flags.StringVar(&ff.Results, "results", "", "write loaded rows to `FILE`, with the ids that the service returned")
	flags.IntVar(&ff.BatchSize, "batch-size", 100, "send up to `N` rows per call (default 100)")
	flags.IntVar(&ff.Concurrency, "concurrency", cli.DefaultConcurrency, "make up to `N` calls at a time (default "+strconv.Itoa(cli.DefaultConcurrency)+")")
	flags.StringVar(&ff.shard, "shard", "", "load only shard `I/N` of the file, so that N machines can share it and --rate; auto takes I and N from the environment")
	flags.BoolVar(&ff.Restart, "restart", false, "start a new job instead of resuming an unfinished one; what can't be read back is not sent again")
	session.Flags.AddSettleTime(c)
	flags.BoolVar(&ff.Verify, "verify", false, "read the service once more at the end, and exit with 3 if it holds rows twice or does not list them")
	flags.BoolVar(&ff.ResendUnknown, "resend-unknown", false, "send rows again whose outcome in an earlier run is unknown")
}

func (ff *FileFlags) rejectFileOnlyFlags(c *cobra.Command, args []string) error {
	_, argument, _ := strings.Cut(c.Use, " ")
	switch argument = strings.Trim(argument, "[.]"); {
	case len(args) > 0 && ff.Given():
		return cli.Usagef("%s and --file can't be used together", argument)
	case slices.Contains(args, "-") && strings.HasSuffix(argument, "_ID"):
		return cli.Usagef(`%s: "-" is not a whole number`, argument).Hinted("--file - reads ids from standard input")
	}
	if err := ff.check(c, nil); err != nil || ff.Check == nil {
		return err
	}
	return ff.Check()
}

func (ff *FileFlags) AddNoSkipExisting(c *cobra.Command) {
	c.Flags().BoolVar(&ff.ResendExisting, "no-skip-existing", false, "send rows even if they already exist")
}

func (ff *FileFlags) AddUpdateExisting(c *cobra.Command) {
	c.Flags().BoolVar(&ff.UpdateExisting, "update-existing", false, "update keywords that exist with another type or with status 0")
}

func (ff *FileFlags) AddUpdateFlags(c *cobra.Command) {
	c.Flags().StringVar(&ff.empty, "empty", "keep", "`ACTION` for empty cells: keep the current value or clear it (default keep)")
	c.Flags().BoolVar(&ff.SendAll, "send-all", false, "send all rows and fields, not only those that differ")
	cli.Offer(c, "empty", "keep", "clear")
}

func (l *load) open(ctx context.Context) (err error) {
	f := l.f
	switch {
	case l.empty != "" && l.empty != "keep" && l.empty != "clear":
		return cli.Usagef("--empty: %q is neither keep nor clear", l.empty)
	case l.BatchSize < 1:
		return cli.Usagef("--batch-size: %d is less than 1", l.BatchSize)
	case cli.CheckConcurrency(l.Concurrency) != nil:
		return cli.CheckConcurrency(l.Concurrency)
	case l.ResendExisting && l.UpdateExisting:
		return cli.Usagef("--no-skip-existing and --update-existing can't be used together")
	case f.Flags.Raw:
		return cli.Usagef("--raw prints one response, so it can't be used with --file")
	}
	for _, written := range l.outputs() {
		if err := cli.CheckOutputPath(written.flag, written.path); err != nil {
			return err
		}
	}
	spec := l.resource.Schema
	spec.Defaults, spec.EmptyClears, spec.Validate = l.Defaults, l.empty == "clear", !f.Flags.NoValidate
	if spec.KeepsInvalid == nil {
		spec.KeepsInvalid = l.keepsInvalid()
	}
	if spec.Shard, err = l.parseShard(f.Session); err != nil {
		return err
	}
	f.Flags.Shards, f.Outcome.Summary.Shard = spec.Shard.N, spec.Shard.String()
	if store, err := f.Jobs(); err == nil { // otherwise beginJob reports the error
		if spec.HashKey, err = store.HashKey([16]byte{}); err != nil {
			return err
		}
	}
	source, err := l.InputFlags.open(ctx, f, spec, l.Constants)
	if err != nil {
		return err
	}
	if err = l.checkEndings(f.Session, source); err != nil {
		_ = source.Close()
	}
	return err
}

// parseShard returns the shard that --shard names, the zero Shard if it names none. It
// replaces auto by the shard that the environment names.
func (ff *FileFlags) parseShard(session *cli.Session) (shard rows.Shard, err error) {
	switch ff.shard {
	case "":
		return rows.Shard{}, nil
	case "auto":
		if shard, err = environmentShard(session); err == nil {
			ff.shard = strconv.Itoa(shard.I) + "/" + strconv.Itoa(shard.N)
		}
		return shard, err
	}
	part, of, ok := strings.Cut(ff.shard, "/")
	i, err1 := strconv.Atoi(part)
	n, err2 := strconv.Atoi(of)
	switch {
	case !ok || err1 != nil || err2 != nil || n < 1 || n > maxShards:
		return rows.Shard{}, cli.Usagef("--shard: %q is neither auto nor I/N, for example 1/4 for the first of four shards; N is at most %d", ff.shard, maxShards)
	case i < 1 || i > n:
		return rows.Shard{}, cli.Usagef("--shard: there is no shard %d of %d", i, n)
	}
	return rows.Shard{I: i, N: n}, nil
}

// checkEndings refuses names of files of rows by which programs would take a workbook for a text, or a text for a
// workbook, or the objects of a folder for a table. It notes other names that end like another format, unless the name of
// the input ends so, too.
func (ff *FileFlags) checkEndings(session *cli.Session, source *rows.Source) error {
	for _, file := range ff.outputs() {
		written := source.File.WrittenAs(file.path)
		ending, input := cmp.Or(decode.FormatOfName(file.path), string(encode.OfFile(file.path))), ff.Path
		if input == "-" {
			input = "stdin"
		}
		if ending == "" || ending == "txt" || ending == written || ending == "json" && written == "ndjson" {
			continue
		}
		text := fmt.Sprintf("%s %s: the name ends like %s, but the rows of %s are written as %s", file.flag, file.path, ending, input, written)
		if workbook := string(encode.XLSX); ending == workbook || written == workbook || source.File.Parts != nil {
			return cli.Usagef("%s", text)
		}
		if !strings.EqualFold(filepath.Ext(file.path), filepath.Ext(ff.Path)) {
			session.Note("%s", text)
		}
	}
	return nil
}

type flagPath struct{ flag, path string }

// outputs are the flags of the files with rows that a load writes, the rejects as the last.
func (ff *FileFlags) outputs() [3]flagPath {
	return [...]flagPath{{"--results", ff.Results}, {"--unknown", ff.Unknown}, {"--rejects", ff.Rejects}}
}

func (ff *FileFlags) outputFiles() (found [3]os.FileInfo) {
	for i, file := range ff.outputs() {
		found[i], _ = os.Stat(file.path)
	}
	return found
}

// ensureFiles sees to the files of outputs when a load ends: a pipeline expects them. A file that was
// there before and was not replaced stays, and a note says so. One that is missing, because the load ended before it sent
// a row, is written with its header alone.
func (l *load) ensureFiles(before [3]os.FileInfo) error {
	var failed []error
	for i, file := range l.outputs() {
		switch now := l.outputFiles()[i]; {
		case file.path == "":
		case now != nil:
			if before[i] != nil && os.SameFile(before[i], now) {
				l.f.Note("%s %s is from an earlier run", file.flag, file.path)
			}
		case !l.hasRows() && (i != 1 || l.f.Outcome.Summary.Unknown == 0): // without its rows, a file would be wrong
			added := []string{"error", "http_status"}
			if i == 0 && l.Steps == nil {
				added = l.resource.Operation.Results
			} else if i == 0 {
				added = bulk.ResultColumns(l.Steps.Make(nil, func(l loads.Load) loads.Load { return l }, nil))
			}
			w := rows.NewWriter(l.source, file.path, added...)
			w.Always = true
			failed = append(failed, w.Commit())
		}
	}
	return errors.Join(failed...)
}

// keepsInvalid returns for rows.Schema which invalid values an update keeps, since they may be those that the service holds,
// which are not sent. It is nil for a load that sends all cells.
func (l *load) keepsInvalid() func(name string) bool {
	// The shard of a row must depend on the file alone. Operations with batches are
	// updates of keywords, whose values are validated in any case.
	op, res := &l.resource.Operation, l.resource.Schema.Resource
	if l.resource.Schema.Use != schema.Update || op.Snapshot == nil || op.MaxBatch != 1 || l.SendAll || l.shard != "" {
		return nil
	}
	return func(name string) bool {
		f := res.Field(name)
		return f == nil || !f.Has(schema.Key)
	}
}

// refuseChanged makes rows invalid whose invalid cells differ from the values that the service holds, and adds them to err, the
// error of the validation.
func (l *load) refuseChanged(ctx context.Context, err error) error {
	isCompared := l.resource.Schema.KeepsInvalid == nil && l.source.HoldsInvalid // otherwise Prepare sees to them
	if !isCompared || err != nil && !decode.InvalidRow(err) {
		return err
	}
	var op *bulk.Operation
	if err == nil || l.onInvalid == bulk.Skip { // otherwise nothing is loaded, whatever the service holds
		c, err := l.f.Client()
		if err != nil {
			return err
		}
		current := l.New(c)
		op = &current.Operation
	}
	faults, readErr := bulk.InvalidChanges(ctx, l.source, op)
	if readErr != nil && op != nil && l.onInvalid != bulk.Skip && ctx.Err() == nil {
		l.f.Note("the current values can't be read, so all cells are validated: %v", readErr)
		faults, readErr = bulk.InvalidChanges(ctx, l.source, nil)
	}
	if readErr != nil {
		return readErr
	}
	_, refused := l.source.RefuseRows(faults)
	issues, more := decode.AsError(err), decode.AsError(refused)
	if issues == nil || more == nil {
		return cmp.Or(refused, err)
	}
	issues.Add(more.Issues...)
	return issues
}

func (l *load) options() bulk.Options {
	o := l.Options
	o.OnInvalid, o.ResendSent, o.SettleTime = l.onInvalid, l.f.Flags.ResendSent, l.f.Flags.SettleTime
	o.Note = func(text string) { l.f.Note("%s", text) }
	if settings, err := l.f.Settings(); err == nil {
		o.Retries, _ = settings.Retries() // the client has checked them
	}
	return o
}

func (l *load) summaryShape() output.Shape {
	names := slices.Clone(summaryColumns)
	if l.Steps != nil {
		names = append(names, stepColumns...)
	}
	if l.Prunes {
		names = append(names, "pruned")
	}
	if l.Verify {
		names = append(names, verifyColumns...)
	}
	return shapeOf(append(names, endColumns...))
}

// AddAllowSimilar adds the flag that also sends accounts that may be others which the service holds.
func AddAllowSimilar(c *cobra.Command, allowed *bool) {
	c.Flags().BoolVar(allowed, "allow-similar", false, "also send accounts that have the name, e-mail and phone, or get the identifier, of another one")
}

// RefuseSimilar makes rows of l invalid that would make a second account of a customer, or an identifier that of two, unless a
// flag allows them.
func (ff *FileFlags) RefuseSimilar(session *cli.Session, outcome *cli.Outcome, l *Command) {
	if ff.AllowSimilar {
		l.JobKey = append(l.JobKey, "--allow-similar")
	}
	if !ff.AllowSimilar && !ff.ResendExisting {
		ff.RefuseFound(session, outcome, l)
	}
}

// RefuseFound makes the rows of l invalid with which its snapshot finds fault. A job keeps the numbers of these rows.
func (ff *FileFlags) RefuseFound(session *cli.Session, outcome *cli.Outcome, l *Command) {
	l.Prepare = func(ctx context.Context, c *client.Client, source *rows.Source, latest *job.Status) (p Prepared, err error) {
		var faults []rows.Fault
		switch load := l.New(c); {
		case latest != nil && latest.State != job.JobFinished:
			if latest.Kept == nil {
				break
			}
			if err = json.Unmarshal(latest.Kept, &faults); err != nil {
				err = fmt.Errorf("the header of job %s: %w", latest.ID, err)
			}
		case load.Schema.IsDoubtful != nil && !source.HoldsDoubtful: // the rows say nothing that could be wrong
		default:
			faults, p.First, err = bulk.Check(ctx, source, load.Operation, session.Flags.DryRun)
		}
		if faults != nil {
			p.Keep = faults
		}
		if err == nil {
			err = ff.Refuse(session, outcome, faults)
		}
		return p, err
	}
}
