// Package phrase makes the parts of sentences that depend on a number, or on which facts there are to tell.
package phrase

import (
	"fmt"
	"strconv"
	"strings"
)

// Noun returns the form of a noun, or of a verb, for a number.
func Noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count returns a number with the noun that it counts: "1 row", "0 rows".
func Count(n int, one, many string) string { return strconv.Itoa(n) + " " + Noun(n, one, many) }

// Share returns how many of all there are, with the verb: "1 of 5 rows is", "2 of 5 rows are", "0 of 1 row is".
func Share(n, all int, one, many string) string {
	verb := "are"
	if n == 1 || all == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %s %s", n, Count(all, one, many), verb)
}

// A Wording maps words of the command line in errors and notes, such as --map, to the words that a Go program has for them.
type Wording map[string]string

// Of returns words of commands in the wording, unchanged if it has no others for them.
func (w Wording) Of(words string) string {
	if other, ok := w[words]; ok {
		return other
	}
	return words
}

// Each returns a word for each item of a list.
func Each[T any](list []T, word func(T) string) []string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = word(item)
	}
	return words
}

// List joins words by commas. Empty ones are left out, and so are those that came before.
func List(words ...string) string { return Join(", ", words...) }

// Sentences joins texts by semicolons. Empty ones are left out, and so are those that came before.
func Sentences(texts ...string) string { return Join("; ", texts...) }

// Join joins words by a separator. Empty ones are left out, and so are those that came before.
func Join(separator string, words ...string) string {
	var list []string
	isThere := map[string]bool{"": true}
	for _, word := range words {
		if !isThere[word] {
			isThere[word] = true
			list = append(list, word)
		}
	}
	return strings.Join(list, separator)
}

// With returns a text with words about it in parentheses, if there are any.
func With(text string, about ...string) string {
	if words := List(about...); words != "" {
		text += " (" + words + ")"
	}
	return text
}

// Sentence returns words that begin with an ASCII letter as a sentence, empty if there are none.
func Sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

// Or joins words as in "a, b or c".
func Or(words []string) string { return last(words, " or ") }

// And joins words as in "a, b and c".
func And(words []string) string { return last(words, " and ") }

func last(words []string, before string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + before + words[n]
}

// First joins the first words of a list by commas, and says how many more there are.
func First(words []string, limit int) string {
	text := strings.Join(words[:min(len(words), limit)], ", ")
	if more := len(words) - limit; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Refusal joins what was refused, the HTTP status and the reasons of the service as in "get account 7 (404): no such
// account". It leaves out empty texts and the status 0, which stand for unknown parts.
func Refusal(what string, status int, reasons ...string) string {
	if status != 0 {
		what = strings.TrimSpace(fmt.Sprintf("%s (%d)", what, status))
	}
	text := Sentences(reasons...)
	if what != "" && text != "" {
		what += ": "
	}
	return what + text
}
