package content_test

import (
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// editor has all permissions on the records of these areas.
func editor(w *apitest.Env) *optest.Client {
	var values []string
	for _, area := range []string{"issue", "keyword", "ad", "topic"} {
		for _, action := range []string{"list", "create", "read", "update", "delete"} {
			values = append(values, "admin:"+area+":"+action)
		}
	}
	return w.Operator("editor", append(values, "admin:topic:batch-delete")...)
}

// kinds are the records with a body that creates one, one that changes it, and a name to find it by.
var kinds = map[string]struct {
	made, changed, find string
	// needed are the required members.
	needed []string
}{
	"issue": {
		`{"question":"运费怎么算 100%?","answer":"满八十八元免运费"}`, `"answer":"满一百元免运费"`, "question=100%25",
		[]string{"question", "answer"},
	},
	"keyword": {
		`{"keyword":"春茶_1","url":"https://shop.test/tea","isHot":true}`, `"sortOrder":"7","isHot":0`, "keyword=_1",
		[]string{"keyword"},
	},
	"ad": {
		`{"name":"新茶","content":"第一采","url":"https://shop.test/a.png","enabled":true,"startTime":"2030-01-01 00:00:00"}`,
		`"link":"/goods/1","endTime":"2030-02-01 00:00:00"`, "name=" + url.QueryEscape("新茶"),
		[]string{"name", "content", "url"},
	},
	"topic": {
		`{"title":"喝茶","content":"<p onclick=\"x()\">慢</p><script>y()</script>","price":9.9,"goods":[2,1,2,99]}`,
		`"subtitle":"慢慢来","goods":[1]`, "title=" + url.QueryEscape("茶"),
		[]string{"title", "content", "price"},
	},
}

// world is a shop with goods 1, on sale, and 2, not on sale.
func world(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Shop.Product("Teapot", money.Yuan(45), 3)
	w.Shop.Product("Old teapot", money.Yuan(40), 3)
	w.Shop.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 2")
	return w
}

// Members that an update must not change stay, and what is deleted stays deleted.
func TestTheLifeOfARecord(t *testing.T) {
	t.Parallel()
	for area, kind := range kinds {
		t.Run(area, func(t *testing.T) {
			w := world(t)
			c := editor(w)
			path := func(action string) string { return "/admin/" + area + "/" + action }
			c.GET(path("list")).Empty()
			c.POST(path("create"), kind.made).OK().Golden(area + "/create")
			w.Shop.Clock.Move(time.Hour)
			c.POST(path("update"), `{"id":1,"addTime":"2001-01-01 00:00:00","deleted":true,"version":9,`+kind.changed+`}`).
				OK().Golden(area + "/update")
			c.GET(path("list") + "?" + kind.find).OK().Golden(area + "/list")
			read := area + "/update" // the answer of the update
			if area == "topic" {
				read = area + "/read" // with its goods
			}
			c.GET(path("read") + "?id=1").OK().Golden(read)
			c.POST(path("delete"), `{"id":1,"preview":"x"}`).OK().Golden(area + "/delete")
			c.POST(path("delete"), `{"id":1}`).OK().Golden(area + "/delete_again")
			c.POST(path("update"), `{"id":1,"deleted":false}`).Fails(errno.UpdateFailed)
			c.GET(path("read") + "?id=1").Fails(errno.Invalid)
			c.GET(path("list")).Empty()
		})
	}
}

func TestWhatIsNeeded(t *testing.T) {
	t.Parallel()
	for area, kind := range kinds {
		t.Run(area, func(t *testing.T) {
			w := world(t)
			c := editor(w)
			path := func(action string) string { return "/admin/" + area + "/" + action }
			c.POST(path("create"), "{}").Fails(errno.Missing)
			c.POST(path("create"), kind.made).OK()
			for _, member := range kind.needed {
				if member == "price" {
					c.POST(path("update"), `{"id":1,"price":""}`).OK()
					c.POST(path("update"), `{"id":1,"price":-1}`).Fails(errno.Invalid)
					c.POST(path("update"), `{"id":1,"price":"1.234"}`).Fails(errno.Invalid)
					continue
				}
				c.POST(path("update"), `{"id":1,%q:""}`, member).Fails(errno.Missing)
				c.POST(path("update"), `{"id":1,%q:null}`, member).OK()
			}
			c.POST(path("update"), "{}").Fails(errno.Missing)
			c.POST(path("update"), `{"id":"x"}`).Fails(errno.Invalid)
			c.POST(path("delete"), "{}").Fails(errno.Missing)
			c.GET(path("read")).Fails(errno.Missing)
			c.GET(path("read") + "?id=x").Fails(errno.Invalid)
		})
	}
}

func TestARepeatedCallMakesOneRecord(t *testing.T) {
	t.Parallel()
	for area, kind := range kinds {
		t.Run(area, func(t *testing.T) {
			w := world(t)
			c := editor(w).With("Idempotency-Key", "k1")
			first := c.POST("/admin/"+area+"/create", kind.made).OK()
			again := c.POST("/admin/"+area+"/create", kind.made).OK()
			require.JSONEq(t, string(first.Body), string(again.Body))
			require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM "+area))
		})
	}
}

func TestABannerEndsAfterItBegins(t *testing.T) {
	t.Parallel()
	c := editor(world(t))
	const path = "/admin/ad/create"
	c.POST(path, `{"name":"a","content":"b","url":"c","startTime":"2030-01-02 00:00:00","endTime":"2030-01-02 00:00:00"}`).
		Fails(errno.Invalid)
	c.POST(path, `{"name":"a","content":"b","url":"c","startTime":"yesterday"}`).Fails(errno.Invalid)
	c.POST(path, `{"name":"a","content":"b","url":"c","position":0}`).Fails(errno.Invalid)
	c.POST(path, `{"name":"a","content":"b","url":"c","startTime":"2030-01-02 00:00:00"}`).OK()
	c.POST("/admin/ad/update", `{"id":1,"endTime":"2030-01-01 00:00:00"}`).Fails(errno.Invalid)
}

func TestOneKeywordIsTheDefault(t *testing.T) {
	t.Parallel()
	w := world(t)
	c := editor(w)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { c.POST("/admin/keyword/create", `{"keyword":"word %d","isDefault":true}`, i) })
	}
	wg.Wait()
	c.POST("/admin/keyword/update", `{"id":3,"isDefault":"true"}`).OK()
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM keyword WHERE is_default = 1 AND id = 3"))
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM keyword WHERE is_default = 1"))
}

func TestAStaleTopicIsNotChanged(t *testing.T) {
	t.Parallel()
	w := world(t)
	c := editor(w)
	var made struct{ UpdateTime string }
	c.POST("/admin/topic/create", kinds["topic"].made).OK().Data(&made)
	const body = `{"id":1,"title":"%s","updateTime":%q}`
	var changed struct{ UpdateTime string }
	c.POST("/admin/topic/update", body, "mine", made.UpdateTime).OK().Data(&changed)
	require.NotEqual(t, made.UpdateTime, changed.UpdateTime, "two changes within a second differ")
	c.POST("/admin/topic/update", body, "yours", made.UpdateTime).Fails(errno.Stale)
	c.POST("/admin/topic/update", body, "yours", "soon").Fails(errno.Invalid)
	require.Equal(t, "mine", w.Shop.Text("SELECT title FROM topic"))
}

// TestEditorsAtOnce lets many editors change one topic that all have just read: one succeeds.
func TestEditorsAtOnce(t *testing.T) {
	t.Parallel()
	w := world(t)
	c := editor(w)
	var made struct{ UpdateTime string }
	c.POST("/admin/topic/create", kinds["topic"].made).OK().Data(&made)
	var mu sync.Mutex
	codes := map[int]int{}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			a := c.POST("/admin/topic/update", `{"id":1,"title":"t%d","updateTime":%q}`, i, made.UpdateTime)
			mu.Lock()
			defer mu.Unlock()
			codes[a.Code().Num]++
		})
	}
	wg.Wait()
	require.Equal(t, map[int]int{0: 1, errno.Stale.Num: 7}, codes)
}

// No ids, an empty list and unknown ids do not crash.
func TestSeveralTopicsAreDeleted(t *testing.T) {
	t.Parallel()
	w := world(t)
	c := editor(w)
	const path = "/admin/topic/batch-delete"
	for i := range 3 {
		c.POST("/admin/topic/create", `{"title":"t%d","content":"c","price":1}`, i).OK()
	}
	c.POST(path, `{}`).Fails(errno.Missing)
	c.POST(path, `{"ids":[]}`).Fails(errno.Missing)
	c.POST(path, `{"ids":["x"]}`).Fails(errno.Invalid)
	c.POST(path, `{"ids":%s}`, many(1001)).Fails(errno.Invalid)
	c.POST(path, `{"ids":[3,"1",99,3]}`).OK().Golden("topic/batch_delete")
	require.Equal(t, "t1", w.Shop.Text("SELECT title FROM topic WHERE deleted = 0"))
	c.POST(path, `{"ids":[1]}`).OK().Golden("topic/batch_delete_one")
}

func many(n int) string {
	text := "["
	for i := range n {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(i + 1)
	}
	return text + "]"
}

func TestTopicsAreSortedByPrice(t *testing.T) {
	t.Parallel()
	c := editor(world(t))
	for _, price := range []int{20, 5, 10} {
		c.POST("/admin/topic/create", `{"title":"t","content":"c","price":%d}`, price).OK()
	}
	var got struct{ List []struct{ ID int64 } }
	c.GET("/admin/topic/list?sort=price&order=asc").Data(&got)
	require.Equal(t, []struct{ ID int64 }{{2}, {3}, {1}}, got.List)
	c.GET("/admin/topic/list?sort=title").Fails(errno.Invalid)
}

// A topic says what was removed from its content.
func TestWhatIsRemovedFromATopicIsSaid(t *testing.T) {
	t.Parallel()
	c := editor(apitest.Open(t))
	var said struct{ Removed []string }
	c.POST("/admin/topic/create", `{"title":"x","price":1,"content":"<p>x</p><video></video>"}`).OK().Data(&said)
	require.Equal(t, []string{"video"}, said.Removed)
	said.Removed = nil
	c.POST("/admin/topic/update", `{"id":1,"content":"<img src=\"//cdn/x.png\">"}`).OK().Data(&said)
	require.Equal(t, []string{"img"}, said.Removed)
	said.Removed = nil
	c.POST("/admin/topic/update", `{"id":1,"title":"y"}`).OK().Data(&said)
	require.Nil(t, said.Removed)
}
