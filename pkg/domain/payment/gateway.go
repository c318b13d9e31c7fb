package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
)

// Gateway is an open payment provider. Every call respects the deadline of its context and may be repeated: our numbers
// make calls idempotent.
type Gateway interface {
	// Start creates a payment, unless it has a number already, and returns its number and what the client needs to make
	// it. The number is the platform's, or ours where the platform gives none, at most 128 bytes and never empty. It fails
	// with ErrRefused if the platform refuses.
	Start(ctx context.Context, a StartRequest) (number string, answer Answer, err error)
	// Close closes an unpaid payment. It fails with ErrRefused if the payment was made.
	Close(ctx context.Context, p Ref) error
	// Query asks for the state of a payment, as a notification would report it. It fails with ErrUnpaid for an unpaid one.
	Query(ctx context.Context, p Ref) (Notification, error)
	// Refund refunds money and returns the platform's number. It fails with ErrRefused if the platform refuses; after any
	// other error the outcome is unknown and the same number must be tried again.
	Refund(ctx context.Context, a RefundRequest) (refundID string, err error)
	// RefundStatus asks for the state of a refund and returns the platform's number if it was accepted. It fails with
	// ErrRefused if it was not, or has failed.
	RefundStatus(ctx context.Context, a RefundRequest) (refundID string, err error)
	// Read verifies the signature of a notification over the exact bytes and decrypts it. It fails with ErrSignature for a
	// wrong signature, with ErrNoNews for an authentic notification on which the shop does nothing, and with ErrRefused
	// for one that is not usable.
	Read(ctx context.Context, header func(name string) string, body []byte, now time.Time) (Notification, error)
}

// ErrRefused says that the platform has refused a request; the answer is final.
var ErrRefused = errors.New("the payment platform refused")

// ErrUnpaid says that a payment is unpaid, or can no longer be paid.
var ErrUnpaid = errors.New("the payment is unpaid")

// ErrSignature says that a notification is not signed by the platform.
var ErrSignature = errors.New("the notification is not signed by the payment platform")

// ByHand is the part of a gateway that moves no money: staff record what arrives, and refund it, by hand.
type ByHand struct{}

// Close implements Gateway.
func (ByHand) Close(context.Context, Ref) error { return nil }

// Query implements Gateway. Staff know of the money before the shop does.
func (ByHand) Query(context.Context, Ref) (Notification, error) { return Notification{}, ErrUnpaid }

// Refund implements Gateway.
func (ByHand) Refund(context.Context, RefundRequest) (string, error) { return "", errByHand }

// RefundStatus implements Gateway.
func (ByHand) RefundStatus(context.Context, RefundRequest) (string, error) { return "", errByHand }

// Read implements Gateway.
func (ByHand) Read(context.Context, func(string) string, []byte, time.Time) (Notification, error) {
	return Notification{}, ErrSignature
}

var errByHand = fmt.Errorf("the money is returned by hand: %w", ErrRefused)

// ErrNoNews says that an authentic notification reports nothing on which the shop acts, such as that the payer has
// opened the platform's page.
var ErrNoNews = errors.New("the notification is about no payment and no refund")

// Ref names a payment: by our number, and by that which the platform gave it, empty if none is known.
type Ref struct{ OutTradeNo, Number string }

// PrepayRequest is a payment to create.
type PrepayRequest struct {
	OutTradeNo, Description, OpenID, Address string
	TradeType                                string
	Amount                                   money.Amount
	Currency                                 money.Currency
	Expire                                   time.Time
	// Back is the address to which the platform's page sends the browser at the end, empty for none.
	Back string
}

// StartRequest is a payment to make. Number is its number at the platform, empty for one to create.
type StartRequest struct {
	PrepayRequest
	Kind   Kind
	Number string
	Now    time.Time
}

// Answer is what a client needs to make a payment. Which members are set follows from the kind.
type Answer struct {
	Channel Info
	Kind    Kind
	// Params are for KindApp.
	Params PrepayParams
	// Address is for KindPage and KindRedirect.
	Address string
	// Code is the content of the picture for KindQR.
	Code string
	// Account says where to pay, and Reference what to state, for KindOffline.
	Account, Reference string
	// Expire is until when it can be paid. Gateways set it where the number is good for a shorter time than was asked for;
	// afterwards a payment with another number begins.
	Expire time.Time
}

// PrepayParams is what a client passes to the platform.
type PrepayParams struct {
	AppID, TimeStamp, NonceStr, Package, SignType, PaySign string
}

// RefundRequest is a refund to make. OutRefundNo is our number and stays the same when repeated.
type RefundRequest struct {
	OutRefundNo, TransactionID, OutTradeNo, Reason string
	Total, Amount                                  money.Amount
	Currency                                       money.Currency
}

// Notification is the content of a payment notification, the webhook of a platform.
type Notification struct {
	// Channel is the code of the channel that reports it; gateways leave it empty.
	Channel string
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
	// Sum says that Amount is what was refunded of the payment so far, this refund included.
	Sum      bool
	Currency money.Currency
	Time     time.Time
}
