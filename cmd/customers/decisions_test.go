package customers

import (
	"testing"

	"reseller/client/bulk/job"
	"reseller/client/portfolio"
	"reseller/cmd/bulkcmd"
)

// TestStepsThatTheJournalLacks goes on with a job whose journal ends before all of its steps were recorded.
func TestStepsThatTheJournalLacks(t *testing.T) {
	rec := job.NewRecorder(1)
	rec.Record(job.StepItems(0, []uint32{0}))
	all := &comparison{rows: []int{0}, plans: []portfolio.Plan{{Changes: []portfolio.Change{{Object: portfolio.ObjectPlan}}}}}
	(&customerLoad{comparison: all, tables: rec.Table().Steps(), flags: &compareFlags{}, file: &bulkcmd.FileFlags{}}).leaveOutSent()
	if len(all.plans[0].Changes) != 1 {
		t.Errorf("got the changes %v, want that of the plan, which no step has sent", all.plans[0].Changes)
	}
}
