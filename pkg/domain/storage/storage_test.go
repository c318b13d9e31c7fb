package storage_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/storage"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	return b.Bytes()
}

func open(t *testing.T) (*storage.Service, *db.DB, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "objects")
	bucket, err := storage.OpenDir(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = bucket.Close() })
	d := dbtest.Open(t)
	clock := func() time.Time { return noon }
	once := idempotency.New(d, dbtest.Secret, clock)
	return storage.New(d, bucket, "http://shop/fetch/", outbox.New(d, clock), once, clock), d, dir
}

func TestPutAndOpen(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	data := picture(t)
	put, err := s.Put(t.Context(), storage.Owner{Kind: storage.Shopper, ID: 7}, `..\..\evil/holiday.html`, data)
	require.NoError(t, err)
	require.Regexp(t, `^[a-z0-9]{20}\.png$`, put.Key, "the ending is that of the bytes")
	require.Equal(t, "holiday.html", put.Name)
	require.Equal(t, "image/png", put.Type)
	require.Equal(t, "http://shop/fetch/"+put.Key, put.URL)

	got, r, err := s.Open(t.Context(), put.Key)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	require.Equal(t, put, got)
	read, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, data, read)
}

func TestPutTakesPicturesOnly(t *testing.T) {
	t.Parallel()
	shopper, shop := storage.Owner{Kind: storage.Shopper, ID: 7}, storage.Owner{}
	tests := map[string]struct {
		owner storage.Owner
		data  string
		taken bool
	}{
		"a picture":            {shopper, string(picture(t)), true},
		"nothing":              {shopper, "", false},
		"html named a picture": {shopper, "<html><script>alert(1)</script></html>", false},
		"a drawing":            {shopper, svg, false},
		"the shop's drawing":   {shop, svg, true},
		"the shop's html":      {shop, "<html></html>", false},
		"a document":           {shopper, "%PDF-1.7", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, _, dir := open(t)
			_, err := s.Put(t.Context(), tt.owner, "x.png", []byte(tt.data))
			files, readErr := os.ReadDir(dir)
			require.NoError(t, readErr)
			if tt.taken {
				require.NoError(t, err)
				require.Len(t, files, 1)
				return
			}
			require.ErrorIs(t, err, errno.Invalid)
			require.Empty(t, files)
		})
	}
}

func TestOpenReachesNoOtherFile(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("secret"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "..", "secret.txt"), []byte("secret"), 0o600))
	for _, key := range []string{
		"secret.txt", "../secret.txt", "..", ".", "", "/etc/passwd", `..\secret.txt`, "..%2fsecret.txt", "secret.txt\x00.png",
		strings.Repeat("a", 200), "SECRET.TXT ", "' or 1=1 -- ",
	} {
		_, r, err := s.Open(t.Context(), key)
		require.ErrorIs(t, err, storage.ErrUnknown, "%q", key)
		require.Nil(t, r)
	}
	// Even an invalid row gives access to no other file.
	require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO storage (storage_key, name, type, size, add_time, update_time) "+
		"VALUES ('../secret.txt', 'x', 'text/plain', 6, ?, ?)", noon, noon))
	_, _, err := s.Open(t.Context(), "../secret.txt")
	require.ErrorIs(t, err, storage.ErrUnknown)
	put, err := s.Put(t.Context(), storage.Owner{}, "x", picture(t))
	require.NoError(t, err)
	_, _, err = s.Open(t.Context(), strings.ToUpper(put.Key))
	require.ErrorIs(t, err, storage.ErrUnknown, "keys are exact")
}
