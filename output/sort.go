package output

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"reseller/client/record"
	"reseller/output/encode"
)

// sorted reads all of seq and returns its records in the order of column c. An
// error of seq follows the records that came before it.
func sorted(seq iter.Seq2[record.Record, error], c *encode.Column, descending bool) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		type row struct {
			raw []byte
			key sortKey
		}
		var rows []row
		var failure error
		for rec, err := range seq {
			if err != nil {
				failure = err
				break
			}
			v, _ := c.Get(&rec)
			rows = append(rows, row{slices.Clone(rec.Raw()), newSortKey(v)})
		}
		slices.SortStableFunc(rows, func(a, b row) int { return a.key.compare(b.key, descending) })
		for _, r := range rows {
			if !yield(record.Parse(r.raw)) {
				return
			}
		}
		if failure != nil {
			yield(record.Record{}, failure)
		}
	}
}

// The classes of values, in ascending order. Numbers and texts have classes of
// their own, since an order that compares some pairs by value and others by
// bytes would not be transitive.
const (
	classNumber = iota
	classText
	classMissing // stays last in descending order, too
)

// sortKey is a value in the form that sorting compares. A number is
// ±0.text × 10^exponent, which is exact for numbers of any size and length.
type sortKey struct {
	class    int
	negative bool
	exponent int64
	text     string // a text, or the digits of a number without zeros at either end
}

func newSortKey(v record.Value) sortKey {
	switch v.Kind() {
	case record.Missing, record.Null:
		return sortKey{class: classMissing}
	case record.Number, record.String:
		if k, ok := parseNumber(strings.TrimSpace(v.Text())); ok {
			return k
		}
	}
	return sortKey{class: classText, text: v.Text()}
}

func (k sortKey) compare(other sortKey, descending bool) int {
	if k.class == classMissing || other.class == classMissing {
		return cmp.Compare(k.class, other.class)
	}
	c := cmp.Or(cmp.Compare(k.class, other.class), k.compareInClass(other))
	if descending {
		return -c
	}
	return c
}

func (k sortKey) compareInClass(other sortKey) int {
	if k.class == classText {
		return cmp.Compare(k.text, other.text)
	}
	if c := cmp.Compare(k.sign(), other.sign()); c != 0 || k.text == "" {
		return c
	}
	return k.sign() * cmp.Or(cmp.Compare(k.exponent, other.exponent), cmp.Compare(k.text, other.text))
}

func (k sortKey) sign() int {
	switch {
	case k.text == "":
		return 0
	case k.negative:
		return -1
	}
	return 1
}

// parseNumber reads a decimal number, in the notation of JSON or with a plus
// sign, leading zeros or nothing before its point.
func parseNumber(s string) (sortKey, bool) {
	k := sortKey{class: classNumber}
	if s != "" && (s[0] == '-' || s[0] == '+') {
		k.negative = s[0] == '-'
		s = s[1:]
	}
	whole := digits(s)
	rest := s[len(whole):]
	fraction := ""
	if strings.HasPrefix(rest, ".") {
		fraction = digits(rest[1:])
		rest = rest[1+len(fraction):]
	}
	if whole == "" && fraction == "" {
		return k, false
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		power := strings.TrimLeft(rest[1:], "+-")
		if len(rest)-len(power) > 2 || power == "" || digits(power) != power {
			return k, false
		}
		n, err := strconv.ParseInt(rest[1:], 10, 32)
		if err != nil { // out of range: beyond all others
			n = 1 << 40
			if rest[1] == '-' {
				n = -n
			}
		}
		k.exponent, rest = n, ""
	}
	if rest != "" {
		return k, false
	}
	all := whole + fraction
	k.text = strings.TrimLeft(all, "0")
	k.exponent += int64(len(whole) - (len(all) - len(k.text)))
	k.text = strings.TrimRight(k.text, "0")
	return k, true
}

func digits(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return s[:i]
		}
	}
	return s
}
