// Package cod is cash on delivery: the order is shipped before it is paid, and staff record the money that the carrier
// has brought.
package cod

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
)

// Section is the section payment.cod of the configuration.
type Section struct {
	// Greatest is the greatest amount of an order in the shop's currency, empty for no bound.
	Greatest string `key:"greatest"`
	// MaxOwed and MaxRefused bound how much a shopper may owe, and how many parcels may come back; 0 is no bound.
	MaxOwed    int `key:"max-owed" validate:"min=0,max=1000" default:"3"`
	MaxRefused int `key:"max-refused" validate:"min=0,max=1000" default:"2"`
}

// Info implements payment.Provider.
func (s *Section) Info() payment.Info {
	greatest, _ := s.greatest() // Mistakes reports it
	return payment.Info{
		Code: "cod", Name: text.Of("货到付款", "Cash on delivery"), RefundName: text.RefundByHand,
		Methods: []payment.Method{
			{Kind: payment.KindDelivery, TradeType: "COD", MaxOwed: s.MaxOwed, MaxRefused: s.MaxRefused},
		},
		Least: 1, Greatest: greatest,
	}
}

func (s *Section) greatest() (money.Amount, error) {
	if s.Greatest == "" {
		return 0, nil
	}
	return money.Parse(s.Greatest)
}

// Configured implements payment.Provider. Every shop knows it, so that what is owed keeps its name when it is no longer
// offered.
func (s *Section) Configured() bool { return true }

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() []string {
	if most, err := s.greatest(); err != nil || most < 0 || s.Greatest != "" && most == 0 {
		return []string{"payment.cod.greatest: is no amount, such as 500 or 99.50"}
	}
	return nil
}

// Open implements payment.Provider.
func (s *Section) Open(payment.Env) (payment.Gateway, error) { return gateway{}, nil }

type gateway struct{ payment.ByHand }

// Start implements payment.Gateway. No payment begins.
func (gateway) Start(context.Context, payment.StartRequest) (string, payment.Answer, error) {
	return "", payment.Answer{}, payment.ErrRefused
}
