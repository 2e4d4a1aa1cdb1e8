package config

import (
	"errors"
	"time"

	"reseller/config/endpoint"
	"reseller/config/errdefs"
)

// Timeout returns the time limit of a call.
func (s *Settings) Timeout() (time.Duration, error) { return parsed(s, "timeout", parseTimeout) }

// Retries returns how often a failed call is retried.
func (s *Settings) Retries() (int, error) { return parsed(s, "retries", parseRetries) }

// Rate returns the limit of requests per second, 0 for no limit.
func (s *Settings) Rate() (float64, error) { return parsed(s, "rate", parseRate) }

// ResellerAccountID returns the reseller account that new credentials belong to,
// 0 for none.
func (s *Settings) ResellerAccountID() (int64, error) {
	return parsed(s, "reseller_account_id", parseID)
}

// Output returns the output format.
func (s *Settings) Output() (string, error) { return s.word("output") }

// Check returns the errors of all invalid settings, joined, whether or not the
// command needs them.
func (s *Settings) Check() error {
	var errs []error
	for _, key := range Keys {
		value := s.lookup(key.Name)
		if value.Origin.Kind == FromDefault {
			continue
		}
		if key.Type == "url" {
			if _, err := s.normalURL(key.Name, value); err != nil {
				errs = append(errs, err)
			}
		} else if key.check != nil {
			if err := key.check(value.Text); err != nil {
				errs = append(errs, invalidValue(key.Name, value, err))
			}
		}
	}
	return errors.Join(errs...)
}

// word returns a setting that is one of a few words.
func (s *Settings) word(name string) (string, error) {
	value := s.lookup(name)
	key, err := LookupKey(name)
	if err != nil {
		return "", err
	}
	if err := key.check(value.Text); err != nil {
		return "", invalidValue(name, value, err)
	}
	return value.Text, nil
}

// parsed returns a setting as parse reads it, or the zero value if it is not set
// and has no default.
func parsed[T any](s *Settings, name string, parse func(string) (T, error)) (T, error) {
	value := s.lookup(name)
	if value.Text == "" && value.Origin.Kind == FromDefault {
		var zero T
		return zero, nil
	}
	result, err := parse(value.Text)
	if err != nil {
		return result, invalidValue(name, value, err)
	}
	return result, nil
}

func invalidValue(name string, value Value, err error) error {
	return errdefs.Invalidf("%s: %q %v", value.Origin.of(name), value.Text, err)
}

// normalURL is endpoint.Normalize with errors that name the origin of the address.
func (s *Settings) normalURL(key string, value Value) (string, error) {
	url, err := endpoint.Normalize(value.Text, s.flags["allow_http"] == "true")
	var invalid *errdefs.InvalidError
	if errors.As(err, &invalid) {
		return "", &errdefs.InvalidError{Message: value.Origin.of(key) + ": " + invalid.Message, Hint: invalid.Hint}
	}
	return url, err
}
