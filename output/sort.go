package output

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"reseller/client/record"
)

// sorted reads all of seq and gives it back in the order of column c. An error
// of seq comes after the records before it.
func sorted(seq iter.Seq2[record.Record, error], c *column, descending bool) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		type row struct {
			raw []byte
			key sortKey
		}
		var rows []row
		var failed error
		for rec, err := range seq {
			if err != nil {
				failed = err
				break
			}
			v, _ := c.get(&rec)
			rows = append(rows, row{slices.Clone(rec.Raw()), newSortKey(v)})
		}
		slices.SortStableFunc(rows, func(a, b row) int { return a.key.compare(b.key, descending) })
		for _, r := range rows {
			if !yield(record.Parse(r.raw)) {
				return
			}
		}
		if failed != nil {
			yield(record.Record{}, failed)
		}
	}
}

// The classes of values, in ascending order. Numbers and texts are kept apart:
// comparing them by turns by value and by bytes would be no order at all.
const (
	isNumber = iota
	isText
	isMissing
)

// sortKey is a value as it is compared. A number is ±0.digits × 10^exponent,
// which is exact however large or long it is.
type sortKey struct {
	class    int
	negative bool
	exponent int64
	text     string // digits of a number without zeros at either end
}

func newSortKey(v record.Value) sortKey {
	switch v.Kind() {
	case record.Missing, record.Null:
		return sortKey{class: isMissing}
	case record.Number, record.String:
		if k, ok := parseNumber(strings.TrimSpace(v.Text())); ok {
			return k
		}
	}
	return sortKey{class: isText, text: v.Text()}
}

func (k sortKey) compare(other sortKey, descending bool) int {
	if k.class == isMissing || other.class == isMissing {
		return cmp.Compare(k.class, other.class)
	}
	c := cmp.Or(cmp.Compare(k.class, other.class), k.values(other))
	if descending {
		return -c
	}
	return c
}

func (k sortKey) values(other sortKey) int {
	if k.class == isText {
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

// parseNumber reads a decimal number, as JSON or as people write them.
func parseNumber(s string) (sortKey, bool) {
	k := sortKey{class: isNumber}
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
