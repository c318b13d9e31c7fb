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

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

const (
	// maxArea is the most pixels of a picture, a good camera's. What decides beside it is the memory that they take.
	maxArea = 25_000_000
	// maxFilm is the most pixels of all frames of an animation, maxFrames the most frames.
	maxFilm   = 50_000_000
	maxFrames = 500
	// quality is that of pictures written anew as JPEG.
	quality = 90
)

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

// draw returns the picture in a file of the media type, written anew in that type. A WebP is kept as it is, without
// whatever is not its picture. It fails with errno.Invalid.
func (p painter) draw(ctx context.Context, data []byte, mediaType string) (drawn []byte, err error) {
	k, need, err := inspect(data, mediaType)
	if err != nil {
		return nil, err
	}
	leave, err := p.enter(ctx, need)
	if err != nil {
		return nil, err
	}
	defer leave()
	switch mediaType {
	case "image/gif":
		return redrawFilm(data)
	case "image/webp":
		return checkWebP(data)
	}
	m, err := k.decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read a picture of type %s: %w: %w", mediaType, broken(), err)
	}
	return encode(upright(m, orientation(data, mediaType)), mediaType)
}

// broken says that a picture cannot be read.
func broken() error { return errno.Invalid.Because(text.PictureBroken) }

// inspect finds out how to read a picture and how much memory that takes, and refuses one of too many pixels.
func inspect(data []byte, mediaType string) (k kind, need int64, err error) {
	k, ok := kindOf(mediaType)
	if !ok {
		return k, 0, fmt.Errorf("a picture of type %s: %w", mediaType, errno.Invalid.Because(text.FileUnfit))
	}
	c, err := k.config(bytes.NewReader(data))
	if err != nil {
		return k, 0, fmt.Errorf("look at a picture of type %s: %w: %w", mediaType, broken(), err)
	}
	area := int64(c.Width) * int64(c.Height)
	if c.Width < 1 || c.Height < 1 || area > maxArea {
		return k, 0, fmt.Errorf("a picture: %w", errno.Invalid.Because(text.PictureTooLarge, c.Width, c.Height))
	}
	switch mediaType {
	case "image/png":
		need = memoryOfPNG(data, area)
	case "image/gif":
		need, err = memoryOfGIF(data, area)
	case "image/webp":
		need = memoryOfWebP(data, area)
	default:
		need = memoryOfJPEG(data, c)
	}
	if mediaType != "image/webp" {
		need += workspace
	}
	return k, need, err
}

// encode writes a picture as PNG or JPEG.
func encode(m image.Image, mediaType string) ([]byte, error) {
	var b buffer
	var err error
	if mediaType == "image/jpeg" {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	} else {
		e := png.Encoder{CompressionLevel: png.DefaultCompression}
		err = e.Encode(&b, narrow(m))
	}
	if err != nil {
		return nil, fmt.Errorf("write a picture as %s: %w: %w", mediaType, broken(), err)
	}
	return b.Bytes(), nil
}

// redrawFilm draws a GIF anew with its frames and their times.
func redrawFilm(data []byte) ([]byte, error) {
	film, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read a GIF: %w: %w", broken(), err)
	}
	var b buffer
	if err := gif.EncodeAll(&b, film); err != nil {
		return nil, fmt.Errorf("write a GIF: %w: %w", broken(), err)
	}
	return b.Bytes(), nil
}
