package client

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"testing/iotest"

	"reseller/client/record"
	"reseller/client/redact"
	"reseller/client/safetext"
)

// FuzzEnvelope checks that a response is read the same way from a stream as as a whole, that
// invalid JSON is an error, and that its messages are bounded.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"error":false,"data":[{"a":1}],"pagination":{"totalPages":2,"page":1,"totalRecords":"3"},"messages":["x"]}`,
		`{"error":{"code":[{"detail":"x"},{"y":[[["z"]]]}]},"status_code":422,"token_exp":7}`,
		`{"errors":{"phone":["is invalid"],"zip":{"message":"\u001b"}},"data":null,"data":1}`, `{"title":"t","Message":5`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	read := func(r *record.Reader) (*envelope, string, error) {
		var data record.Value
		env, err := readEnvelope(r, func() (err error) {
			data, err = r.Value()
			data = bytes.Clone(data)
			return err
		})
		return env, string(data), err
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		env, data, err := read(record.ReaderOf(bytes.Clone(text)))
		if err == nil && !json.Valid(text) {
			t.Errorf("%q: got no error, want one", text)
		}
		streamed, streamedData, streamedErr := read(record.NewReader(iotest.OneByteReader(bytes.NewReader(text)), MaxRecord))
		if (err == nil) != (streamedErr == nil) || err == nil && (!reflect.DeepEqual(env, streamed) || data != streamedData) {
			t.Errorf("%q: got %+v, %q, %v as a stream and %+v, %q, %v as a whole", text, streamed, streamedData, streamedErr, env, data, err)
		}
		shown := env.shownMessages(redact.Secrets{"correct horse"})
		if len(shown) > maxMessages+1 {
			t.Errorf("%q: got %d messages, want at most %d", text, len(shown), maxMessages+1)
		}
		for _, message := range shown {
			if len(message) > safetext.MaxMessage {
				t.Errorf("%q: got a message of %d bytes", text, len(message))
			}
		}
	})
}

// FuzzTypes checks that any record that the typed structs accept can be written as JSON and
// is read back as the same.
func FuzzTypes(f *testing.F) {
	f.Add([]byte(`{"account_id":"7","active":1,"phone_number":555,"zip":null,"attributes":[{"field_name":1,"field_value":true}],"external_account_manager":"x"}`))
	f.Add([]byte(`{"rank_id":7.0,"keyword":["x"],"account_id":1e3}`))
	f.Add([]byte("{\"keyword\":[\"x\xa3\xa3\"]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, v := range []any{&Account{}, &Keyword{}, &Campaign{}} {
			if json.Unmarshal(text, v) != nil {
				continue
			}
			written, err := json.Marshal(v)
			if err != nil {
				t.Fatalf("%T of %q: %v", v, text, err)
			}
			again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			if err := json.Unmarshal(written, again); err != nil {
				t.Fatalf("%T of %q: %q is not read back: %v", v, text, written, err)
			}
			if rewritten, _ := json.Marshal(again); !bytes.Equal(rewritten, written) {
				t.Errorf("%T of %q: got %q, want %q", v, text, rewritten, written)
			}
		}
	})
}
