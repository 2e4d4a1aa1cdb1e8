package config_test

import (
	"fmt"
	"log"

	"reseller/config"
)

// A flag precedes the environment, and the environment precedes the profile and the
// defaults.
func ExampleLoad() {
	environment := map[string]string{
		"RESELLER_BASE_URL": "https://api.example.com/",
		"RESELLER_TIMEOUT":  "30s",
		"RESELLER_RETRIES":  "2",
	}
	env := config.Env{Lookup: func(name string) (string, bool) {
		text, ok := environment[name]
		return text, ok
	}}
	settings, err := config.Load(env, config.FlagsOf(map[string]string{"timeout": "90s"}))
	if err != nil {
		log.Fatal(err)
	}
	address, err := settings.Address()
	if err != nil {
		log.Fatal(err)
	}
	timeout, err := settings.Timeout()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(address.URL, timeout)
	for _, key := range []string{"timeout", "retries", "output"} {
		value := settings.Get(key)
		fmt.Printf("%s: %s (%s)\n", key, value.Text, value.Origin)
	}
	// Output:
	// https://api.example.com 1m30s
	// timeout: 90s (flag --timeout)
	// retries: 2 (environment RESELLER_RETRIES)
	// output: table (default)
}
