// Package stripe is the gateway to Stripe: shoppers pay on its page, Checkout.
package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/platform"
)

type gateway struct {
	calls stripe.Backend
	// key is the secret key of the account, secret that of the webhook.
	key, secret string
	// test says that the key moves no money.
	test bool
	// home is the shop's public address.
	home string
	now  func() time.Time
}

// ourNumber is the name under which the platform keeps our number of a payment or a refund.
const ourNumber = "out_no"

// A session lives for half an hour to a day, by the platform's rules. It ends with its payment, which the shop then
// closes; slack is how much later it would end by itself, so that even one that begins at the last moment is long
// enough.
const (
	slack   = 31 * time.Minute
	longest = 23 * time.Hour
)

// The states of a session and of its payment.
const (
	open    = "open"
	expired = "expired"
	paid    = "paid"
)

// session is a page for one payment.
type session struct {
	object
	URL           string `json:"url"`
	Status        string `json:"status"`
	PaymentStatus string `json:"payment_status"`
	AmountTotal   int64  `json:"amount_total"`
	Currency      string `json:"currency"`
	Intent        intent `json:"payment_intent"`
	Livemode      bool   `json:"livemode"`
}

// intent is a payment at the platform, its id alone where the platform was not asked for more.
type intent struct {
	object
	AmountReceived int64  `json:"amount_received"`
	Currency       string `json:"currency"`
	LatestCharge   struct {
		Created int64 `json:"created"`
	} `json:"latest_charge"`
}

// UnmarshalJSON decodes the id or the object.
func (i *intent) UnmarshalJSON(text []byte) error {
	if strings.HasPrefix(string(text), `"`) {
		return json.Unmarshal(text, &i.ID)
	}
	type plain intent
	return json.Unmarshal(text, (*plain)(i))
}

// Start implements payment.Gateway. The number is that of the session, whose address the platform returns at any time.
func (g *gateway) Start(ctx context.Context, a payment.StartRequest) (string, payment.Answer, error) {
	var s session
	var answer payment.Answer
	var err error
	if a.Number != "" {
		err = g.get(ctx, sessions(a.Number), reading{}, &s)
	} else {
		answer.Expire, err = g.create(ctx, a, &s)
	}
	if err != nil {
		return "", answer, err
	}
	if answer.Address = s.URL; s.Status != open { // it was paid a moment ago, or the money is on its way
		answer.Address = g.back(a.Back)
	}
	switch {
	case s.ID == "" || len(s.ID) > 128:
		err = errors.New("the platform gives no number for the payment")
	case !platform.IsAddress(answer.Address):
		err = errors.New("the platform gives no address for the payment")
	case s.Status == expired:
		err = errors.New("the platform has ended the payment")
	}
	return s.ID, answer, err
}

// create creates a session. It returns when it ends if that is before the payment does.
func (g *gateway) create(ctx context.Context, a payment.StartRequest, s *session) (ends time.Time, err error) {
	units, err := unitsOf(a.Amount, a.Currency)
	if err != nil {
		return ends, err
	}
	number := map[string]string{ourNumber: a.OutTradeNo}
	p := &stripe.CheckoutSessionCreateParams{
		Mode: stripe.String("payment"), ClientReferenceID: &a.OutTradeNo, Metadata: number,
		PaymentIntentData: &stripe.CheckoutSessionCreatePaymentIntentDataParams{
			Description: &a.Description, Metadata: number,
		},
		LineItems: []*stripe.CheckoutSessionCreateLineItemParams{{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionCreateLineItemPriceDataParams{
				Currency: stripe.String(strings.ToLower(string(a.Currency))), UnitAmount: &units,
				ProductData: &stripe.CheckoutSessionCreateLineItemPriceDataProductDataParams{
					Name: stripe.String(form.Truncate(a.Description, 127)),
				},
			},
		}},
		SuccessURL: stripe.String(g.back(a.Back)), CancelURL: stripe.String(g.back(a.Back)),
	}
	// The same for every request of one payment, since the platform refuses a repetition that differs.
	if until := a.Expire.Add(slack); until.Sub(a.Now) < longest {
		p.ExpiresAt = stripe.Int64(until.Unix())
	} else {
		ends = a.Now.Add(longest)
	}
	p.Context, p.IdempotencyKey = ctx, stripe.String("pay-"+a.OutTradeNo)
	return ends, g.call(http.MethodPost, "/v1/checkout/sessions", p, s)
}

// back returns where the platform leads the browser.
func (g *gateway) back(to string) string {
	if to == "" {
		return g.home
	}
	return to
}

func sessions(id string) string { return stripe.FormatURLPath("/v1/checkout/sessions/%s", id) }

// Close implements payment.Gateway. A payment without a number has no page that anybody knows.
func (g *gateway) Close(ctx context.Context, p payment.Ref) error {
	if p.Number == "" {
		return nil
	}
	var s session
	a := &stripe.CheckoutSessionExpireParams{}
	a.Context = ctx
	refusal := g.call(http.MethodPost, sessions(p.Number)+"/expire", a, &s)
	switch {
	case errors.Is(refusal, errNotThere):
		return nil
	case !errors.Is(refusal, payment.ErrRefused):
		return refusal
	}
	// It is paid or has ended already.
	if err := g.get(ctx, sessions(p.Number), reading{}, &s); err != nil {
		return err
	}
	if s.Status == expired {
		return nil
	}
	return refusal
}

// Query implements payment.Gateway. A payment whose number was lost is searched for by ours, which the platform knows a
// minute after it was paid.
func (g *gateway) Query(ctx context.Context, p payment.Ref) (payment.Notification, error) {
	if p.Number == "" {
		return g.find(ctx, p.OutTradeNo)
	}
	var s session
	whole := reading{Expand: stripe.StringSlice([]string{"payment_intent.latest_charge"})}
	err := g.get(ctx, sessions(p.Number), whole, &s)
	switch {
	case errors.Is(err, errNotThere):
		return payment.Notification{}, fmt.Errorf("%w: %w", payment.ErrUnpaid, err)
	case err != nil:
		return payment.Notification{}, err
	case s.Metadata[ourNumber] != p.OutTradeNo:
		return payment.Notification{}, errors.New("the answer is about another payment")
	case s.PaymentStatus != paid:
		return payment.Notification{}, fmt.Errorf("%w: %.20s, %.20s", payment.ErrUnpaid, s.Status, s.PaymentStatus)
	}
	n := payment.Notification{ID: "query-" + s.Intent.ID, Time: g.timeOf(s.Intent)}
	return n, s.into(&n)
}

// find searches for a payment by our number.
func (g *gateway) find(ctx context.Context, outTradeNo string) (n payment.Notification, err error) {
	var found struct {
		object
		Data []intent `json:"data"`
	}
	err = g.get(ctx, "/v1/payment_intents/search", reading{
		Query:  stripe.String(fmt.Sprintf("status:'succeeded' AND metadata['%s']:'%s'", ourNumber, outTradeNo)),
		Expand: stripe.StringSlice([]string{"data.latest_charge"}),
	}, &found)
	if err != nil {
		return n, err
	}
	for _, i := range found.Data {
		if i.Metadata[ourNumber] != outTradeNo {
			continue
		}
		n = payment.Notification{ID: "query-" + i.ID, Time: g.timeOf(i)}
		s := session{object: i.object, AmountTotal: i.AmountReceived, Currency: i.Currency, Intent: i}
		return n, s.into(&n)
	}
	return n, fmt.Errorf("%w: the platform finds none", payment.ErrUnpaid)
}

// timeOf returns when a payment was made.
func (g *gateway) timeOf(i intent) time.Time {
	if i.LatestCharge.Created == 0 {
		return g.now()
	}
	return time.Unix(i.LatestCharge.Created, 0)
}

// into fills a notification from a paid session.
func (s session) into(n *payment.Notification) (err error) {
	n.OutTradeNo, n.TransactionID = s.Metadata[ourNumber], s.Intent.ID
	if n.Amount, n.Currency, err = amountOf(s.AmountTotal, s.Currency); err != nil {
		return err
	}
	if n.TransactionID == "" || len(n.TransactionID) > 63 || len(n.OutTradeNo) > 64 {
		return fmt.Errorf("%w: numbers of the payment", payment.ErrRefused)
	}
	return nil
}
