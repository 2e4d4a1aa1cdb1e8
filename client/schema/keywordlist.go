package schema

import (
	"fmt"
	"slices"
	"strings"
)

// typeSeparator stands between a keyword of a list and its type.
const typeSeparator = "|"

// SplitKeywords returns the keywords of a cell, each as text or text|type. separators are those that the user has named;
// if there are none, it is a semicolon. Empty keywords are dropped. With check, a keyword that holds another separator which
// is common is an error: without separators of the user that is a comma, too, which may be part of a keyword.
func SplitKeywords(text string, separators []string, check bool) (keywords []string, err error) {
	others := []string{";", "\n", typeSeparator}
	inForce, items := separators, []string{text}
	if separators == nil {
		inForce, others = others[:1], append(others, ",")
	}
	for _, separator := range inForce {
		items = strings.Split(strings.Join(items, separator), separator)
	}
	for _, item := range items {
		item = TrimSpace(item)
		switch last := len(keywords) - 1; {
		case item == "":
		case last >= 0 && slices.Contains(inForce, typeSeparator) && slices.Contains(keywordTypes, item): // the type of the keyword before it
			keywords[last] += typeSeparator + item
		default:
			keywords = append(keywords, item)
		}
	}
	for _, keyword := range keywords {
		at := strings.LastIndex(keyword, typeSeparator)
		hasType := at >= 0 && slices.Contains(keywordTypes, TrimSpace(keyword[at+1:]))
		for _, other := range others {
			if check && !slices.Contains(inForce, other) && strings.Contains(keyword, other) && !(hasType && other == typeSeparator) {
				return nil, severalError(text, other, inForce)
			}
		}
	}
	return keywords, nil
}

// severalError returns the error of a cell with a keyword that may be several, with the flags that would split it.
func severalError(cell, other string, inForce []string) error {
	var flags []string
	for _, separator := range append(slices.Clone(inForce), other) {
		if strings.Contains(cell, separator) {
			flags = append(flags, "--keyword-separator '"+strings.ReplaceAll(separator, "\n", `\n`)+"'")
		}
	}
	what, more := "may be several keywords", ""
	switch {
	case other == "," && len(flags) > 1:
		what, more = "may be one keyword or several", ", "+flags[0]+" alone does not"
	case other == ",":
		what, more = "may be one keyword or several", ", --keyword-separator ';' does not"
	case other == typeSeparator:
		more = "; a type behind the last | is one of " + strings.Join(keywordTypes, ", ")
	}
	return fmt.Errorf("%q %s: %s splits it%s", cell, what, strings.Join(flags, " "), more)
}
