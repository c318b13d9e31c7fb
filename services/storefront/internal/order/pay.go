package order

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
)

// Ticket is what a client passes to the payment platform.
type Ticket struct {
	AppID        string `json:"appId"`
	TimeStamp    string `json:"timeStamp"`
	NonceStr     string `json:"nonceStr"`
	PackageValue string `json:"packageValue"`
	SignType     string `json:"signType"`
	PaySign      string `json:"paySign"`
}

func (h handlers) prepay(ctx context.Context, r Ref) (Ticket, error) {
	t, err := h.Orders.Prepay(ctx, auth.ID(ctx), r.OrderID, op.CallOf(ctx).Address)
	return Ticket{
		AppID: t.AppID, TimeStamp: t.TimeStamp, NonceStr: t.NonceStr, PackageValue: t.Package, SignType: t.SignType,
		PaySign: t.PaySign,
	}, err
}

// Redirect is the address at which a browser pays.
type Redirect struct {
	Address wire.Link `json:"mwebUrl"`
}

func (h handlers) h5pay(ctx context.Context, r Ref) (Redirect, error) {
	to, err := h.Orders.PrepayH5(ctx, auth.ID(ctx), r.OrderID, op.CallOf(ctx).Address)
	return Redirect{wire.Link(to)}, err
}

// notificationLimit is the maximum size of a notification.
const notificationLimit = 64 << 10

func (h handlers) payNotify() op.Op {
	return op.Raw{
		Method: http.MethodPost, Path: "/wx/order/pay-notify", Title: "Take a notice of the payment platform",
		Access: op.Public,
		Statuses: map[int]string{
			http.StatusNoContent:             "The notice is taken.",
			http.StatusBadRequest:            "The notice is not accepted: nobody the shop knows has signed it.",
			http.StatusRequestEntityTooLarge: "The notice is too large.",
			http.StatusInternalServerError:   "The notice could not be stored; it is to be sent again.",
		},
		Budget: 16,
		Serve:  h.handleNotification,
	}
}

// handleNotification answers as the platform expects: no content if the notification is accepted, else a code and a
// message, after which the platform repeats it.
func (h handlers) handleNotification(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, notificationLimit))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "the notice is too large")
		return nil
	}
	err = h.Orders.HandleNotification(r.Context(), r.Header.Get, body)
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.Is(err, order.ErrNotTaken):
		refuse(w, http.StatusBadRequest, "the notice is not accepted")
		return fmt.Errorf("%w: %w", errno.Invalid, err)
	default:
		refuse(w, http.StatusInternalServerError, "try again later")
		return err
	}
	return nil
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
