// Package app wires the storefront: configuration, areas, operations and the HTTP handler.
package app

import (
	"context"
	"io"
	"slices"
	"time"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/address"
	"shop.internal/services/storefront/internal/aftersale"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/cart"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/engagement"
	"shop.internal/services/storefront/internal/express"
	"shop.internal/services/storefront/internal/home"
	"shop.internal/services/storefront/internal/message"
	"shop.internal/services/storefront/internal/order"
	"shop.internal/services/storefront/internal/paging"
	"shop.internal/services/storefront/internal/paypage"
	"shop.internal/services/storefront/internal/promotion"
	"shop.internal/services/storefront/internal/rate"
	"shop.internal/services/storefront/internal/review"
	"shop.internal/services/storefront/internal/storage"
	"shop.internal/services/storefront/internal/topic"
	"shop.internal/services/storefront/internal/user"
)

// operationTime is the timeout of an operation; prepay waits up to five seconds for the platform.
const operationTime = 15 * time.Second

// Edge is what the handler needs beside the areas.
type Edge struct {
	// Now is the time of day, Clock measures ages and durations.
	Now, Clock func() time.Time
	// Done is told of every answer.
	Done func(op.Result)
}

// NewHandler declares and mounts the operations.
func NewHandler(d *domain.Domain, c Config, e Edge) (*server.Handler, error) {
	ops, err := Ops(d, c, e)
	if err != nil {
		return nil, err
	}
	specs, err := op.Specs(ops...)
	if err != nil {
		return nil, err
	}
	return server.NewHandler(server.HandlerOptions{
		Engine: server.EngineOptions{TrustedProxies: c.Proxies.Trusted, CORS: c.cors()},
		Hooks: op.Hooks{
			Authenticate:       auth.New(d.Tokens, d.Accounts, c.Token.Headers).Authenticate,
			Credentials:        append([]string{auth.Header}, c.Token.Headers...),
			WithIdempotencyKey: once,
			Limit:              rate.New(d.Limiter, c.Rate, specs),
			Done:               e.Done,
			Now:                e.Clock,
			Envelope:           envelope.New(c.Shop.Language),
			Label:              contract.Field,
			BodyLimit:          int64(c.Limits.Body),
			Timeout:            operationTime,
		},
		Document: described, Docs: c.Docs.Enabled,
	}, ops...)
}

// described is what the API document says of the service.
var described = openapi.Options{Title: "Storefront", Version: "1", TokenHeader: auth.Header, Rows: paging.Rules()}

// Describe writes the API document. It needs neither servers nor configuration.
func Describe(w io.Writer) error {
	var c Config
	c.Storage.UploadRequiresLogin = true
	ops, err := Ops(new(domain.Domain), c, Edge{Now: nil, Clock: nil, Done: nil})
	if err != nil {
		return err
	}
	specs, err := op.Specs(ops...)
	if err != nil {
		return err
	}
	return openapi.Write(w, described, specs)
}

// Ops declares all operations of the service. An empty domain can only be used to list operations.
func Ops(d *domain.Domain, c Config, e Edge) ([]op.Op, error) {
	zone, err := wire.ZoneOf(c.Shop.Zone)
	if err != nil {
		return nil, err
	}
	front, goods := new(home.Handlers), new(catalog.Handlers)
	if d.Catalog != nil {
		front, err = home.New(home.Deps{
			Catalog: d.Catalog, Content: d.Content, Promotion: d.Promotions, Settings: d.Settings, Zone: zone, Now: e.Clock,
		})
		if err != nil {
			return nil, err
		}
		goods, err = catalog.New(catalog.Deps{
			Catalog: d.Catalog, Content: d.Content, Engagement: d.Engagement, Promotion: d.Promotions, Review: d.Reviews,
			Settings: d.Settings, Zone: zone, Now: e.Clock,
		})
		if err != nil {
			return nil, err
		}
	}
	channels := domainorder.ParseChannels(c.Order.Channels)
	parcels := express.View{Parcels: d.Parcels, Channels: channels}
	return slices.Concat(
		auth.Ops(d.Accounts),
		message.Ops(c.Wechat.MessageToken, e.Now),
		front.Ops(),
		home.Refused(),
		goods.Ops(),
		cart.Ops(d.Cart, zone),
		order.Ops(order.Deps{
			Orders: d.Orders, Comments: d.LineComments, Settings: d.Settings,
			Channels: channels, Express: parcels, Zone: zone, Language: c.Shop.Language, Now: e.Now,
		}),
		paypage.Ops(paypage.Deps{
			Sandbox: d.Sandbox, Language: c.Shop.Language, Shop: c.Payment.NotifyURL, Origins: c.CORS.Origins,
		}),
		promotion.Ops(promotion.Deps{
			Promotions: d.Promotions, Orders: d.Orders, Catalog: d.Catalog, Zone: zone, Now: e.Now,
		}),
		address.Ops(d.Addresses, zone),
		aftersale.Ops(d.Aftersales, zone),
		review.Ops(review.Deps{
			Comments: d.Reviews, Posts: d.LineComments, OnlyBuyers: c.Comment.GoodsRequirePurchase, Zone: zone,
		}),
		content.Ops(d.Content, zone),
		topic.Ops(topic.Deps{Content: d.Content, Catalog: d.Catalog, Engagement: d.Engagement, Zone: zone}),
		engagement.Ops(engagement.Deps{Traces: d.Engagement, Content: d.Content, Zone: zone}),
		user.Ops(d.Orders),
		storage.Ops(storage.Deps{
			Objects: d.Storage, Zone: zone, Limit: int64(c.Limits.Upload), Open: !c.Storage.UploadRequiresLogin,
		}),
		express.Ops(express.Deps{Orders: d.Orders, View: parcels}),
	), nil
}

// once passes the Idempotency-Key of a call to the domain.
func once(ctx context.Context, scope, key, hash string) context.Context {
	return idempotency.With(ctx, idempotency.Request{Scope: scope, Owner: auth.ID(ctx), Key: key, Hash: hash})
}
