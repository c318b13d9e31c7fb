// Package share owns the share pictures of goods and group purchases: what they look like, when one is to be made, and
// that only the newest is kept. A picture is made after the commit of what it shows, by the outbox. Pictures are
// optional: nothing fails without one.
package share

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/storage"
)

// Topic is the outbox' topic of pictures that are due.
const Topic = "share.draw"

// App draws codes that open a page of the shop's app with a scene.
type App interface {
	Code(ctx context.Context, page, scene string) ([]byte, error)
}

// Config says where codes lead. Only the process that delivers the outbox needs it.
type Config struct {
	// App draws the codes where the shop has an app, and AppPage is the page they open; nil is no app.
	App     App
	AppPage string
	// Page is the address of goods on a public page, in which {goods} stands for their id and {group} for the id of the
	// group, 0 for none. Codes lead there where there is no App; without either, pictures have no code.
	Page string
}

// Deps are what share pictures stand on.
type Deps struct {
	Settings   *settings.Service
	Outbox     *outbox.Service
	Catalog    *catalog.Service
	Promotions *promotion.Service
	Storage    *storage.Service
	Config     Config
}

// Service makes share pictures.
type Service struct{ Deps }

// New returns the maker of share pictures, which takes over the topic.
func New(p Deps) *Service {
	s := &Service{p}
	p.Outbox.HandleAside(Topic, s.deliver)
	return s
}

// subject is the payload of the topic; one of the two is 0.
type subject struct {
	Goods int64 `json:"goods,omitzero"`
	Group int64 `json:"group,omitzero"`
}

// GoodsChanged asks for a picture of goods in the transaction that has created them, or changed what the picture shows.
// Nothing is asked for while the shop offers no share pictures.
func (s *Service) GoodsChanged(ctx context.Context, tx *db.Tx, goods ...int64) error {
	v, err := s.Settings.NowIn(ctx, tx)
	if err != nil || !v.Share {
		return err
	}
	for _, id := range goods {
		// Goods change often; each change is an effect of its own.
		key := Topic + ":goods:" + strconv.FormatInt(id, 10) + ":" + rand.Text()
		if err := s.Outbox.Add(ctx, tx, Topic, key, id, subject{Goods: id}); err != nil {
			return err
		}
	}
	return nil
}

// OrderPaid asks for the picture of the group that the payment of an order has opened, in the transaction of the
// payment. Nothing is asked for where it has opened none, and while the shop offers no share pictures.
func (s *Service) OrderPaid(ctx context.Context, tx *db.Tx, order int64) error {
	v, err := s.Settings.NowIn(ctx, tx)
	if err != nil || !v.Share {
		return err
	}
	p, ok, err := s.Promotions.PartOf(ctx, tx, order)
	if err != nil || !ok || !p.IsOpener() || p.Status != promotion.PartRunning {
		return err
	}
	return s.Outbox.Add(ctx, tx, Topic, Topic+":group:"+strconv.FormatInt(p.ID, 10), p.ID, subject{Group: p.ID})
}

// offer is what a picture is about, as it is now.
type offer struct {
	goods, group int64
	picture      string
	// price is what is asked, before what goods cost without the group, 0 outside of one.
	price, before money.Amount
	// shown is the address of the present picture.
	shown string
}

// deliver makes the picture that an event asks for. Whatever is gone needs none; a picture that looks as it should
// already stays.
func (s *Service) deliver(ctx context.Context, e outbox.Event) error {
	var t subject
	if err := json.Unmarshal([]byte(e.Payload), &t); err != nil {
		return fmt.Errorf("read the event: %w: %w", outbox.ErrNever, err)
	}
	o, ok, err := s.find(ctx, t)
	if err != nil || !ok {
		return err
	}
	data, err := s.render(ctx, o)
	if err != nil {
		return fmt.Errorf("draw a share picture: %w", err)
	}
	return s.replace(ctx, o, data)
}

// find reads what a picture is about. It reports false for what is gone.
func (s *Service) find(ctx context.Context, t subject) (offer, bool, error) {
	if t.Group == 0 {
		return s.ofGoods(ctx, t.Goods)
	}
	p, err := s.Promotions.Opening(ctx, t.Group)
	if errors.Is(err, errno.Invalid) {
		return offer{}, false, nil
	}
	if err != nil || p.Status != promotion.PartRunning && p.Status != promotion.PartSucceeded {
		return offer{}, false, err
	}
	rule, ok, err := s.Promotions.Rule(ctx, p.RuleID)
	if err != nil || !ok {
		return offer{}, false, err
	}
	o, ok, err := s.ofGoods(ctx, rule.GoodsID)
	o.group, o.shown = p.ID, p.ShareURL
	o.price, o.before = max(o.price-rule.Discount, 0), o.price
	return o, ok, err
}

func (s *Service) ofGoods(ctx context.Context, id int64) (offer, bool, error) {
	g, err := s.Catalog.Goods(ctx, id)
	if errors.Is(err, errno.GoodsUnknown) {
		return offer{}, false, nil
	}
	return offer{goods: g.ID, picture: g.PicURL, price: g.RetailPrice, shown: g.ShareURL}, err == nil, err
}

// errOvertaken says that somebody else has replaced the picture meanwhile, or that its subject is gone: the next try
// finds out.
var errOvertaken = errors.New("the subject of the share picture has changed meanwhile")

// replace stores a picture and shows it instead of the present one, which goes if it is one of ours.
func (s *Service) replace(ctx context.Context, o offer, data []byte) error {
	old, err := s.Storage.ByURL(ctx, o.shown)
	if err != nil && !errors.Is(err, storage.ErrUnknown) {
		return err
	}
	sum := sha256.Sum256(data)
	ours := err == nil && old.Owner.Kind == storage.Shop && old.Name == o.name()
	if ours && old.SHA256 == hex.EncodeToString(sum[:]) {
		return nil
	}
	// One transaction: a process that dies leaves neither a picture that nobody shows nor an address that leads nowhere.
	_, err = s.Storage.PutWith(ctx, storage.Owner{Kind: storage.Shop, ID: 0}, o.name(), data,
		func(tx *db.Tx, made storage.Object) error {
			set, err := s.show(ctx, tx, o, made.URL)
			if err != nil {
				return err
			}
			if !set {
				return errOvertaken
			}
			if !ours {
				return nil
			}
			return s.Storage.Remove(ctx, tx, old.Key)
		})
	return err
}

func (s *Service) show(ctx context.Context, tx *db.Tx, o offer, address string) (bool, error) {
	if o.group != 0 {
		return s.Promotions.SetShareURL(ctx, tx, o.group, o.shown, address)
	}
	return s.Catalog.SetShareURL(ctx, tx, o.goods, o.shown, address)
}

// name is what the file of a picture is called, by which it is known as one of ours.
func (o offer) name() string {
	if o.group != 0 {
		return fmt.Sprintf("share-group-%d.jpg", o.group)
	}
	return fmt.Sprintf("share-goods-%d.jpg", o.goods)
}
