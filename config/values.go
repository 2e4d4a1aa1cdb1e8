package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"reseller/config/endpoint"
	"reseller/config/errdefs"
)

func (s *Settings) Timeout() (time.Duration, error) { return parsed(s, "timeout", parseTimeout) }

func (s *Settings) Retries() (int, error) { return parsed(s, "retries", parseRetries) }

// Rate returns the limit of requests per second, 0 for no limit.
func (s *Settings) Rate() (float64, error) { return parsed(s, "rate", parseRate) }

// ResellerAccountID returns the reseller account that new credentials belong to, 0 for none.
func (s *Settings) ResellerAccountID() (int64, error) {
	return parsed(s, "reseller_account_id", parseID)
}

func (s *Settings) Output() (string, error) { return s.word("output") }

// Check returns the errors of all invalid settings, joined, whether or not the command needs them.
func (s *Settings) Check() error {
	var errs []error
	for _, key := range Keys {
		errs = append(errs, s.CheckKey(key))
	}
	return errors.Join(errs...)
}

func (s *Settings) CheckKey(key Key) (err error) {
	if value := s.lookup(key.Name); value.Origin.Kind != FromDefault {
		_, err = s.valid(key, value)
	}
	return err
}

// CheckValue checks a value for a key, and returns it as it is written to the file.
func (s *Settings) CheckValue(name, text string) (string, error) {
	key, err := LookupKey(name)
	if err != nil || text == "" {
		return "", err
	}
	return s.valid(key, Value{Text: text})
}

// valid returns the text of a value if the key takes it, an address in its normal form.
func (s *Settings) valid(key Key, value Value) (string, error) {
	if key.Type == "url" {
		return s.normalURL(key.Name, value)
	}
	if key.check != nil {
		if err := key.check(value.Text); err != nil {
			return "", invalidValue(key.Name, value, err)
		}
	}
	return value.Text, nil
}

func (s *Settings) word(name string) (string, error) {
	key, err := LookupKey(name)
	if err != nil {
		return "", err
	}
	return s.valid(key, s.lookup(name))
}

// parsed returns a setting as parse reads it, the zero value if it is not set and has no default.
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
	allowHTTP := s.given("allow-http")
	url, err := endpoint.Normalize(value.Text, allowHTTP != nil && allowHTTP.Value.String() == "true")
	if invalid, ok := errors.AsType[*errdefs.InvalidError](err); ok {
		return "", errdefs.Invalidf("%s: %s", value.Origin.of(key), invalid.Message).Hinted(invalid.Hint)
	}
	return url, err
}

func checked[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

func oneOf(words []string) func(string) error {
	return func(text string) error {
		if slices.Contains(words, text) {
			return nil
		}
		return fmt.Errorf("is not one of %s", strings.Join(words, ", "))
	}
}

func parseTimeout(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, errors.New("is not a duration such as 90s, 5m or 60")
		}
		// This also excludes infinities, and NaN, which compares false.
		if !(seconds < math.MaxInt64/float64(time.Second)) {
			return 0, errors.New("is too long")
		}
		duration = time.Duration(seconds * float64(time.Second))
	}
	if duration <= 0 {
		return 0, errors.New("is not greater than zero")
	}
	return duration, nil
}

func parseRetries(text string) (int, error) {
	count, err := strconv.Atoi(text)
	if err != nil || count < 0 || count > 100 {
		return 0, errors.New("is not an integer from 0 to 100")
	}
	return count, nil
}

func parseRate(text string) (float64, error) {
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate > 0) || math.IsInf(rate, 0) {
		return 0, errors.New("is not a number greater than zero")
	}
	return rate, nil
}

func parseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errors.New("is not a 64-bit integer")
	}
	return id, nil
}
