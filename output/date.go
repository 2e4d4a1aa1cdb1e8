package output

import (
	"strings"
	"time"

	"reseller/client/record"
)

// appendShown is the text of a cell that people read: of a date, in one shape.
func (c *column) appendShown(dst []byte, v record.Value) []byte {
	if c.date && v.Kind() == record.String {
		return append(dst, ShowDate(v.Text())...)
	}
	return appendCell(dst, v)
}

// ShowDate brings the dates that the service sends, 2024-04-10T04:04:00,
// 2024-04-10 04:04:00 and either with a Z, into the shape 2024-04-10 04:04, and
// midnight into that of a day, 2024-04-10. What is no such date stays as it is.
func ShowDate(text string) string {
	const day, minute, layout = len("2006-01-02"), len("2006-01-02 15:04"), "2006-01-02 15:04:05"
	plain := strings.TrimSuffix(text, "Z")
	if len(plain) != len(layout) || plain[day] != 'T' && plain[day] != ' ' {
		return text
	}
	plain = plain[:day] + " " + plain[day+1:]
	if _, err := time.Parse(layout, plain); err != nil {
		return text
	}
	if plain[day+1:] == "00:00:00" {
		return plain[:day]
	}
	return plain[:minute]
}
