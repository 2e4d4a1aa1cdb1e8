package fault

import (
	"fmt"
	"net"
	"net/http"

	"reseller/client/mock/api"
)

// distort returns what the client receives in the place of the service's own response.
func (f Fault) distort(own api.Response) api.Response {
	r := own
	if status := f.refusalStatus(); status != 0 {
		r = api.Refusal(&api.Error{Status: status})
	}
	if f.HTML {
		r.ContentType, r.Body = "text/html", proxyPage(r.Status)
	}
	if f.Body != "" {
		r.Body = []byte(f.Body)
	}
	if f.RetryAfter != "" {
		r.Header = map[string]string{"Retry-After": f.RetryAfter}
	}
	return r
}

// proxyPage is the page that a proxy sends on its own behalf.
func proxyPage(status int) []byte {
	return fmt.Appendf(nil, "<html>\n<head><title>%d %s</title></head>\n<body><h1>%[2]s</h1></body>\n</html>\n", status, http.StatusText(status))
}

// write sends a response: whole, half of it, or a reset of the connection.
func write(w http.ResponseWriter, response api.Response, f Fault) {
	if f.Reset {
		reset(w)
		return
	}
	response.WriteHeader(w)
	if f.Truncate {
		_, _ = w.Write(response.Body[:len(response.Body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(response.Body) // the client may have gone, and nobody else has to know
}

// reset ends the connection as a machine does that loses power.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
