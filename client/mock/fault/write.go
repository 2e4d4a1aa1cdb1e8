package fault

import (
	"fmt"
	"net"
	"net/http"

	"reseller/client/mock/api"
)

// distort returns the response that the client receives instead of own, the response of the service.
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

// proxyPage returns an HTML page as a proxy sends it if it can't reach the service.
func proxyPage(status int) []byte {
	return fmt.Appendf(nil, "<html>\n<head><title>%d %s</title></head>\n<body><h1>%[2]s</h1></body>\n</html>\n", status, http.StatusText(status))
}

// write sends the response, or as the fault says, half of it, or resets the connection.
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

// reset resets the connection: the client receives a TCP reset instead of a response.
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
