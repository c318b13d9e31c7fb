package content_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	domainstorage "shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	listObjects  = "/admin/storage/list"
	createObject = "/admin/storage/create"
	readObject   = "/admin/storage/read"
	updateObject = "/admin/storage/update"
	removeObject = "/admin/storage/delete"
)

func objectClerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:storage:list", "admin:storage:create", "admin:storage:read", "admin:storage:update",
		"admin:storage:delete")
}

// withFiles is a shop with three files whose keys are known.
func withFiles(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	for i, name := range []string{"100%.txt", "under_score.txt", `back\slash.txt`} {
		o, err := w.Shop.Storage.Put(t.Context(), domainstorage.Owner{Kind: domainstorage.Operator, ID: 7}, "x", []byte(name))
		require.NoError(t, err)
		key := fmt.Sprintf("key%d.txt", i+1)
		w.Shop.Exec("UPDATE storage SET storage_key = ?, url = ?, name = ? WHERE id = ?", key, "http://shop.test/"+key, name, o.ID)
		w.Shop.Clock.Move(time.Minute)
	}
	return w
}

var random = regexp.MustCompile(`[a-z2-7]{20}\.`)

// masked writes RANDOM for the random part of keys.
func masked(a *optest.Answer) *optest.Answer {
	a.Body = random.ReplaceAll(a.Body, []byte("RANDOM."))
	for name, body := range a.Beside {
		a.Beside[name] = random.ReplaceAll(body, []byte("RANDOM."))
	}
	return a
}

func TestList(t *testing.T) {
	t.Parallel()
	w := withFiles(t)
	objectClerk(w).GET(listObjects).OK().Golden("object/list")
	objectClerk(w).GET(listObjects + "?limit=0&key=&name=&timeArray=").OK().Golden("object/list_all")
	objectClerk(w).GET(listObjects + "?key=key").Empty()
	for name, tt := range map[string]struct {
		query url.Values
		want  []int64
	}{
		"oldest first":         {url.Values{"order": {"asc"}}, []int64{1, 2, 3}},
		"by id":                {url.Values{"sort": {"id"}}, []int64{3, 2, 1}},
		"beyond the last page": {url.Values{"page": {"9"}, "limit": {"2"}}, []int64{1}},
		"key":                  {url.Values{"key": {"key2.txt"}}, []int64{2}},
		"key in capitals":      {url.Values{"key": {"KEY2.txt"}}, []int64{}},
		"part of the name":     {url.Values{"name": {"SCORE"}}, []int64{2}},
		"percent is a percent": {url.Values{"name": {"%"}}, []int64{1}},
		"underscore is itself": {url.Values{"name": {"_"}}, []int64{2}},
		"backslash is itself":  {url.Values{"name": {`\`}}, []int64{3}},
		"always true":          {url.Values{"name": {"x' or '1'='1"}}, []int64{}},
		"key, always true":     {url.Values{"key": {"x' or '1'='1"}}, []int64{}},
		"both must hold":       {url.Values{"key": {"key2.txt"}, "name": {"%"}}, []int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, objectClerk(w).In(t).GET(listObjects+"?"+tt.query.Encode()).IDs())
		})
	}
	for _, q := range []string{"sort=name", "sort=storage_key", "order=DESC", "page=0", "limit=10001"} {
		objectClerk(w).GET(listObjects + "?" + q).Fails(errno.Invalid)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	masked(objectClerk(w).Upload(createObject, "file", `C:\papers\terms.html`, []byte("Hello, world.\n")).OK()).Golden("object/create")
	masked(objectClerk(w).Upload(createObject, "file", "blob", []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n")).OK()).Golden("object/create_blob")
	masked(objectClerk(w).Upload(createObject, "file", "", []byte("a,b\n1,2\n")).OK()).Golden("object/create_nameless")
	require.Equal(t, "2/1 2/1 2/1", w.Shop.Text("SELECT GROUP_CONCAT(CONCAT(owner_type, '/', owner_id) SEPARATOR ' ') FROM storage"))
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	var o struct {
		Key, Type, URL string
		Size           int64
	}
	objectClerk(w).Upload(createObject, "file", "a.png", append(b.Bytes(), "<script>alert(1)</script>"...)).Data(&o)
	require.Equal(t, "image/png", o.Type)
	require.Less(t, o.Size, int64(b.Len()+1), "a picture is drawn anew")
	require.Equal(t, "http://shop.test/wx/storage/fetch/"+o.Key, o.URL)
}

func TestCreateTwiceWithOneKey(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := objectClerk(w).With("Idempotency-Key", "k")
	first := c.Upload(createObject, "file", "x.txt", []byte("hello")).OK()
	require.Equal(t, string(first.Body), string(c.Upload(createObject, "file", "x.txt", []byte("hello")).OK().Body))
	c.Upload(createObject, "file", "x.txt", []byte("goodbye")).Fails(errno.Invalid)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM storage"))
}

// The bytes decide the type, whatever the name or the header says; what a browser could execute is refused.
func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := objectClerk(w)
	for name, data := range map[string]string{
		"x.png":  "<!DOCTYPE html><script>alert(1)</script>",
		"x.html": " <html></html>",
		"x.svg":  `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
		"x.xml":  `<?xml version="1.0"?><a/>`,
		"x.exe":  "MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00",
		"x":      "\x01\x02\x03\x04\xff\xfe\x00\x10",
		"x.gif":  "GIF89a<script>alert(1)</script>",
	} {
		a := c.Upload(createObject, "file", name, []byte(data)).Fails(errno.Invalid)
		if name == "x.exe" { // the text for pictures says that they cannot be read
			a.Fails(errno.Invalid).Says("文件为空，或不是支持的类型")
		}
	}
	c.Upload(createObject, "file", "x.txt", nil).Fails(errno.Missing).Says("缺少文件")
	c.Upload(createObject, "other", "x.txt", []byte("hello")).Fails(errno.Missing)
	c.POST(createObject, `{"file":"hello"}`).Fails(errno.Missing)
	a := c.Upload(createObject, "file", "x.txt", []byte(strings.Repeat("a", 20<<20+1))).Fails(errno.Invalid)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.Status)
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM storage"))
	c.Upload(createObject, "file", "x.txt", []byte(strings.Repeat("a", 20<<20))).OK()
	w.Conflict("INSERT INTO storage")
	c.Upload(createObject, "file", "x.txt", []byte("hello")).Fails(errno.Stale)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM storage"))
}

func TestRead(t *testing.T) {
	t.Parallel()
	w := withFiles(t)
	c := objectClerk(w)
	c.GET(readObject + "?id=2").OK().Golden("object/read")
	c.POST(readObject, `{"id":2}`).OK().Golden("object/read")
	c.POST(readObject+"?id=2", "").OK().Golden("object/read")
	c.POST(readObject+"?id=9", `{"id":2}`).OK().Golden("object/read")
	c.POST(readObject, "").Fails(errno.Missing)
	c.GET(readObject).Fails(errno.Missing)
	w.Shop.Exec("UPDATE storage SET deleted = 1, del_mark = id WHERE id = 1")
	for _, id := range []string{"1", "99", "0", "x", "1.5"} {
		c.GET(readObject + "?id=" + id).Fails(errno.Invalid)
		c.POST(readObject+"?id="+id, "").Fails(errno.Invalid)
	}
	w.Operator("lister", "admin:storage:list").POST(readObject, `{"id":2}`).Fails(errno.NoPermission)
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM audit_log"), "nothing was changed")
}

const objectRow = "SELECT CONCAT_WS('/', storage_key, name, type, size, url, deleted, owner_type, owner_id, add_time, " +
	"COALESCE(sha256, '-')) FROM storage WHERE id = 1"

// An update changes the name and nothing else.
func TestUpdate(t *testing.T) {
	t.Parallel()
	w := withFiles(t)
	before := w.Shop.Text(objectRow)
	objectClerk(w).POST(updateObject, `{"id":1,"name":"terms.txt","key":"key2.txt","url":"http://evil.example/","type":"text/html",`+
		`"size":1,"deleted":true,"addTime":"2001-01-01 00:00:00","storageKey":"x"}`).OK().Golden("object/update")
	require.Equal(t, strings.Replace(before, "100%.txt", "terms.txt", 1), w.Shop.Text(objectRow))
	objectClerk(w).POST(updateObject, `{"id":1}`).OK().Golden("object/update_nothing")
	c := objectClerk(w)
	c.POST(updateObject, `{"name":"x"}`).Fails(errno.Missing)
	c.POST(updateObject, `{"id":1,"name":""}`).Fails(errno.Missing)
	c.POST(updateObject, `{"id":1,"name":"`+strings.Repeat("长", 256)+`"}`).Fails(errno.Invalid)
	c.POST(updateObject, `{"id":1,"name":"`+strings.Repeat("长", 255)+`"}`).OK()
	c.POST(updateObject, `{"id":99,"name":"x"}`).Fails(errno.UpdateFailed)
	w.Shop.Exec("UPDATE storage SET deleted = 1, del_mark = id WHERE id = 2")
	c.POST(updateObject, `{"id":2,"name":"x","deleted":false}`).Fails(errno.UpdateFailed)
	w.Conflict("UPDATE storage")
	c.POST(updateObject, `{"id":1,"name":"x"}`).Fails(errno.Stale)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w := withFiles(t)
	c := objectClerk(w)
	c.POST(removeObject, `{"id":2,"key":"key1.txt","name":"x"}`).OK().Golden("object/delete")
	require.Equal(t, "1/1 0/0 0/0", w.Shop.Text("SELECT GROUP_CONCAT(CONCAT(deleted, '/', del_mark) ORDER BY id SEPARATOR ' ') FROM storage"))
	c.POST(removeObject, `{"key":"key1.txt"}`).OK().Golden("object/delete_again")
	c.POST(removeObject, `{"id":2}`).Fails(errno.Missing)
	c.POST(removeObject, `{"key":""}`).Fails(errno.Missing)
	c.POST(removeObject, `{"key":["key2.txt"]}`).Fails(errno.Invalid)
	w.Conflict("UPDATE storage")
	c.POST(removeObject, `{"key":"key2.txt"}`).Fails(errno.Stale)
	require.EqualValues(t, 2, w.Shop.Int("SELECT COUNT(*) FROM storage WHERE deleted = 0"))
}

// Two operators delete one file concurrently: both succeed, and one of them has deleted it.
func TestDeletedAtOnce(t *testing.T) {
	t.Parallel()
	w := withFiles(t)
	c := objectClerk(w)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { c.POST(removeObject, `{"key":"key1.txt"}`).OK() })
	}
	wg.Wait()
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE before_json IS NOT NULL"))
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", domainstorage.TopicRemove))
}

// CVE-2025-8753: an unknown key deletes nothing, whatever it points to; the attempt is recorded.
func TestNothingElseIsDeleted(t *testing.T) {
	t.Parallel()
	w := withFiles(t)
	only := w.Operator("deleter", "admin:storage:delete")
	for i, key := range []string{"../../application.yml", "/etc/hosts", `..\\x`, "key9.txt", "KEY1.TXT", "%", "key_.txt"} {
		only.POST(removeObject, `{"key":"%s"}`, key).OK().Golden("object/" + fmt.Sprintf("delete_of_nothing_%d", i))
	}
	require.EqualValues(t, 3, w.Shop.Int("SELECT COUNT(*) FROM storage WHERE deleted = 0"))
	require.Zero(t, w.Shop.Int("SELECT COUNT(*) FROM outbox_event"))
	require.EqualValues(t, 7, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE admin_name = 'deleter'"))
	only.POST(removeObject, `{"key":"key1.txt"}`).OK()
	only.POST(removeObject, `{"key":"key1.txt"}`).OK()
	require.EqualValues(t, 2, w.Shop.Int("SELECT COUNT(*) FROM storage WHERE deleted = 0"))
}
