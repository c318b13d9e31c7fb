package order_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
)

const (
	groupDetail = "/wx/groupon/detail"
	myGroups    = "/wx/groupon/my"
)

// offer sells the tea of 45.50 for 25.50 to groups, for an hour.
func (w *world) offer(members int) int64 {
	w.t.Helper()
	id, err := w.Domain.Promotions.CreateGroupRule(w.t.Context(), promotion.GroupRule{
		GoodsID: w.tea.GoodsID, GoodsName: "tea", PicURL: "http://shop.test/tea.png", Discount: money.Yuan(20), Members: members,
		ExpireTime: w.Domain.Clock.Now().Add(time.Hour),
	})
	require.NoError(w.t, err)
	return id
}

// buyer is a shopper with tea in the cart.
type buyer struct {
	*optest.Client
	w                *world
	id, row, address int64
}

func (w *world) buyer(name string) *buyer {
	w.t.Helper()
	id := w.Domain.Shopper(name)
	b := &buyer{Client: w.As(id), w: w, id: id, address: w.Domain.Address(id)}
	b.fill()
	return b
}

func (b *buyer) fill() {
	b.w.t.Helper()
	var err error
	b.row, err = b.w.Domain.Cart.Set(b.w.t.Context(), b.id, b.w.tea)
	require.NoError(b.w.t, err)
}

func (b *buyer) submit(rule, link int64) *optest.Answer {
	b.w.t.Helper()
	return b.POST(submit, `{"cartId":%d,"addressId":%d,"couponId":0,"grouponRulesId":%d,"grouponLinkId":%d}`,
		b.row, b.address, rule, link)
}

// joins submits, and pays if asked to; it returns the shopper with the order and its group.
func (b *buyer) joins(rule, link int64, pays bool) (order, group int64) {
	b.w.t.Helper()
	var placed struct{ OrderID, GrouponLinkID int64 }
	b.submit(rule, link).OK().Data(&placed)
	b.w.Domain.Exec("UPDATE orders SET order_sn = ? WHERE id = ?", fmt.Sprintf("20300102%010d", placed.OrderID), placed.OrderID)
	if pays {
		b.w.Domain.Pay(b.id, placed.OrderID)
	}
	b.w.Domain.Clock.Move(time.Second)
	return placed.OrderID, placed.GrouponLinkID
}

// Rules that have ended or were taken down reduce nothing in a preview.
func TestGroupCheckout(t *testing.T) {
	t.Parallel()
	w := open(t)
	rule := w.offer(2)
	row := w.row(w.tea, 2)
	w.lin.GET(checkout+"?cartId=%d&grouponRulesId=%d", row, rule).OK().Golden("checkout_group")
	p := w.preview(fmt.Sprint("grouponRulesId=", rule))
	require.Equal(t, rule, p.GrouponRulesID)
	require.Equal(t, []json.Number{"20.00", "51.00", "59.00"}, []json.Number{p.GrouponPrice, p.GoodsTotalPrice, p.ActualPrice})
	pot := w.row(w.Domain.Product("pot", 1000, 1), 1)
	require.Zero(t, w.preview(fmt.Sprint("grouponRulesId=", rule)).GrouponRulesID, "a cart of several rows")
	w.lin.GET(checkout+"?cartId=%d&grouponRulesId=%d", pot, rule).Fails(errno.Invalid)
	w.Domain.Exec("UPDATE groupon_rules SET status = 2")
	w.lin.GET(checkout+"?cartId=%d&grouponRulesId=%d", row, rule).Fails(errno.GrouponOffline)
	w.Domain.Exec("UPDATE groupon_rules SET status = 0")
	w.Domain.Clock.Move(time.Hour)
	w.lin.GET(checkout+"?cartId=%d&grouponRulesId=%d", row, rule).Fails(errno.GrouponExpired)
}

func TestGroupPurchase(t *testing.T) {
	t.Parallel()
	w := open(t)
	rule := w.offer(3)
	lin := w.buyer("opener")
	lin.submit(rule, 99).Fails(errno.Invalid)
	lin.submit(rule, 0).OK().Golden("submit_group").Within(18)
	order := w.Domain.Int("SELECT MAX(id) FROM orders")
	mei := w.buyer("mei")
	mei.submit(rule, 1).Fails(errno.Invalid) // unpaid
	w.Domain.Pay(lin.id, order)
	mei.joins(rule, 1, true)
	mei.fill()
	mei.submit(rule, 1).Fails(errno.GrouponJoined)
	w.buyer("an").joins(rule, 2, true)
	w.buyer("late").submit(rule, 1).Fails(errno.GrouponFull)
	require.EqualValues(t, 3, w.Domain.Int("SELECT COUNT(*) FROM groupon WHERE status = 2"))
	w.Domain.Exec("UPDATE groupon_rules SET status = 2")
	w.buyer("offline").submit(rule, 0).Fails(errno.GrouponOffline)
	w.Domain.Clock.Move(time.Hour)
	w.buyer("over").submit(rule, 0).Fails(errno.GrouponExpired)
	var listed struct{ List []struct{ IsGroupin bool } }
	lin.GET(list).Data(&listed)
	require.True(t, listed.List[0].IsGroupin)
	w.Domain.Exec("UPDATE groupon_rules SET active_mark = id")
	w.Domain.Agree()
}

// A joiner sees the group.
func TestGroupDetail(t *testing.T) {
	t.Parallel()
	w := open(t)
	rule := w.offer(3)
	lin, mei, an := w.buyer("opener"), w.buyer("mei"), w.buyer("an")
	order, group := lin.joins(rule, 0, true)
	mei.joins(rule, group, true)
	an.joins(rule, group, false)
	lin.GET(groupDetail+"?grouponId=%d", group).OK().Golden("group_detail")
	mei.GET(groupDetail+"?grouponId=%d", group).OK().Golden("group_detail_joiner")
	var got struct {
		Groupon       struct{ ID, UserID int64 }
		LinkGrouponID int64
		Joiners       []struct{ Nickname string }
	}
	an.GET(groupDetail+"?grouponId=%d", group+1).Data(&got) // another joiner's record
	require.Equal(t, []int64{group + 2, an.id, group}, []int64{got.Groupon.ID, got.Groupon.UserID, got.LinkGrouponID})
	require.Len(t, got.Joiners, 2, "who has not paid is not shown")

	stranger := w.buyer("stranger")
	for _, id := range []string{fmt.Sprint(group), "99", "0", "-1", "x"} {
		stranger.GET(groupDetail + "?grouponId=" + id).Fails(errno.Invalid)
	}
	stranger.GET(groupDetail).Fails(errno.Missing)
	w.Guest().GET(groupDetail+"?grouponId=%d", group).Fails(errno.LoginRequired)
	require.NoError(t, w.Domain.Orders.AskRefund(t.Context(), lin.id, order))
	require.NoError(t, w.Domain.Orders.Refund(t.Context(), actor.Operator(1), order, 3350))
	require.NoError(t, w.Domain.Orders.Hide(t.Context(), lin.id, order))
	lin.GET(groupDetail+"?grouponId=%d", group).Fails(errno.Invalid)
}

// A group whose order is hidden breaks nothing.
func TestMyGroups(t *testing.T) {
	t.Parallel()
	w := open(t)
	rule := w.offer(4)
	lin, mei := w.buyer("opener"), w.buyer("mei")
	lin.GET(myGroups).Empty()
	_, group := lin.joins(rule, 0, true)
	lin.fill()
	_, second := lin.joins(rule, 0, true)
	lin.fill()
	lin.joins(rule, 0, false)
	joined, _ := mei.joins(rule, group, true)
	lin.GET(myGroups).OK().Golden("my_groups")
	mei.GET(myGroups + "?showType=1").OK().Golden("my_groups_joined")
	for query, want := range map[string][]int64{"": {second, group}, "?showType=0": {second, group}, "?showType=1": {}} {
		require.Equal(t, want, lin.GET(myGroups+query).IDs(), query)
	}
	require.Empty(t, mei.GET(myGroups).IDs())
	lin.GET(myGroups + "?showType=x").Fails(errno.Invalid)
	w.Guest().GET(myGroups).Fails(errno.LoginRequired)
	ctx := t.Context()
	require.NoError(t, w.Domain.Orders.AskRefund(ctx, mei.id, joined))
	require.Len(t, mei.GET(myGroups+"?showType=1").IDs(), 1, "a group that was left is shown")
	require.NoError(t, w.Domain.Orders.Refund(ctx, actor.Operator(1), joined, 3350))
	require.NoError(t, w.Domain.Orders.Hide(ctx, mei.id, joined))
	require.Empty(t, mei.GET(myGroups+"?showType=1").IDs(), "a hidden order is not")
	w.Domain.Agree()
}
