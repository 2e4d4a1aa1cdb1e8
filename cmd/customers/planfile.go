package customers

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"reseller/client/bulk"
	"reseller/client/phrase"
	"reseller/client/portfolio"
	"reseller/client/record"
	"reseller/client/safetext"
	"reseller/client/schema"
	"reseller/client/trust"
	"reseller/cmd/cli"
	"reseller/output"
)

// A planFile says for what a plan was made, and of which changes it consists.
type planFile struct {
	Version    int      `json:"version"`
	BaseURL    string   `json:"base_url"`
	Subject    string   `json:"subject"`
	Digest     string   `json:"file_digest"`
	Prune      []string `json:"prune"`
	PruneLimit string   `json:"prune_limit"`
	Changes    []string `json:"changes"` // hashes of those that are sent, in their order

	key string // of the hashes: the digest of the files, of which the plan has a hash alone, so that nobody without them can guess a change
}

const planVersion = 3

const maxPlanFile = 64 << 20

func newPlan(ctx context.Context, session *cli.Session, all *comparison, prune *pruneFlags) (*planFile, error) {
	to, err := session.Destination(ctx)
	digest := sha256.Sum256([]byte(all.digest))
	p := &planFile{planVersion, to.BaseURL, to.Subject, hex.EncodeToString(digest[:]), prune.kinds, prune.limit, nil, all.digest}
	p.Changes = p.hashes(all.plans)
	return p, err
}

// hashes returns the hashes of the changes that are sent. What stays as it is may be something else by now.
func (p *planFile) hashes(plans []portfolio.Plan) (all []string) {
	for i := range plans {
		for c := range plans[i].All() {
			if c.Action != portfolio.ActionKeep {
				all = append(all, p.hash(&plans[i], c, plans[i].Create != nil))
			}
		}
	}
	return all
}

// hash returns the hash of a change of a customer, whose account has no id yet if it is new.
func (p *planFile) hash(of *portfolio.Plan, c *portfolio.Change, isNew bool) string {
	customer := fmt.Sprint(of.Account, of.Campaign)
	if isNew {
		customer = fmt.Sprintf("%q %q", of.Customer, of.Identifier)
	}
	sum := hmac.New(sha256.New, []byte(p.key))
	fmt.Fprintf(sum, "%q", []string{customer, c.Action, c.Object, c.Field, c.From, c.To})
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// lacking returns the end of a sentence with the first of the changes that a plan lacks, an empty text if it has all. A customer that
// it creates may have its account by now.
func (p *planFile) lacking(plan *planFile, plans []portfolio.Plan) string {
	has := map[string]bool{}
	for _, hash := range plan.Changes {
		has[hash] = true
	}
	for i := range plans {
		of := &plans[i]
		for c := range of.All() {
			if c.Action == portfolio.ActionKeep || has[p.hash(of, c, of.Create != nil)] || has[p.hash(of, c, true)] {
				continue
			}
			customer := "new account " + safetext.Quote(of.Customer)
			if of.Account != 0 {
				customer = "account " + namedAccount{of.Account, of.Customer}.String()
			}
			return fmt.Sprintf(": %s, %s", customer, bulk.Change{Field: cmp.Or(c.Field, c.Object), From: c.From, To: c.To})
		}
	}
	return ""
}

func (p *planFile) write(path string) error {
	text := cli.RecordOf(p).Raw()
	if len(text) >= maxPlanFile {
		return cli.Usagef("--plan-file: the plan has %s, which are more than `reseller apply` reads: split the file", phrase.Count(len(p.Changes), "change", "changes"))
	}
	return output.Replace(output.OpenSecret, path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n", text)
		return err
	})
}

func readPlan(session *cli.Session, path string) (*planFile, error) {
	home, _ := session.Env("HOME")
	text, err := trust.ReadFile(path, home, maxPlanFile)
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--plan-file: %w", err)}
	}
	var p planFile
	if err := json.Unmarshal(text, &p); err != nil || p.Version == 0 {
		return nil, cli.Usagef("--plan-file %s: not a plan of `reseller diff`", path)
	}
	return &p, nil
}

// check returns an error unless the plan is the one that is wanted. Once a job has made some of its changes, the others must be
// among them. input is the path of the file of customers.
func (p *planFile) check(path string, want *planFile, plans []portfolio.Plan, isResumed bool, input string) error {
	lacking := want.lacking(p, plans)
	difference := ""
	switch {
	case p.Version != want.Version:
		difference = fmt.Sprintf("it has version %d, and this program reads version %d", p.Version, want.Version)
	case p.BaseURL != want.BaseURL:
		difference = fmt.Sprintf("it was made for %s, not for %s", safetext.Shorten(p.BaseURL), want.BaseURL)
	case p.Subject != want.Subject:
		difference = fmt.Sprintf("it was made for another reseller: the subject of the token is %q, not %q", want.Subject, safetext.Shorten(p.Subject))
	case p.Digest != want.Digest:
		difference = input + " has changed since the plan was made"
	case p.pruning() != want.pruning():
		difference = fmt.Sprintf("it was made with %s, not with %s", safetext.Shorten(p.pruning()), want.pruning())
	case lacking != "" || !isResumed && !slices.Equal(p.Changes, want.Changes):
		difference = "its changes are not those that are needed by now" + lacking
	default:
		return nil
	}
	return &cli.UsageError{Message: fmt.Sprintf("--plan-file %s: %s", path, difference), Hint: "`reseller diff --plan-file` makes a new plan: look at it before you apply it"}
}

func (p *planFile) pruning() string {
	if len(p.Prune) == 0 {
		return "no --prune"
	}
	return fmt.Sprintf("--prune %s --prune-limit %s", strings.Join(p.Prune, ","), p.PruneLimit)
}

var changeRows = &schema.Resource{Name: "change", IsOwn: true, Fields: []schema.Field{
	{Name: "customer", Use: schema.Read | schema.DefaultColumn}, {Name: "account_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn},
	{Name: "campaign_id", Type: schema.Int, Use: schema.Read | schema.DefaultColumn},
	{Name: "action", Type: schema.Choice, Enum: []string{portfolio.ActionCreate, portfolio.ActionUpdate, portfolio.ActionAdd, portfolio.ActionDeactivate, portfolio.ActionReactivate, portfolio.ActionAttach, portfolio.ActionKeep}, Use: schema.Read | schema.DefaultColumn},
	{Name: "object", Type: schema.Choice, Enum: []string{portfolio.ObjectAccount, portfolio.ObjectCredentials, portfolio.ObjectNotes, portfolio.ObjectPlan, portfolio.ObjectKeyword, portfolio.ObjectCampaign}, Use: schema.Read | schema.DefaultColumn}, {Name: "field", Use: schema.Read | schema.DefaultColumn},
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
