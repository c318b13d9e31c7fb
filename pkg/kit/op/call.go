package op

import (
	"context"
	"time"
)

// Call is what the edge knows of one request. It travels in the context, since every layer's log and every guard by
// address needs it; nothing that decides a rule of the shop is in it.
type Call struct {
	// ID names the request in logs and in the answer's X-Request-Id.
	ID string
	// Address is the client's address: the TCP peer, or what a trusted proxy says.
	Address string
	// Who is the caller for the log, such as "shopper 7"; empty for a guest.
	Who string
}

type callKey struct{}

// CallOf returns the call of a context, an empty one outside a request.
func CallOf(ctx context.Context) Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return *c
	}
	return Call{}
}

// Result is what is known of a request when it has been answered.
type Result struct {
	Call
	// Method and Path are the declared ones; Path is "unknown" where nothing is declared.
	Method, Path string
	// Status is the HTTP status and Errno the envelope's number.
	Status, Errno int
	// Err is the error with its whole chain, nil for success. It is for the log only.
	Err error
	// At is when it was answered, Took the time since its first check.
	At   time.Time
	Took time.Duration
}
