package payment

import (
	"context"
	"errors"
	"time"

	"shop.internal/pkg/domain/platform/money"
)

// Gateway is a payment platform. Every call respects the deadline of its context and may be repeated: our numbers make
// calls idempotent.
type Gateway interface {
	// Channel is the name under which payments of this platform are stored.
	Channel() string
	// NeedsOpenID reports whether the payer must have an identity at the app platform.
	NeedsOpenID() bool
	// Prepay creates a payment and returns the platform's number for it. It fails with ErrRefused if the platform refuses.
	Prepay(ctx context.Context, a PrepayRequest) (prepayID string, err error)
	// H5 creates a payment in a browser and returns the address to open, never an empty one. It fails as Prepay does.
	H5(ctx context.Context, a PrepayRequest) (address string, err error)
	// Sign returns what a client needs to start the payment.
	Sign(ctx context.Context, prepayID string, now time.Time) (PrepayParams, error)
	// Close closes an unpaid payment.
	Close(ctx context.Context, outTradeNo string) error
	// Query asks for the state of a payment, as a notification would report it. It fails with ErrUnpaid for an unpaid one.
	Query(ctx context.Context, outTradeNo string) (Notification, error)
	// Refund refunds money and returns the platform's number. It fails with ErrRefused if the platform refuses; after any
	// other error the outcome is unknown and the same number must be tried again.
	Refund(ctx context.Context, a RefundRequest) (refundID string, err error)
	// RefundStatus asks for the state of a refund and returns the platform's number if it was accepted. It fails with
	// ErrRefused if it was not, or has failed.
	RefundStatus(ctx context.Context, outRefundNo string) (refundID string, err error)
	// Read verifies the signature of a notification over the exact bytes and decrypts it. It fails with ErrSignature for a
	// wrong signature, and with ErrRefused for an authentic notification that is not usable.
	Read(ctx context.Context, header func(name string) string, body []byte, now time.Time) (Notification, error)
}

// ErrRefused says that the platform has refused a request; the answer is final.
var ErrRefused = errors.New("the payment platform refused")

// ErrUnpaid says that a payment is unpaid, or can no longer be paid.
var ErrUnpaid = errors.New("the payment is unpaid")

// ErrSignature says that a notification is not signed by the platform.
var ErrSignature = errors.New("the notification is not signed by the payment platform")

// ErrUnavailable says that the shop has no payment platform.
var ErrUnavailable = errors.New("no payment platform is configured")

// PrepayRequest is a payment to create.
type PrepayRequest struct {
	OutTradeNo, Description, OpenID, Address string
	TradeType                                string
	Amount                                   money.Amount
	Expire                                   time.Time
}

// PrepayParams is what a client passes to the platform.
type PrepayParams struct {
	AppID, TimeStamp, NonceStr, Package, SignType, PaySign string
}

// RefundRequest is a refund to make. OutRefundNo is our number and stays the same when repeated.
type RefundRequest struct {
	OutRefundNo, TransactionID, OutTradeNo, Reason string
	Total, Amount                                  money.Amount
}

// Notification is the content of a payment notification, the webhook of a platform.
type Notification struct {
	// ID is the platform's id of the notification.
	ID string
	// Refund is set for a notification about a refund rather than a payment.
	Refund bool
	// OutRefundNo, RefundID and RefundFailed are set for a refund.
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

// NeedsOpenID is false, so that Prepay is what refuses.
func (None) NeedsOpenID() bool { return false }

// Prepay refuses.
func (None) Prepay(context.Context, PrepayRequest) (string, error) { return "", ErrUnavailable }

// H5 refuses.
func (None) H5(context.Context, PrepayRequest) (string, error) { return "", ErrUnavailable }

// Query finds no payment.
func (None) Query(context.Context, string) (Notification, error) { return Notification{}, ErrUnpaid }

// RefundStatus fails with ErrUnavailable, which is no refusal.
func (None) RefundStatus(context.Context, string) (string, error) { return "", ErrUnavailable }

// Sign refuses.
func (None) Sign(context.Context, string, time.Time) (PrepayParams, error) {
	return PrepayParams{}, ErrUnavailable
}

// Close does nothing.
func (None) Close(context.Context, string) error { return nil }

// Refund refuses.
func (None) Refund(context.Context, RefundRequest) (string, error) { return "", ErrUnavailable }

// Read rejects every notification.
func (None) Read(context.Context, func(string) string, []byte, time.Time) (Notification, error) {
	return Notification{}, ErrSignature
}
