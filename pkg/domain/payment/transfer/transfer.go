// Package transfer collects money by bank transfer or in the shop: shoppers are shown where to pay and what to state,
// and staff record the money.
package transfer

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment"
)

// Section is the section payment.transfer of the configuration.
type Section struct {
	// Account is what shoppers read about where to pay; \n begins a new line.
	Account string `key:"account" validate:"max=1023"`
	// Wait is how long after it was placed an order waits for the money.
	Wait time.Duration `key:"wait" validate:"min=1h,max=2160h" default:"72h"`
}

// Info implements payment.Provider.
func (s *Section) Info() payment.Info {
	return payment.Info{
		Code: "transfer", Name: text.Of("银行转账或到店付款", "Bank transfer or in the shop"),
		RefundName: text.RefundByHand,
		Methods:    []payment.Method{{Kind: payment.KindOffline, TradeType: "TRANSFER", Wait: s.Wait}},
	}
}

// Configured implements payment.Provider.
func (s *Section) Configured() bool { return s.Account != "" }

// Mistakes implements payment.Provider.
func (s *Section) Mistakes() []string {
	if strings.TrimSpace(s.Account) == "" {
		return []string{"payment.transfer.account: is missing: where shoppers pay"}
	}
	return nil
}

// Open implements payment.Provider.
func (s *Section) Open(payment.Env) (payment.Gateway, error) {
	return gateway{account: strings.ReplaceAll(s.Account, `\n`, "\n")}, nil
}

// gateway shows the account.
type gateway struct {
	payment.ByHand
	account string
}

// Start implements payment.Gateway. Shoppers state our number of the payment.
func (g gateway) Start(_ context.Context, a payment.StartRequest) (string, payment.Answer, error) {
	return a.OutTradeNo, payment.Answer{Account: g.account, Reference: a.OutTradeNo}, nil
}
