package api

import (
	"encoding/json"
	"errors"
	"testing"
)

// read reads every kind of field, as handlers do.
func read(b *Body) {
	b.RequiredText("text")
	b.RequiredInteger("integer")
	b.RequiredBool("bool")
	b.Texts("texts")
	if o := b.Object("object"); o != nil {
		o.RequiredText("name")
	}
	for _, o := range b.Objects("objects", true) {
		o.RequiredInteger("id")
	}
}

func TestBodyErrors(t *testing.T) {
	for body, want := range map[string]string{
		`{"text":"a","integer":1,"bool":true,"objects":[{"id":1}]}`:                             "",
		`{"text":"a","integer":1,"bool":true,"objects":[{"id":1}],"object":null,"texts":["a"]}`: "",
		`nonsense`:      "Missing parameter: the body is not a JSON object",
		`null`:          "Missing parameter: the body is not a JSON object",
		`{}`:            "Missing parameter: required: text, integer, bool, objects",
		`{"text":null}`: "Missing parameter: required: text, integer, bool, objects",
		`{"text":"a","integer":1,"bool":true,"objects":[{},{}]}`:                                    "Missing parameter: required: objects[0].id, objects[1].id",
		`{"text":"a","integer":1,"bool":true,"objects":[]}`:                                         "Missing parameter: required: objects",
		`{"text":1,"integer":"1","bool":1,"objects":{},"texts":"a","object":[]}`:                    "Missing parameter: text must be a string; integer must be an integer; bool must be true or false; texts must be an array of strings; object must be an object; objects must be an array",
		`{"text":"a","integer":1,"bool":true,"objects":[1]}`:                                        "Missing parameter: objects[0] must be an object",
		`{"text":"a","integer":1.5,"bool":true,"objects":[{"id":1}],"object":{"name":{"first":1}}}`: "Missing parameter: integer must be an integer; object.name must be a string",
	} {
		t.Run(body, func(t *testing.T) {
			b := ReadBody([]byte(body))
			read(b)
			got := ""
			if err := b.Err(); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAbsentFields(t *testing.T) {
	b := ReadBody([]byte(`{"a":null,"b":""}`))
	text := "kept"
	if b.SetText(&text, "a", false); text != "kept" {
		t.Errorf("absent text: got %q, want kept", text)
	}
	if b.SetText(&text, "b", false); text != "" {
		t.Errorf("empty text: got %q, want it empty", text)
	}
	if got := b.Integer("a"); got != nil {
		t.Errorf("absent integer: got %d, want nil", *got)
	}
	if b.Has("a") || !b.Has("b") {
		t.Errorf("has: got %v and %v, want b alone", b.Has("a"), b.Has("b"))
	}
	if err := b.Err(); err != nil {
		t.Errorf("got error %v", err)
	}
}

func TestAsError(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		text   string
	}{
		"refusal":         {NotFound("account 7"), 404, "Not Found: account 7"},
		"without detail":  {Unauthorized(), 401, "Invalid Authorization"},
		"wrapped refusal": {errors.Join(errors.New("x"), Unprocessable("y")), 422, "Unprocessable Entity: y"},
		"other error":     {errors.New("disk full"), 500, "Internal Server Error: disk full"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := AsError(c.err); got.Status != c.status || got.Error() != c.text {
				t.Errorf("got %d %q, want %d %q", got.Status, got, c.status, c.text)
			}
		})
	}
}

func TestSuccessJSONList(t *testing.T) {
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"none": {nil, `{"data":[],"error":false,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":0},"messages":["Success"]}`},
		"two":  {[]string{`1`, `"<b>"`}, `{"data":[1,"<b>"],"error":false,"pagination":{"totalPages":1,"maxRows":0,"offset":0,"page":1,"totalRecords":2},"messages":["Success"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := SuccessJSONList(func(visit func([]byte)) {
				for _, record := range c.records {
					visit([]byte(record))
				}
			})
			if got := string(r.Body); got != c.want+"\n" {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// FuzzBody checks that a body is either a JSON object whose fields are what they are read
// as, or an error.
func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"text":"a","integer":1,"bool":true,"texts":["a"],"object":{"name":"x"},"objects":[{"id":1}]}`))
	f.Add([]byte(`{"text":null,"integer":1e3,"objects":[null,7],"object":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := ReadBody(text)
		read(b)
		if b.Err() == nil && !json.Valid(text) {
			t.Errorf("%q: got no error, want one", text)
		}
	})
}
