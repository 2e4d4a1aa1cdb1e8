package bulkcmd

import (
	"context"

	"reseller/client/bulk/history"
	"reseller/client/loads"
	"reseller/cmd/cli"
)

// A memory is the history of what a command has sent before.
type memory struct {
	history *history.History // nil if the command needs none
	again   history.Resend
}

// openMemory opens the history for a command that needs one.
func openMemory(ctx context.Context, f *cli.Factory, ff *FileFlags, l Command) (m memory, err error) {
	if !l.resource.NeedsHistory() {
		return m, nil
	}
	m.again = history.Resend{Unsure: ff.ResendUnknown, Sent: f.Flags.ResendSent}
	m.history, err = f.History(ctx)
	return m, err
}

// remember returns a load that sends nothing that was sent before.
func (m memory) remember(l loads.Load) loads.Load { return l.Remember(m.history, m.again) }
