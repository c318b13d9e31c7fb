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

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

const (
	// maxArea bounds the pixels of a picture, those of a good camera; its memory is bounded separately.
	maxArea = 25_000_000
	// maxFilm bounds the pixels of all frames of an animation, maxFrames the frames.
	maxFilm   = 50_000_000
	maxFrames = 500
	// quality is the JPEG quality of encoded pictures.
	quality = 90
)

// kind is how pictures of one media type are decoded.
type kind struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// kindOf returns how to decode a media type that may be uploaded.
func kindOf(mediaType string) (kind, bool) {
	switch mediaType {
	case "image/jpeg":
		return kind{jpeg.DecodeConfig, jpeg.Decode}, true
	case "image/png":
		return kind{png.DecodeConfig, png.Decode}, true
	case "image/gif":
		return kind{gif.DecodeConfig, gif.Decode}, true
	case "image/webp":
		return kind{webp.DecodeConfig, decodeWebP}, true
	}
	return kind{}, false
}

// draw decodes a picture and encodes it in the same media type. What its pixels need to be shown right is kept: the
// colour profile, the orientation, the frames. A WebP is not encoded again, but stripped of everything else. It fails
// with errno.Invalid.
func (p painter) draw(ctx context.Context, data []byte, mediaType string) (drawn []byte, err error) {
	k, leave, err := p.admit(ctx, data, mediaType)
	if err != nil {
		return nil, err
	}
	defer leave()
	switch mediaType {
	case "image/gif":
		return redrawFilm(data)
	case "image/webp":
		return redrawWebP(data)
	}
	m, err := k.read(data, mediaType)
	if err != nil {
		return nil, err
	}
	return encode(m, data, mediaType)
}

// admit waits until there is enough memory to decode a picture. It returns how to decode it; leave gives the memory
// back.
func (p painter) admit(ctx context.Context, data []byte, mediaType string) (k kind, leave func(), err error) {
	k, need, err := inspect(data, mediaType)
	if err != nil {
		return k, nil, err
	}
	leave, err = p.enter(ctx, need)
	return k, leave, err
}

// read decodes a picture and turns it upright.
func (k kind) read(data []byte, mediaType string) (image.Image, error) {
	m, err := k.decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read a picture of type %s: %w: %w", mediaType, broken(), err)
	}
	return upright(m, orientation(data, mediaType)), nil
}

// broken says that a picture cannot be decoded.
func broken() error { return errno.Invalid.Because(text.PictureBroken) }

// inspect returns how to decode a picture and how much memory that takes, and refuses too many pixels.
func inspect(data []byte, mediaType string) (k kind, need int64, err error) {
	k, ok := kindOf(mediaType)
	if !ok {
		return k, 0, fmt.Errorf("a picture of type %s: %w", mediaType, errno.Invalid.Because(text.FileUnsupported))
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
		need, err = memoryOfPNG(data, area), still(data)
	case "image/gif":
		need, err = memoryOfGIF(data, area)
	case "image/webp":
		need, err = memoryOfWebP(data, area)
	default:
		need = memoryOfJPEG(data, c)
	}
	if mediaType != "image/webp" {
		need += workspace
	}
	return k, need, err
}

// encode encodes a picture as PNG or JPEG, with what the original says of its colours.
func encode(m image.Image, original []byte, mediaType string) ([]byte, error) {
	m = narrow(m)
	space := spaceRGB
	if _, grey := m.(*image.Gray); grey {
		space = spaceGrey
	}
	var b buffer
	var err error
	if mediaType == "image/jpeg" {
		b.extra, b.at = coloursOfJPEG(original, space), jpegStart
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	} else {
		b.extra, b.at = coloursOfPNG(original, space), pngHeaderEnd
		e := png.Encoder{CompressionLevel: png.DefaultCompression}
		err = e.Encode(&b, m)
	}
	if err != nil {
		return nil, fmt.Errorf("write a picture as %s: %w: %w", mediaType, broken(), err)
	}
	return b.Bytes(), nil
}

// redrawFilm encodes a GIF with its frames and delays.
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

// thumbnail renders a picture as a square; of an animation the first frame.
func (p painter) thumbnail(ctx context.Context, data []byte, mediaType string, size int) (image.Image, error) {
	k, leave, err := p.admit(ctx, data, mediaType)
	if err != nil {
		return nil, err
	}
	defer leave()
	m, err := k.read(data, mediaType)
	if err != nil {
		return nil, err
	}
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
