package op

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	wording "shop.internal/pkg/base/text"
)

// Call identifies one request. It travels in the context, since logs and limits of every layer need it; no rule of the
// shop depends on it.
type Call struct {
	// ID names the request in logs and in the answer's X-Request-Id.
	ID string
	// Address is the client's address: the TCP peer, or the one given by a trusted proxy.
	Address string
	// Who is the caller for the log, such as "shopper 7"; empty for a guest.
	Who string
	// Language is the language of the catalogue that the caller wants texts in, "" for that of the deployment.
	Language string
}

// LanguageHeader is the header by which a page says in which language it wants texts: zh, en, or as HTML names them.
// Without it every text is in the language of the deployment.
const LanguageHeader = "X-Shop-Language"

// language returns the language of the catalogue that a request asks for, "" for none or one that there is not.
func language(r *http.Request) string {
	wanted, _, _ := strings.Cut(strings.ToLower(r.Header.Get(LanguageHeader)), "-")
	if slices.Contains(wording.Languages(), wanted) {
		return wanted
	}
	return ""
}

type callKey struct{}

// CallOf returns the call of a context, an empty one outside a request.
func CallOf(ctx context.Context) Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return *c
	}
	return Call{}
}

// LanguageOf returns the language that the caller of a context wants texts in, otherwise if the caller asks for none.
func LanguageOf(ctx context.Context, otherwise string) string {
	return cmp.Or(CallOf(ctx).Language, otherwise)
}

// Result describes an answered request.
type Result struct {
	Call
	// Method and Path are the declared ones; Path is "unknown" for an undeclared one.
	Method, Path string
	// Status is the HTTP status and Errno the envelope's number.
	Status, Errno int
	// Trace is the id of the trace that the request is recorded in, "" for none.
	Trace string
	// Err is the error with its whole chain, nil for success. It is for the log only.
	Err error
	// At is the time of the answer, Took the duration since its first check.
	At   time.Time
	Took time.Duration
}
