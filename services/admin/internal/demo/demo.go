// Package demo contains the demo shop, with texts and pictures of its own, and loads it into an empty database. Loading
// always creates the same shop. An interrupted load continues where it stopped: rows are created in a fixed order, so
// their number tells what is missing.
package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/seed"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
)

// ErrOccupied says that the database contains another shop.
var ErrOccupied = errors.New("the database holds another shop; the demo shop is loaded only into an empty one")

// The first and the last operator mark the begin and the end of a load.
const (
	superName = app.DemoSuper
	lastName  = app.DemoClerk
)

// loader loads one demo shop.
type loader struct {
	*app.Domain
	say      func(line string)
	pictures map[string]string
	// ids of created rows, by name
	categories, brands, goods, coupon map[string]int64
	// shoppers are the ids of the accounts, owner is the first operator, and specs are the operations of staff.
	shoppers []int64
	owner    actor.Actor
	specs    []op.Spec
}

// Load loads the demo shop into an empty database, completes an interrupted load, and reports its progress. Pictures
// are stored under the base address. It fails with ErrOccupied.
func Load(ctx context.Context, d *app.Domain, base string, say func(line string)) error {
	l := &loader{Domain: d, say: say}
	return l.start(ctx, base)
}

func (l *loader) start(ctx context.Context, base string) error {
	d, say := l.Domain, l.say
	present, err := d.Seed.Present(ctx)
	if err != nil {
		return err
	}
	begun := slices.Contains(present.Operators, superName)
	switch {
	case !begun && (present.Goods > 0 || present.Users > 0):
		return fmt.Errorf("%d goods and %d shoppers: %w", present.Goods, present.Users, ErrOccupied)
	case slices.Contains(present.Operators, lastName):
		moved, err := d.Seed.Rebase(ctx, base)
		if moved {
			say("the demo shop is there already; its pictures are now at " + base)
		} else if err == nil {
			say("the demo shop is there already")
		}
		return err
	case begun:
		say("an earlier load was interrupted; going on with it")
		if _, err := d.Seed.Rebase(ctx, base); err != nil {
			return err
		}
	}
	return l.load(ctx)
}

func (l *loader) load(ctx context.Context) error {
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"the first operator", l.super},
		{"the name of the shop", l.nameShop},
		{"regions", l.regions},
		{"pictures", l.storePictures},
		{"categories", l.makeCategories},
		{"makers", l.makeBrands},
		{"freight templates", l.makeFreights},
		{"goods", l.makeGoods},
		{"topics", l.makeTopics},
		{"banners", l.makeBanners},
		{"help questions", l.makeQuestions},
		{"search words", l.makeKeywords},
		{"coupons", l.makeCoupons},
		{"groupon offers", l.makeOffers},
		{"shoppers", l.makeShoppers},
		{"comments", l.makeComments},
		{"orders of the last months", l.makeOrders},
		{"the people of today", l.meet},
		{"coupons that shoppers hold", l.takeCoupons},
		{"orders and groups of today", l.makePurchases},
		{"after-sale requests", l.makeClaims},
		{"traces of shoppers", l.makeTraces},
		{"feedback", l.makeFeedback},
		{"notices", l.sendNotices},
		{"operators", l.staff},
	} {
		l.say("loading " + step.name)
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("load %s of the demo shop: %w", step.name, err)
		}
	}
	l.say(fmt.Sprintf("the demo shop is ready: %d goods, %d shoppers", len(l.goods), app.DemoShoppers))
	return nil
}

// rest creates the entries of a list that are not in their table yet, in order, and returns the ids of all.
func rest[T any](
	ctx context.Context, l *loader, t seed.Table, list []T, create func(context.Context, int, T) (int64, error),
) ([]int64, error) {
	ids, err := l.Seed.IDs(ctx, t)
	if err != nil {
		return nil, err
	}
	for i := len(ids); i < len(list); i++ {
		id, err := create(ctx, i, list[i])
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids[:len(list)], nil
}

func (l *loader) super(ctx context.Context) error {
	return l.appoint(ctx, superName, "超级管理员", access.Super)
}

// nameShop replaces the name and the numbers that a new shop has until somebody enters its own.
func (l *loader) nameShop(ctx context.Context) error {
	return l.Settings.Save(ctx, settings.Mall, map[string]string{
		"litemall_mall_name": "青禾小铺", "litemall_mall_phone": "400-000-0000", "litemall_mall_qq": "10000",
	})
}

// staff creates the other operators; the last one marks the shop as complete.
func (l *loader) staff(ctx context.Context) error {
	roles, err := Roles()
	if err != nil {
		return err
	}
	for _, r := range roles {
		if err := l.appoint(ctx, r.Operator, r.Name, r.Values...); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) appoint(ctx context.Context, name, role string, values ...string) error {
	present, err := l.Seed.Present(ctx)
	if err != nil || slices.Contains(present.Operators, name) {
		return err
	}
	called := audit.With(ctx, audit.Call{Name: "demo", Operation: "demo", Target: "admin", At: l.Now()})
	_, err = l.Access.Appoint(called, access.Appointment{
		Username: name, Password: app.DemoPassword, Role: role, Values: values,
	})
	return err
}
