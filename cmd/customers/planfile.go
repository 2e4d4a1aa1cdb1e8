package customers

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/output"
)

// A plan file is a JSON object with two members: plan, which is a planHeader, and changes, an
// array of the rows that diff prints.

// A planHeader says for what a plan was made.
type planHeader struct {
	Version    int      `json:"version"`
	BaseURL    string   `json:"base_url"`
	Subject    string   `json:"subject"`
	Digest     string   `json:"file_digest"`
	Prune      []string `json:"prune"`
	PruneLimit string   `json:"prune_limit"`
}

// planVersion is the version of the plan files that this program writes and reads.
const planVersion = 1

// newPlanHeader returns the header of the plan that a comparison has found.
func newPlanHeader(ctx context.Context, session *cli.Session, all *comparison, prune *pruneFlags) (*planHeader, error) {
	to, err := session.Destination(ctx)
	return &planHeader{planVersion, to.BaseURL, to.Subject, all.digest, prune.kinds, prune.limit}, err
}

// readPlan calls read with a plan file, and returns a hash of what read has read.
func readPlan(session *cli.Session, path string, read func(io.Reader) error) (hash string, err error) {
	home, _ := session.Env("HOME")
	opened, err := trust.Open(path, home)
	if err != nil {
		return "", &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--plan-file: %w", err)}
	}
	defer func() { _ = opened.Close() }()
	sum := sha256.New()
	err = read(io.TeeReader(opened, sum))
	return hex.EncodeToString(sum.Sum(nil)), err
}

// writePlan writes a plan file, which only its owner may read.
func writePlan(path string, h *planHeader, changes iter.Seq[record.Record]) error {
	file, err := output.OpenSecret(path)
	if err != nil {
		return err
	}
	defer file.Abort()
	w := bufio.NewWriterSize(file, 64<<10)
	fmt.Fprintf(w, `{"plan":%s,"changes":[`, cli.RecordOf(h).Raw())
	separator := "\n"
	for change := range changes {
		fmt.Fprintf(w, "%s%s", separator, change.Raw())
		separator = ",\n"
	}
	fmt.Fprint(w, "\n]}\n")
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Commit()
}

// maxPlanValue is how many bytes a change of a plan file may have. Notes are the longest texts.
const maxPlanValue = 64 << 20

// checkPlan returns a hash of the plan file at path, and an error unless it is the plan with this header and these
// changes. The error names the first difference. file is the path of the input.
func checkPlan(session *cli.Session, path, file string, want *planHeader, changes iter.Seq[record.Record]) (hash string, err error) {
	return readPlan(session, path, func(plan io.Reader) error {
		difference, err := comparePlan(record.NewReader(plan, maxPlanValue), file, want, changes)
		switch {
		case err != nil:
			return &cli.UsageError{Message: fmt.Sprintf("--plan-file %s: not a plan of `reseller diff`: %v", path, err)}
		case difference != "":
			return &cli.UsageError{Message: fmt.Sprintf("--plan-file %s: %s", path, difference), Hint: "`reseller diff --plan-file` makes a new plan: look at it before you apply it"}
		}
		return nil
	})
}

// comparePlan returns the first difference between the plan in a file and the plan that is wanted, empty if there is none.
// The error is about a file without a plan.
func comparePlan(r *record.Reader, file string, want *planHeader, changes iter.Seq[record.Record]) (difference string, err error) {
	is, err := readHeader(r)
	if err != nil {
		return "", err
	}
	if difference := is.differs(want, file); difference != "" {
		return difference, nil
	}
	next, stop := iter.Pull2(readChanges(r))
	defer stop()
	n := 0
	for change := range changes {
		if isKept(change) {
			continue
		}
		n++
		before, err, ok := next()
		switch {
		case err != nil:
			return "", err
		case !ok:
			return fmt.Sprintf("the plan has changed: it lacks change %d, %s", n, describe(change)), nil
		case slices.ContainsFunc(changeRows.Fields, func(f schema.Field) bool { return before.Get(f.Name).Text() != change.Get(f.Name).Text() }):
			return fmt.Sprintf("the plan has changed: change %d is %s, and was %s", n, describe(change), describe(before)), nil
		}
	}
	before, err, ok := next()
	if ok && err == nil {
		difference = fmt.Sprintf("the plan has changed: change %d, %s, is not needed any more", n+1, describe(before))
	}
	return difference, err
}

// differs says for what else than it is wanted a plan was made, empty if for nothing else.
func (h *planHeader) differs(want *planHeader, file string) string {
	switch {
	case h.Version != want.Version:
		return fmt.Sprintf("it has version %d, and this program reads version %d", h.Version, want.Version)
	case h.BaseURL != want.BaseURL:
		return fmt.Sprintf("it was made for %s, not for %s", h.BaseURL, want.BaseURL)
	case h.Subject != want.Subject:
		return fmt.Sprintf("it was made for another reseller: the subject of the token is %q, not %q", want.Subject, h.Subject)
	case h.Digest != want.Digest:
		return file + " has changed since the plan was made"
	case h.pruning() != want.pruning():
		return fmt.Sprintf("it was made with %s, not with %s", h.pruning(), want.pruning())
	}
	return ""
}

// pruning returns the flags of pruning of a plan.
func (h *planHeader) pruning() string {
	if len(h.Prune) == 0 {
		return "no --prune"
	}
	return fmt.Sprintf("--prune %s --prune-limit %s", strings.Join(h.Prune, ","), h.PruneLimit)
}

// isKept reports whether a row of changes says what stays as it is, which may be something else by now.
func isKept(change record.Record) bool { return change.Get("action").Text() == portfolio.ActionKeep }

// describe returns a row of the changes in words.
func describe(change record.Record) string {
	quoted := func(name string) string { return safetext.Quote(change.Get(name).Text()) }
	words := []string{safetext.Shorten(change.Get("action").Text()), safetext.Shorten(change.Get("object").Text())}
	if field := quoted("field"); field != `""` {
		words = append(words, field)
	}
	if from, to := quoted("from"), quoted("to"); from != to {
		words = append(words, fmt.Sprintf("(%s → %s)", from, to))
	}
	return strings.Join(append(words, "of", quoted("customer")), " ")
}

// readHeader reads a plan file up to its changes.
func readHeader(r *record.Reader) (h planHeader, err error) {
	if err := readName(r, '{', "plan"); err != nil {
		return h, err
	}
	v, err := r.Value()
	if err == nil {
		err = json.Unmarshal(v, &h)
	}
	return h, cmp.Or(err, readName(r, ',', "changes"), r.Delim('['))
}

// readName reads the name of a member behind a delimiter.
func readName(r *record.Reader, before byte, want string) error {
	if err := r.Delim(before); err != nil {
		return err
	}
	name, err := r.Text()
	if err == nil && name != want {
		err = r.SyntaxError(fmt.Sprintf("expected %q", want))
	}
	return cmp.Or(err, r.Delim(':'))
}

// readChanges iterates to the end of a plan file over the changes that are sent. A change is valid until the
// iteration continues.
func readChanges(r *record.Reader) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		var change record.Record
		c, err := r.Peek()
		if err == nil && c == ']' {
			err = r.Delim(c)
		}
		for more := c != ']'; more && err == nil; {
			if err = r.Record(&change); err == nil && !isKept(change) && !yield(change, nil) {
				return
			}
			if err == nil {
				more, err = r.More()
			}
		}
		if err = cmp.Or(err, r.Delim('}'), r.End()); err != nil {
			yield(record.Record{}, record.UnexpectedEOF(err))
		}
	}
}

// changeRows are the columns of changes in formats that programs read.
var changeRows = &schema.Resource{Name: "change", Fields: []schema.Field{
	{Name: "customer", Use: schema.Read | schema.DefaultColumn}, {Name: "account_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn},
	{Name: "campaign_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn}, {Name: "action", Use: schema.Read | schema.DefaultColumn},
	{Name: "object", Use: schema.Read | schema.DefaultColumn}, {Name: "field", Use: schema.Read | schema.DefaultColumn},
	{Name: "from", Use: schema.Read | schema.DefaultColumn}, {Name: "to", Use: schema.Read | schema.DefaultColumn},
}}

// changesOf iterates over the changes of plans, a record for each. The ids of a customer that is
// created are null.
func changesOf(plans []portfolio.Plan) iter.Seq[record.Record] {
	return func(yield func(record.Record) bool) {
		for i := range plans {
			p := &plans[i]
			for c := range p.All() {
				rec := record.Of(
					record.Pair{Name: "customer", Value: record.Quote(p.Customer)}, record.Pair{Name: "account_id", Value: idValue(p.Account)},
					record.Pair{Name: "campaign_id", Value: idValue(p.Campaign)}, record.Pair{Name: "action", Value: record.Quote(c.Action)},
					record.Pair{Name: "object", Value: record.Quote(c.Object)}, record.Pair{Name: "field", Value: record.Quote(c.Field)},
					record.Pair{Name: "from", Value: record.Quote(c.From)}, record.Pair{Name: "to", Value: record.Quote(c.To)},
				)
				if !yield(rec) {
					return
				}
			}
		}
	}
}
