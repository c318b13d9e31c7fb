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
	"image/png"
	"strconv"
	"strings"

	xdraw "golang.org/x/image/draw"
	"rsc.io/qr"

	"shop.internal/pkg/domain/runtime/outbox"
)

// code returns the code that opens an offer, nil if nothing is configured to open.
func (s *Service) code(ctx context.Context, o offer) (image.Image, error) {
	switch {
	case s.Config.App != nil:
		file, err := s.Config.App.Code(ctx, s.Config.AppPage, o.scene())
		if err != nil {
			return nil, err
		}
		return fitted(file)
	case s.Config.Page != "":
		return square(strings.NewReplacer("{goods}", strconv.FormatInt(o.goods, 10),
			"{group}", strconv.FormatInt(o.group, 10)).Replace(s.Config.Page))
	}
	return nil, nil // the image then has no code
}

// scene is the scene for the app, in the form that its clients parse.
func (o offer) scene() string {
	if o.group != 0 {
		return "groupon," + strconv.FormatInt(o.group, 10)
	}
	return "goods," + strconv.FormatInt(o.goods, 10)
}

// quiet is the white border that code readers require, in modules.
const quiet = 4

// square renders a QR code, as large as fits with whole pixels per module.
func square(text string) (image.Image, error) {
	c, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, fmt.Errorf("encode %d characters: %w: %w", len(text), outbox.ErrNever, err)
	}
	scale := codeSide / (c.Size + 2*quiet)
	if scale == 0 {
		return nil, fmt.Errorf("a code of %d modules: %w", c.Size, outbox.ErrNever)
	}
	m := image.NewGray(image.Rect(0, 0, codeSide, codeSide))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	edge := (codeSide - c.Size*scale) / 2
	for y := range c.Size * scale {
		for x := range c.Size * scale {
			if c.Black(x/scale, y/scale) {
				m.SetGray(edge+x, edge+y, color.Gray{})
			}
		}
	}
	return m, nil
}

// maxPixels bounds the side of a code from the platform.
const maxPixels = 2000

// fitted decodes the platform's image of a code and scales it.
func fitted(file []byte) (image.Image, error) {
	config, decode := jpeg.DecodeConfig, jpeg.Decode
	if bytes.HasPrefix(file, []byte("\x89PNG")) {
		config, decode = png.DecodeConfig, png.Decode
	}
	size, err := config(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("look at the code: %w", err)
	}
	if size.Width > maxPixels || size.Height > maxPixels {
		return nil, errors.New("the code is too large")
	}
	m, err := decode(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("read the code: %w", err)
	}
	to := image.NewRGBA(image.Rect(0, 0, codeSide, codeSide))
	draw.Draw(to, to.Bounds(), image.White, image.Point{}, draw.Src)
	xdraw.CatmullRom.Scale(to, to.Bounds(), m, m.Bounds(), xdraw.Over, nil)
	return to, nil
}
