package transport

import (
	"errors"
	"net"
	"os"
	"testing"
)

// TestUnreachedServiceIsNamed checks that the error of a service that can't be reached says which host or address was tried.
func TestUnreachedServiceIsNamed(t *testing.T) {
	for want, err := range map[string]error{
		"list: the service can't be reached: api.invalid: no such host": &net.DNSError{Name: "api.invalid", Err: "no such host"},
		"list: the service can't be reached: 127.0.0.1:9: refused":      os.NewSyscallError("connect", errors.New("refused")),
	} {
		dial := &net.OpError{Op: "dial", Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}, Err: err}
		if got := (&NetworkError{Action: "list", Err: dial}).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
