package storage_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/storage"
)

// wide is three squares side by side: red, blue, red.
func wide(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 300, 100))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.RGBA{R: 255, A: 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(100, 0, 200, 100), image.NewUniform(color.RGBA{B: 255, A: 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

func TestThumbnail(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	put, err := s.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 1}, "wide.png", wide(t))
	require.NoError(t, err)
	m, err := s.Thumbnail(t.Context(), put.URL, 50)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 50, 50), m.Bounds())
	for _, at := range []image.Point{{}, {49, 49}, {0, 49}, {25, 25}} {
		require.Equal(t, color.RGBA{B: 255, A: 255}, m.At(at.X, at.Y), "the middle of the picture, at %v", at)
	}
	found, err := s.ByURL(t.Context(), put.URL)
	require.NoError(t, err)
	require.Equal(t, put, found)
	// An address with a former base is recognized too.
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE storage SET url = CONCAT('http://old/', storage_key)"))
	_, err = s.ByURL(t.Context(), "http://shop/fetch/"+put.Key)
	require.NoError(t, err)

	for _, address := range []string{
		"", "/", put.Key, "http://evil/fetch/" + put.Key, "http://shop/fetch/x/../" + put.Key, "http://shop/fetch/" + put.Key + "?x",
		"http://shop/fetch/none.png", "http://shop/fetch/../secret", "http://169.254.169.254/latest/" + put.Key,
	} {
		_, err := s.Thumbnail(t.Context(), address, 50)
		require.ErrorIs(t, err, storage.ErrUnknown, address)
	}
	drawing, err := s.Put(t.Context(), storage.Owner{}, "x.svg", []byte(svg))
	require.NoError(t, err)
	_, err = s.Thumbnail(t.Context(), drawing.URL, 50)
	require.ErrorIs(t, err, errno.Invalid)
	broken, err := s.Put(t.Context(), storage.Owner{}, "x.png", wide(t)[:80])
	require.NoError(t, err, "the shop's own are not looked at")
	_, err = s.Thumbnail(t.Context(), broken.URL, 50)
	require.ErrorIs(t, err, errno.Invalid)
	require.NoError(t, os.Remove(filepath.Join(dir, put.Key)))
	_, err = s.Thumbnail(t.Context(), "http://shop/fetch/"+put.Key, 50)
	require.ErrorIs(t, err, storage.ErrUnknown)
}

func TestRemove(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	put, err := s.Put(t.Context(), storage.Owner{}, "a.png", picture(t))
	require.NoError(t, err)
	boom := errors.New("boom")
	require.ErrorIs(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		require.NoError(t, s.Remove(t.Context(), tx, put.Key))
		return boom
	}), boom)
	_, r, err := s.Open(t.Context(), put.Key)
	require.NoError(t, err, "what is rolled back stays")
	require.NoError(t, r.Close())
	for range 2 {
		require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) error { return s.Remove(t.Context(), tx, put.Key) }))
		_, _, err = s.Open(t.Context(), put.Key)
		require.ErrorIs(t, err, storage.ErrUnknown)
		require.NoFileExists(t, filepath.Join(dir, put.Key))
	}
}

// If the function that must succeed along with an object fails, there is neither an object nor its bytes.
func TestPutWithAFailure(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	boom := errors.New("boom")
	_, err := s.PutWith(t.Context(), storage.Owner{}, "a.png", picture(t), func(*db.Tx, storage.Object) error { return boom })
	require.ErrorIs(t, err, boom)
	var n int64
	require.NoError(t, table.Scan(t.Context(), d, &n, "SELECT COUNT(*) FROM storage"))
	require.Zero(t, n)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
}
