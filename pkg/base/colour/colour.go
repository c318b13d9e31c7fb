// Package colour has the arithmetic of the colours of pages: how well a text can be read on its ground.
package colour

import (
	"encoding/hex"
	"fmt"
	"math"
)

// RGB is an opaque colour of the sRGB space.
type RGB struct{ R, G, B uint8 }

// White and Black are the lightest and the darkest colour.
var (
	White = RGB{255, 255, 255}
	Black = RGB{}
)

// Readable is the contrast that a text needs on its ground, as WCAG 2.2 asks of texts in a usual size.
const Readable = 4.5

// Parse reads a colour in the form #rrggbb, in either case.
func Parse(text string) (RGB, bool) {
	if len(text) != len("#rrggbb") || text[0] != '#' {
		return RGB{}, false
	}
	b, err := hex.DecodeString(text[1:])
	if err != nil {
		return RGB{}, false
	}
	return RGB{b[0], b[1], b[2]}, true
}

// String is the colour in the form that Parse reads, in lower case.
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Contrast is the ratio of the luminances of two colours, from 1 for the same to 21 for black and white.
func (c RGB) Contrast(other RGB) float64 {
	a, b := c.luminance(), other.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// luminance is the relative luminance, from 0 for black to 1 for white.
func (c RGB) luminance() float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func linear(value uint8) float64 {
	x := float64(value) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

// Mix returns the colour with a share of another one, from 0 to 1.
func (c RGB) Mix(other RGB, share float64) RGB {
	mixed := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return RGB{mixed(c.R, other.R), mixed(c.G, other.G), mixed(c.B, other.B)}
}

// On returns the colour, or the nearest step towards another one that can be read on all grounds; the other one itself
// if none of the steps can.
func (c RGB) On(towards RGB, grounds ...RGB) RGB {
	const steps = 50
	for i := range steps {
		mixed := c.Mix(towards, float64(i)/steps)
		if mixed.readable(grounds) {
			return mixed
		}
	}
	return towards
}

func (c RGB) readable(grounds []RGB) bool {
	for _, ground := range grounds {
		if c.Contrast(ground) < Readable {
			return false
		}
	}
	return true
}
