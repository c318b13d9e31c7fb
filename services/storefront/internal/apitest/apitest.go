// Package apitest runs the storefront in process, on its own database, with clients for guests and shoppers.
package apitest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/trace"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/auth"
)

// Shop is a storefront under test; Domain seeds it.
type Shop struct {
	Domain *domaintest.Shop
	API    *optest.API
	t      testing.TB
	// configure is how its configuration differs.
	configure []func(*app.Config)
}

// Open returns a storefront on an empty database.
func Open(t testing.TB) *Shop {
	t.Helper()
	return OpenWith(t)
}

// OpenWith is Open with another configuration.
func OpenWith(t testing.TB, configure ...func(*app.Config)) *Shop {
	t.Helper()
	shop := domaintest.Open(t)
	return serve(t, shop, shop.Domain, configure...)
}

// OpenWechat is Open for a shop that takes payments by WeChat.
func OpenWechat(t testing.TB) (*Shop, *domaintest.Wechat) {
	t.Helper()
	shop, platform := domaintest.OpenWechat(t)
	return serve(t, shop, shop.Domain), platform
}

// Replica returns another process of the service on the same shop.
func (s *Shop) Replica() *Shop {
	s.t.Helper()
	return s.beside(s.Domain.Replica(), nil)
}

// Moved is Replica for a process that serves files at domaintest.NewBase.
func (s *Shop) Moved(earlier ...string) *Shop {
	s.t.Helper()
	return s.beside(s.Domain.Moved(earlier...), nil)
}

// Remembering is Replica for a process that remembers sessions and accounts for a time, as the service does.
func (s *Shop) Remembering(age time.Duration) *Shop {
	s.t.Helper()
	return s.beside(s.Domain.Remembering(age), nil)
}

// Traced is Replica for a process whose work is traced; d is what it works on.
func (s *Shop) Traced(t *trace.Tracer) (traced *Shop, d *domain.Domain) {
	s.t.Helper()
	d = s.Domain.Traced(t)
	return s.beside(d, t), d
}

// beside returns another process of the service on the same shop.
func (s *Shop) beside(d *domain.Domain, tracer *trace.Tracer) *Shop {
	s.t.Helper()
	other := serveTraced(s.t, s.Domain, d, tracer, s.configure...)
	other.API.Shares(s.API)
	return other
}

func serve(t testing.TB, shop *domaintest.Shop, d *domain.Domain, configure ...func(*app.Config)) *Shop {
	t.Helper()
	return serveTraced(t, shop, d, nil, configure...)
}

func serveTraced(
	t testing.TB, shop *domaintest.Shop, d *domain.Domain, tracer *trace.Tracer, configure ...func(*app.Config),
) *Shop {
	t.Helper()
	var c app.Config
	c.Shop.Language, c.Shop.Zone, c.Limits.Body = "zh", "Asia/Shanghai", 1<<20
	c.Token.Headers = []string{"X-Litemall-Token"}
	c.Storage.UploadRequiresLogin = true
	for _, change := range configure {
		change(&c)
	}
	h, err := app.NewHandler(d, c, app.HandlerDeps{
		Now: shop.Clock.Now, Clock: shop.Clock.Now,
		Done:      func(op.Result) {},
		Tracer:    tracer,
		Admission: admission.New(nil), // so that operations that hash must declare it
		Timeout:   optest.Patience,
	})
	require.NoError(t, err)
	api := optest.New(h, h.Specs)
	api.Count = domaintest.Count
	return &Shop{Domain: shop, API: api, t: t, configure: configure}
}

// Guest is a client without a token.
func (s *Shop) Guest() *optest.Client {
	s.t.Helper()
	return s.API.Client(s.t)
}

// Shopper creates a shopper and logs them in.
func (s *Shop) Shopper(name string) *optest.Client {
	s.t.Helper()
	return s.As(s.Domain.Shopper(name))
}

// As logs an existing shopper in.
func (s *Shop) As(id int64) *optest.Client {
	s.t.Helper()
	return s.Guest().With(auth.Header, s.Domain.Token(id))
}
