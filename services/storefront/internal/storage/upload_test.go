package storage_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/storage"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, storage.Ops(storage.Deps{})...)) }

const upload = "/wx/storage/upload"

// uploaded is the answer to an upload.
type uploaded struct {
	Key, Name, Type, URL string
	Size                 int64
}

func TestUpload(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	a := s.Shopper("lin").Upload(upload, "file", "tea.html", picture(t)).OK()
	var o uploaded
	a.Data(&o)
	require.Equal(t, "http://shop.test/wx/storage/fetch/"+o.Key, o.URL)
	// All of the key is random.
	a.Body = bytes.ReplaceAll(a.Body, []byte(o.Key), []byte("RANDOM.png"))
	a.Golden("upload")
	got := s.Guest().GET("/wx/storage/fetch/" + o.Key)
	require.Equal(t, http.StatusOK, got.Status)
	require.Len(t, got.Body, int(o.Size))
	require.Equal(t, int64(1), s.Domain.Int("SELECT COUNT(*) FROM storage WHERE owner_type = 1 AND owner_id = "+
		"(SELECT id FROM user WHERE username = 'lin')"))
}

func TestUploadTwiceWithOneKey(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin").With("Idempotency-Key", "k")
	first := lin.Upload(upload, "file", "a.png", picture(t)).OK()
	require.Equal(t, string(first.Body), string(lin.Upload(upload, "file", "a.png", picture(t)).OK().Body))
	lin.Upload(upload, "file", "b.png", picture(t)).Fails(errno.Invalid)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM storage"))
	// A key belongs to its shopper.
	s.Shopper("mei").With("Idempotency-Key", "k").Upload(upload, "file", "b.png", picture(t)).OK()
}

func TestUploadIsRefused(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	lin.Upload(upload, "files", "x.png", picture(t)).Fails(errno.Missing).Says("缺少文件")
	lin.POST(upload, `{"file":"x"}`).Fails(errno.Missing)
	lin.POST(upload, ``).Fails(errno.Missing)
	lin.Upload(upload, "file", "x.png", nil).Fails(errno.Invalid).Says("文件为空，或不是支持的类型")
	s.Guest().Upload(upload, "file", "x.png", picture(t)).Fails(errno.LoginRequired)
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM storage"))
}

// CVE-2025-8764: anybody could upload anything, and it was served as sent. Neither guests nor scripts are accepted; a
// name without a dot is fine, since the bytes decide the type.
func TestNoUploadOfAnythingByAnybody(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	const html, script = "<!DOCTYPE html><script>alert(1)</script>", "<script>alert(1)</script>"
	s.Guest().Upload(upload, "file", "x.png", picture(t)).Fails(errno.LoginRequired)
	for name, data := range map[string]string{
		"x.html": html,
		"x.svg":  `<svg xmlns="http://www.w3.org/2000/svg">` + script + `</svg>`,
		"x.png":  html, // sent as image/png
		"x.pdf":  "%PDF-1.7\n1 0 obj\n<<",
		"y.png":  "GIF89a" + script,
		"z.png":  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
	} {
		lin.Upload(upload, "file", name, []byte(data)).Fails(errno.Invalid)
	}
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM storage"))
	for name, want := range map[string]string{
		"x.html":    "x.html",
		"noname":    "noname",
		"..%2fx.p":  "..%2fx.p",
		"../../x.p": "x.p",
		"":          "",          // none at all
		"a.png.exe": "a.png.exe", // an extension is only a part of the name
	} {
		var o uploaded
		lin.Upload(upload, "file", name, append(picture(t), html...)).Data(&o)
		require.Regexp(t, `^[a-z0-9]{20}\.png$`, o.Key)
		require.Equal(t, want, o.Name)
		require.Equal(t, "image/png", o.Type)
		a := s.Guest().GET("/wx/storage/fetch/" + o.Key)
		require.Equal(t, "image/png", a.Header.Get("Content-Type"))
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
		require.Contains(t, a.Header.Get("Content-Security-Policy"), "default-src 'none'")
		require.NotContains(t, string(a.Body), "script")
	}
}

// endless is an endless body that counts what is read of it.
type endless struct {
	head io.Reader
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n, _ := e.head.Read(p)
	if n == 0 {
		n = len(p)
		clear(p)
	}
	e.read += n
	return n, nil
}

// CVE-2025-8764: a file that is too large is refused before it is read completely.
func TestTooLargeAnUpload(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	a := lin.Upload(upload, "file", "x.png", make([]byte, 50<<20)).Fails(errno.Invalid)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.Status)
	a.Fails(errno.Invalid).Says("请求内容太大")
	body := &endless{head: strings.NewReader("--x\r\nContent-Disposition: form-data; name=file\r\n\r\n")}
	a = lin.With("Content-Type", "multipart/form-data; boundary=x").Send(http.MethodPost, upload, body).Fails(errno.Invalid)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.Status)
	require.Less(t, body.read, 11<<20)
	small := apitest.OpenWith(t, func(c *app.Config) { c.Limits.Upload = 2048 })
	a = small.Shopper("lin").Upload(upload, "file", "x.png", make([]byte, 2049)).Fails(errno.Invalid)
	require.Equal(t, http.StatusRequestEntityTooLarge, a.Status, "the limit can be set")
}

// CVE-2025-8764: a shopper may upload 120 files an hour, however many concurrently.
func TestTheHourOfAShopper(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin, data := s.Shopper("lin"), picture(t)
	var mu sync.Mutex
	var wg sync.WaitGroup
	answers := map[*errno.Code]int{}
	for range 8 {
		wg.Go(func() {
			for range 20 {
				code := lin.Upload(upload, "file", "x.png", data).Code()
				mu.Lock()
				answers[code]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	require.Equal(t, map[*errno.Code]int{errno.OK: 120, errno.Invalid: 40}, answers)
	require.Equal(t, int64(120), s.Domain.Int("SELECT COUNT(*) FROM storage"))
	s.Shopper("wang").Upload(upload, "file", "x.png", data).OK()
}

// Old clients send no token; if they are admitted, each address may upload 60 pictures an hour.
func TestAnOpenUpload(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) { c.Storage.UploadRequiresLogin = false })
	data := picture(t)
	s.Guest().Upload(upload, "file", "x.html", []byte("<html></html>")).Fails(errno.Invalid)
	for range 59 {
		s.Guest().With("X-Shop-Token", "stale").Upload(upload, "file", "x.png", data).OK()
	}
	s.Guest().Upload(upload, "file", "x.png", data).Fails(errno.Invalid)
	require.Equal(t, int64(59), s.Domain.Int("SELECT COUNT(*) FROM storage WHERE owner_type = 1 AND owner_id = 0"))
	s.Shopper("lin").Upload(upload, "file", "x.png", data).OK()
	s.API.Address = "192.0.2.9"
	s.Guest().Upload(upload, "file", "x.png", data).OK()
}

// Concurrent large pictures neither fail nor mix.
func TestLargePicturesAtOnce(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	var photo bytes.Buffer
	require.NoError(t, jpeg.Encode(&photo, image.NewYCbCr(image.Rect(0, 0, 2000, 1500), image.YCbCrSubsampleRatio420), nil))
	data := append(photo.Bytes(), make([]byte, 10<<20-photo.Len())...) // exactly the limit
	var wg sync.WaitGroup
	for _, name := range []string{"lin", "mei", "wang", "zhao", "qian", "sun"} { // one shopper's would wait for each other
		shopper := s.Shopper(name)
		wg.Go(func() {
			a := shopper.Upload(upload, "file", "x.jpg", data)
			for range 5 { // a machine at its limits answers that it is busy, having done nothing
				if a.Code() != errno.Internal {
					break
				}
				a = shopper.Upload(upload, "file", "x.jpg", data)
			}
			var o uploaded
			a.Data(&o)
			require.Equal(t, "image/jpeg", o.Type)
			require.Less(t, o.Size, int64(1<<20), "what is behind the picture is not stored")
		})
	}
	wg.Wait()
}
