package page

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxFileName is the most bytes of a name in the name of a file. Some file systems take 143 bytes in all.
const maxFileName = 96

type Format string

const (
	HTML Format = "html"
	PDF  Format = "pdf"
)

var Formats = []string{string(HTML), string(PDF)}

// FileName returns the name of a file about what is called by a name and has the ids, without a folder. Every file
// system takes it: it has letters, digits, dashes and underscores only, and an id keeps it from
// being a name that Windows reserves. Names with as many ids differ if the ids do.
func FileName(called, ending string, ids ...int64) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && !unicode.Is(unicode.Variation_Selector, r) || r == '_' {
			return r
		}
		return '-'
	}, norm.NFC.String(strings.ToValidUTF8(called[:min(len(called), 4*maxFileName)], "")))
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-")
	for len(name) > maxFileName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = strings.TrimRight(name[:len(name)-size], "-")
	}
	if name == "" {
		name = "campaign"
	}
	for _, id := range ids {
		name += "-" + strconv.FormatInt(id, 10)
	}
	return name + "." + ending
}
