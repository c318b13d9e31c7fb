package storage_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/domain/storage/s3"
	"shop.internal/pkg/domain/storage/storagetest"
)

// overS3 returns a service that stores objects in an object store.
func overS3(t *testing.T, pathStyle bool) (*storage.Service, *storagetest.Store) {
	t.Helper()
	far := storagetest.Open(t)
	bucket, err := s3.Open(storage.S3{
		Endpoint: "http://store.test", Region: storagetest.Region, Bucket: "shop", AccessKey: storagetest.AccessKey,
		SecretKey: storagetest.SecretKey, PathStyle: pathStyle, Client: far.Client(t),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	d, clock := dbtest.Open(t), func() time.Time { return noon }
	return storage.New(d, bucket, "http://shop/", nil, idempotency.New(d, dbtest.Secret, clock), clock), far
}

func TestS3(t *testing.T) {
	t.Parallel()
	for name, pathStyle := range map[string]bool{"path": true, "host": false} {
		t.Run(name, func(t *testing.T) {
			s, far := overS3(t, pathStyle)
			o, err := s.Put(t.Context(), lin, "tea.png", picture(t))
			require.NoError(t, err)
			at := "/" + o.Key
			if pathStyle {
				at = "/shop" + at
			}
			require.Equal(t, storagetest.Object{Type: "image/png", Data: string(picture(t))}, far.Objects()[at])
			require.Equal(t, picture(t), read(t, s, o))
			require.Zero(t, far.Refused())

			_, r, err := s.Open(t.Context(), o.Key)
			require.NoError(t, err)
			end, err := r.Seek(-4, io.SeekEnd) // like a request for a part of the file
			require.NoError(t, err)
			require.Equal(t, o.Size-4, end)
			tail, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Len(t, tail, 4)
			require.NoError(t, r.Close())
			_, _, err = s.Open(t.Context(), "unknown.png")
			require.ErrorIs(t, err, storage.ErrUnknown)
		})
	}
}

func TestAnObjectStoreThatRefuses(t *testing.T) {
	t.Parallel()
	s, far := overS3(t, true)
	far.Expect("another")
	_, err := s.Put(t.Context(), lin, "tea.png", picture(t))
	require.Error(t, err)
	require.NotZero(t, far.Refused())
	require.Empty(t, far.Objects())
}

// An object that cannot be recorded leaves nothing in the store.
func TestAFailedRecordLeavesNothingInTheStore(t *testing.T) {
	t.Parallel()
	s, far := overS3(t, true)
	_, err := s.Put(failingInsert(t), lin, "x", picture(t))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Empty(t, far.Objects())
	require.Equal(t, []string{http.MethodPut, http.MethodHead, http.MethodDelete}, far.Methods())
}

func TestABucketNeedsAName(t *testing.T) {
	t.Parallel()
	_, err := s3.Open(storage.S3{Region: storagetest.Region})
	require.ErrorContains(t, err, "bucket")
}

// Of the texts of a folder the newest ones are kept, in the order in which they came.
func TestTextsAreKept(t *testing.T) {
	t.Parallel()
	s, far := overS3(t, true)
	kept := func() (all []string) {
		for text, err := range s.Kept(t.Context(), "heads") {
			require.NoError(t, err)
			all = append(all, text)
		}
		return all
	}
	require.Empty(t, kept())
	require.NoError(t, s.Keep(t.Context(), "heads-of-others", "of others"))
	const most = 100
	for n := int64(1); n <= most+2; n++ {
		require.NoError(t, s.Keep(t.Context(), "heads", fmt.Sprint("text ", n)))
	}
	all := kept()
	require.Len(t, all, most)
	require.Equal(t, []string{"text 102", "text 101"}, all[:2])
	for text, err := range s.Kept(t.Context(), "heads") { // one that is deleted meanwhile is left out
		require.NoError(t, err)
		if text == "text 102" {
			require.NoError(t, s.Keep(t.Context(), "heads", "text 103"))
		}
		require.NotEqual(t, "text 3", text)
	}
	keys := slices.Sorted(maps.Keys(far.Objects()))
	require.Len(t, keys, most+1)
	require.Contains(t, keys[0], "/heads-of-others/")
	require.Contains(t, keys[1], "/heads/000000000000004-")
	require.Zero(t, far.Refused())
}
