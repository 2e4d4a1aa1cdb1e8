// Package config holds the settings of a command: the profiles of the
// configuration file, the value and the origin of every setting, the address of
// the service, and the tokens for that address.
//
// A setting is looked up in the flags, then in the environment, then in the
// profile, and last in the defaults (Settings.Get). Keys lists the settings.
// Load reads them; Init, Set and Use change the configuration file.
//
// Reading settings writes nothing and uses neither network nor keyring.
//
// The packages below it:
//
//	config/endpoint    checks addresses and compares their origins
//	config/secret      keeps tokens and logins in the keyring or a file
//	config/token       finds the token for an address and renews it
//	config/lockedfile  changes a small file under a lock
//	config/errdefs     the errors of all of these
package config
