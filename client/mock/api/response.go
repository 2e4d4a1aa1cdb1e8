package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// Response is a complete HTTP response. It is built in memory and written after the database has been closed.
type Response struct {
	Status      int
	ContentType string
	Header      map[string]string
	Body        []byte
}

// TypeJSON is the content type of all responses except for the OpenAPI document.
const TypeJSON = "application/json"

func (r Response) WriteHeader(w http.ResponseWriter) {
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", r.ContentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(r.Body)))
	w.WriteHeader(r.Status)
}

// Refusal returns the response for an error, in the common envelope.
func Refusal(e *Error) Response { return RefusalWithData(e, "{}") }

// RefusalWithData is Refusal with the given JSON as data.
func RefusalWithData(e *Error, data string) Response {
	return inEnvelope(e.Status, 0, e.Messages(), len(data), func(body []byte) []byte { return append(body, data...) })
}

func Success(data any) Response { return SuccessJSON(Encode(data), 1) }

func SuccessList[T any](records []T) Response {
	if records == nil {
		records = []T{}
	}
	return SuccessJSON(Encode(records), len(records))
}

// SuccessJSON is Success for data that is JSON already. total is the number of records in data.
func SuccessJSON(data []byte, total int) Response {
	return inEnvelope(http.StatusOK, total, []string{"Success"}, len(data), func(body []byte) []byte { return append(body, data...) })
}

// SuccessJSONList is SuccessList for records that are JSON already. It calls walk twice, the first time to add up the sizes of
// the records, since a buffer that grows to 100 MB would take twice that memory.
func SuccessJSONList(walk func(visit func(record []byte))) Response {
	size, total := 0, 0
	walk(func(record []byte) { size += len(record) + 1; total++ })
	return inEnvelope(http.StatusOK, total, []string{"Success"}, size+len("[]"), func(body []byte) []byte {
		body = append(body, '[')
		walk(func(record []byte) { body = append(append(body, record...), ',') })
		return append(bytes.TrimSuffix(body, []byte(",")), ']')
	})
}

// inEnvelope returns a response with the common envelope around data, which appends size bytes. total is the number of records.
func inEnvelope(status, total int, messages []string, size int, data func([]byte) []byte) Response {
	const begin = `{"data":`
	end := fmt.Appendf(nil, `,"error":%t,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":%d},"messages":%s}`+"\n",
		status != http.StatusOK, total, Encode(messages))
	body := append(make([]byte, 0, len(begin)+size+len(end)), begin...)
	return Response{Status: status, ContentType: TypeJSON, Body: append(data(body), end...)}
}

// An Object is a JSON object: the names and the values of its members in turn.
type Object []any

func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, part := range o {
		if b = append(b, Encode(part)...); i < len(o)-1 {
			b = append(b, ":,"[i%2])
		}
	}
	return append(b, '}'), nil
}

// Encode returns v as JSON. Unlike json.Marshal, it does not escape <, > and &.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("mock: a value that can't be encoded: " + err.Error()) // only the mock's own types come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
