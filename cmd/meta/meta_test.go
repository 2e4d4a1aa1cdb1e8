package meta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/cmd/cli"
	"reseller/config"
)

// TestTopicsAreComplete finds every setting and exit code of the program in its help topics.
func TestTopicsAreComplete(t *testing.T) {
	texts := map[string]string{}
	for _, topic := range topics() {
		texts[topic.name] = topic.text(&cobra.Command{})
	}
	text := texts["environment"]
	for _, key := range config.Keys {
		t.Run("environment/"+key.Name, func(t *testing.T) {
			for _, word := range []string{key.Name, key.Env, key.Help, key.Default} {
				if !strings.Contains(text, word) {
					t.Errorf("got no %q in:\n%s", word, text)
				}
			}
		})
	}
	for code := cli.ExitOK; code <= cli.ExitChanges; code++ {
		t.Run(fmt.Sprint("exit-codes/", code), func(t *testing.T) {
			if text := texts["exit-codes"]; !strings.Contains(text, fmt.Sprintf("\n  %d ", code)) {
				t.Errorf("got no line of %d in:\n%s", code, text)
			}
		})
	}
	for name, text := range texts {
		t.Run("lines/"+name, func(t *testing.T) {
			if strings.Contains(text, "{{") {
				t.Errorf("got a name between braces that is not replaced in:\n%s", text)
			}
			for i, line := range strings.Split(text, "\n") {
				if len([]rune(line)) > 125 || strings.TrimRight(line, " ") != line {
					t.Errorf("line %d: got %q, want at most 125 characters and no space at the end", i+1, line)
				}
			}
		})
	}
}
