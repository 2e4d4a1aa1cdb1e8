package config

import (
	"slices"

	"reseller/config/errdefs"
)

type Address struct {
	// URL is in normal form (endpoint.Normalize), empty if BuiltInMock is set.
	URL string
	// Server is production, sandbox or mock, empty if --base-url or RESELLER_BASE_URL gave the address.
	Server string
	Key    string // the setting that URL is of
	// Origin is where URL came from, or the setting that chose the built-in mock.
	Origin Origin
	// BuiltInMock is set if the server is mock and has no address: it then runs in the process of the command.
	BuiltInMock bool
}

// Address returns the address of --base-url, else of --server, else of RESELLER_BASE_URL, else of RESELLER_SERVER or the profile.
func (s *Settings) Address() (Address, error) {
	base := s.lookup("base_url")
	server := s.lookup("server")
	direct := base.Origin.Kind == FromFlag ||
		base.Origin.Kind == FromEnvironment && server.Origin.Kind != FromFlag
	if direct {
		url, err := s.normalURL("base_url", base)
		return Address{URL: url, Key: "base_url", Origin: base.Origin}, err
	}
	name, err := s.word("server")
	if err != nil {
		return Address{}, err
	}
	return s.addressOf(name, server.Origin)
}

// AddressOverride returns the variable that gives the command another address than the profile has, "" if none does.
func (s *Settings) AddressOverride() string {
	own, ownErr := s.in(Env{}).Address()
	address, err := s.Address()
	switch server := s.lookup("server").Origin; {
	case ownErr != nil || err != nil || own.URL == address.URL && own.BuiltInMock == address.BuiltInMock:
		return ""
	case address.Server != "" && address.Server != own.Server:
		return server.Name
	}
	return address.Origin.Name
}

// AddressFlag returns the flag that gives the command another address than it has without the flag, and the value of the
// flag. Both are empty if there is none.
func (s *Settings) AddressFlag() (name, value string) {
	other, otherErr := s.in(s.env, "server", "base-url").Address()
	address, err := s.Address()
	switch server := s.lookup("server"); {
	case err != nil || otherErr == nil && other.URL == address.URL && other.BuiltInMock == address.BuiltInMock:
		return "", ""
	case server.Origin.Kind == FromFlag:
		return "server", server.Text
	}
	return "base-url", address.URL
}

// NamedAddresses returns the addresses that flags, environment and profile name, those that are not called included.
func (s *Settings) NamedAddresses() []string {
	var addresses []string
	for _, key := range []string{"base_url", "sandbox_url", "mock_url"} {
		for _, text := range []string{s.lookup(key).Text, s.ofProfile(key)} {
			if url, err := s.normalURL(key, Value{Text: text}); text != "" && err == nil && !slices.Contains(addresses, url) {
				addresses = append(addresses, url)
			}
		}
	}
	return addresses
}

// addressOf returns the address of a server, which the setting of an origin chose.
func (s *Settings) addressOf(server string, chosen Origin) (Address, error) {
	key, value := "base_url", Value{s.ofProfile("base_url"), Origin{FromProfile, s.profile}} // --server was given, so RESELLER_BASE_URL is ignored
	if server != "production" {
		key = server + "_url"
		value = s.lookup(key)
	}
	if value.Text != "" {
		url, err := s.normalURL(key, value)
		return Address{URL: url, Server: server, Key: key, Origin: value.Origin}, err
	}
	switch server {
	case "mock":
		return Address{Server: server, Origin: chosen, BuiltInMock: true}, nil
	case "sandbox":
		return Address{}, errdefs.Invalidf("no address for the sandbox server in profile %s", s.profile).
			Hinted("run `reseller config set sandbox_url URL`; to set it for this command only, use RESELLER_SANDBOX_URL or --base-url")
	}
	return Address{}, errdefs.Invalidf("no address for the production server in profile %s", s.profile).
		Hinted("run `reseller config init`; to set it for this command only, use --base-url or RESELLER_BASE_URL; --server mock needs no address")
}
