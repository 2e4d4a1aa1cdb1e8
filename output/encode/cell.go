package encode

import (
	"strings"
	"time"

	"reseller/client/record"
)

// largeCell is how many bytes of JSON a cell has that is not held in memory with its
// escapes.
const largeCell = 64 << 10

// appendReadable appends the text of a cell for formats for reading, before it is escaped: dates as FormatDate writes them, and the
// texts that the column shows in place of values.
func (c *Column) appendReadable(dst []byte, v record.Value) []byte {
	if text := c.replacement(v); text != "" {
		return append(dst, text...)
	}
	if c.Date && v.Kind() == record.String {
		return append(dst, FormatDate(v.Text())...)
	}
	return v.AppendText(dst)
}

// plain returns the text of a cell for reading that is that of the value as it was sent, as of most cells; nil if it has to be
// looked at.
func (c *Column) plain(v record.Value, marks record.Marks) []byte {
	if c.Date || marks&^record.MarkComma != 0 || len(v) > largeCell || IsNull(v) || c.Shown != nil && c.replacement(v) != "" {
		return nil
	}
	if v[0] == '"' {
		return v[1 : len(v)-1]
	}
	return v
}

// replacement returns the text that formats for reading show in place of v, which may be sent as a text, "" if they show v.
func (c *Column) replacement(v record.Value) string {
	for _, shown := range c.Shown {
		if isText := len(v) > len(shown[0]) && v[0] == '"' && shown[0] != "null"; string(v) == shown[0] || isText && string(v[1:len(v)-1]) == shown[0] {
			return shown[1]
		}
	}
	return ""
}

// FormatDate returns a time that the service sent as 2024-04-10T04:04:00 or
// 2024-04-10 04:04:00, with or without a Z, as 2024-04-10 04:04. Midnight is left
// out: 2024-04-10. Any other text is returned unchanged.
func FormatDate(text string) string {
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
