package cli

import (
	"crypto/x509"
	"os"
	"syscall"

	"reseller/config/errdefs"
)

// maxCAFile is the size of the largest file of certificates that is read, in bytes.
const maxCAFile = 16 << 20

// rootCAs returns the root certificates of the system with those of --ca-file or
// RESELLER_CA_FILE, nil if neither is given.
func rootCAs(flags *Flags, env func(string) (string, bool)) (*x509.CertPool, error) {
	source, path := "--ca-file", flags.caFile
	if !flags.changed("ca-file") {
		source = "RESELLER_CA_FILE"
		var ok bool
		if path, ok = env(source); !ok || path == "" {
			return nil, nil
		}
	}
	var text []byte
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe without a writer is empty
	if err == nil {
		defer func() { _ = file.Close() }()
		text, err = ReadAtMost(file, "it", maxCAFile)
	}
	if err != nil {
		return nil, Usagef("%s: %s can't be read: %v", source, path, errdefs.WithoutPath(err))
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a machine without certificates of its own
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, &UsageError{
			Message: source + ": " + path + " contains no certificates",
			Hint:    "a file of certificates in PEM has lines such as -----BEGIN CERTIFICATE-----",
		}
	}
	return pool, nil
}
