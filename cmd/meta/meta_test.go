package meta

import (
	"strings"
	"testing"

	"reseller/config"
)

// TestTopicsAreWhole: what the program knows stands in its help.
func TestTopicsAreWhole(t *testing.T) {
	text := environment()
	for _, key := range config.Keys {
		for _, word := range []string{key.Name, key.Env, key.Help, key.Default} {
			if !strings.Contains(text, word) {
				t.Errorf("environment lacks %q", word)
			}
		}
	}
	for _, code := range exitCodeHelp {
		if !strings.Contains(exitCodes(), "\n  "+code[0]+" ") {
			t.Errorf("exit-codes lacks %s", code[0])
		}
	}
	for _, topic := range topics() {
		for i, line := range strings.Split(topic.text(), "\n") {
			if len([]rune(line)) > 125 || strings.TrimRight(line, " ") != line {
				t.Errorf("%s, line %d: %q is too long or ends in a space", topic.name, i+1, line)
			}
		}
	}
}
