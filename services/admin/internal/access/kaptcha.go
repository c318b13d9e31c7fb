package access

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"shop.internal/pkg/kit/op"
)

// The picture: its size in pixels and what is on it.
const (
	kaptchaWidth  = 100
	kaptchaHeight = 40
	kaptchaText   = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	kaptchaLength = 4
	kaptchaFont   = 26
	kaptchaDots   = 80
)

// kaptcha draws the picture of the console's login page. It is not checked, since the limit on failed logins protects
// accounts, so it is simple. The usual libraries keep megabytes of fonts in memory.
func kaptcha(context.Context, op.None) (string, error) {
	face, err := kaptchaFace()
	if err != nil {
		return "", err
	}
	defer func() { _ = face.Close() }() // it frees nothing and never fails
	colors := color.Palette{color.White, color.RGBA{0x30, 0x50, 0x90, 0xff}, color.RGBA{0xa0, 0xa0, 0xa0, 0xff}}
	picture := image.NewPaletted(image.Rect(0, 0, kaptchaWidth, kaptchaHeight), colors)
	pen := font.Drawer{Dst: picture, Src: image.NewUniform(colors[1]), Face: face, Dot: fixed.Point26_6{}}
	below := rand.IntN
	for i := range kaptchaLength {
		pen.Dot = fixed.P(8+i*22+below(6), 25+below(10))
		at := below(len(kaptchaText))
		pen.DrawString(kaptchaText[at : at+1])
	}
	for range kaptchaDots {
		picture.SetColorIndex(below(kaptchaWidth), below(kaptchaHeight), 2)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return "", fmt.Errorf("encode the picture: %w", err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

func kaptchaFace() (font.Face, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: kaptchaFont, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil, fmt.Errorf("size the font: %w", err)
	}
	return face, nil
}
