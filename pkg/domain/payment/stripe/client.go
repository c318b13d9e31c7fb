package stripe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	stripe "github.com/stripe/stripe-go/v85"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/platform"
)

// answerLimit bounds the size of an answer in bytes.
const answerLimit = 1 << 20

// client returns a client that calls once, logs nothing and reports nothing about the shop.
func client(base string) stripe.Backend {
	over := platform.NewClient()
	over.Transport = bounded{}
	return stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: stripe.String(base), MaxNetworkRetries: stripe.Int64(0), EnableTelemetry: stripe.Bool(false),
		LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, HTTPClient: over,
	})
}

// bounded cuts off answers that are too long.
type bounded struct{}

// RoundTrip implements http.RoundTripper.
func (bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, answerLimit), res.Body}
	}
	return res, err
}

// object is what every answer has.
type object struct {
	stripe.APIResource
	ID       string            `json:"id"`
	Metadata map[string]string `json:"metadata"`
}

// reading are the parameters of a request that changes nothing.
type reading struct {
	stripe.Params `form:"*"`
	Expand        []*string `form:"expand"`
	PaymentIntent *string   `form:"payment_intent"`
	Query         *string   `form:"query"`
	Limit         *int64    `form:"limit"`
}

// get reads into answer. It fails as call does.
func (g *gateway) get(ctx context.Context, path string, a reading, answer stripe.LastResponseSetter) error {
	a.Context = ctx
	return g.call(http.MethodGet, path, &a, answer)
}

// call makes a call. It fails with payment.ErrRefused if the platform refuses; after any other error the outcome is
// unknown. Errors contain neither the key nor an address.
func (g *gateway) call(method, path string, a stripe.ParamsContainer, answer stripe.LastResponseSetter) error {
	err := g.calls.Call(method, path, g.key, a, answer)
	var answered *stripe.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered):
		return refusalOf(answered)
	}
	return fmt.Errorf("call the platform: %w", platform.WithoutAddress(err))
}

// errNotThere says that the platform does not know what it was asked for. This is final, so it is a payment.ErrRefused
// too.
var errNotThere = fmt.Errorf("%w: it knows of nothing", payment.ErrRefused)

// refusalOf distinguishes a refusal from an error of the platform, and from a request that runs twice at once.
func refusalOf(e *stripe.Error) error {
	err := fmt.Errorf("the platform answers %d %.40s %.40s: %.200s", e.HTTPStatusCode, e.Type, e.Code, e.Msg)
	switch {
	case e.HTTPStatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: %w", errNotThere, err)
	case e.HTTPStatusCode/100 != 4, e.HTTPStatusCode == http.StatusTooManyRequests,
		e.HTTPStatusCode == http.StatusConflict, e.HTTPStatusCode == http.StatusRequestTimeout:
		return err
	}
	return fmt.Errorf("%w: %w", payment.ErrRefused, err)
}
