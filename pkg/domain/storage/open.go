package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"image"
	"io"
	"strings"
	"time"

	"gocloud.dev/gcerrors"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/hosted"
)

// Open returns an object and its bytes, which the caller closes. It fails with ErrUnknown.
func (s *Service) Open(ctx context.Context, key string) (Object, io.ReadSeekCloser, error) {
	if !validKey(key) {
		return Object{}, nil, fmt.Errorf("open an object by a malformed key: %w", ErrUnknown)
	}
	if o, r, ok := openBuiltin(key); ok {
		return o, r, nil
	}
	o, err := findObject(ctx, s.db, key)
	if err != nil {
		return Object{}, nil, err
	}
	r, err := s.bucket.NewReader(ctx, o.Key, nil)
	if err != nil {
		return Object{}, nil, fmt.Errorf("open object %s: %w", o.Key, err)
	}
	return o, r, nil
}

// maxKey is the width of the key's column.
const maxKey = 127

// validKey reports whether a text can be a key: letters, digits and dots.
func validKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		if c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return key != "" && len(key) <= maxKey
}

// ByURL finds the object at an address. It fails with ErrUnknown for any other address; no server is contacted.
func (s *Service) ByURL(ctx context.Context, address string) (Object, error) {
	key := address[strings.LastIndexByte(address, '/')+1:]
	if !validKey(key) {
		return Object{}, fmt.Errorf("find the object of an address: %w", ErrUnknown)
	}
	o, err := findObject(ctx, s.db, key)
	if err != nil {
		return Object{}, err
	}
	// The key alone is not enough: another site's picture may have the same. The object's own address may have an older
	// base.
	if address != o.URL && s.Address(address) != s.base+o.Key {
		return Object{}, fmt.Errorf("object %s has another address: %w", o.Key, ErrUnknown)
	}
	return o, nil
}

// maxThumbnailed bounds the size of a file for a thumbnail.
const maxThumbnailed = 32 << 20

// Thumbnail returns the middle of a stored picture as a square of size pixels. It fails with ErrUnknown for an address
// without an object, and with errno.Invalid for an object that cannot be decoded.
func (s *Service) Thumbnail(ctx context.Context, address string, size int) (image.Image, error) {
	o, err := s.ByURL(ctx, address)
	if err != nil {
		return nil, err
	}
	if o.Size > maxThumbnailed {
		return nil, fmt.Errorf("object %s has %d bytes: %w", o.Key, o.Size, errno.Invalid.Because(text.FileUnsupported))
	}
	data, err := s.bucket.ReadAll(ctx, o.Key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("read object %s: %w: %w", o.Key, ErrUnknown, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", o.Key, err)
	}
	return s.painter.thumbnail(ctx, data, o.Type, size)
}

// The keys of the built-in pictures, which no upload gets.
const (
	ShopperPicture  = hosted.ShopperPicture
	OperatorPicture = hosted.OperatorPicture
)

//go:embed builtin
var builtin embed.FS

// bytesFile is an open object whose bytes are in memory.
type bytesFile struct{ *bytes.Reader }

func (bytesFile) Close() error { return nil }

// openBuiltin returns a built-in picture.
func openBuiltin(key string) (Object, io.ReadSeekCloser, bool) {
	if key != ShopperPicture && key != OperatorPicture {
		return Object{}, nil, false
	}
	data, err := builtin.ReadFile("builtin/" + key)
	if err != nil {
		return Object{}, nil, false
	}
	sum := sha256.Sum256(data)
	o := Object{
		Key: key, Name: key, Type: "image/png", Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]),
		AddTime: time.Unix(0, 0),
	}
	return o, bytesFile{bytes.NewReader(data)}, true
}
