package config

import (
	"errors"
	"fmt"
)

// Address is the address in force.
type Address struct {
	// URL is checked and has no slash at its end; it is empty when Embedded.
	URL string
	// Server is production, sandbox or mock, and empty for an address that a
	// flag or variable gave outright.
	Server string
	// Origin is where URL came from, or what chose the embedded mock.
	Origin Origin
	// Embedded asks for the mock inside the command: server mock, no address.
	Embedded bool
}

// Address returns the address in force: --base-url, else --server, else
// RESELLER_BASE_URL, else RESELLER_SERVER, else the profile's server.
func (s *Settings) Address() (Address, error) {
	base := s.value("base_url")
	server := s.value("server")
	outright := base.Origin.Source == FromFlag ||
		base.Origin.Source == FromEnvironment && server.Origin.Source != FromFlag
	if outright {
		url, err := s.checkedURL("base_url", base)
		return Address{URL: url, Origin: base.Origin}, err
	}
	name, err := s.Server()
	if err != nil {
		return Address{}, err
	}
	return s.addressOf(name, server.Origin)
}

func (s *Settings) addressOf(server string, chosen Origin) (Address, error) {
	key := urlKey(server)
	value := s.value(key)
	if server == "production" {
		// A RESELLER_BASE_URL that got here is passed over for --server.
		value = Value{s.own(key), Origin{FromProfile, s.profile}}
	}
	if value.Text != "" {
		url, err := s.checkedURL(key, value)
		return Address{URL: url, Server: server, Origin: value.Origin}, err
	}
	switch server {
	case "mock":
		return Address{Server: server, Origin: chosen, Embedded: true}, nil
	case "sandbox":
		return Address{}, &Error{
			Message: fmt.Sprintf("no address for the sandbox server in profile %s: run `reseller config set sandbox_url URL`", s.profile),
			Hint:    "RESELLER_SANDBOX_URL or --base-url gives one for this command",
		}
	}
	return Address{}, &Error{
		Message: fmt.Sprintf("no address for the production server in profile %s: run `reseller config init`", s.profile),
		Hint:    "--base-url or RESELLER_BASE_URL gives one for this command; --server mock needs none",
	}
}

func urlKey(server string) string {
	if server == "production" {
		return "base_url"
	}
	return server + "_url"
}

// checkedURL is CheckURL with an error that names where the address came from.
func (s *Settings) checkedURL(key string, value Value) (string, error) {
	url, err := CheckURL(value.Text, s.flags["allow_http"] == "true")
	var bad *Error
	if errors.As(err, &bad) {
		return "", &Error{Message: value.Origin.of(key) + ": " + bad.Message, Hint: bad.Hint}
	}
	return url, err
}
