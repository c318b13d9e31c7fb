package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

const maxName = 255

// plainName removes folders and invisible characters from a file name, and truncates it.
func plainName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	if name == "." || name == ".." || name == "/" {
		return ""
	}
	return form.Clean(form.Truncate(form.Clean(form.Printable(name)), maxName))
}

// Put stores a file under a new key: pictures for shoppers, also films, documents and plain text for operators. A
// picture is decoded and encoded unless it is the shop's own. It fails with errno.Invalid for no bytes, for other
// types, and for pictures that are broken or too large.
func (s *Service) Put(ctx context.Context, owner Owner, name string, data []byte) (Object, error) {
	return s.PutWith(ctx, owner, name, data, func(*db.Tx, Object) error { return nil })
}

// PutWith is Put with further work in the transaction that records the object. If that fails there is no object.
func (s *Service) PutWith(
	ctx context.Context, owner Owner, name string, data []byte, also func(tx *db.Tx, o Object) error,
) (Object, error) {
	var own string // the key under which this call has stored bytes
	o, err := idempotency.InTxAfter(ctx, s.once, func() (func(*db.Tx) (Object, error), error) {
		o, err := s.store(ctx, owner, name, data)
		own = o.Key
		return func(tx *db.Tx) (Object, error) { return s.record(ctx, tx, o, also) }, err
	})
	if own == "" || err == nil && o.Key == own {
		return o, err
	}
	unused := s.discard(ctx, own)
	if err != nil {
		return Object{}, errors.Join(err, unused)
	}
	return o, nil // an equal request was faster
}

// store writes the bytes of a new object. The bytes are written before the row: a row without bytes would be an address
// that fails, bytes without a row are only waste.
func (s *Service) store(ctx context.Context, owner Owner, name string, data []byte) (Object, error) {
	kind := typeOf(data, owner)
	if len(data) == 0 || extension(kind, owner) == "" {
		return Object{}, fmt.Errorf("store %d bytes of type %s: %w",
			len(data), kind, errno.Invalid.Because(text.FileUnsupported))
	}
	if _, drawable := kindOf(kind); drawable && owner.Kind != Shop {
		leave, err := s.turns.take(ctx, owner)
		if err != nil {
			return Object{}, err
		}
		data, err = s.painter.draw(ctx, data, kind)
		leave()
		if err != nil {
			return Object{}, err
		}
	}
	sum := sha256.Sum256(data)
	at := s.now().UTC().Truncate(time.Millisecond)
	o := Object{
		Key: upload.NewKey() + extension(kind, owner), Name: plainName(name), Type: kind, Size: int64(len(data)),
		SHA256: hex.EncodeToString(sum[:]), Owner: owner, AddTime: at, UpdateTime: at,
	}
	o.URL = s.base + o.Key
	if o.Name == "" && owner.Kind == Operator {
		o.Name = o.Key // a list shows it
	}
	if err := write(ctx, s.bucket, o.Key, kind, data); err != nil {
		return Object{}, err
	}
	return o, nil
}

func (s *Service) record(
	ctx context.Context, tx *db.Tx, o Object, also func(tx *db.Tx, o Object) error,
) (_ Object, err error) {
	if o.ID, err = upload.Insert(ctx, tx, o); err != nil {
		return Object{}, err
	}
	if err := also(tx, o); err != nil {
		return Object{}, err
	}
	return o, audit.Record(ctx, tx, audit.Change{ID: o.ID, After: recordedOf(o), Result: o.Key})
}

// discardTime is the timeout for deleting the bytes of an object.
const discardTime = 5 * time.Second

// discard deletes the bytes of an object that could not be recorded. The commit may have succeeded although its answer
// was lost, so the bytes stay unless it is certain that there is no row.
func (s *Service) discard(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTime)
	defer cancel()
	if _, err := findObject(ctx, s.db, key); !errors.Is(err, ErrUnknown) {
		return err
	}
	if err := s.bucket.Delete(ctx, key); err != nil {
		return fmt.Errorf("remove object %s: %w", key, err)
	}
	return nil
}

// extension returns the extension of keys for the media types that may be stored, "" for others. SVG can contain
// scripts, so only the shop's own are accepted; other files than pictures are accepted from operators only.
func extension(mediaType string, owner Owner) string {
	switch mediaType {
	case "image/jpeg":
		return ".jpg"
	case "image/png":
		return ".png"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	}
	switch {
	case mediaType == "image/svg+xml" && owner.Kind == Shop:
		return ".svg"
	case owner.Kind == Operator:
		return document(mediaType)
	}
	return ""
}

// document is extension for what is no picture.
func document(mediaType string) string {
	switch mediaType {
	case "video/mp4":
		return ".mp4"
	case "application/pdf":
		return ".pdf"
	case "application/zip":
		return ".zip"
	case "text/plain":
		return ".txt"
	}
	return ""
}

// typeOf detects the media type of bytes; of variants, such as animated PNG or CSV, the general one. Markup is text
// too, but never detected as such: a browser might be made to render it as a page.
func typeOf(data []byte, owner Owner) string {
	found := mimetype.Detect(data)
	for m := found; m != nil; m = m.Parent() {
		name, _, _ := strings.Cut(m.String(), ";")
		if extension(name, owner) != "" {
			return name
		}
		if markup(name) {
			break
		}
	}
	return found.String()
}

func markup(mediaType string) bool {
	return mediaType == "text/html" || strings.HasSuffix(mediaType, "/xml") || strings.HasSuffix(mediaType, "+xml")
}
