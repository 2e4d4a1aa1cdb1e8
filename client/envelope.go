package client

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/transport"
)

// MaxRecord is the largest size, in bytes, of a response with one record, and of one record in a list.
const MaxRecord = transport.MaxBody

// errNoData is the error of a response without the data that was requested.
var errNoData = errors.New("it has no data")

// errPart is the error of a response with a status such as 202 or 206.
var errPart = errors.New("its status does not say that it is the whole answer")

// An envelope holds the fields around the data of a response: those of the common envelope (contract: Common response envelope)
// and those of the budget estimate, which has an envelope of its own.
type envelope struct {
	failed        bool     // error is true
	saysFailed    bool     // status says so, which no document has
	code          string   // error_code, of the budget estimate
	status        int      // status_code, of the budget estimate
	messages      []string // the first maxMessages
	moreMessages  int      // how many messages followed them
	totalPages    int64
	badTotalPages string // totalPages, if it is not a number
	page          int64
	totalRecords  int64 // 0 if the response does not say
	hasData       bool
	recognized    bool   // the response has a field of an envelope besides data
	saysError     bool   // error is true or false, as in no response of the usual gateways
	tokenExp      string // token_exp, of the login
}

func (e *envelope) refused() bool {
	return e.failed || e.code != "" || e.status >= 400 || e.saysFailed && e.hasData
}

// isOfService reports whether only the service itself, and no gateway in front of it, can have answered so.
func (e *envelope) isOfService() bool { return e.saysError && (e.hasData || e.messages != nil) }

// readEnvelope reads a whole response from r. It calls onData to read the value of data.
func readEnvelope(r *record.Reader, onData func() error) (*envelope, error) {
	env := &envelope{}
	found := 0 // a bit for each of envelopeFields that came so far
	err := r.Object(func(name string) error {
		if i := slices.Index(envelopeFields, name); i >= 0 {
			if found&(1<<i) != 0 { // which of the two holds, nobody can know
				return repeatedFieldError(name)
			}
			found |= 1 << i
		}
		if name == "data" {
			env.hasData = true
			return onData()
		}
		return env.readField(name, r)
	})
	if err == nil {
		err = r.End()
	}
	return env, err
}

type repeatedFieldError string

func (e repeatedFieldError) Error() string {
	return fmt.Sprintf("the response has %q twice", string(e))
}

// envelopeFields are the members of both envelopes that a call is decided by.
var envelopeFields = []string{"data", "error", "pagination", "error_code", "status_code"}

func (e *envelope) readField(name string, r *record.Reader) error {
	v, err := r.Value()
	if err != nil {
		return err
	}
	known := e.recognized
	e.recognized = true
	switch name {
	case "error":
		e.failed, e.saysError = truthy(v), v.Kind() == record.Bool
		if k := v.Kind(); e.failed && k != record.Bool && k != record.Number && v.Text() != "true" {
			e.addWords(v, "", maxWordDepth)
		}
	case "error_code":
		if text := v.Text(); text != "0" {
			e.code = text
		}
	case "status_code":
		n, _ := v.Int64()
		e.status = int(n)
	case "status":
		e.recognized, e.saysFailed = known, saysFailed(v.Text())
	case "messages", "message": // gateways give some, too
		e.recognized = known
		e.addWords(v, "", maxWordDepth)
	case "pagination":
		if v.Kind() == record.Object {
			pages := v.Get("totalPages")
			n, ok := pages.Int64()
			if e.totalPages = max(n, 0); (!ok || n < 0) && pages.Kind() != record.Null {
				e.badTotalPages = string(pages)
			}
			e.page, _ = v.Get("page").Int64()
			e.totalRecords, _ = v.Get("totalRecords").Int64()
		}
	case "token_exp":
		e.tokenExp = v.Text()
	default:
		e.recognized = known
		if slices.Contains(wordFields, name) {
			e.addWords(v, "", maxWordDepth)
		}
	}
	return nil
}

// wordFields are the names under which responses have messages for people: those of the
// common envelope, of RFC 9457, of OAuth and of usual web frameworks.
var wordFields = []string{"message", "messages", "Message", "msg", "error", "errors", "title", "detail", "description", "error_description"}

// maxWordDepth is how deep messages may be nested in arrays and objects.
const maxWordDepth = 5

// addWords keeps the messages in a value: a text, an array, or an object. In an object, the members with a name of wordFields are
// messages. If there are none, all members are, each with its name in front: an object of errors usually has a member for each
// field of the request. label stands in front of the messages.
func (e *envelope) addWords(v record.Value, label string, depth int) {
	if kind := v.Kind(); kind == record.String || kind == record.Number {
		if text := v.Text(); text != "" && len(e.messages) < maxMessages {
			e.messages = append(e.messages, label+text)
		} else if text != "" {
			e.moreMessages++
		}
		return
	}
	if depth == 0 {
		return
	}
	if v.Kind() == record.Array {
		for element := range v.Elements() {
			e.addWords(element, label, depth-1)
		}
		return
	}
	before := len(e.messages) + e.moreMessages
	for name, member := range v.Members() {
		if slices.Contains(wordFields, name) {
			e.addWords(member, label, depth-1)
		}
	}
	if len(e.messages)+e.moreMessages > before {
		return
	}
	for name, member := range v.Members() {
		e.addWords(member, name+": ", depth-1)
	}
}

// maxMessages is how many messages of a response, or failed items, an error shows.
const maxMessages = 20

// shownMessages returns the messages of the service, with the secrets hidden, and the number of those that are not shown.
func (e *envelope) shownMessages(secrets redact.Secrets) []string {
	shown := secrets.Messages(e.messages)
	if e.moreMessages > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", e.moreMessages))
	}
	return shown
}

// truthy reports whether a value means true: any value but false, null, 0, "", "0", "false", {} and [].
func truthy(v record.Value) bool {
	switch v.Kind() {
	case record.Bool:
		return string(v) == "true"
	case record.String:
		text := strings.ToLower(strings.TrimSpace(v.Text()))
		return text != "" && text != "false" && text != "0"
	case record.Number:
		return strings.Trim(string(v), "-0.") != ""
	case record.Object, record.Array:
		return v.HasElements()
	}
	return false
}

// A Response is a response of the service that was read whole.
type Response struct {
	HTTPStatus int
	Data       record.Value // the data as the service sent it
	Messages   []string
	TokenExp   string // token_exp, of the login
	Raw        []byte // the body of the response
}

// Record returns the data as a record. If the data is null, the record has no fields.
// Data that is neither an object nor null is an error.
func (r *Response) Record() (record.Record, error) {
	if r.Data.Kind() == record.Null {
		return record.Parse([]byte("{}"))
	}
	if r.Data.Kind() != record.Object {
		return record.Record{}, fmt.Errorf("data is %s, not an object", r.Data.Kind())
	}
	return record.Parse(r.Data)
}
