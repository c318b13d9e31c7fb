package server

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Listeners are the configured addresses to listen on and the trusted callers.
type Listeners struct {
	// Listen and OpsListen are the addresses of the two ports.
	Listen, OpsListen string
	// Proxies are those whose X-Forwarded-For is trusted.
	Proxies []string
	CORS    CORS
}

// ValidationErrors returns a sentence for each value with which the service could not start.
func (d Listeners) ValidationErrors() []string {
	var wrong []string
	for _, l := range []struct{ key, address string }{{"listen", d.Listen}, {"ops.listen", d.OpsListen}} {
		if !listenable(l.address) {
			wrong = append(wrong, l.key+": is no address to listen on, such as :8080 or 127.0.0.1:8080")
		}
	}
	for _, p := range d.Proxies {
		if _, err := networkOf(p); err != nil {
			wrong = append(wrong, fmt.Sprintf("proxies.trusted: %q is no address or network such as 10.0.0.7 or 10.0.0.0/8", p))
		}
	}
	if len(d.CORS.Origins) > 0 {
		if err := d.CORS.check(); err != nil {
			wrong = append(wrong, "cors.origins: "+strings.TrimPrefix(err.Error(), "cors: "))
		}
	}
	return wrong
}

// listenable reports whether a text is a port with an optional address of this machine. Names are not resolved.
func listenable(address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil || strings.ContainsAny(host, "/@ ") {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}
