package record

import "strings"

// IsPlain reports whether text consists of ASCII characters that need no escape in a JSON string.
func IsPlain[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || c == '"' || c == '\\' || c < 0x20 {
			return false
		}
	}
	return true
}

// IsCommon reports whether text is plain, and has no apostrophe, no semicolon, and none of the last ASCII characters: braces, the
// bar, the tilde and the delete character.
func IsCommon(text string) bool {
	return IsPlain(text) && !strings.ContainsAny(text, "';{|}~\x7f")
}
