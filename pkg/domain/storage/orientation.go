package storage

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
)

// What is read of a JPEG to find its orientation.
const (
	markerStart = 0xd8
	markerApp1  = 0xe1
	markerScan  = 0xda
	tagTurned   = 0x0112
	entryLength = 12
	maxTurned   = 8
)

// orientation is the EXIF orientation from 1, upright, to 8. Encoding loses it, so it is applied to the pixels.
// Anything unreadable counts as upright.
func orientation(data []byte, mediaType string) int {
	if mediaType != "image/jpeg" {
		return 1
	}
	if len(data) < jpegStart || data[1] != markerStart {
		return 1
	}
	for marker, segment := range segments(data) {
		if tiff, found := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); found && marker == markerApp1 {
			return turnedIn(tiff)
		}
	}
	return 1
}

// turnedIn finds the orientation in the first directory of a TIFF header.
func turnedIn(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	c := cursor{data: tiff[at:]}
	for range order.Uint16(c.take(2)) {
		entry := c.take(entryLength)
		if entry == nil {
			return 1
		}
		if order.Uint16(entry) == tagTurned {
			if turned := int(order.Uint16(entry[8:])); turned >= 1 && turned <= maxTurned {
				return turned
			}
			return 1
		}
	}
	return 1
}

// upright rotates and mirrors a picture so that it needs no orientation. Photographs are rotated plane by plane, in the
// memory that they have already.
func upright(m image.Image, turned int) image.Image {
	if turned <= 1 || turned > maxTurned {
		return m
	}
	b := m.Bounds()
	size := image.Rect(0, 0, b.Dx(), b.Dy())
	if lying(turned) {
		size = image.Rect(0, 0, b.Dy(), b.Dx())
	}
	switch m := m.(type) {
	case *image.Gray:
		to := image.NewGray(size)
		plane{m.Pix, m.Stride, b.Dx(), b.Dy()}.turn(to.Pix, to.Stride, turned)
		return to
	case *image.YCbCr:
		if ratio, ok := turnedRatio(m.SubsampleRatio, turned); ok {
			return turnPlanes(m, image.NewYCbCr(size, ratio), turned)
		}
	}
	return turnPixels(m, size, turned)
}

// lying reports whether rows become columns.
func lying(turned int) bool { return turned >= 5 }

// turnedRatio is the chroma subsampling of a rotated picture; false if there is no name for it.
func turnedRatio(r image.YCbCrSubsampleRatio, turned int) (image.YCbCrSubsampleRatio, bool) {
	switch r {
	case image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420:
		return r, true
	case image.YCbCrSubsampleRatio422:
		if lying(turned) {
			return image.YCbCrSubsampleRatio440, true
		}
		return r, true
	case image.YCbCrSubsampleRatio440:
		if lying(turned) {
			return image.YCbCrSubsampleRatio422, true
		}
		return r, true
	case image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410: // their rotated counterparts have no name
	}
	return r, false
}

func turnPlanes(m, to *image.YCbCr, turned int) image.Image {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	plane{m.Y, m.YStride, w, h}.turn(to.Y, to.YStride, turned)
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio420:
		w, h = (w+1)/2, (h+1)/2
	case image.YCbCrSubsampleRatio422:
		w = (w + 1) / 2
	case image.YCbCrSubsampleRatio440:
		h = (h + 1) / 2
	case image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410:
	}
	plane{m.Cb, m.CStride, w, h}.turn(to.Cb, to.CStride, turned)
	plane{m.Cr, m.CStride, w, h}.turn(to.Cr, to.CStride, turned)
	return to
}

// plane is one channel.
type plane struct {
	values       []byte
	stride, w, h int
}

func (p plane) turn(to []byte, stride, turned int) {
	for y := range p.h {
		for x, v := range p.values[y*p.stride:][:p.w] {
			tx, ty := place(x, y, p.w, p.h, turned)
			to[ty*stride+tx] = v
		}
	}
}

func turnPixels(m image.Image, size image.Rectangle, turned int) image.Image {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	from := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(from, from.Bounds(), m, b.Min, draw.Src)
	to := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := place(x, y, w, h, turned)
			copy(to.Pix[to.PixOffset(tx, ty):][:4], from.Pix[from.PixOffset(x, y):][:4])
		}
	}
	return to
}

// place returns the target of a pixel of a picture of w by h.
func place(x, y, w, h, turned int) (tx, ty int) {
	switch turned {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}

// cursor reads bytes.
type cursor struct{ data []byte }

// take returns the next n bytes, nil if there are fewer.
func (c *cursor) take(n int) []byte {
	taken := c.peek(n)
	c.data = c.data[len(taken):]
	if taken == nil {
		c.data = nil
	}
	return taken
}

// peek is take without advancing.
func (c *cursor) peek(n int) []byte {
	if n < 0 || len(c.data) < n {
		return nil
	}
	return c.data[:n]
}

// table skips a colour table that the flags announce.
func (c *cursor) table(flags byte) {
	if flags&gifTableThere != 0 {
		c.take(3 << (flags&gifTableSize + 1))
	}
}

// blocks skips length-prefixed blocks up to the empty one.
func (c *cursor) blocks() {
	for {
		length := c.take(1)
		if length == nil || length[0] == 0 {
			return
		}
		c.take(int(length[0]))
	}
}
