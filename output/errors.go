package output

import (
	"fmt"
	"io"
	"strconv"

	"reseller/client/record"
	"reseller/output/encode"
)

// UsageError reports a flag or argument that asks for output that does not exist.
type UsageError struct {
	Message string
	Hint    string // what to do about it; may be empty
}

func (e *UsageError) Error() string  { return e.Message }
func (e *UsageError) Advice() string { return e.Hint }

// InvalidInput marks an error in the user's input: nothing was sent.
func (e *UsageError) InvalidInput() {}

func Usagef(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

func (e *UsageError) Hinted(hint string) *UsageError {
	e.Hint = hint
	return e
}

func quote(s string) string { return strconv.Quote(s) }

type ErrorInfo struct {
	Message    string   `json:"message"`
	ExitCode   int      `json:"exit_code"`
	HTTPStatus int      `json:"http_status"` // 0 if there was no response
	Messages   []string `json:"messages"`    // those that the service sent
	ErrorCode  string   `json:"error_code"`
	Operation  string   `json:"operation"`
	Faults     []Fault  `json:"faults,omitempty"` // the mistakes in an input file
}

// A Fault is one mistake in an input file, with null for fields that do not apply.
type Fault struct {
	File   string  `json:"file,omitempty"` // the name of a file of a folder
	Line   *int    `json:"line"`
	Row    *int    `json:"row"` // the number that a spreadsheet shows for the row
	Column *string `json:"column"`
	Value  *string `json:"value"`
	Reason string  `json:"reason"`
}

// WriteError writes e on one line, as an object under the key "error" that
// always has all its keys but faults.
func WriteError(w io.Writer, e ErrorInfo) error {
	if e.Messages == nil {
		e.Messages = []string{}
	}
	text, err := record.Encode(map[string]ErrorInfo{"error": e})
	if err == nil {
		_, err = w.Write(append(encode.AppendJSON(nil, text, encode.Compact), '\n'))
	}
	return err
}
