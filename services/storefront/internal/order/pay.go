package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
)

// Payment is the request of /wx/order/prepay.
type Payment struct {
	Ref
	Channel string       `json:"channel" label:"payChannel" check:"maxLength=16" doc:"The first that fits if not given."`
	Kind    payment.Kind `json:"kind" check:"enum=app|page|redirect|qr|offline|delivery" doc:"The first if not given."`
}

// BrowserPayment is the request of /wx/order/h5pay. What is no address of the shop is ignored.
type BrowserPayment struct {
	Payment
	Back string `json:"returnUrl" check:"maxLength=255,link" doc:"Where the browser returns, an address of the shop."`
}

// Ticket is what a client passes to the payment platform. A channel that is not the app's answers the further members,
// and the first six empty.
type Ticket struct {
	AppID        string `json:"appId"`
	TimeStamp    string `json:"timeStamp"`
	NonceStr     string `json:"nonceStr"`
	PackageValue string `json:"packageValue" doc:"What the app hands to the platform."`
	SignType     string `json:"signType"`
	PaySign      string `json:"paySign"`
	// The members of other ways to pay.
	Kind      string    `json:"kind,omitempty" doc:"How to pay: qr, offline or delivery; empty in the app."`
	Channel   string    `json:"channel,omitempty" doc:"The channel's code."`
	Name      string    `json:"name,omitempty" doc:"The channel's name."`
	Code      string    `json:"code,omitempty" doc:"The content of the code to scan."`
	Account   string    `json:"account,omitempty" doc:"Where to pay, in lines."`
	Reference string    `json:"reference,omitempty" doc:"What to state with the payment."`
	PayBefore wire.Time `json:"payBefore,omitzero" doc:"Until when the order waits for the money."`
}

func (h handlers) prepay(ctx context.Context, r Payment) (Ticket, error) {
	a, err := h.Orders.Prepay(ctx, auth.ID(ctx), r.OrderID, op.CallOf(ctx).Address, r.Channel, r.Kind)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{
		AppID: a.Params.AppID, TimeStamp: a.Params.TimeStamp, NonceStr: a.Params.NonceStr, PackageValue: a.Params.Package,
		SignType: a.Params.SignType, PaySign: a.Params.PaySign,
		Kind: "", Channel: "", Name: "", Code: a.Code, Account: a.Account, Reference: a.Reference, PayBefore: wire.Time{},
	}
	if a.Kind != payment.KindApp {
		t.Kind, t.Channel, t.Name = string(a.Kind), a.Channel.Code, a.Channel.Name.In(h.language(ctx))
		t.PayBefore = h.Zone.At(a.Expire) // zero for delivery
	}
	return t, nil
}

// Redirect is the address at which a browser pays.
type Redirect struct {
	Address wire.Link `json:"mwebUrl" doc:"The page of the platform."`
}

func (h handlers) h5pay(ctx context.Context, r BrowserPayment) (Redirect, error) {
	back := h.Back.Absolute(r.Back)
	a, err := h.Orders.PrepayH5(ctx, auth.ID(ctx), r.OrderID, op.CallOf(ctx).Address, back, r.Channel, r.Kind)
	return Redirect{wire.Link(a.Address)}, err
}

// Channel is a way to pay an order.
type Channel struct {
	Code string `json:"code" doc:"What prepay and h5pay take as channel."`
	Name string `json:"name"`
	Kind string `json:"kind" doc:"app, qr, offline and delivery begin with prepay, page and redirect with h5pay."`
	// Current is a mark for pages, which must not end a payment that has begun.
	Current bool `json:"current" doc:"The order waits for a payment that has begun in this way."`
}

func (h handlers) payChannels(ctx context.Context, r Ref) ([]Channel, error) {
	offers, err := h.Orders.PaymentOffers(ctx, auth.ID(ctx), r.OrderID)
	all := make([]Channel, len(offers))
	for i, o := range offers {
		all[i] = Channel{o.Channel.Code, o.Channel.Name.In(h.language(ctx)), string(o.Method.Kind), o.Current}
	}
	return all, err
}

func (h handlers) language(ctx context.Context) string { return op.LanguageOf(ctx, h.Language) }

// notificationLimit is the maximum size of a notification.
const notificationLimit = 64 << 10

// channelName is the name of the last part of the path of a channel's own address.
const channelName = "channel"

// payNotify are the common address for notifications and one of each channel.
func (h handlers) payNotify() []op.Op {
	common := op.Raw{
		Method: http.MethodPost, Path: "/wx/order/pay-notify", Title: "Take a notice of the payment platform",
		Access: op.Public,
		Statuses: map[int]string{
			http.StatusOK:                    "The notice is taken, and the platform reads a text that says so.",
			http.StatusNoContent:             "The notice is taken.",
			http.StatusBadRequest:            "The notice is not accepted: nobody the shop knows has signed it.",
			http.StatusRequestEntityTooLarge: "The notice is too large.",
			http.StatusInternalServerError:   "The notice could not be stored; it is to be sent again.",
		},
		Budget: 18,
		Serve:  h.handleNotification,
	}
	own := common
	own.Path, own.Title = "/wx/order/pay-notify/{"+channelName+"}", "Take a notice of the payment platform of a channel"
	return []op.Op{common, own}
}

// handleNotification answers as the platform expects: that the notification is accepted, or a code and a message, after
// which the platform repeats it.
func (h handlers) handleNotification(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, notificationLimit))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "the notice is too large")
		return nil
	}
	channel := r.PathValue(channelName)
	err = h.Orders.HandleNotification(r.Context(), channel, r.Header.Get, body)
	switch {
	case err == nil:
		h.acknowledge(w, channel)
	case errors.Is(err, order.ErrNotTaken):
		refuse(w, http.StatusBadRequest, "the notice is not accepted")
		return fmt.Errorf("%w: %w", errno.Invalid, err)
	default:
		refuse(w, http.StatusInternalServerError, "try again later")
		return err
	}
	return nil
}

// acknowledge answers that a notification is accepted, as the platform of a channel expects at the channel's address.
func (h handlers) acknowledge(w http.ResponseWriter, channel string) {
	c, _ := h.Orders.Payments.Channels().Of(channel)
	if c.Acknowledgement == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, c.Acknowledgement)
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	body, err := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{"FAIL", message})
	if err == nil {
		_, _ = w.Write(body) // disconnected; the platform will repeat it
	}
}
