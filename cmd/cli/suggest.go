package cli

import (
	"slices"
	"strings"

	"reseller/client/nearest"
)

// harmful are the commands, flags and methods that delete or stop something, confirm or repeat what does, or switch off a
// protection.
var harmful = []string{
	"delete", "remove", "reset", "logout", "deactivate", "prune", "yes", "restart", "resend-sent", "resend-unknown", "DELETE",
	"allow-http", "insecure-storage", "no-verify", "no-validate", "no-skip-existing",
}

// Suggest returns the one of words that the user probably meant by another word, "" if no word is near. It returns a
// harmful word only if a single character differs.
func Suggest(typed string, words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains(harmful, word) && nearest.Distance(strings.ToLower(typed), strings.ToLower(word)) > 1
	})
	return nearest.Name(typed, words)
}
