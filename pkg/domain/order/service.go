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
	"shop.internal/pkg/domain/platform/cache"
	"shop.internal/pkg/domain/platform/gather"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/share"
)

// Deps are the dependencies of the service.
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
	// Unpaid bounds the stock that a shopper can block with unpaid orders.
	Unpaid UnpaidLimits
	Hot    Hot
	Now    func() time.Time
	// Zone is the shop's time zone; order numbers begin with its date.
	Zone *time.Location
	// Language is the language of texts for operators and payers, "zh" or "en".
	Language string
}

// Service places orders and moves them.
type Service struct {
	Deps
	lists     *lists.Engine
	dropCases Dropping

	// heat knows the hot products, lanes has their queues; items remembers which products items of carts are of.
	heat  *heat
	lanes *gather.Gatherer[*waiting]
	items *cache.Cache[cart.Choice, cart.Item]
}

// New returns the service and registers it for unfinished refunds and for payments found by queries.
func New(p Deps) *Service {
	s := &Service{Deps: p, lists: lists.New(p.DB), dropCases: func(context.Context, *db.Tx, int64) error { return nil }}
	s.openRush()
	p.Payments.OnRefund(s.finishRefund)
	p.Payments.OnPaid(s.applyFinding, unpaidOrder)
	return s
}

// Dropping deletes what another area stores for an order, in the transaction that deletes the order and holds its lock.
type Dropping func(ctx context.Context, tx *db.Tx, order int64) error

// OnDelete registers the function that deletes the after-sale cases of an order.
func (s *Service) OnDelete(drop Dropping) { s.dropCases = drop }

// Channel is a carrier with its code.
type Channel struct{ Code, Name string }

// Channels are the carriers that the shop uses.
type Channels []Channel

// ParseChannels parses carriers of the form CODE=name; without any it returns the defaults.
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

// Name returns the name of a carrier, or the code if it is unknown.
func (c Channels) Name(code string) string {
	for _, known := range c {
		if known.Code == code {
			return known.Name
		}
	}
	return code
}
