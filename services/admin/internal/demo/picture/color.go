package picture

import (
	"image/color"
	"math"
)

// hsl makes a colour of a hue in degrees, a saturation and a lightness from 0 to 1.
func hsl(hue, saturation, lightness float64) color.RGBA {
	part := func(n float64) uint8 {
		k := math.Mod(n+hue/30, 12)
		a := saturation * min(lightness, 1-lightness)
		return uint8(math.Round(255 * (lightness - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return color.RGBA{part(0), part(8), part(4), 255}
}

// inks are the colours of one picture: the thing itself in three tones, something beside it, and the ground.
type inks struct {
	main, dark, light, other, deep, ground, spot, shade color.RGBA
}

var (
	white  = color.RGBA{255, 255, 255, 255} //nolint:gochecknoglobals // a colour, never written
	paper  = color.RGBA{250, 246, 238, 255} //nolint:gochecknoglobals // a colour, never written
	wood   = color.RGBA{190, 142, 98, 255}  //nolint:gochecknoglobals // a colour, never written
	timber = color.RGBA{150, 106, 70, 255}  //nolint:gochecknoglobals // a colour, never written
	leaf   = color.RGBA{104, 159, 96, 255}  //nolint:gochecknoglobals // a colour, never written
	moss   = color.RGBA{74, 124, 76, 255}   //nolint:gochecknoglobals // a colour, never written
	steel  = color.RGBA{96, 106, 118, 255}  //nolint:gochecknoglobals // a colour, never written
)

// inksOf spreads the hues of neighbouring numbers far apart.
func inksOf(n int) inks {
	hue := math.Mod(float64(n)*137.508+12, 360)
	near := math.Mod(hue+42, 360)
	far := math.Mod(hue+188, 360)
	return inks{
		main: hsl(hue, 0.52, 0.58), dark: hsl(hue, 0.48, 0.44), light: hsl(hue, 0.62, 0.76),
		other: hsl(near, 0.60, 0.64), deep: hsl(far, 0.34, 0.36),
		ground: hsl(far, 0.36, 0.93), spot: hsl(far, 0.40, 0.87), shade: hsl(far, 0.24, 0.78),
	}
}
