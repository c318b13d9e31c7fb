package access_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	listNotices   = "/admin/notice/list"
	createNotice  = "/admin/notice/create"
	readNotice    = "/admin/notice/read"
	updateNotice  = "/admin/notice/update"
	removeNotice  = "/admin/notice/delete"
	removeNotices = "/admin/notice/batch-delete"
)

func editor(w *apitest.Env) *optest.Client {
	return w.Operator("editor", "admin:notice:list", "admin:notice:create", "admin:notice:read", "admin:notice:update",
		"admin:notice:delete", "admin:notice:batch-delete")
}

// receipts are all of them, as notice/operator/title/read/deleted.
const receipts = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('/', notice_id, admin_id, notice_title, " +
	"read_time IS NOT NULL, deleted) ORDER BY id), '') FROM notice_admin"

// openOffice is a shop with two operators, editor 1 and clerk 2, and a deleted one.
func openOffice(t *testing.T) (*apitest.Env, *optest.Client) {
	t.Helper()
	w := apitest.Open(t)
	c := editor(w)
	w.Operator("clerk")
	w.Operator("gone")
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE username = 'gone'")
	return w, c
}

func TestLife(t *testing.T) {
	t.Parallel()
	w, c := openOffice(t)
	keyed := c.With("Idempotency-Key", "k")
	const body = `{"title":"盘点","content":"<p onclick=\"x()\">今晚<script>alert(1)</script></p>","adminId":9,"deleted":true}`
	keyed.POST(createNotice, body).OK().Golden("notice/create")
	keyed.POST(createNotice, body).OK()
	require.Equal(t, "1/1/盘点/0/0,1/2/盘点/0/0", w.Shop.Text(receipts), "the author gets one too, the deleted none")
	require.Equal(t, "<p>今晚</p>", w.Shop.Text("SELECT content FROM notice"))
	w.Shop.Clock.Move(time.Hour)
	c.POST(updateNotice, `{"id":1,"title":"大盘点","content":"<img src=x onerror=y>"}`).OK().Golden("notice/update")
	require.Equal(t, "1/1/大盘点/0/0,1/2/大盘点/0/0", w.Shop.Text(receipts))
	c.POST(updateNotice, `{"id":1}`).OK()
	require.Equal(t, "大盘点", w.Shop.Text("SELECT title FROM notice"), "what is absent stays")
	c.GET(readNotice + "?id=1").OK().Golden("notice/read")
	w.Operator("clerk").POST("/admin/profile/catnotice", `{"noticeId":1}`).OK()
	c.GET(readNotice + "?id=1").OK().Golden("notice/read_by_one")
	c.POST(updateNotice, `{"id":1,"title":"x"}`).Fails(errno.Invalid)
	w.Operator("clerk").POST("/admin/profile/rmnotice", `{"id":2}`).OK()
	c.POST(updateNotice, `{"id":1,"title":"x"}`).Fails(errno.Invalid)
	c.POST(removeNotice, `{"id":1,"title":"x"}`).OK().Golden("notice/delete")
	c.POST(removeNotice, `{"id":1}`).OK().Golden("notice/delete_again")
	require.Equal(t, "1/1/大盘点/0/1,1/2/大盘点/1/1", w.Shop.Text(receipts))
	c.POST(updateNotice, `{"id":1,"title":"x"}`).Fails(errno.UpdateFailed)
	c.GET(readNotice + "?id=1").Fails(errno.Invalid)
}

// Missing is 401, malformed 402.
func TestRefusals(t *testing.T) {
	t.Parallel()
	w, c := openOffice(t)
	for body, path := range map[string]string{
		`{}`: createNotice, `{"title":""}`: createNotice, `{"title":" ","content":"x"}`: createNotice, `{"title":"x"}`: updateNotice,
		`{"id":1,"title":""}`: updateNotice, `{"ids":[]}`: removeNotices, `{"ids":null}`: removeNotices, `{"id":null}`: removeNotice,
	} {
		c.POST(path, "%s", body).Fails(errno.Missing)
	}
	c.GET(readNotice).Fails(errno.Missing)
	c.POST(removeNotices, "").Fails(errno.Missing)
	for body, path := range map[string]string{
		`{"title":"` + strings.Repeat("长", 64) + `"}`:                  createNotice,
		`{"title":"x","content":"` + strings.Repeat("长", 20001) + `"}`: createNotice,
		`{"title":[]}`:           createNotice,
		`{"id":"x","title":"x"}`: updateNotice,
		`{"ids":[1,"x"]}`:        removeNotices,
		`{"ids":[` + strings.Repeat("1,", 1000) + `1]}`: removeNotices,
		`{"id":1.5}`: removeNotice,
	} {
		c.POST(path, "%s", body).Fails(errno.Invalid)
	}
	c.GET(readNotice + "?id=99").Fails(errno.Invalid)
	c.GET(readNotice + "?id=x").Fails(errno.Invalid)
	require.Empty(t, w.Shop.Text(receipts))
	c.POST(createNotice, `{"title":"%s","content":"%s"}`, strings.Repeat("长", 63), strings.Repeat("长", 20000)).OK()
}

func TestNoticeList(t *testing.T) {
	t.Parallel()
	w, c := openOffice(t)
	for _, title := range []string{"100%", "盘点", "a_b"} {
		c.POST(createNotice, `{"title":%q,"content":"of %s"}`, title, title).OK()
		w.Shop.Clock.Move(time.Minute)
	}
	c.POST(removeNotice, `{"id":2}`).OK()
	c.GET(listNotices).OK().Golden("notice/list")
	c.GET(listNotices + "?title=nothing").Empty()
	for query, want := range map[string][]int64{
		"title=%25": {1}, "title=_": {3}, "content=of": {3, 1}, "content=of&title=a": {3}, "title=&content=": {3, 1},
		"sort=id&order=asc": {1, 3}, "limit=1&page=9": {1}, "limit=0": {3, 1},
	} {
		require.Equal(t, want, c.GET(listNotices+"?"+query).IDs(), query)
	}
	c.GET(listNotices + "?sort=title").Fails(errno.Invalid)
	c.POST(removeNotices, `{"ids":["3",2,99,1,3]}`).OK().Golden("notice/batch_delete")
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM notice WHERE deleted = 0")+
		w.Shop.Int("SELECT COUNT(*) FROM notice_admin WHERE deleted = 0"))
}

// A notice is changed before anybody has read it or not at all, whatever runs concurrently.
func TestReadWhileEdited(t *testing.T) {
	t.Parallel()
	w, c := openOffice(t)
	reader := w.Operator("clerk")
	for round := range 12 {
		var made struct{ ID int64 }
		c.POST(createNotice, `{"title":"old","content":"old"}`).Data(&made)
		edited, opened := make(chan *optest.Answer, 1), make(chan *optest.Answer, 1)
		go func() { edited <- c.POST(updateNotice, `{"id":%d,"title":"new","content":"new"}`, made.ID) }()
		go func() {
			if round%2 == 0 {
				opened <- reader.POST("/admin/profile/catnotice", `{"noticeId":%d}`, made.ID)
				return
			}
			opened <- reader.POST("/admin/profile/bcatnotice", `{"ids":[%d]}`, w.Shop.Int(
				"SELECT id FROM notice_admin WHERE notice_id = ? AND admin_id = 2", made.ID))
		}()
		e, o := <-edited, <-opened
		require.Equal(t, errno.OK, o.Code())
		stored := w.Shop.Text("SELECT content FROM notice WHERE id = ?", made.ID)
		switch e.Code() {
		case errno.OK:
			require.Equal(t, "new", stored)
		default:
			e.Fails(errno.Invalid)
			require.Equal(t, "old", stored)
		}
		if round%2 == 0 {
			require.Contains(t, string(o.Body), `"content":"`+stored+`"`, "who reads sees what is kept")
		}
	}
}
