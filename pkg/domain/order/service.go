package order

import (
	"context"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/hotkey"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/runtime/ratelimit"
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
	Freight    *freight.Service
	Cart       *cart.Service
	Stock      *catalog.Stock
	Promotions *promotion.Service
	Payments   *payment.Service
	Outbox     *outbox.Service
	Failures   *job.Failures
	Share      *share.Service
	// Guesses limits the wrong codes of orders to be collected that an operator may try.
	Guesses *ratelimit.Attempts
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

	// hot knows the hot products, batches has their queues; items remembers which products items of carts are of.
	hot     *hotkey.Detector
	batches *hotkey.Batcher[*queued]
	items   *cache.Cache[cart.Choice, cart.Item]
}

// Dropping deletes what another area stores for an order, in the transaction that deletes the order and holds its lock.
type Dropping func(ctx context.Context, tx *db.Tx, order int64) error

// OnDelete registers the function that deletes the after-sale cases of an order.
func (s *Service) OnDelete(drop Dropping) { s.dropCases = drop }

// UnpaidLimits bounds the stock that one shopper can block with unpaid orders; 0 means no limit.
type UnpaidLimits struct {
	// Orders limits a shopper's unpaid orders, Pieces the total quantity in them.
	Orders, Pieces int
}

// none reports that no limit is set.
func (l UnpaidLimits) none() bool { return l.Orders == 0 && l.Pieces == 0 }

// Hot configures the purchases of products that many buy at once. The zero Hot treats all products alike.
type Hot struct {
	// Queue is how many purchases of one product may wait in a process; 0 batches none and remembers no shortages.
	Queue int
	// After is the number of purchases within a second above which a product becomes hot by itself; 0 is never.
	After int
}
