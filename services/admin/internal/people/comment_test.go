package people_test

import (
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	listComments  = "/admin/comment/list"
	removeComment = "/admin/comment/delete"
	hideComment   = "/admin/moderation/hide"
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

func commentClerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:comment:list", "admin:comment:delete", "admin:moderation:hide")
}

func TestCommentList(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	commentClerk(w).GET(listComments).OK().Golden("comment/list")
	commentClerk(w).GET(listComments + "?userId=&valueId=&timeArray=").OK().Golden("comment/list")
	commentClerk(w).GET(listComments + "?valueId=99").Empty()
}

func TestCommentFilters(t *testing.T) {
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
			require.Equal(t, tt.want, commentClerk(w).In(t).GET(listComments+"?"+tt.query.Encode()).IDs())
		})
	}
	for _, q := range []string{"userId=x", "valueId=1+or+1=1", "sort=star", "sort=content", "order=DESC", "page=0", "limit=-1"} {
		commentClerk(w).GET(listComments + "?" + q).Fails(errno.Invalid)
	}
}

// A deleted comment no longer counts for shoppers, and the page that shows it is dropped from the cache.
func TestDelete(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	var dropped []catalog.Change
	w.Shop.Catalog.OnChange(func(c catalog.Change) { dropped = append(dropped, c) })
	commentClerk(w).POST(removeComment, `{"id":1,"valueId":7,"userId":7,"content":"x"}`).OK().Golden("comment/delete")
	require.Equal(t, []catalog.Change{{Goods: 1}}, dropped)
	counts, err := w.Shop.Reviews.Count(t.Context(), review.Goods, 1)
	require.NoError(t, err)
	require.Equal(t, review.Counts{All: 1}, counts)
	require.Equal(t, "0,1,1,1", w.Shop.Text("SELECT GROUP_CONCAT(1 - deleted ORDER BY id) FROM comment"))
	require.Equal(t, "2030-01-02T04:04:00Z", w.Shop.Text("SELECT update_time FROM comment WHERE id = 1"))
	commentClerk(w).POST(removeComment, `{"id":1}`).OK().Golden("comment/delete_again")
	commentClerk(w).POST(removeComment, `{"id":99}`).OK()
	require.Len(t, dropped, 1)
	commentClerk(w).POST(removeComment, `{"id":3}`).OK().Golden("comment/delete_of_a_topic")
	require.Len(t, dropped, 1, "a topic has no kept page of its own")
	for body, code := range map[string]*errno.Code{
		`{}`: errno.Missing, `{"id":""}`: errno.Missing, `{"id":"x"}`: errno.Invalid, `{"id":[2]}`: errno.Invalid,
	} {
		commentClerk(w).POST(removeComment, body).Fails(code)
	}
	w.Conflict("UPDATE comment")
	commentClerk(w).POST(removeComment, `{"id":2}`).Fails(errno.Stale)
	require.EqualValues(t, 0, w.Shop.Int("SELECT deleted FROM comment WHERE id = 2"))
}

// A hidden comment leaves the shop's pages and counts, stays in the list of staff, and comes back when it is shown
// again.
func TestHide(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	var dropped []catalog.Change
	w.Shop.Catalog.OnChange(func(c catalog.Change) { dropped = append(dropped, c) })
	shown := func() (all review.Counts, ids []int64) {
		all, err := w.Shop.Reviews.Count(t.Context(), review.Goods, 1)
		require.NoError(t, err)
		first, err := w.Shop.Reviews.List(t.Context(), review.Subject{ID: 1}, page.Query{Page: 1, Limit: 9, Sort: "id"})
		require.NoError(t, err)
		for _, c := range first.Items {
			ids = append(ids, c.ID)
		}
		require.Equal(t, first.Total, all.All)
		return all, ids
	}
	c := commentClerk(w)
	keyed := c.With("Idempotency-Key", "h")
	keyed.POST(hideComment, `{"id":1,"hidden":true}`).OK().Golden("comment/hide")
	keyed.POST(hideComment, `{"id":1,"hidden":true}`).OK()
	c.POST(hideComment, `{"id":1,"hidden":1}`).OK().Golden("comment/hide_again")
	all, ids := shown()
	require.Equal(t, review.Counts{All: 1}, all)
	require.Equal(t, []int64{2}, ids)
	require.Equal(t, []int64{4, 3, 2, 1}, c.GET(listComments).IDs())
	c.POST(hideComment, `{"id":1,"hidden":false}`).OK().Golden("comment/show")
	all, ids = shown()
	require.Equal(t, review.Counts{All: 2, WithPictures: 1}, all)
	require.Equal(t, []int64{1, 2}, ids)
	require.Equal(t, []catalog.Change{{Goods: 1}, {Goods: 1}}, dropped, "only what changes drops the page")
	c.POST(hideComment, `{"id":3,"hidden":true}`).OK()
	require.Len(t, dropped, 2, "a topic has no kept page of its own")
	for body, code := range map[string]*errno.Code{
		`{"hidden":true}`: errno.Missing, `{"id":1}`: errno.Missing, `{"id":99,"hidden":true}`: errno.Invalid,
		`{"id":1,"hidden":"x"}`: errno.Invalid,
	} {
		c.POST(hideComment, "%s", body).Fails(code)
	}
	w.Conflict("UPDATE comment")
	c.POST(hideComment, `{"id":2,"hidden":true}`).Fails(errno.Stale)
	require.EqualValues(t, 0, w.Shop.Int("SELECT hidden FROM comment WHERE id = 2"))
}

// Several operators delete one comment concurrently: all succeed, and one of them has deleted it.
func TestDeletedAtOnce(t *testing.T) {
	t.Parallel()
	w := withComments(t)
	c := commentClerk(w)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { c.POST(removeComment, `{"id":1}`).OK() })
	}
	wg.Wait()
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE target_id = 1 AND before_json IS NOT NULL"))
	require.EqualValues(t, 1, w.Shop.Int("SELECT version FROM comment WHERE id = 1"), "changed once")
}
