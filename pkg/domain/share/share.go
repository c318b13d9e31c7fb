// Package share owns the share images of goods and groups: their content, when they are rendered, and that only the
// newest is stored. The outbox renders an image after the commit of what it shows. Images are optional: nothing fails
// without one.
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

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/storage"
)

// Topic is the outbox topic of images to render.
const Topic = "share.draw"

// App creates codes that open a page of the shop's app with a scene.
type App interface {
	Code(ctx context.Context, page, scene string) ([]byte, error)
}

// Config configures where codes lead. Only the process that delivers the outbox needs it.
type Config struct {
	// App creates the codes and AppPage is the page they open; App is nil without an app.
	App     App
	AppPage string
	// Page is the address of a public page about goods, in which {goods} is replaced by their id and {group} by the id of
	// the group, 0 for none. Codes use it without an App; without either, images have no code.
	Page string
}

// Deps are the dependencies of the service.
type Deps struct {
	Settings   *settings.Service
	Outbox     *outbox.Service
	Catalog    *catalog.Service
	Promotions *promotion.Service
	Storage    *storage.Service
	Config     Config
}

// Service renders share images.
type Service struct{ Deps }

// New returns the service and registers it for the topic.
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

// GoodsChanged requests an image of goods in the transaction that created them or changed what it shows. It does
// nothing while share images are switched off.
func (s *Service) GoodsChanged(ctx context.Context, tx *db.Tx, goods ...int64) error {
	v, err := s.Settings.NowIn(ctx, tx)
	if err != nil || !v.Share {
		return err
	}
	for _, id := range goods {
		// Goods change often; each change is an event of its own.
		key := Topic + ":goods:" + strconv.FormatInt(id, 10) + ":" + rand.Text()
		if err := s.Outbox.Add(ctx, tx, Topic, key, id, subject{Goods: id}); err != nil {
			return err
		}
	}
	return nil
}

// OrderPaid requests the image of the group that the payment of an order has opened, in the transaction of the payment.
// It does nothing if it opened none or share images are switched off.
func (s *Service) OrderPaid(ctx context.Context, tx *db.Tx, order int64) error {
	v, err := s.Settings.NowIn(ctx, tx)
	if err != nil || !v.Share {
		return err
	}
	p, ok, err := s.Promotions.MemberOf(ctx, tx, order)
	if err != nil || !ok || !p.IsOpener() || p.Status != promotion.MemberRunning {
		return err
	}
	return s.Outbox.Add(ctx, tx, Topic, Topic+":group:"+strconv.FormatInt(p.ID, 10), p.ID, subject{Group: p.ID})
}

// offer is what an image shows.
type offer struct {
	goods, group int64
	picture      string
	// price is the current price, before the price without the group, 0 outside of one.
	price, before money.Amount
	// shown is the address of the current image.
	shown string
}

// deliver renders the image of an event. A deleted subject needs none; an unchanged image stays.
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

// find loads what an image shows. It reports false for a deleted subject.
func (s *Service) find(ctx context.Context, t subject) (offer, bool, error) {
	if t.Group == 0 {
		return s.ofGoods(ctx, t.Goods)
	}
	p, err := s.Promotions.Opening(ctx, t.Group)
	if errors.Is(err, errno.Invalid) {
		return offer{}, false, nil
	}
	if err != nil || p.Status != promotion.MemberRunning && p.Status != promotion.MemberSucceeded {
		return offer{}, false, err
	}
	rule, ok, err := s.Promotions.GroupRule(ctx, p.RuleID)
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

// errOvertaken says that the image was replaced concurrently, or that its subject was deleted; the next attempt finds
// out.
var errOvertaken = errors.New("the subject of the share image was modified concurrently")

// replace stores an image and sets it instead of the current one, which is deleted if it is one of ours.
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
	// In one transaction, so that a process that dies leaves neither an unused image nor an address without one.
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

// name is the file name of an image, by which it is recognized as ours.
func (o offer) name() string {
	if o.group != 0 {
		return fmt.Sprintf("share-group-%d.jpg", o.group)
	}
	return fmt.Sprintf("share-goods-%d.jpg", o.goods)
}
