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
func SplitKeywords(text string, separators []string, check bool) ([]string, error) {
	others := []string{";", "\n", typeSeparator}
	inForce := separators
	if separators == nil {
		inForce, others = others[:1], append(others, ",")
	}
	items := []string{text}
	for _, separator := range inForce {
		var parts []string
		for _, item := range items {
			parts = append(parts, strings.Split(item, separator)...)
		}
		items = parts
	}
	var keywords []string
	for _, item := range items {
		item = TrimSpace(item)
		last := len(keywords) - 1
		switch {
		case item == "":
		case last >= 0 && slices.Contains(inForce, typeSeparator) && slices.Contains(keywordTypes, item): // the type of the keyword before it
			keywords[last] += typeSeparator + item
		default:
			keywords = append(keywords, item)
		}
	}
	for _, keyword := range keywords {
		for _, other := range others {
			if check && !slices.Contains(inForce, other) && strings.Contains(withoutType(keyword, other), other) {
				return nil, severalError(text, other, inForce)
			}
		}
	}
	return keywords, nil
}

// withoutType returns the text of a keyword in which a separator is looked for: a | may begin the type of the keyword, and
// then others may be part of the text.
func withoutType(keyword, separator string) string {
	if at := strings.LastIndex(keyword, typeSeparator); separator == typeSeparator && at >= 0 && slices.Contains(keywordTypes, TrimSpace(keyword[at+1:])) {
		return ""
	}
	return keyword
}

// severalError returns the error of a cell with a keyword that may be several, with the flags that would split it.
func severalError(cell, other string, inForce []string) error {
	flag := func(separator string) string {
		return "--keyword-separator '" + strings.ReplaceAll(separator, "\n", `\n`) + "'"
	}
	var flags []string
	for _, separator := range inForce {
		if strings.Contains(cell, separator) {
			flags = append(flags, flag(separator))
		}
	}
	split := strings.Join(append(flags, flag(other)), " ")
	switch {
	case other == "," && flags != nil:
		return fmt.Errorf("%q may be one keyword or several: %s splits it, %s alone does not", cell, split, flags[0])
	case other == ",":
		return fmt.Errorf("%q may be one keyword or several: %s splits it, %s does not", cell, split, flag(inForce[0]))
	case other == typeSeparator:
		return fmt.Errorf("%q may be several keywords: %s splits it; a type behind the last | is one of %s", cell, split, strings.Join(keywordTypes, ", "))
	}
	return fmt.Errorf("%q may be several keywords: %s splits it", cell, split)
}
