package cli

import (
	"fmt"
	"testing"

	"github.com/spf13/cobra"
)

// TestRateIsThatOfAllShards checks that each of several machines that load one file takes its
// part of --rate.
func TestRateIsThatOfAllShards(t *testing.T) {
	for _, tt := range []struct {
		shards int
		want   float64
	}{{0, 10}, {1, 10}, {4, 2.5}} {
		t.Run(fmt.Sprint(tt.shards), func(t *testing.T) {
			f := &Session{Streams: Streams{Env: func(name string) (string, bool) { return t.TempDir(), name == "HOME" }}}
			root := &cobra.Command{}
			f.Flags.AddTo(root)
			if err := root.ParseFlags([]string{"--rate", "10"}); err != nil {
				t.Fatal(err)
			}
			f.Flags.Shards = tt.shards
			settings, err := f.Settings()
			if err != nil {
				t.Fatal(err)
			}
			options, err := f.clientOptions(settings)
			if err != nil || options.Rate != tt.want {
				t.Errorf("got %v requests per second, error %v, want %v", options.Rate, err, tt.want)
			}
		})
	}
}
