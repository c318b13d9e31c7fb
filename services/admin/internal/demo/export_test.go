package demo

import (
	"bytes"
	"context"
	"image"
	"image/png"

	"shop.internal/pkg/domain"
)

// LoadPlain loads the shop as Load does, but draws nothing: every picture is one dot. It is for tests that look at no
// picture, since drawing takes longer than everything else.
func LoadPlain(ctx context.Context, d *domain.Domain, base string, say func(line string)) error {
	l := &loader{Domain: d, say: say, picture: func(sketch) ([]byte, error) {
		var dot bytes.Buffer
		err := png.Encode(&dot, image.NewGray(image.Rect(0, 0, 1, 1)))
		return dot.Bytes(), err
	}}
	return l.start(ctx, base)
}
