package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// Response is a whole HTTP response. It is built in memory and written only when the
// database has been closed again.
type Response struct {
	Status      int
	ContentType string
	Header      map[string]string
	Body        []byte
}

// TypeJSON is the content type of all responses but the contract itself.
const TypeJSON = "application/json"

// WriteHeader writes the status and the header of a response.
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

// RefusalWithData is a Refusal whose data is the given JSON.
func RefusalWithData(e *Error, data string) Response {
	return Response{Status: e.Status, ContentType: TypeJSON, Body: envelope([]byte(data), true, 0, e.Messages())}
}

// Success returns a response with one record.
func Success(data any) Response { return SuccessJSON(Encode(data), 1) }

// SuccessList returns a response with an array of records.
func SuccessList[T any](records []T) Response {
	if records == nil {
		records = []T{}
	}
	return SuccessJSON(Encode(records), len(records))
}

// SuccessJSON returns a response with data that is JSON already; total is the number of
// its records.
func SuccessJSON(data []byte, total int) Response {
	return Response{Status: http.StatusOK, ContentType: TypeJSON, Body: envelope(data, false, total, successMessages())}
}

// SuccessJSONList returns a response with an array of records that are JSON already. It
// walks them twice, the first time to add up their size: growing a body of 100 MB would
// take twice its memory.
func SuccessJSONList(walk func(visit func(record []byte))) Response {
	size, total := 0, 0
	walk(func(record []byte) { size += len(record) + 1; total++ })
	end := envelopeEnd(false, total, successMessages())
	body := make([]byte, 0, len(envelopeStart)+2+size+len(end))
	body = append(body, envelopeStart+"["...)
	walk(func(record []byte) { body = append(append(body, record...), ',') })
	if total > 0 {
		body = body[:len(body)-1]
	}
	body = append(body, ']')
	return Response{Status: http.StatusOK, ContentType: TypeJSON, Body: append(body, end...)}
}

// envelopeStart is all that precedes the data of the common envelope.
const envelopeStart = `{"data":`

// envelopeEnd is all that follows the data of the common envelope.
func envelopeEnd(failed bool, total int, messages []string) []byte {
	b := append([]byte(`,"error":`), strconv.FormatBool(failed)...)
	b = append(b, `,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":`...)
	b = strconv.AppendInt(b, int64(total), 10)
	b = append(b, `},"messages":`...)
	b = append(b, Encode(messages)...)
	return append(b, "}\n"...)
}

func envelope(data []byte, failed bool, total int, messages []string) []byte {
	end := envelopeEnd(failed, total, messages)
	b := make([]byte, 0, len(envelopeStart)+len(data)+len(end))
	b = append(b, envelopeStart...)
	b = append(b, data...)
	return append(b, end...)
}

func successMessages() []string { return []string{"Success"} }

// Encode writes JSON as a service does: without the escapes for HTML pages.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("mock: a value that can't be encoded: " + err.Error()) // only the mock's own types come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
