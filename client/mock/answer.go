package mock

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// answer is a whole HTTP answer, built in memory: it is written only when the
// database has been let go.
type answer struct {
	status      int
	contentType string
	header      map[string]string
	body        []byte
	cut, reset  bool // on the wire
}

const jsonType = "application/json"

// failure is a refusal that the contract knows: its status decides the message.
type failure struct {
	status int
	detail string // a second message; may be empty
}

func (f *failure) Error() string {
	if f.detail == "" {
		return f.message()
	}
	return f.message() + ": " + f.detail
}

// message is the contract's text where it has one.
func (f *failure) message() string {
	switch f.status {
	case http.StatusBadRequest:
		return "Missing parameter"
	case http.StatusUnauthorized:
		return "Invalid Authorization"
	default:
		return http.StatusText(f.status)
	}
}

func (f *failure) messages() []string {
	if f.detail == "" {
		return []string{f.message()}
	}
	return []string{f.message(), f.detail}
}

// asFailure turns every error of an operation into a refusal; what is none is the
// service's own trouble.
func asFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	return &failure{http.StatusInternalServerError, err.Error()}
}

func notFound(detail string) error { return &failure{http.StatusNotFound, detail} }

func unprocessable(detail string) error {
	return &failure{http.StatusUnprocessableEntity, detail}
}

// refusal is the common error envelope.
func refusal(f *failure) answer { return refusalWith(f, "{}") }

func refusalWith(f *failure, data string) answer {
	return answer{status: f.status, contentType: jsonType, body: envelope([]byte(data), true, 0, f.messages())}
}

// opening is how a common envelope begins; large lists are appended right behind it.
const opening = `{"data":`

// closing is all that follows the data of a common envelope.
func closing(failed bool, total int, messages []string) []byte {
	b := append([]byte(`,"error":`), strconv.FormatBool(failed)...)
	b = append(b, `,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":`...)
	b = strconv.AppendInt(b, int64(total), 10)
	b = append(b, `},"messages":`...)
	b = append(b, encode(messages)...)
	return append(b, "}\n"...)
}

func envelope(data []byte, failed bool, total int, messages []string) []byte {
	end := closing(failed, total, messages)
	b := make([]byte, 0, len(opening)+len(data)+len(end))
	b = append(b, opening...)
	b = append(b, data...)
	return append(b, end...)
}

// success answers one record.
func success(data any) (answer, error) { return successOf(encode(data), 1), nil }

// successList answers an array of records.
func successList[T any](items []T) (answer, error) {
	if items == nil {
		items = []T{}
	}
	return successOf(encode(items), len(items)), nil
}

func successOf(data []byte, total int) answer {
	return answer{status: http.StatusOK, contentType: jsonType, body: envelope(data, false, total, okMessages())}
}

func okMessages() []string { return []string{"Success"} }

// encode writes JSON as a service would: without the escapes for HTML pages.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("mock: an answer that can't be encoded: " + err.Error()) // only our own types come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
