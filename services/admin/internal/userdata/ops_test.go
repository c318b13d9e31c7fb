package userdata_test

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/userdata"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, userdata.Ops(userdata.Deps{})...)) }

const (
	addresses  = "/admin/address/list"
	collects   = "/admin/collect/list"
	footprints = "/admin/footprint/list"
	histories  = "/admin/history/list"
	letters    = "/admin/feedback/list"
)

// withTraces is a shop where two shoppers have created two of every record, a minute apart, and lin one more of each that is
// deleted.
func withTraces(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	s, ctx := w.Shop, t.Context()
	lin, mei := s.Shopper("lin_100%"), s.Shopper("mei")
	var goods []int64
	for _, name := range []string{"shirt", "scarf"} {
		s.Product(name, money.Yuan(9), 5)
		goods = append(goods, s.Int("SELECT MAX(id) FROM goods"))
	}
	for i, shopper := range []int64{lin, mei} {
		_, err := s.Addresses.Save(ctx, shopper, 0, func(a *address.Address) {
			*a = address.Address{
				Name: []string{"林 100%", "梅_"}[i], Tel: "13900000001", Province: "浙江省", City: "杭州市", County: "西湖区",
				Detail: "文三路 1 号", AreaCode: "330106", PostalCode: []string{"310000", ""}[i], Default: i == 0,
			}
		})
		require.NoError(t, err)
		_, err = s.Engagement.Toggle(ctx, shopper, engagement.Goods, goods[i])
		require.NoError(t, err)
		require.NoError(t, s.Engagement.SeeGoods(ctx, shopper, goods[i]))
		require.NoError(t, s.Engagement.Remember(ctx, shopper, []string{"100% linen", "wool_"}[i]))
		require.NoError(t, s.Engagement.Submit(ctx, engagement.Feedback{
			Shopper: shopper, FeedType: "商品相关", Content: "<b>Good</b>", Mobile: "13900000001",
			Pictures: [][]string{{"https://shop.test/a.png"}, nil}[i],
		}))
		s.Clock.Move(time.Minute)
	}
	for _, table := range []string{"address", "collect", "footprint", "search_history", "feedback"} {
		s.Exec("INSERT INTO " + table + strings.NewReplacer(
			"address", " (user_id, name, province, city, county, add_time, update_time, deleted) "+
				"SELECT user_id, name, province, city, county, add_time, update_time, 1 FROM address WHERE id = 1",
			"collect", " (user_id, value_id, type, add_time, update_time, deleted) "+
				"SELECT user_id, value_id, 1, add_time, update_time, 1 FROM collect WHERE id = 1",
			"footprint", " (user_id, goods_id, view_time, add_time, update_time, deleted) "+
				"SELECT user_id, 99, view_time, add_time, update_time, 1 FROM footprint WHERE id = 1",
			"search_history", " (user_id, keyword, add_time, update_time, deleted) "+
				"SELECT user_id, 'gone', add_time, update_time, 1 FROM search_history WHERE id = 1",
			"feedback", " (user_id, content, add_time, update_time, deleted) "+
				"SELECT user_id, content, add_time, update_time, 1 FROM feedback WHERE id = 1",
		).Replace(table))
	}
	return w
}

// all are the lists with the permission of each.
func all() map[string]string {
	return map[string]string{
		addresses: "admin:address:list", collects: "admin:collect:list", footprints: "admin:footprint:list",
		histories: "admin:history:list", letters: "admin:feedback:list",
	}
}

func clerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:address:list", "admin:collect:list", "admin:footprint:list", "admin:history:list",
		"admin:feedback:list")
}

func TestLists(t *testing.T) {
	t.Parallel()
	w := withTraces(t)
	for path := range all() {
		name := strings.Split(path, "/")[2]
		clerk(w).GET(path).OK().Golden(name)
		clerk(w).GET(path + "?userId=99").Empty()
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := withTraces(t)
	q := func(pairs ...string) url.Values {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v
	}
	for _, path := range []string{addresses, collects, footprints, histories, letters} {
		tests := map[string]struct {
			query url.Values
			want  []int64
		}{
			"all":                  {q("userId", "", "timeArray", ""), []int64{2, 1}},
			"oldest first":         {q("order", "asc"), []int64{1, 2}},
			"by id":                {q("sort", "id", "order", "asc"), []int64{1, 2}},
			"beyond the last page": {q("page", "9", "limit", "1"), []int64{1}},
			"all rows":             {q("limit", "0"), []int64{2, 1}},
			"shopper":              {q("userId", "1"), []int64{1}},
			"shopper 0":            {q("userId", "0"), []int64{}},
		}
		check := func(name, member, value string, want ...int64) {
			tests[name] = struct {
				query url.Values
				want  []int64
			}{q(member, value), append([]int64{}, want...)}
		}
		if member, ok := map[string]string{addresses: "name", histories: "keyword", letters: "username"}[path]; ok {
			check("percent is a percent", member, "%", 1)
			check("part of the text", member, "100", 1)
			check("always true", member, "x' or '1'='1")
			check("sleeping", member, "x%' or sleep(5) -- ")
			check("backslash", member, `\`)
		}
		if member, ok := map[string]string{collects: "valueId", footprints: "goodsId", letters: "id"}[path]; ok {
			check("thing", member, "2", 2)
			check("no such thing", member, "99")
		}
		for name, tt := range tests {
			t.Run(path+" "+name, func(t *testing.T) {
				require.Equal(t, tt.want, clerk(w).In(t).GET(path+"?"+tt.query.Encode()).IDs())
			})
		}
	}
}

// No sort word of this or any other list here reaches SQL unchecked.
func TestBadQueries(t *testing.T) {
	t.Parallel()
	w := withTraces(t)
	for path := range all() {
		for _, q := range []string{
			"sort=keyword", "sort=user_id", "sort=add_time+desc,(select+sleep(5))", "sort=(select+sleep(5))", "order=DESC",
			"order=desc+limit+1,1", "order=desc,(select+sleep(5))", "page=0", "page=-1", "page=x", "limit=-1", "limit=10001",
			"limit=x", "userId=x", "userId=1+or+1=1",
		} {
			clerk(w).GET(path + "?" + q).Fails(errno.Invalid)
		}
	}
	clerk(w).GET(collects + "?valueId=x").Fails(errno.Invalid)
	clerk(w).GET(footprints + "?goodsId=1.5").Fails(errno.Invalid)
	clerk(w).GET(letters + "?id=x").Fails(errno.Invalid)
}

// The permission of one list opens no other.
func TestEachListHasItsPermission(t *testing.T) {
	t.Parallel()
	w := withTraces(t)
	for path, permission := range all() {
		only := w.Operator("only "+permission, permission)
		for other := range all() {
			if other == path {
				only.GET(other).OK()
			} else {
				only.GET(other).Fails(errno.NoPermission)
			}
		}
	}
}
