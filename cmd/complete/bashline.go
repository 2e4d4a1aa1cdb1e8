package complete

import "strings"

// A bashLine is a command line of bash up to the cursor.
type bashLine struct {
	words  []string // those after the name of the program, without their quotes; the last one is completed, and may be empty
	kept   string   // the beginning of the last word that stays on the line; bash replaces what follows it
	quote  rune     // the quote in which the cursor is, or 0
	isFile bool     // reports whether the last word is the file of a redirection
}

// splitBash splits a line as bash does, but expands nothing. What stays of the last word is the part in front of the quote in
// which the cursor is or, without one, of the last of the breaks.
func splitBash(line, breaks string) *bashLine {
	var (
		l        bashLine
		word     strings.Builder
		kept     int  // bytes of the word
		before   int  // kept as it was in front of the quote
		isWord   bool // so far, the word has a character or a quote
		isTarget bool // of a redirection
	)
	end := func() {
		if isWord && !isTarget {
			l.words = append(l.words, word.String())
		}
		isTarget = isTarget && !isWord
		isWord, kept = false, 0
		word.Reset()
	}
	characters := []rune(line)
	for i := 0; i < len(characters); i++ {
		r := characters[i]
		next := rune(0)
		if i+1 < len(characters) {
			next = characters[i+1]
		}
		switch {
		case r == l.quote:
			l.quote, kept = 0, before
		case r == '\\' && (l.quote == 0 || l.quote == '"' && strings.ContainsRune("\\\"$`", next)):
			isWord = true
			if next != 0 {
				word.WriteRune(next)
			}
			i++
		case l.quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			isWord, l.quote, before, kept = true, r, kept, word.Len()
		case r == ' ' || r == '\t' || r == '\n':
			end()
		case strings.ContainsRune("<>&|;()", r):
			if strings.Trim(word.String(), "0123456789") == "" && (r == '<' || r == '>') {
				isWord = false // the number of what is redirected
			}
			end()
			isTarget = isTarget || r == '<' || r == '>'
		default:
			isWord = true
			if strings.ContainsRune(breaks, r) {
				kept = word.Len()
				if r != '@' && r != '$' { // which bash replaces, although they are breaks
					kept++
				}
			}
			word.WriteRune(r)
		}
	}
	l.isFile, l.kept = isTarget, word.String()[:kept]
	l.words = append(l.words, word.String())[min(1, len(l.words)):]
	return &l
}

// quoted returns what bash inserts for a word in place of what it replaces of the last word. isWhole says that the word is complete.
func (l *bashLine) quoted(text string, isWhole bool) string {
	if rest, ok := cutFolded(text, l.kept); ok && l.kept != "" {
		text = rest
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case l.quote == '\'' && r == '\'':
			b.WriteString(`'\''`)
		case l.quote == '"' && r == '!':
			b.WriteString(`"\!"`) // history is expanded between double quotes, where a backslash does not go away
		case l.quote == '"' && strings.ContainsRune("\\\"$`", r), l.quote == 0 && isSpecial(r):
			b.WriteRune('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	text = b.String()
	if l.quote == 0 {
		return text
	}
	if strings.HasPrefix(text, string(l.quote)) {
		text = string(l.quote) + text // bash replaces the quote in front as well
	}
	if isWhole {
		text += string(l.quote) // which bash does not add if the word ends with one
	}
	return text
}

// isSpecial reports whether a character without quotes may mean something else to bash than itself.
func isSpecial(r rune) bool {
	return r < 0x80 && !strings.ContainsRune("_-./,:=+%@", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}
