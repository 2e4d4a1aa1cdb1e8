package output

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// UsageError is a fault in what the user asked for.
type UsageError struct {
	What string
	Hint string // what to do about it, may be empty
}

func (e *UsageError) Error() string { return e.What }

func quote(s string) string { return strconv.Quote(s) }

// ErrorInfo is an error as a program reads it.
type ErrorInfo struct {
	Message    string   `json:"message"`
	ExitCode   int      `json:"exit_code"`
	HTTPStatus int      `json:"http_status"` // 0 where no answer came
	Messages   []string `json:"messages"`    // the service's own
	ErrorCode  string   `json:"error_code"`
	Operation  string   `json:"operation"`
}

// WriteError writes e as one line, an object under the key error, with all
// its keys always present.
func WriteError(w io.Writer, e ErrorInfo) error {
	if e.Messages == nil {
		e.Messages = []string{}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(struct {
		Error ErrorInfo `json:"error"`
	}{e}); err != nil {
		return err
	}
	_, err := w.Write(append(appendJSON(nil, text.Bytes(), compact), '\n'))
	return err
}
