package storage

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/text"
)

const (
	// maxArea is the most pixels of a picture, a good camera's: what is decoded takes up to eight bytes for each, however
	// few bytes the file has.
	maxArea = 25_000_000
	// maxFilm is the most pixels of all frames of an animation, maxFrames the most frames.
	maxFilm   = 50_000_000
	maxFrames = 500
	// quality is that of pictures written anew as JPEG.
	quality = 90
	// parallel bounds the pictures in memory at once.
	parallel = 2
)

// painter draws uploaded pictures anew, so that nothing is stored but the picture: no place where it was taken, no
// comment, no second file behind its end.
type painter struct{ places chan struct{} }

func newPainter() painter { return painter{places: make(chan struct{}, parallel)} }

// kind is how pictures of one media type are read.
type kind struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// kindOf returns how to read a media type that may be uploaded.
func kindOf(mediaType string) (kind, bool) {
	switch mediaType {
	case "image/jpeg":
		return kind{jpeg.DecodeConfig, jpeg.Decode}, true
	case "image/png":
		return kind{png.DecodeConfig, png.Decode}, true
	case "image/gif":
		return kind{gif.DecodeConfig, gif.Decode}, true
	case "image/webp":
		return kind{webp.DecodeConfig, webp.Decode}, true
	}
	return kind{}, false
}

// draw returns the picture in a file of the media type, written anew, and the media type that it is written in: WebP
// becomes JPEG, or PNG where it keeps every pixel or shows what lies behind it. It fails with errno.Invalid.
func (p painter) draw(ctx context.Context, data []byte, mediaType string) (drawn []byte, drawnType string, err error) {
	k, err := look(data, mediaType)
	if err != nil {
		return nil, "", err
	}
	leave, err := p.enter(ctx)
	if err != nil {
		return nil, "", err
	}
	defer leave()
	if mediaType == "image/gif" {
		drawn, err = redrawFilm(data)
		return drawn, mediaType, err
	}
	m, err := k.decode(bytes.NewReader(data))
	if err != nil {
		return nil, "", fmt.Errorf("read a picture of type %s: %w: %w", mediaType, errno.Invalid.Because(text.PictureBroken), err)
	}
	return encode(m, mediaType, orientation(data, mediaType))
}

// look finds out how to read a picture, and refuses one that would be too large once it is decoded.
func look(data []byte, mediaType string) (kind, error) {
	k, ok := kindOf(mediaType)
	if !ok {
		return k, fmt.Errorf("a picture of type %s: %w", mediaType, errno.Invalid.Because(text.FileUnfit))
	}
	c, err := k.config(bytes.NewReader(data))
	if err != nil {
		return k, fmt.Errorf("look at a picture of type %s: %w: %w", mediaType, errno.Invalid.Because(text.PictureBroken), err)
	}
	if c.Width < 1 || c.Height < 1 || int64(c.Width)*int64(c.Height) > maxArea {
		return k, fmt.Errorf("a picture of %d by %d: %w", c.Width, c.Height,
			errno.Invalid.Because(text.PictureTooLarge, c.Width, c.Height))
	}
	return k, nil
}

// enter waits for a place to draw at, which leave gives back.
func (p painter) enter(ctx context.Context) (leave func(), err error) {
	select {
	case p.places <- struct{}{}:
		return func() { <-p.places }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a place to draw: %w", ctx.Err())
	}
}

// encode writes a picture.
func encode(m image.Image, mediaType string, turned int) (drawn []byte, drawnType string, err error) {
	if _, lossy := m.(*image.YCbCr); mediaType == "image/webp" {
		mediaType = "image/png"
		if lossy {
			mediaType = "image/jpeg"
		}
	}
	var b bytes.Buffer
	if mediaType == "image/jpeg" {
		err = jpeg.Encode(&b, upright(m, turned), &jpeg.Options{Quality: quality})
	} else {
		e := png.Encoder{CompressionLevel: png.DefaultCompression}
		err = e.Encode(&b, m)
	}
	if err != nil {
		return nil, "", fmt.Errorf("write a picture as %s: %w: %w", mediaType, errno.Invalid.Because(text.PictureBroken), err)
	}
	return b.Bytes(), mediaType, nil
}

// redrawFilm draws a GIF anew with its frames and their times.
func redrawFilm(data []byte) ([]byte, error) {
	if err := countFrames(data); err != nil {
		return nil, err
	}
	film, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read a GIF: %w: %w", errno.Invalid.Because(text.PictureBroken), err)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, film); err != nil {
		return nil, fmt.Errorf("write a GIF: %w: %w", errno.Invalid.Because(text.PictureBroken), err)
	}
	return b.Bytes(), nil
}
