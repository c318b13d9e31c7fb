package comment_test

import (
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/comment"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, comment.Ops(comment.Deps{})...)) }

const (
	list   = "/admin/comment/list"
	remove = "/admin/comment/delete"
)

// withComments is a shop with comments: on goods 1 by shopper 1 with a picture and by shopper 2 with a reply, on topic 1 by
// shopper 1, and on goods 2 by a deleted shopper.
func withComments(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	for _, c := range []review.Comment{
		{ValueID: 1, UserID: 1, Content: "<b>Good</b>", Star: 5, Pictures: []string{"https://shop.test/a.png"}},
		{ValueID: 1, UserID: 2, Content: "Too small", Reply: "We are sorry", Star: 1},
		{ValueID: 1, UserID: 1, Kind: review.Topic, Content: "Nice to read", Star: 4},
		{ValueID: 2, UserID: 99, Content: "", Star: 3},
	} {
		_, err := w.Shop.Reviews.Create(t.Context(), c)
		require.NoError(t, err)
		w.Shop.Clock.Move(time.Minute)
	}
	return w
}

func clerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:comment:list", "admin:comment:delete")
}

func TestList(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	clerk(w).GET(list).OK().Golden("list")
	clerk(w).GET(list + "?userId=&valueId=&timeArray=").OK().Golden("list")
	clerk(w).GET(list + "?valueId=99").Empty()
}

func TestFilters(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	for name, tt := range map[string]struct {
		query url.Values
		want  []int64
	}{
		"all":                   {url.Values{}, []int64{4, 3, 2, 1}},
		"oldest first":          {url.Values{"order": {"asc"}}, []int64{1, 2, 3, 4}},
		"by id":                 {url.Values{"sort": {"id"}, "order": {"asc"}, "limit": {"2"}}, []int64{1, 2}},
		"beyond the last page":  {url.Values{"page": {"9"}, "limit": {"3"}}, []int64{1}},
		"shopper":               {url.Values{"userId": {"1"}}, []int64{3, 1}},
		"goods, not the topic":  {url.Values{"valueId": {"1"}}, []int64{2, 1}},
		"goods of a shopper":    {url.Values{"valueId": {"1"}, "userId": {"1"}}, []int64{1}},
		"0 is an id like other": {url.Values{"userId": {"0"}}, []int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, clerk(w).In(t).GET(list+"?"+tt.query.Encode()).IDs())
		})
	}
	for _, q := range []string{"userId=x", "valueId=1+or+1=1", "sort=star", "sort=content", "order=DESC", "page=0", "limit=-1"} {
		clerk(w).GET(list + "?" + q).Fails(errno.Invalid)
	}
}

// A deleted comment no longer counts for shoppers, and the page that shows it is dropped from the cache.
func TestDelete(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	var dropped []catalog.Change
	w.Shop.Catalog.OnChange(func(c catalog.Change) { dropped = append(dropped, c) })
	clerk(w).POST(remove, `{"id":1,"valueId":7,"userId":7,"content":"x"}`).OK().Golden("delete")
	require.Equal(t, []catalog.Change{{Goods: 1}}, dropped)
	counts, err := w.Shop.Reviews.Count(t.Context(), review.Goods, 1)
	require.NoError(t, err)
	require.Equal(t, review.Counts{All: 1}, counts)
	require.Equal(t, "0,1,1,1", w.Shop.Text("SELECT GROUP_CONCAT(1 - deleted ORDER BY id) FROM comment"))
	require.Equal(t, "2030-01-02T04:04:00Z", w.Shop.Text("SELECT update_time FROM comment WHERE id = 1"))
	clerk(w).POST(remove, `{"id":1}`).OK().Golden("delete_again")
	clerk(w).POST(remove, `{"id":99}`).OK()
	require.Len(t, dropped, 1)
	clerk(w).POST(remove, `{"id":3}`).OK().Golden("delete_of_a_topic")
	require.Len(t, dropped, 1, "a topic has no kept page of its own")
	for body, code := range map[string]*errno.Code{
		`{}`: errno.Missing, `{"id":""}`: errno.Missing, `{"id":"x"}`: errno.Invalid, `{"id":[2]}`: errno.Invalid,
	} {
		clerk(w).POST(remove, body).Fails(code)
	}
	w.Conflict("UPDATE `comment`")
	clerk(w).POST(remove, `{"id":2}`).Fails(errno.Stale)
	require.EqualValues(t, 0, w.Shop.Int("SELECT deleted FROM comment WHERE id = 2"))
}

// Several operators delete one comment concurrently: all succeed, and one of them has deleted it.
func TestDeletedAtOnce(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	c := clerk(w)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { c.POST(remove, `{"id":1}`).OK() })
	}
	wg.Wait()
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE target_id = 1 AND before_json IS NOT NULL"))
	require.EqualValues(t, 1, w.Shop.Int("SELECT version FROM comment WHERE id = 1"), "changed once")
}
