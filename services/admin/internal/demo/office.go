package demo

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/seed"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/app"
)

// meet remembers the accounts that act in the demo shop: the shoppers, and the first operator, who does what staff
// have done before the others are created.
func (l *loader) meet(ctx context.Context) (err error) {
	if l.shoppers, err = l.Seed.IDs(ctx, seed.Users); err != nil {
		return err
	}
	owner, err := l.Access.FindByName(ctx, superName)
	if err != nil {
		return err
	}
	l.owner = actor.Operator(owner.ID)
	ids, err := l.Seed.IDs(ctx, seed.Coupons)
	if err != nil {
		return err
	}
	l.coupon = map[string]int64{}
	for i, c := range l.coupons() {
		l.coupon[c.Name] = ids[i]
	}
	l.specs, err = app.Specs()
	return err
}

// shopper is the id of a demo shopper by the number in the login name.
func (l *loader) shopper(n int) int64 { return l.shoppers[n-1] }

// somePictures are pictures that shoppers send.
func (l *loader) somePictures() []string {
	var all []string
	for _, name := range []string{"mug", "plate", "cushion"} {
		all = append(all, l.pictures[thingPicture(name, 0)])
	}
	return all
}

// acting is a context in which the first operator calls an operation, so that the business log and the audit show it.
func (l *loader) acting(ctx context.Context, key string) context.Context {
	s := l.specs[slices.IndexFunc(l.specs, func(s op.Spec) bool { return s.Key() == key })]
	return audit.With(ctx, audit.Call{
		By: l.owner, Name: superName, Permission: s.Access.Permission.Value, Operation: key, Target: s.Audit.Target,
		Kind: s.Audit.Kind, Action: s.Audit.Action.Stored(), At: l.Now(),
	})
}

// announcements are notices to the staff; the first ones are read.
func announcements() [][2]string {
	return [][2]string{
		{"欢迎使用青禾小铺后台", "<p>左侧是菜单，按 <b>?</b> 查看快捷键。</p>"},
		{"发货时间调整", "<p>每天十六点前付款的订单当天发出，十六点后的次日发出。</p>"},
		{"盘点通知", "<p>本周五十八点起盘点，期间请不要修改库存。</p>"},
		{"新茶券已上线", "<p>茶与咖啡满五十元减十二元，有顾客咨询时请主动说明。</p>"},
	}
}

const readAnnouncements = 2

func (l *loader) sendNotices(ctx context.Context) error {
	ids, err := rest(ctx, l, seed.Notices, announcements(), func(ctx context.Context, _ int, n [2]string) (int64, error) {
		made, err := l.Access.CreateNotice(l.acting(ctx, "POST /admin/notice/create"), l.owner, n[0], n[1])
		return made.ID, err
	})
	if err != nil {
		return err
	}
	for _, id := range ids[:readAnnouncements] {
		if _, err := l.Access.ReadNotice(ctx, l.owner.ID, id); err != nil {
			return fmt.Errorf("read notice %d: %w", id, err)
		}
	}
	return nil
}
