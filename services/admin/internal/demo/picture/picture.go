package picture

import (
	"fmt"
	"maps"
	"slices"
)

// Side is the width and height of the picture of a thing.
const Side = 400

// Thing draws a thing, by its name and in the colours of a number.
func Thing(name string, n int) ([]byte, error) {
	paint, err := find(name)
	if err != nil {
		return nil, err
	}
	k := inksOf(n)
	c := newCanvas(Side, Side, k.ground)
	scene(c, k, n)
	paint(c, k)
	return c.encode()
}

// Icon draws a thing small and plain on a disc, for a category or a brand.
func Icon(name string, n int) ([]byte, error) {
	paint, err := find(name)
	if err != nil {
		return nil, err
	}
	k := inksOf(n)
	c := newCanvas(160, 160, white)
	c.circle(k.ground, 50, 50, 49)
	c.zoom = 0.72
	paint(c, k)
	return c.encode()
}

// Banner draws several things in a row on a wide ground.
func Banner(n int, names ...string) ([]byte, error) {
	k := inksOf(n)
	c := newCanvas(750, 300, k.spot)
	c.circle(k.ground, 38, 110, 74)
	c.circle(k.ground, 196, 20, 62)
	c.circle(k.light, 236, 96, 26)
	c.box(k.shade, -10, 84, 270, 30, 0)
	step := 250.0 / float64(len(names)+1)
	for i, name := range names {
		paint, err := find(name)
		if err != nil {
			return nil, err
		}
		c.dx, c.zoom = step*float64(i+1)-50, 0.78
		paint(c, inksOf(n+i+1))
	}
	return c.encode()
}

// Names returns the names of all things that can be drawn, sorted.
func Names() []string { return slices.Sorted(maps.Keys(things())) }

func find(name string) (func(*canvas, inks), error) {
	paint, ok := things()[name]
	if !ok {
		return nil, fmt.Errorf("draw %q: there is no such thing", name)
	}
	return paint, nil
}

// scene is what stands behind a thing; it differs a little from number to number.
func scene(c *canvas, k inks, n int) {
	switch n % 3 {
	case 0:
		c.circle(k.spot, 50, 46, 39)
	case 1:
		c.box(k.spot, 14, 12, 72, 68, 12)
	default:
		c.circle(k.spot, 30, 34, 24)
		c.circle(k.spot, 70, 54, 30)
	}
	c.ellipse(k.shade, 50, 84, 33, 4.5)
}

func things() map[string]func(*canvas, inks) {
	all := map[string]func(*canvas, inks){}
	for _, group := range []map[string]func(*canvas, inks){kitchen(), home(), food(), wear(), study()} {
		maps.Copy(all, group)
	}
	return all
}
