package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/text"
)

// The platform's words for the ways of paying.
const (
	inApp     = "JSAPI"
	inBrowser = "MWEB"
)

// PrepayH5 announces the payment of the shopper's unpaid order and returns the address at which a browser pays it. It
// fails as Prepay does, but asks for no identity at the platform.
func (s *Service) PrepayH5(ctx context.Context, shopper, id int64, address string) (string, error) {
	o, err := s.mine(ctx, s.DB, shopper, id)
	if err != nil {
		return "", err
	}
	if _, ok := o.Status.Next(Pay); !ok {
		return "", refusal(Shopper(shopper), o.Status, fmt.Errorf("pay order %d in %d", id, o.Status))
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return "", err
	}
	p, err := s.beginPayment(ctx, shopper, id, inBrowser)
	if err != nil {
		return "", err
	}
	to, err := s.Payments.AnnounceH5(ctx, p, payment.PrepayRequest{
		Description: text.PaymentFor.In(s.Language, o.SN), Address: address, Expire: o.AddTime.Add(v.UnpaidFor),
	})
	if err != nil {
		return "", s.whyNotAnnounced(ctx, shopper, id, err)
	}
	return to, nil
}

// refundNotice applies a notice about a refund. A refusal is set in why and committed, as for payments.
func (s *Service) refundNotice(
	ctx context.Context, tx *db.Tx, n payment.Notification, why *error,
) (payment.Result, error) {
	verdict, alarm, err := s.Payments.HandleRefundNotification(ctx, tx, n)
	if err != nil {
		return verdict, err
	}
	if verdict == payment.NoticeRefused {
		*why = fmt.Errorf("%w: %s", ErrNotTaken, alarm.In(text.English))
	}
	if alarm.Entry == nil {
		return verdict, nil
	}
	return verdict, s.alarm(ctx, tx, n.ID, Order{}, alarm)
}

// found deals with money that the platform tells of when it is asked, as with a notice that has come.
func (s *Service) found(ctx context.Context, n payment.Notification) error {
	var why error
	err := s.DB.InTx(ctx, func(tx *db.Tx) error {
		why = nil
		_, err := s.notice(ctx, tx, n, &why)
		return err
	})
	if err != nil {
		return err
	}
	return why
}
