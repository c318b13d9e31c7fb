package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/settings"
)

// Channel is an open provider: it collects and refunds the payments that are stored under its code.
type Channel struct {
	Info
	Gateway
}

// Channels are the channels of a shop.
type Channels struct {
	// open are all channels; offered are those by which new payments begin, in the order in which they are offered.
	open, offered []Channel
}

// OpenChannels opens the providers that are offered or configured. env returns what a provider gets.
func OpenChannels(
	providers []Provider, offered []string, env func(code string) Env, m *meter.Meter,
) (*Channels, error) {
	all, known := &Channels{}, []string(nil)
	for _, p := range providers {
		info := p.Info()
		known = append(known, info.Code)
		if !p.Configured() && !slices.Contains(offered, info.Code) {
			continue
		}
		g, err := p.Open(env(info.Code))
		if err != nil {
			return nil, fmt.Errorf("open the payment channel %s: %w", info.Code, err)
		}
		all.open = append(all.open, Channel{info, watched{g, m}})
	}
	for _, code := range offered {
		c, ok := all.Of(code)
		if !ok {
			return nil, fmt.Errorf("payment channel %q: choose of %s", code, strings.Join(known, ", "))
		}
		all.offered = append(all.offered, c)
	}
	return all, nil
}

// Of returns an open channel.
func (c *Channels) Of(code string) (Channel, bool) {
	at := slices.IndexFunc(c.open, func(one Channel) bool { return one.Code == code })
	if at < 0 {
		return Channel{}, false
	}
	return c.open[at], true
}

// byHand reports whether a payment waits for money that staff record.
func (c *Channels) byHand(p Payment) bool {
	one, _ := c.Of(p.Channel)
	return slices.ContainsFunc(one.Methods, func(m Method) bool {
		return m.Kind == KindOffline && m.TradeType == p.TradeType
	})
}

// name returns the name of a payment's channel, of money that staff have recorded the one it waited for.
func (c *Channels) name(p Payment) *text.Text {
	if one, ok := c.Of(p.TradeType); ok && p.Channel == Offline {
		return one.Name
	}
	return c.Name(p.Channel)
}

// Name returns the name of the channel of a code, the code itself if that is not configured any more.
func (c *Channels) Name(code string) *text.Text {
	if one, ok := c.Of(code); ok {
		return one.Name
	}
	switch code {
	case Free:
		return text.PaidNothing
	case Offline:
		return text.PaidByHand
	}
	return text.Literal(code)
}

// asked returns the codes of the open channels that can be asked about a payment; of the others only staff know.
func (c *Channels) asked() []string {
	var codes []string
	for _, one := range c.open {
		if one.Notified {
			codes = append(codes, one.Code)
		}
	}
	return codes
}

// Gateways returns the gateways of the open channels, as their providers opened them.
func (c *Channels) Gateways() []Gateway {
	all := make([]Gateway, len(c.open))
	for i, one := range c.open {
		all[i] = one.Gateway
		if w, ok := one.Gateway.(watched); ok {
			all[i] = w.Gateway
		}
	}
	return all
}

// chosen returns the channels by which new payments begin, as staff have chosen them of those that the shop offers: all
// of these if none of the chosen codes is one of them.
func (c *Channels) chosen(codes []string) []Channel {
	var all []Channel
	for _, code := range codes {
		if at := c.offers(code); at >= 0 {
			all = append(all, c.offered[at])
		}
	}
	if len(all) == 0 {
		return c.offered
	}
	return all
}

// offers returns the place of a channel among those that the shop offers, -1 for one that it does not.
func (c *Channels) offers(code string) int {
	return slices.IndexFunc(c.offered, func(one Channel) bool { return one.Code == code })
}

// Standing is a channel that the shop offers, as staff see it.
type Standing struct {
	Info
	// On says that shoppers see it, and Collects that it takes the shop's currency.
	On, Collects bool
}

// Standings returns the channels that the shop offers: first those that shoppers see, in their order.
func (s *Service) Standings(ctx context.Context) ([]Standing, error) {
	v, err := s.settings.Now(ctx)
	if err != nil {
		return nil, err
	}
	on := s.channels.chosen(v.Channels)
	all := make([]Standing, 0, len(s.channels.offered))
	for _, one := range on {
		all = append(all, Standing{one.Info, true, one.collects(v.Currency)})
	}
	for _, one := range s.channels.offered {
		if !slices.ContainsFunc(on, func(other Channel) bool { return other.Code == one.Code }) {
			all = append(all, Standing{one.Info, false, one.collects(v.Currency)})
		}
	}
	return all, nil
}

// Show chooses the channels that shoppers see, by their codes and in this order. It fails with errno.Invalid for one
// that the shop does not offer, and as settings.Service.Save does.
func (s *Service) Show(ctx context.Context, codes []string) error {
	for _, code := range codes {
		if s.channels.offers(code) < 0 {
			return errno.Invalid.Because(text.ChannelUnknown, form.Truncate(code, longestCode))
		}
	}
	return s.settings.Save(ctx, settings.Payment, map[string]string{
		settings.ChannelsName: strings.Join(codes, ","),
	})
}

// longestCode bounds the characters of an unknown code in a sentence.
const longestCode = 32

// Offer is a way in which an order can be paid.
type Offer struct {
	Channel Info
	Method  Method
	// Current says that the order waits for a payment that has begun in this way.
	Current bool
}

// Offers returns how an order can be paid, in the order in which shoppers see it.
func (s *Service) Offers(ctx context.Context, order int64, amount money.Amount) ([]Offer, error) {
	p, _, err := activeOf(ctx, s.db, order)
	if err != nil {
		return nil, fmt.Errorf("read the payment of order %d: %w", order, err)
	}
	currency, err := s.settings.Currency(ctx, s.db)
	if err != nil {
		return nil, err
	}
	v, err := s.settings.Now(ctx)
	if err != nil {
		return nil, err
	}
	var all []Offer
	for _, one := range s.channels.chosen(v.Channels) {
		if !one.takes(amount, currency) {
			continue
		}
		for _, m := range one.Methods {
			all = append(all, Offer{one.Info, m, p.Channel == one.Code && p.TradeType == m.TradeType})
		}
	}
	return all, nil
}

// Choice is how a client wants to pay.
type Choice struct {
	// Channel is the code of an offered channel; empty for the first one that fits. Kind is one of its methods; empty for
	// the first one that the operation answers.
	Channel string
	Kind    Kind
	// Plain are the kinds that the operation answers to every client, Special those only to one that names the channel.
	Plain, Special []Kind
	// Shown are the codes of the channels that shoppers see, in this order; empty for all that the shop offers.
	Shown []string
}

// kinds returns the kinds that fit.
func (c Choice) kinds() []Kind {
	all := c.Plain
	if c.Channel != "" {
		all = slices.Concat(c.Plain, c.Special)
	}
	if c.Kind == "" || c.Channel == "" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(k Kind) bool { return k != c.Kind })
}

// Choose returns the offer that a client wants for an amount in the shop's currency. It fails with
// errno.OrderPayFailed, and how the shop is paid, if there is none.
func (c *Channels) Choose(w Choice, amount money.Amount, currency money.Currency) (Offer, error) {
	shown := c.chosen(w.Shown)
	for _, one := range shown {
		if w.Channel != "" && w.Channel != one.Code || !one.takes(amount, currency) {
			continue
		}
		if m, ok := one.method(w.kinds()); ok {
			return Offer{one.Info, m, true}, nil
		}
	}
	return Offer{}, otherwise(shown)
}

// OnDelivery reports whether a client may mean a channel that is paid on delivery.
func (c *Channels) OnDelivery(w Choice) bool {
	one, ok := c.Of(w.Channel)
	if !ok {
		return false
	}
	m, ok := one.method(w.kinds())
	return ok && m.Kind == KindDelivery
}

// otherwise says how the shop is paid.
func otherwise(shown []Channel) error {
	if len(shown) == 0 {
		return errno.OrderPayFailed.Because(text.PaidByAsking)
	}
	var all text.List
	for _, one := range shown {
		all = append(all, one.Name)
	}
	return errno.OrderPayFailed.Because(text.PaidBy, all)
}

// errClosed says that a payment's channel is not configured any more.
var errClosed = errors.New("the channel of the payment is not configured")
