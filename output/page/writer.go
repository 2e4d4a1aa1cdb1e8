package page

import (
	"bytes"
	_ "embed" // for the style
	"strings"

	"reseller/client/safetext"
	"reseller/client/words"
)

// markup is HTML of this package. All of it is constants and the style: nothing converts another
// text into markup.
type markup string

//go:embed style.css
var style markup

type writer struct {
	bytes.Buffer
	*words.Words
}

// add writes the markup with each $ of it replaced by a value. Markup has a $ between elements or
// as part of an attribute in double quotes, never in the name of a tag or of an attribute.
func (w *writer) add(form markup, values ...string) {
	rest, isPlace := string(form), true
	for _, v := range values {
		var before string
		before, rest, isPlace = strings.Cut(rest, "$")
		w.WriteString(before)
		_, _ = entities.WriteString(w, visible(v)) // a buffer takes all
		if !isPlace {
			break
		}
	}
	if !isPlace || strings.Contains(rest, "$") {
		panic("values do not fit " + string(form))
	}
	w.WriteString(rest)
}

func (w *writer) addIf(value string, form markup) {
	if value != "" {
		w.add(form, value)
	}
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;")

// joiners belong to the spelling of some languages.
var joiners = []rune{'\u200c', '\u200d'}

// visible escapes control characters, which could change the direction of other texts.
func visible(s string) string {
	return safetext.Escape(strings.ToValidUTF8(s, "\ufffd"), joiners...)
}
