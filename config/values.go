package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Timeout is the time limit of a call.
func (s *Settings) Timeout() (time.Duration, error) { return parsed(s, "timeout", parseTimeout) }

// Retries is how often a failed call is repeated.
func (s *Settings) Retries() (int, error) { return parsed(s, "retries", parseRetries) }

// Rate is the limit of requests a second; 0 means none.
func (s *Settings) Rate() (float64, error) { return parsed(s, "rate", parseRate) }

// ResellerAccountID is the reseller account of credentials; 0 means none.
func (s *Settings) ResellerAccountID() (int64, error) {
	return parsed(s, "reseller_account_id", parseID)
}

// Output is the format of what commands print.
func (s *Settings) Output() (string, error) { return s.word("output") }

// Server is the server chosen by flag, variable or profile. An address given
// outright passes it over; see Address.
func (s *Settings) Server() (string, error) { return s.word("server") }

// Check tells every setting that is not valid, joined, whether or not the
// present command needs it.
func (s *Settings) Check() error {
	var found []error
	for _, key := range Keys {
		value := s.value(key.Name)
		if value.Origin.Source == FromDefault {
			continue
		}
		if key.Type == "url" {
			if _, err := s.checkedURL(key.Name, value); err != nil {
				found = append(found, err)
			}
		} else if key.check != nil {
			if err := key.check(value.Text); err != nil {
				found = append(found, badValue(key.Name, value, err))
			}
		}
	}
	return errors.Join(found...)
}

func (s *Settings) word(name string) (string, error) {
	value := s.value(name)
	key, err := LookupKey(name)
	if err != nil {
		return "", err
	}
	if err := key.check(value.Text); err != nil {
		return "", badValue(name, value, err)
	}
	return value.Text, nil
}

// parsed reads a setting; one that is neither given nor has a default is the
// zero value.
func parsed[T any](s *Settings, name string, parse func(string) (T, error)) (T, error) {
	value := s.value(name)
	if value.Text == "" && value.Origin.Source == FromDefault {
		var none T
		return none, nil
	}
	result, err := parse(value.Text)
	if err != nil {
		return result, badValue(name, value, err)
	}
	return result, nil
}

func badValue(name string, value Value, err error) error {
	return &Error{Message: fmt.Sprintf("%s: %q %v", value.Origin.of(name), value.Text, err)}
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
			return 0, errors.New("is not a time such as 90s, 5m or 60")
		}
		// The bound also turns away infinities; NaN compares false.
		if !(seconds < math.MaxInt64/float64(time.Second)) {
			return 0, errors.New("is too long a time")
		}
		duration = time.Duration(seconds * float64(time.Second))
	}
	if duration <= 0 {
		return 0, errors.New("is not a time above zero")
	}
	return duration, nil
}

func parseRetries(text string) (int, error) {
	count, err := strconv.Atoi(text)
	if err != nil || count < 0 || count > 100 {
		return 0, errors.New("is not a whole number from 0 to 100")
	}
	return count, nil
}

func parseRate(text string) (float64, error) {
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate > 0) || math.IsInf(rate, 0) {
		return 0, errors.New("is not a number above zero")
	}
	return rate, nil
}

func parseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errors.New("is not a whole number of 64 bits")
	}
	return id, nil
}
