package drill

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"maps"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/test/reliability/client"
)

// uploader is a shopper who sends pictures.
type uploader struct {
	f       *faults
	picture []byte
	kind    string
	me      *client.Shopper
	seen    map[string]int
	files   int
	after   string
}

func newUploader(f *faults) *uploader {
	dots := image.NewRGBA(image.Rect(0, 0, 200, 200))
	for i := range 200 * 200 {
		dots.Set(i%200, i/200, color.RGBA{uint8(i), uint8(i * i), uint8(i / 200), 255})
	}
	var file, body bytes.Buffer
	must(f.t, png.Encode(&file, dots))
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "dots.png")
	must(f.t, err)
	_, err = part.Write(file.Bytes())
	must(f.t, err)
	must(f.t, form.Close())
	return &uploader{f: f, picture: body.Bytes(), kind: form.FormDataContentType(), seen: map[string]int{}}
}

// send uploads the picture and returns what came back.
func (u *uploader) send(ctx context.Context) string {
	begin := time.Now()
	a, err := u.me.Send(ctx, client.Request{
		Method: http.MethodPost, Path: "/wx/storage/upload", ContentType: u.kind, Body: u.picture,
	})
	if err != nil {
		return "no answer"
	}
	if took := time.Since(begin); took > limits["shoppers"] {
		u.f.t.Errorf("an upload was answered after %v", round(took))
	}
	return fmt.Sprintf("%d/%d", a.Status, a.Errno)
}

// count is the number of files and of rows of uploads.
func (u *uploader) count(ctx context.Context) int {
	files := 0
	must(u.f.t, filepath.WalkDir(filepath.Join(u.f.Stack.Folder, "objects"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
		}
		return err
	}))
	return files + int(u.f.Number(ctx, "SELECT COUNT(*) FROM storage"))
}

// fill makes every write of a storefront fail, and uploads meanwhile.
func (u *uploader) fill(ctx context.Context) (err error) {
	if u.me, err = u.f.Shop.Shopper(ctx, "demo70", client.Password); err != nil {
		return err
	}
	if got := u.send(ctx); got != "200/0" {
		return fmt.Errorf("an upload was answered %s before", got)
	}
	u.files = u.count(ctx)
	for _, r := range u.f.Stack.Storefronts {
		if err := r.LimitFiles(64); err != nil {
			return err
		}
	}
	for range 10 {
		u.seen[u.send(ctx)]++
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

func (u *uploader) free(ctx context.Context) error {
	for _, r := range u.f.Stack.Storefronts {
		if err := r.LimitFiles(-1); err != nil {
			return err
		}
	}
	if left := u.count(ctx) - u.files; left != 0 {
		return fmt.Errorf("failed uploads left %d files or rows behind", left)
	}
	u.after = u.send(ctx)
	return nil
}

func (u *uploader) report(context.Context) string {
	if u.seen["200/0"] > 0 || u.after != "200/0" {
		u.f.t.Errorf("uploads were answered %v while the disk was full, and %s after it", u.seen, u.after)
	}
	return fmt.Sprintf("uploads %s, no file and no row is left; then %s",
		strings.Join(slices.Sorted(maps.Keys(u.seen)), ", "), u.after)
}
