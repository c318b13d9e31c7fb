package storage

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"

	"gocloud.dev/gcerrors"
	"golang.org/x/image/draw"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// ByURL finds the object that an address leads to. It fails with ErrUnknown for the address of anything else; no server
// is asked.
func (s *Service) ByURL(ctx context.Context, address string) (Object, error) {
	key := address[strings.LastIndexByte(address, '/')+1:]
	if !validKey(key) {
		return Object{}, fmt.Errorf("look for the object of an address: %w", ErrUnknown)
	}
	o, err := findObject(ctx, s.db, key)
	if err != nil {
		return Object{}, err
	}
	// The key alone does not do: somebody else's picture may be called the same. An object's own address may be older
	// than the present base.
	if address != o.URL && address != s.base+o.Key {
		return Object{}, fmt.Errorf("object %s has another address: %w", o.Key, ErrUnknown)
	}
	return o, nil
}

// maxThumbnailed is the most bytes of a file that a thumbnail is made of.
const maxThumbnailed = 32 << 20

// Thumbnail returns the middle of a stored picture as a square of size pixels. It fails with ErrUnknown where the
// address leads to no object, and with errno.Invalid for an object that cannot be drawn.
func (s *Service) Thumbnail(ctx context.Context, address string, size int) (image.Image, error) {
	o, err := s.ByURL(ctx, address)
	if err != nil {
		return nil, err
	}
	if o.Size > maxThumbnailed {
		return nil, fmt.Errorf("object %s has %d bytes: %w", o.Key, o.Size, errno.Invalid.Because(text.FileUnfit))
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

// thumbnail draws a picture as a square; of an animation the first frame.
func (p painter) thumbnail(ctx context.Context, data []byte, mediaType string, size int) (image.Image, error) {
	k, need, err := inspect(data, mediaType)
	if err != nil {
		return nil, err
	}
	leave, err := p.enter(ctx, need)
	if err != nil {
		return nil, err
	}
	defer leave()
	m, err := k.decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read a picture of type %s: %w: %w", mediaType, errno.Invalid.Because(text.PictureBroken), err)
	}
	m = upright(m, orientation(data, mediaType))
	square := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(square, square.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(square, square.Bounds(), m, middle(m.Bounds()), draw.Over, nil)
	return square, nil
}

// middle is the largest square in the middle of a rectangle.
func middle(r image.Rectangle) image.Rectangle {
	side := min(r.Dx(), r.Dy())
	at := r.Min.Add(image.Pt((r.Dx()-side)/2, (r.Dy()-side)/2))
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
}

// Remove ends an object in the caller's transaction; its bytes go when that has committed. An object that is not there
// is no failure.
func (s *Service) Remove(ctx context.Context, tx *db.Tx, key string) error {
	if err := removeObject(ctx, tx, key, s.now()); err != nil {
		return fmt.Errorf("remove object %s: %w", key, err)
	}
	tx.OnCommit(func() {
		// Bytes without a row are only waste, so nobody is told where they cannot be removed.
		_ = s.discard(ctx, key)
	})
	return nil
}
