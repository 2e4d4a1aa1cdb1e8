package complete

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"reseller/client/names"
	"reseller/cmd/cli"
	"reseller/cmd/lookup"
)

// TestInTime completes with a search that takes longer than anybody waits, whatever its context says.
func TestInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		complete := inTime(cli.NewFrame(cli.Streams{}, "").Session, "account", func(context.Context, *lookup.Finder, *cobra.Command) (names.List, error) {
			time.Sleep(time.Hour)
			return names.List{{ID: 1}}, nil
		})
		started := time.Now()
		words, directive := complete(nil, nil, "")
		if took := time.Since(started); took != Patience || words != nil || directive != noFiles {
			t.Errorf("got %v and directive %d after %v, want no words and %d after %v", words, directive, took, noFiles, Patience)
		}
		time.Sleep(time.Hour) // until the search has ended
	})
}
