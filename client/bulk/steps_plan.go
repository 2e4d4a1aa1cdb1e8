package bulk

import "context"

// A RowPlan is what a load of several steps would do with a row.
type RowPlan struct {
	Line   int
	Values map[string]string // texts of the row
	Given  Gift              // what is there of its first step
	// Steps count the units of each step by what the service holds of them:
	// Absent is what would be sent.
	Steps []map[string]int
}

// PrepareSteps tells each row's plan, in the order of the file. It may read
// what the service holds, and sends nothing.
func PrepareSteps(ctx context.Context, src *Source, steps []Step, o Options, tell func(RowPlan)) error {
	r, _, err := newRun(src, Op{}, nil, o)
	if err != nil {
		return err
	}
	s := &stepping{run: r, steps: steps, held: map[int]string{}}
	if err := s.layOut(); err != nil {
		return err
	}
	plans := make([]RowPlan, src.all)
	gifts := make([]Gift, src.all)
	for i := range steps {
		if err := s.look(ctx, i, plans, gifts); err != nil {
			return err
		}
	}
	return each(src, func(row Row) error {
		p := plans[row.ordinal]
		p.Line, p.Given, p.Values = row.Line, gifts[row.ordinal], map[string]string{}
		for _, v := range src.spec.public(row.Values) {
			p.Values[v.name] = v.json.Text()
		}
		tell(p)
		return nil
	})
}

// look finds out what the service holds of a step's units.
func (s *stepping) look(ctx context.Context, i int, plans []RowPlan, gifts []Gift) error {
	step, rows := &s.steps[i], s.ledger.tracks[i].rows
	if len(rows) == 0 {
		return nil
	}
	there := func(row int) bool { return i == 0 || gifts[row].State == Present }
	src, err := s.src.units(step, len(rows), func(row int) bool { return !there(row) })
	if err != nil {
		return err
	}
	count := func(row int, state string) {
		p := &plans[row]
		for len(p.Steps) < len(s.steps) {
			p.Steps = append(p.Steps, map[string]int{})
		}
		p.Steps[i][state]++
	}
	for _, row := range rows {
		if state := gifts[row].State; !there(int(row)) {
			count(int(row), state) // of an account that is to be created all is sent
		}
	}
	var view View
	for row, err := range src.Rows() {
		if err != nil {
			return err
		}
		owner := int(rows[row.ordinal])
		out, err := s.foresee(ctx, step, src, &view, owner, row)
		if err != nil {
			return err
		}
		count(owner, out.State)
		if i == 0 {
			gifts[owner] = Gift{State: out.State, Given: out.Result}
		}
	}
	if step.After == nil {
		return nil
	}
	s.held, err = step.After(ctx, gifts)
	return err
}

// foresee is what the service holds of a unit. The view is made when it is
// first needed.
func (s *stepping) foresee(ctx context.Context, step *Step, src *Source, view *View, owner int, row *Row) (Outcome, error) {
	if _, held := s.held[owner]; held {
		return Outcome{State: Unknown}, nil
	}
	if step.Admit != nil {
		if out := step.Admit(owner); out.State != Absent || step.blind() {
			return out, nil
		}
	}
	if *view == nil {
		var err error
		if *view, err = step.look(ctx, false, src.holdings()); err != nil {
			return Outcome{}, err
		}
	}
	out, err := (*view).Find(ctx, row)
	if holdings, ok := (*view).(*Holdings); ok && err == nil {
		out.Result = holdings.given(row.ordinal)
	}
	return out, err
}
