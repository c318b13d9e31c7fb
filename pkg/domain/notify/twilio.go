package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	twilio "github.com/twilio/twilio-go/client"
	api "github.com/twilio/twilio-go/rest/api/v2010"
)

// TwilioOptions is an account at Twilio.
type TwilioOptions struct {
	// BaseURL is the service's address.
	BaseURL string
	// AccountSID names the account, AuthToken is its secret.
	AccountSID, AuthToken string
	// From is the sending number with its country code, or the SID of a messaging service (MG...).
	From string
	// Prefix precedes mobile numbers without a country code, such as +86.
	Prefix string
}

// Twilio sends text messages by Twilio.
type Twilio struct {
	base *url.URL
	o    TwilioOptions
}

var (
	twilioToken  = regexp.MustCompile(`^[a-zA-Z0-9]+$`)
	twilioSender = regexp.MustCompile(`^(\+[1-9][0-9]{3,14}|MG[0-9a-f]{32})$`)
	twilioPrefix = regexp.MustCompile(`^\+([1-9][0-9]{0,3})?$`)
)

// NewTwilio returns the sender. Its errors name the missing or malformed key.
func NewTwilio(o TwilioOptions) (*Twilio, error) {
	base, err := address(o.BaseURL)
	switch {
	case err != nil:
		return nil, fmt.Errorf("base-url: %w", err)
	case !twilioToken.MatchString(o.AccountSID):
		return nil, errors.New("account-sid: is missing, or not of letters and digits")
	case !twilioToken.MatchString(o.AuthToken):
		return nil, errors.New("auth-token: is missing, or not of letters and digits")
	case !twilioSender.MatchString(o.From):
		return nil, errors.New("from: is neither a number such as +15005550006 nor the SID of a messaging service")
	case !twilioPrefix.MatchString(o.Prefix):
		return nil, errors.New("prefix: is no country code such as +86, nor + alone")
	}
	return &Twilio{base, o}, nil
}

// Sends is true for text messages.
func (t *Twilio) Sends(k Kind) bool { return k == ByPhone }

// Mail fails with ErrUnsupported.
func (t *Twilio) Mail(context.Context, Mail) error { return ErrUnsupported }

// SMS sends a message.
func (t *Twilio) SMS(ctx context.Context, m SMS) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	hc := newHTTP()
	hc.Transport = twilioCall{ctx, t.base}
	client := &twilio.Client{Credentials: twilio.NewCredentials(t.o.AccountSID, t.o.AuthToken), HTTPClient: hc}
	client.SetAccountSid(t.o.AccountSID)
	to := m.Mobile
	if !strings.HasPrefix(to, "+") {
		to = t.o.Prefix + to
	}
	params := new(api.CreateMessageParams).SetTo(to).SetBody(m.Text)
	if t.o.From[0] == '+' {
		params.SetFrom(t.o.From)
	} else {
		params.SetMessagingServiceSid(t.o.From)
	}
	answer, err := api.NewApiServiceWithClient(client).CreateMessage(params)
	refused, isRefused := errors.AsType[*twilio.TwilioRestError](err)
	_, isCall := errors.AsType[*url.Error](err)
	switch {
	case isRefused: // its text may contain the number
		return fmt.Errorf("send by Twilio: HTTP status %d, code %d", refused.Status, refused.Code)
	case isCall || endOf(err) != nil:
		return fmt.Errorf("send by Twilio: %w", discreet(err))
	case err != nil || answer.Sid == nil || *answer.Sid == "":
		return errors.New("send by Twilio: the answer is not the JSON expected")
	}
	return nil
}

// twilioCall sends one call of the library to the configured address, cancels it with its context, and bounds what is
// read of the answer, none of which the library does.
type twilioCall struct {
	ctx  context.Context // for the duration of the call
	base *url.URL
}

// RoundTrip implements http.RoundTripper.
func (c twilioCall) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(c.ctx)
	r.URL.Scheme, r.URL.Host, r.Host = c.base.Scheme, c.base.Host, c.base.Host
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	}
	return answer, err
}
