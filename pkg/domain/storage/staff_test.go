package storage_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/storage"
)

func zipped(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("a.txt")
	require.NoError(t, err)
	_, err = f.Write([]byte("hello"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

const video = "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom\x00\x00\x00\x08free"

// The type of a file is detected from its bytes. Operators may store more types than shoppers, but no markup, which a
// browser could display as a page of the shop.
func TestWhatOperatorsMayStore(t *testing.T) {
	t.Parallel()
	clerk := storage.Owner{Kind: storage.Operator, ID: 3}
	tests := map[string]struct{ data, kind, ending string }{
		"a picture":           {string(picture(t)), "image/png", ".png"},
		"a film":              {video, "video/mp4", ".mp4"},
		"a document":          {"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n", "application/pdf", ".pdf"},
		"an archive":          {zipped(t), "application/zip", ".zip"},
		"a text":              {"Hello, world. 你好。\n", "text/plain", ".txt"},
		"a table":             {"a,b,c\n1,2,3\n4,5,6\n", "text/plain", ".txt"},
		"a script":            {"#!/bin/sh\nrm -rf /\n", "text/plain", ".txt"},
		"html":                {"<!DOCTYPE html><script>alert(1)</script>", "", ""},
		"html after blanks":   {" \n\t <HTML><body onload=alert(1)>", "", ""},
		"html with a comment": {"<!-- x --><script>alert(1)</script>", "", ""},
		"html with a mark":    {"\xef\xbb\xbf<html></html>", "", ""},
		"a drawing":           {svg, "", ""},
		"a drawing in xml":    {`<?xml version="1.0"?>` + svg, "", ""},
		"xml":                 {`<?xml version="1.0"?><a/>`, "", ""},
		"xhtml":               {`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>`, "", ""},
		"news":                {`<?xml version="1.0"?><rss version="2.0"></rss>`, "", ""},
		"a program":           {"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00", "", ""},
		"something":           {"\x01\x02\x03\x04\xff\xfe\x00\x10", "", ""},
		"no picture at all":   {"GIF89a<script>alert(1)</script>", "", ""},
		"nothing":             {"", "", ""},
	}
	s, _, dir := open(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o, err := s.Put(t.Context(), clerk, "x.html", []byte(tt.data))
			if tt.kind == "" {
				require.ErrorIs(t, err, errno.Invalid)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.kind, o.Type)
			require.Regexp(t, `^[a-z0-9]{20}\`+tt.ending+`$`, o.Key)
			_, err = s.Put(t.Context(), storage.Owner{Kind: storage.Shopper, ID: 3}, "x.html", []byte(tt.data))
			if strings.HasPrefix(tt.kind, "image/") {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, errno.Invalid, "shoppers send pictures only")
			}
		})
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 8, "what is refused leaves no file")
}

func TestAFileWithoutAName(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for _, name := range []string{"", "..", "/"} {
		o, err := s.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 3}, name, []byte("hello"))
		require.NoError(t, err)
		require.Equal(t, o.Key, o.Name)
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	put, err := s.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 3}, "a.txt", []byte("hello"))
	require.NoError(t, err)
	name := "b.txt"
	got, err := s.Rename(t.Context(), put.ID, &name)
	require.NoError(t, err)
	put.Name, put.UpdateTime = name, put.UpdateTime.Add(time.Second)
	require.Equal(t, put, got)
	got, err = s.Rename(t.Context(), put.ID, nil)
	require.NoError(t, err)
	put.UpdateTime = put.UpdateTime.Add(time.Second)
	require.Equal(t, put, got, "each change makes the time later")
	got, err = s.Get(t.Context(), put.ID)
	require.NoError(t, err)
	require.Equal(t, put, got)
	_, err = s.Rename(t.Context(), 99, &name)
	require.ErrorIs(t, err, errno.UpdateFailed)
	_, err = s.Get(t.Context(), 99)
	require.ErrorIs(t, err, errno.Invalid)
}

// Several operators delete one file concurrently and again: row and bytes are removed, and no call fails.
func TestDelete(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	put, err := s.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 3}, "a.txt", []byte("hello"))
	require.NoError(t, err)
	kept, err := s.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 3}, "b.txt", []byte("hello"))
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := s.Delete(t.Context(), put.Key); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.NoError(t, s.Delete(t.Context(), put.Key))
	_, _, err = s.Open(t.Context(), put.Key)
	require.ErrorIs(t, err, storage.ErrUnknown)
	require.NoFileExists(t, filepath.Join(dir, put.Key))
	require.FileExists(t, filepath.Join(dir, kept.Key))
	var effects int64
	require.NoError(t, table.Scan(t.Context(), d, &effects, "SELECT COUNT(*) FROM outbox_event"))
	require.EqualValues(t, 1, effects)
	all, err := s.All(t.Context(), storage.Filter{}, page.Query{Page: 1, Limit: 10, Sort: "id"})
	require.NoError(t, err)
	require.Equal(t, []storage.Object{kept}, all.Items)
}

// CVE-2025-8753: only files in the table are deleted, whatever the key contains.
func TestNoOtherFileIsDeleted(t *testing.T) {
	t.Parallel()
	s, _, dir := open(t)
	outside := filepath.Join(filepath.Dir(dir), "application.yml")
	inside := filepath.Join(dir, "stray.txt")
	for _, file := range []string{outside, inside} {
		require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	}
	for _, key := range []string{
		"../application.yml", "../../application.yml", "/etc/hosts", `..\x`, outside, "stray.txt", "", "%", "a\x00b", "..",
	} {
		require.NoError(t, s.Delete(t.Context(), key), key)
	}
	require.FileExists(t, outside)
	require.FileExists(t, inside)
}

// Bytes that cannot be removed at once are removed later, also after a failure of the bucket.
func TestBytesAreRemovedLater(t *testing.T) {
	t.Parallel()
	now := noon
	clock := func() time.Time { return now }
	d, dir := dbtest.Open(t), t.TempDir()
	serve := func() (*storage.Service, *outbox.Service, func()) {
		bucket, err := storage.OpenDir(dir)
		require.NoError(t, err)
		box := outbox.New(d, clock)
		s := storage.New(d, bucket, "http://shop/", box, idempotency.New(d, dbtest.Secret, clock), clock)
		box.Handle(storage.TopicRemove, s.FinishRemoval)
		return s, box, func() { require.NoError(t, bucket.Close()) }
	}
	s, box, stop := serve()
	put, err := s.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 3}, "a.txt", []byte("hello"))
	require.NoError(t, err)
	stop()
	require.NoError(t, s.Delete(t.Context(), put.Key), "the file is deleted all the same")
	now = now.Add(time.Minute)
	n, err := box.Deliver(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "the bucket is still away")
	require.FileExists(t, filepath.Join(dir, put.Key))
	s, box, stop = serve()
	now = now.Add(time.Minute)
	n, err = box.Deliver(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoFileExists(t, filepath.Join(dir, put.Key))
	require.NoError(t, s.FinishRemoval(t.Context(), outbox.Event{Payload: `{"key":"` + put.Key + `"}`}), "gone is gone")
	for _, payload := range []string{`{"key":"../x"}`, `{`, `{}`} {
		require.ErrorIs(t, s.FinishRemoval(t.Context(), outbox.Event{Payload: payload}), outbox.ErrNever)
	}
	stop()
}
