package bulkcmd

import (
	"context"

	"reseller/client/bulk/history"
	"reseller/client/loads"
)

// A memory is the history of what a command has sent before.
type memory struct {
	history *history.History // nil if the command needs none
	again   history.Resend
}

// openMemory opens the history if the load needs one.
func (l *load) openMemory(ctx context.Context) (err error) {
	if l.resource.NeedsHistory() {
		l.sent.again = history.Resend{Unsure: l.ResendUnknown, Sent: l.f.Flags.ResendSent}
		l.sent.history, err = l.f.History(ctx)
	}
	return err
}

// remember returns a load that sends nothing that was sent before.
func (m memory) remember(l loads.Load) loads.Load { return l.Remember(m.history, m.again) }
