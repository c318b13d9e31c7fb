package order

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/share"
)

// Deps are the areas that orders stand on.
type Deps struct {
	DB         *db.DB
	Once       *idempotency.Store
	Settings   *settings.Service
	Accounts   *account.Service
	Addresses  *address.Service
	Cart       *cart.Service
	Stock      *catalog.Stock
	Promotions *promotion.Service
	Payments   *payment.Service
	Outbox     *outbox.Service
	Failures   *job.Failures
	Share      *share.Service
	// Unpaid bounds what a shopper holds back without paying.
	Unpaid UnpaidLimits
	Now    func() time.Time
	// Zone is the shop's own: order numbers begin with its date.
	Zone *time.Location
	// Language is that of what operators and payers read, "zh" or "en".
	Language string
}

// Service makes orders and moves them.
type Service struct {
	Deps
	lists     *lists.Engine
	dropCases Dropping
}

// New returns the orders of a shop and takes over the refunds that are found unfinished and the payments that are
// found made.
func New(p Deps) *Service {
	s := &Service{Deps: p, lists: lists.New(p.DB), dropCases: func(context.Context, *db.Tx, int64) error { return nil }}
	p.Payments.OnRefund(s.finishRefund)
	p.Payments.OnPaid(s.applyFinding, unpaidOrder)
	return s
}

// Dropping deletes what another area keeps of an order, in the transaction that deletes the order, whose row is locked.
type Dropping func(ctx context.Context, tx *db.Tx, order int64) error

// OnDelete names who deletes the after-sale cases of an order along with it.
func (s *Service) OnDelete(drop Dropping) { s.dropCases = drop }

// Channel is a carrier by its code.
type Channel struct{ Code, Name string }

// Channels are the carriers that a shop ships with.
type Channels []Channel

// ParseChannels reads carriers of the form CODE=name; none gives the usual ones.
func ParseChannels(configured []string) Channels {
	if len(configured) == 0 {
		return Channels{
			{"ZTO", "中通快递"},
			{"YTO", "圆通速递"},
			{"YD", "韵达速递"},
			{"YZPY", "邮政快递包裹"},
			{"EMS", "EMS"},
			{"DBL", "德邦快递"},
			{"FAST", "快捷快递"},
			{"ZJS", "宅急送"},
			{"TNT", "TNT快递"},
			{"UPS", "UPS"},
			{"DHL", "DHL"},
			{"FEDEX", "FEDEX联邦(国内件)"},
			{"FEDEX_GJ", "FEDEX联邦(国际件)"},
		}
	}
	channels := make(Channels, len(configured))
	for i, c := range configured {
		channels[i].Code, channels[i].Name, _ = strings.Cut(c, "=")
	}
	return channels
}

// Name is the name of a carrier, or the code itself where it is unknown.
func (c Channels) Name(code string) string {
	for _, known := range c {
		if known.Code == code {
			return known.Name
		}
	}
	return code
}
