package storage

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
)

// What is read of a JPEG to know how the camera was held.
const (
	markerStart   = 0xd8
	markerApp1    = 0xe1
	markerScan    = 0xda
	tagTurned     = 0x0112
	entryLength   = 12
	largestTurned = 8
)

// orientation is how a camera was held, from 1, upright, to 8, as EXIF counts. It is lost when the picture is drawn
// anew, and so is applied to the pixels. Whatever cannot be read counts as upright.
func orientation(data []byte, mediaType string) int {
	if mediaType != "image/jpeg" {
		return 1
	}
	c := cursor{data: data}
	if start := c.take(2); start == nil || start[1] != markerStart {
		return 1
	}
	for {
		head := c.take(4)
		if head == nil || head[0] != 0xff || head[1] == markerScan {
			return 1
		}
		segment := c.take(int(binary.BigEndian.Uint16(head[2:])) - 2)
		if head[1] != markerApp1 {
			if segment == nil {
				return 1
			}
			continue
		}
		if tiff, found := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); found {
			return turnedIn(tiff)
		}
	}
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
			if turned := int(order.Uint16(entry[8:])); turned >= 1 && turned <= largestTurned {
				return turned
			}
			return 1
		}
	}
	return 1
}

// upright turns and mirrors a picture so that it needs no orientation.
func upright(m image.Image, turned int) image.Image {
	if turned <= 1 || turned > largestTurned {
		return m
	}
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	from := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(from, from.Bounds(), m, b.Min, draw.Src)
	size := image.Rect(0, 0, w, h)
	if turned >= 5 { // lying: rows become columns
		size = image.Rect(0, 0, h, w)
	}
	to := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := place(x, y, w, h, turned)
			copy(to.Pix[to.PixOffset(tx, ty):][:4], from.Pix[from.PixOffset(x, y):][:4])
		}
	}
	return to
}

// place is where a pixel of a picture of w by h goes.
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
