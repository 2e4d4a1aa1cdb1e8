package meta

import (
	"strings"
	"testing"

	"reseller/config"
)

// TestTopicsAreComplete finds every setting and exit code of the program in its help topics.
func TestTopicsAreComplete(t *testing.T) {
	text := environment()
	for _, key := range config.Keys {
		t.Run("environment/"+key.Name, func(t *testing.T) {
			for _, word := range []string{key.Name, key.Env, key.Help, key.Default} {
				if !strings.Contains(text, word) {
					t.Errorf("got no %q in:\n%s", word, text)
				}
			}
		})
	}
	for _, code := range exitCodeHelp {
		t.Run("exit-codes/"+code[0], func(t *testing.T) {
			if text := exitCodes(); !strings.Contains(text, "\n  "+code[0]+" ") {
				t.Errorf("got no line of %s in:\n%s", code[0], text)
			}
		})
	}
	for _, topic := range topics() {
		t.Run("lines/"+topic.name, func(t *testing.T) {
			for i, line := range strings.Split(topic.text(), "\n") {
				if len([]rune(line)) > 125 || strings.TrimRight(line, " ") != line {
					t.Errorf("line %d: got %q, want at most 125 characters and no space at the end", i+1, line)
				}
			}
		})
	}
}
