package share

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/storage"
)

// The layout of an image in pixels: the goods as a square, below them a strip with the price and the code.
const (
	width    = 750
	strip    = 300
	margin   = 20
	codeSide = strip - 2*margin
	quality  = 90
)

// render encodes an image. The same offer always gives the same bytes, so that rendering twice changes nothing.
func (s *Service) render(ctx context.Context, o offer) ([]byte, error) {
	goods, err := s.goods(ctx, o.picture)
	if err != nil {
		return nil, err
	}
	code, err := s.code(ctx, o)
	if err != nil {
		return nil, err
	}
	m := image.NewRGBA(image.Rect(0, 0, width, width+strip))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, 0, width, width), goods, image.Point{}, draw.Src)
	if code != nil {
		place := code.Bounds().Add(image.Pt(width-margin-codeSide, width+margin))
		draw.Draw(m, place, code, image.Point{}, draw.Src)
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return nil, err
	}
	if err := prices(m, o, v.Currency); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("write the picture: %w", err)
	}
	return b.Bytes(), nil
}

// goods returns the picture of the goods if it is stored here, else a plain background. Other servers are never
// contacted.
func (s *Service) goods(ctx context.Context, address string) (image.Image, error) {
	m, err := s.Storage.Thumbnail(ctx, address, width)
	if errors.Is(err, storage.ErrUnknown) || errors.Is(err, errno.Invalid) {
		return image.NewUniform(color.RGBA{R: 0xee, G: 0xee, B: 0xee, A: 0xff}), nil
	}
	return m, err
}

const (
	priceSize  = 64 // points, which are pixels here
	beforeSize = 36
	priceLine  = width + 140 // baselines
	beforeLine = priceLine + 70
	strike     = 3
)

// prices draws the price and, struck through, the price without the group.
func prices(m draw.Image, o offer, c money.Currency) error {
	letters, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return fmt.Errorf("read the letters: %w", err)
	}
	red, grey := color.RGBA{R: 0xd0, G: 0x20, B: 0x20, A: 0xff}, color.RGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xff}
	if _, err := write(m, letters, red, priceSize, priceLine, c.Price(o.price)); err != nil || o.before == 0 {
		return err
	}
	end, err := write(m, letters, grey, beforeSize, beforeLine, c.Price(o.before))
	if err != nil {
		return err
	}
	middle := beforeLine - beforeSize/3
	draw.Draw(m, image.Rect(2*margin, middle, end, middle+strike), image.NewUniform(grey), image.Point{}, draw.Src)
	return nil
}

// write draws a line of text and returns its end.
func write(m draw.Image, letters *opentype.Font, ink color.Color, size, line int, text string) (int, error) {
	face, err := opentype.NewFace(letters, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return 0, fmt.Errorf("size the letters: %w", err)
	}
	d := font.Drawer{Dst: m, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(2*margin, line)}
	d.DrawString(text)
	return d.Dot.X.Ceil(), nil
}
