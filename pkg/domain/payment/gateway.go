package payment

import (
	"context"
	"errors"
	"time"

	"shop.internal/pkg/domain/platform/money"
)

// Gateway is a payment platform. Every call has the deadline of its context and may be repeated: our numbers make a
// repetition harmless.
type Gateway interface {
	// Channel is the name under which payments of this platform are stored.
	Channel() string
	// NeedsOpenID says whether the payer must have an identity of the app platform.
	NeedsOpenID() bool
	// Prepay announces a payment and returns the platform's number for it. It fails with ErrRefused where the platform
	// says no.
	Prepay(ctx context.Context, a PrepayRequest) (prepayID string, err error)
	// H5 announces a payment that a browser makes and returns the address to send it to, never an empty one. It fails as
	// Prepay does.
	H5(ctx context.Context, a PrepayRequest) (address string, err error)
	// Sign returns what a client needs to start the payment.
	Sign(ctx context.Context, prepayID string, now time.Time) (PrepayParams, error)
	// Close makes a payment that nobody has made impossible.
	Close(ctx context.Context, outTradeNo string) error
	// Query asks what became of a payment, as a notice would tell. It fails with ErrUnpaid where nobody has made it.
	Query(ctx context.Context, outTradeNo string) (Notification, error)
	// Refund sends money back and returns the platform's number. It fails with ErrRefused where the platform says no;
	// after any other error nobody knows, and the same number must be tried again.
	Refund(ctx context.Context, a RefundRequest) (refundID string, err error)
	// RefundStatus asks what became of a refund and returns the platform's number where it has taken it. It fails with
	// ErrRefused where the platform has not, or has given it up.
	RefundStatus(ctx context.Context, outRefundNo string) (refundID string, err error)
	// Read checks the signature of a notice over the exact bytes and opens it. It fails with ErrSignature for a notice
	// that is not the platform's, and with ErrRefused for one that is but makes no sense to us.
	Read(ctx context.Context, header func(name string) string, body []byte, now time.Time) (Notification, error)
}

// ErrRefused says that the platform has decided: it was asked and said no.
var ErrRefused = errors.New("the payment platform refused")

// ErrUnpaid says that nobody has made a payment, or that it can no longer be made.
var ErrUnpaid = errors.New("nobody has made the payment")

// ErrSignature says that a notice is not signed by the platform.
var ErrSignature = errors.New("the notice is not signed by the payment platform")

// ErrUnavailable says that this shop takes no payments.
var ErrUnavailable = errors.New("no payment platform is configured")

// PrepayRequest is a payment to be announced.
type PrepayRequest struct {
	OutTradeNo, Description, OpenID, Address string
	TradeType                                string
	Amount                                   money.Amount
	Expire                                   time.Time
}

// PrepayParams is what a client hands to the platform.
type PrepayParams struct {
	AppID, TimeStamp, NonceStr, Package, SignType, PaySign string
}

// RefundRequest is money to be sent back. OutRefundNo is ours and stays the same on every repetition.
type RefundRequest struct {
	OutRefundNo, TransactionID, OutTradeNo, Reason string
	Total, Amount                                  money.Amount
}

// Notification is what a platform tells by itself.
type Notification struct {
	// ID is the platform's number of the notice.
	ID string
	// Refund tells a notice about a refund from one about a payment.
	Refund bool
	// OutRefundNo, RefundID and RefundFailed belong to a notice about a refund.
	OutRefundNo, RefundID string
	RefundFailed          bool
	OutTradeNo            string
	TransactionID         string
	Amount                money.Amount
	Currency              string
	Time                  time.Time
}

// None is the gateway of a shop without payments.
type None struct{}

// Channel is never stored.
func (None) Channel() string { return "none" }

// NeedsOpenID is false: the refusal comes first.
func (None) NeedsOpenID() bool { return false }

// Prepay refuses.
func (None) Prepay(context.Context, PrepayRequest) (string, error) { return "", ErrUnavailable }

// H5 refuses.
func (None) H5(context.Context, PrepayRequest) (string, error) { return "", ErrUnavailable }

// Query knows of no payment.
func (None) Query(context.Context, string) (Notification, error) { return Notification{}, ErrUnpaid }

// RefundStatus knows of no refund, and of no refusal.
func (None) RefundStatus(context.Context, string) (string, error) { return "", ErrUnavailable }

// Sign refuses.
func (None) Sign(context.Context, string, time.Time) (PrepayParams, error) {
	return PrepayParams{}, ErrUnavailable
}

// Close has nothing to close.
func (None) Close(context.Context, string) error { return nil }

// Refund refuses.
func (None) Refund(context.Context, RefundRequest) (string, error) { return "", ErrUnavailable }

// Read believes nobody.
func (None) Read(context.Context, func(string) string, []byte, time.Time) (Notification, error) {
	return Notification{}, ErrSignature
}
