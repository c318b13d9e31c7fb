package auth

import (
	"context"
	"crypto/rand"
	"fmt"
	"image/color"

	"github.com/mojocn/base64Captcha"

	"shop.internal/pkg/kit/op"
)

// The picture: its size in pixels and what is on it.
const (
	kaptchaWidth  = 100
	kaptchaHeight = 40
	kaptchaLength = 4
)

// kaptcha draws the pictures that the console's login page shows and nobody checks: the brake on failed logins
// protects.
type kaptcha struct{ driver *base64Captcha.DriverString }

// newKaptcha reads the font once. The library's default is a font of megabytes.
func newKaptcha() kaptcha {
	white := &color.RGBA{R: 255, G: 255, B: 255, A: 255}
	return kaptcha{base64Captcha.NewDriverString(kaptchaHeight, kaptchaWidth, 0, base64Captcha.OptionShowSlimeLine,
		kaptchaLength, "", white, nil, []string{"Comismsh.ttf"})}
}

// draw returns one picture as a data URI.
func (k kaptcha) draw(context.Context, op.None) (string, error) {
	item, err := k.driver.DrawCaptcha(rand.Text()[:kaptchaLength])
	if err != nil {
		return "", fmt.Errorf("draw the picture: %w", err)
	}
	return item.EncodeB64string(), nil
}
