package bulk

import (
	"context"
	"slices"

	"reseller/client/bulk/job"
	"reseller/client/bulk/rows"
)

// A RowPreview shows what RunSteps would do with a row.
type RowPreview struct {
	File   string // the name of the file of a folder; empty if the input is no folder
	Line   int
	Values map[string]string // the texts of the row, except for passwords
	First  StepResult        // the state of the item of the first step in the service
	// Changes are what the row says otherwise than the record of the first step that the service holds.
	Changes []Change
	// Steps are, for each step, the numbers of items by their states in the service. Absent
	// items would be sent.
	Steps []map[string]int
}

// DryRunSteps calls each with a preview of every row, in the order of the file. It may
// read the service, but sends no rows. resumed has the states of an unfinished job that the load would resume; it may be nil.
func DryRunSteps(ctx context.Context, src *rows.Source, steps []Step, resumed *job.Table, o Options, each func(RowPreview)) error {
	r, _, err := prepareRun(src, Operation{}, nil, o)
	if err != nil {
		return err
	}
	p := &stepsPreview{
		stepsRun: &stepsRun{run: r, steps: steps, blocked: map[int]string{}},
		counts:   make([][]map[string]int, src.Len()), first: make([]StepResult, src.Len()), changes: map[int][]Change{},
	}
	if err := p.planItems(); err != nil {
		return err
	}
	if resumed != nil && slices.EqualFunc(resumed.Steps(), p.tables(), func(a, b *job.StepTable) bool { return slices.Equal(a.Rows(), b.Rows()) }) {
		p.resumed = resumed.Steps()
	}
	for i := range steps {
		if err := p.previewStep(ctx, i); err != nil {
			return err
		}
	}
	for row, err := range src.Valid() {
		if err != nil {
			return err
		}
		file, _, line := src.Locate(row.Line)
		preview := RowPreview{File: file, Line: line, Values: map[string]string{}, First: p.first[row.Ordinal], Changes: p.changes[row.Ordinal], Steps: p.counts[row.Ordinal]}
		for _, v := range src.WithoutSecrets(row.Values) {
			preview.Values[v.Name] = v.JSON.Text()
		}
		each(preview)
	}
	return nil
}

// A stepsPreview collects the previews of all rows.
type stepsPreview struct {
	*stepsRun
	counts  [][]map[string]int // by row and step: the numbers of items by their states
	first   []StepResult       // by row: RowPreview.First
	changes map[int][]Change   // by row: RowPreview.Changes
	// resumed are the steps of the job that the load would resume, nil if it would begin one.
	resumed []*job.StepTable
}

// stateIn returns the state that an item has in the job that the load would resume.
func (p *stepsPreview) stateIn(step int, item int) job.State {
	if p.resumed == nil {
		return job.StatePending
	}
	return p.resumed[step].State(uint32(item))
}

// count counts an item of a row and a step.
func (p *stepsPreview) count(row, step int, state string) {
	for len(p.counts[row]) < len(p.steps) {
		p.counts[row] = append(p.counts[row], map[string]int{})
	}
	p.counts[row][step][state]++
}

// previewStep counts the items of a step by their states in the service. It looks up only
// the items of rows whose first step the service holds, and all items of the first step.
func (p *stepsPreview) previewStep(ctx context.Context, i int) error {
	step, owners := &p.steps[i], p.tables()[i].Rows()
	if len(owners) == 0 {
		return nil
	}
	isCompared := func(row int) bool { return i == 0 || p.first[row].State == Present || p.first[row].State == Differs }
	src := p.src.Expand(step.Items, step.Identity, owners, func(row int) bool { return !isCompared(row) }, isCompared)
	for _, row := range owners {
		if !isCompared(int(row)) {
			p.count(int(row), i, p.first[row].State) // the item gets the state of the first step, for instance absent
		}
	}
	var snapshot Snapshot
	var err error
	for item, err := range src.All() {
		if err != nil {
			return err
		}
		owner := int(owners[item.Ordinal])
		var out Outcome
		switch state := p.stateIn(i, item.Ordinal); {
		case i > 0 && (state == job.StateSent || state == job.StatePresent):
			out.State = Present
		case state == job.StateRefused, i > 0 && state == job.StateDiffers, state == job.StateUnknown && step.Unverifiable() && !p.opts.ResendUnknown:
			out.State = state.String()
		default:
			if out, err = p.previewItem(ctx, step, src, &snapshot, owner, item); err != nil {
				return err
			}
		}
		p.count(owner, i, out.State)
		if i == 0 {
			p.first[owner] = StepResult{State: out.State, Fields: out.Result}
			if out.Changes != nil {
				p.changes[owner] = out.Changes
			}
		}
	}
	if step.After == nil {
		return nil
	}
	created := p.created(i)
	for _, row := range created {
		p.first[row].State = Sent
	}
	p.blocked, err = step.After(ctx, p.first)
	for _, row := range created {
		p.first[row].State = Present
	}
	return err
}

// created returns the rows that the service holds because the job that the load would resume has sent them.
func (p *stepsPreview) created(step int) (created []uint32) {
	for item, row := range p.tables()[step].Rows() {
		if p.stateIn(step, item) == job.StateSent && p.first[row].State == Present {
			created = append(created, row)
		}
	}
	return created
}

// previewItem returns the state of an item in the service. It takes the snapshot of the
// step when it first needs it. owner is the row of the item.
func (p *stepsPreview) previewItem(ctx context.Context, step *Step, src *rows.Source, snapshot *Snapshot, owner int, item *rows.Row) (Outcome, error) {
	if p.isBlocked(owner) {
		return Outcome{State: Unknown}, nil
	}
	if step.Recall != nil {
		if out, known, err := step.Recall(ctx, item); known || err != nil {
			return out, err
		}
	}
	if step.Guard != nil {
		if out := step.Guard(owner); out.State != Absent || step.Unverifiable() {
			return out, nil
		}
	}
	if *snapshot == nil {
		var err error
		if *snapshot, err = takeSnapshot(ctx, &step.Operation, src, SnapshotRequest{}); err != nil {
			return Outcome{}, err
		}
	}
	out, err := (*snapshot).Find(ctx, item)
	if list, ok := (*snapshot).(*ListSnapshot); ok && err == nil {
		out.Result = list.idsOf(item.Ordinal)
	}
	return out, err
}
