package bulk

import (
	"context"

	"reseller/client/bulk/rows"
)

// A RowPreview is what a job with several steps would do with a row.
type RowPreview struct {
	Line   int
	Values map[string]string // the texts of the row, except for passwords
	First  StepResult        // what the service holds of the row's first step
	// Steps count the items of each step by the state in which the service holds
	// them. Absent items would be sent.
	Steps []map[string]int
}

// DryRunSteps hands over what each row would lead to, in the order of the file. It
// may read what the service holds, and sends nothing.
func DryRunSteps(ctx context.Context, src *rows.Source, steps []Step, o Options, each func(RowPreview)) error {
	r, _, err := newRun(src, Operation{}, nil, o)
	if err != nil {
		return err
	}
	p := &stepsPreview{
		stepsRun: &stepsRun{run: r, steps: steps, blocked: map[int]string{}},
		counts:   make([][]map[string]int, src.Len()), first: make([]StepResult, src.Len()),
	}
	if err := p.planItems(); err != nil {
		return err
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
		preview := RowPreview{Line: row.Line, Values: map[string]string{}, First: p.first[row.Ordinal], Steps: p.counts[row.Ordinal]}
		for _, v := range src.WithoutSecrets(row.Values) {
			preview.Values[v.Name] = v.JSON.Text()
		}
		each(preview)
	}
	return nil
}

// A stepsPreview collects what the rows of a dry run would lead to.
type stepsPreview struct {
	*stepsRun
	counts [][]map[string]int // by row and step: the items by their state
	first  []StepResult       // by row: what the service holds of the first step
}

func (p *stepsPreview) count(row, step int, state string) {
	for len(p.counts[row]) < len(p.steps) {
		p.counts[row] = append(p.counts[row], map[string]int{})
	}
	p.counts[row][step][state]++
}

// previewStep finds out what the service holds of a step's items.
func (p *stepsPreview) previewStep(ctx context.Context, i int) error {
	step, owners := &p.steps[i], p.tables()[i].Rows()
	if len(owners) == 0 {
		return nil
	}
	isCompared := func(row int) bool { return i == 0 || p.first[row].State == Present }
	src, err := p.src.Expand(step.Items, step.Identity, len(owners), func(row int) bool { return !isCompared(row) })
	if err != nil {
		return err
	}
	for _, row := range owners {
		if !isCompared(int(row)) {
			p.count(int(row), i, p.first[row].State) // the first step is to be sent, so all later items are
		}
	}
	var snapshot Snapshot
	for item, err := range src.All() {
		if err != nil {
			return err
		}
		owner := int(owners[item.Ordinal])
		out, err := p.previewItem(ctx, step, src, &snapshot, owner, item)
		if err != nil {
			return err
		}
		p.count(owner, i, out.State)
		if i == 0 {
			p.first[owner] = StepResult{State: out.State, Fields: out.Result}
		}
	}
	if step.After == nil {
		return nil
	}
	p.blocked, err = step.After(ctx, p.first)
	return err
}

// previewItem returns what the service holds of an item. The snapshot is taken when
// it is first needed.
func (p *stepsPreview) previewItem(ctx context.Context, step *Step, src *rows.Source, snapshot *Snapshot, owner int, item *rows.Row) (Outcome, error) {
	if p.isBlocked(owner) {
		return Outcome{State: Unknown}, nil
	}
	if step.Guard != nil {
		if out := step.Guard(owner); out.State != Absent || step.Unverifiable() {
			return out, nil
		}
	}
	if *snapshot == nil {
		var err error
		if *snapshot, err = takeSnapshot(ctx, &step.Operation, src, false); err != nil {
			return Outcome{}, err
		}
	}
	out, err := (*snapshot).Find(ctx, item)
	if list, ok := (*snapshot).(*ListSnapshot); ok && err == nil {
		out.Result = list.idsOf(item.Ordinal)
	}
	return out, err
}
