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

// checked returns a check that accepts what parse accepts.
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
