// Package picture draws the pictures of the demo shop: flat illustrations made of circles, boxes and curves. The same
// name and number always give the same bytes.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"

	"golang.org/x/image/vector"
)

// canvas is an image whose shapes are given in units; it is 100 units high.
type canvas struct {
	img   *image.RGBA
	scale float64
	// dx moves what is drawn to the right, in units; zoom enlarges it around the middle of its hundred units.
	dx, zoom float64
}

func newCanvas(width, height int, ground color.RGBA) *canvas {
	c := &canvas{image.NewRGBA(image.Rect(0, 0, width, height)), float64(height) / 100, 0, 1}
	draw.Draw(c.img, c.img.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	return c
}

func (c *canvas) encode() ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := e.Encode(&b, c.img); err != nil {
		return nil, fmt.Errorf("write a picture: %w", err)
	}
	return b.Bytes(), nil
}

// path is an outline that is being drawn: points of the image, those of a curve with its control point.
type path struct {
	c         *canvas
	steps     []step
	low, high image.Point
}

type step struct {
	bx, by, x, y float32
	curve        bool
}

func (c *canvas) path() *path {
	return &path{c: c, low: image.Pt(math.MaxInt32, math.MaxInt32), high: image.Pt(math.MinInt32, math.MinInt32)}
}

func (p *path) at(x, y float64) (float32, float32) {
	x, y = (50+(x-50)*p.c.zoom+p.c.dx)*p.c.scale, (50+(y-50)*p.c.zoom)*p.c.scale
	p.low = image.Pt(min(p.low.X, int(math.Floor(x))), min(p.low.Y, int(math.Floor(y))))
	p.high = image.Pt(max(p.high.X, int(math.Ceil(x))+1), max(p.high.Y, int(math.Ceil(y))+1))
	return float32(x), float32(y)
}

func (p *path) from(x, y float64) *path { return p.to(x, y) }

func (p *path) to(x, y float64) *path {
	ax, ay := p.at(x, y)
	p.steps = append(p.steps, step{0, 0, ax, ay, false})
	return p
}

// bend draws a curve over one control point.
func (p *path) bend(bx, by, x, y float64) *path {
	cx, cy := p.at(bx, by)
	ax, ay := p.at(x, y)
	p.steps = append(p.steps, step{cx, cy, ax, ay, true})
	return p
}

// fill paints the outline. Only the box around it is worked on, which is most of the speed of drawing.
func (p *path) fill(ink color.RGBA) {
	r := vector.NewRasterizer(p.high.X-p.low.X, p.high.Y-p.low.Y)
	ox, oy := float32(p.low.X), float32(p.low.Y)
	for i, s := range p.steps {
		switch {
		case i == 0:
			r.MoveTo(s.x-ox, s.y-oy)
		case s.curve:
			r.QuadTo(s.bx-ox, s.by-oy, s.x-ox, s.y-oy)
		default:
			r.LineTo(s.x-ox, s.y-oy)
		}
	}
	r.ClosePath()
	around := image.Rectangle{Min: p.low, Max: p.high}
	part := p.c.img.Bounds().Intersect(around)
	if part != around {
		p.clipped(r, around, ink)
		return
	}
	r.Draw(p.c.img, around, image.NewUniform(ink), image.Point{})
}

// clipped paints what hangs over the edge: the shape is drawn on its own and the part inside is laid on the image.
func (p *path) clipped(r *vector.Rasterizer, around image.Rectangle, ink color.RGBA) {
	mask := image.NewAlpha(image.Rect(0, 0, around.Dx(), around.Dy()))
	r.DrawOp = draw.Src
	r.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	draw.DrawMask(p.c.img, around, image.NewUniform(ink), image.Point{}, mask, image.Point{}, draw.Over)
}

// polygon fills the outline through the points given as x, y, x, y and so on.
func (c *canvas) polygon(ink color.RGBA, points ...float64) {
	p := c.path().from(points[0], points[1])
	for pair := range slices.Chunk(points[2:], 2) {
		p.to(pair[0], pair[1])
	}
	p.fill(ink)
}

func (c *canvas) ellipse(ink color.RGBA, x, y, rx, ry float64) { c.arc(ink, x, y, rx, ry, 0, 360) }

func (c *canvas) circle(ink color.RGBA, x, y, r float64) { c.ellipse(ink, x, y, r, r) }

// arc fills the part of an ellipse between two angles, in degrees clockwise from the right.
func (c *canvas) arc(ink color.RGBA, x, y, rx, ry, from, to float64) {
	p := c.path()
	const steps = 64
	for i := range steps + 1 {
		a := (from + (to-from)*float64(i)/steps) * math.Pi / 180
		px, py := x+rx*math.Cos(a), y+ry*math.Sin(a)
		if i == 0 {
			p.from(px, py)
		} else {
			p.to(px, py)
		}
	}
	p.fill(ink)
}

// box fills a rectangle with rounded corners.
func (c *canvas) box(ink color.RGBA, x, y, w, h, r float64) {
	c.path().from(x+r, y).to(x+w-r, y).bend(x+w, y, x+w, y+r).to(x+w, y+h-r).bend(x+w, y+h, x+w-r, y+h).
		to(x+r, y+h).bend(x, y+h, x, y+h-r).to(x, y+r).bend(x, y, x+r, y).fill(ink)
}

// line draws a straight stroke with round ends.
func (c *canvas) line(ink color.RGBA, width, x1, y1, x2, y2 float64) {
	length := math.Hypot(x2-x1, y2-y1)
	nx, ny := (y2-y1)/length*width/2, -(x2-x1)/length*width/2
	c.polygon(ink, x1+nx, y1+ny, x2+nx, y2+ny, x2-nx, y2-ny, x1-nx, y1-ny)
	c.circle(ink, x1, y1, width/2)
	c.circle(ink, x2, y2, width/2)
}

// ring draws a stroke along a part of an ellipse, such as a handle, with round ends.
func (c *canvas) ring(ink color.RGBA, width, x, y, rx, ry, from, to float64) {
	const steps = 48
	p := c.path()
	point := func(i int, out float64) (float64, float64) {
		a := (from + (to-from)*float64(i)/steps) * math.Pi / 180
		return x + (rx+out)*math.Cos(a), y + (ry+out)*math.Sin(a)
	}
	for i := range steps + 1 {
		px, py := point(i, width/2)
		p.to(px, py)
	}
	for i := range steps + 1 {
		px, py := point(steps-i, -width/2)
		p.to(px, py)
	}
	p.fill(ink)
	for _, end := range []int{0, steps} {
		px, py := point(end, 0)
		c.circle(ink, px, py, width/2)
	}
}

// slice fills a piece of a circle, from its middle to its edge.
func (c *canvas) slice(ink color.RGBA, x, y, r, from, to float64) {
	a, b, m := from*math.Pi/180, to*math.Pi/180, (from+to)/2*math.Pi/180
	reach := r / math.Cos((b-a)/2)
	c.path().from(x+1.6*math.Cos(m), y+1.6*math.Sin(m)).to(x+r*math.Cos(a), y+r*math.Sin(a)).
		bend(x+reach*math.Cos(m), y+reach*math.Sin(m), x+r*math.Cos(b), y+r*math.Sin(b)).fill(ink)
}
