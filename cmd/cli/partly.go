package cli

import (
	"errors"

	"reseller/client"
)

// PartlyRefused sorts the failures inside an update of sent keywords, of those
// that were asked for: one that stands alone exits by its own status, some
// refused is partly done, all refused is refused.
func PartlyRefused(err error, asked, sent int) error {
	var refusal *client.Error
	if !errors.As(err, &refusal) || asked == 1 {
		return err
	}
	code := ExitRefused
	if len(refusal.Items) < sent {
		code = ExitPartly
	}
	return &CodedError{Code: code, Err: err}
}
