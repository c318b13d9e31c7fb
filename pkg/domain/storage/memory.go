package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

const (
	// drawingMemory bounds the memory of all pictures that are decoded at a time in this process, in bytes. A file of a
	// few kilobytes can contain a picture of any size, so each reserves its memory before it is decoded, and one that
	// needs more than all of it is refused.
	drawingMemory = 96 << 20
	// waitTimeout bounds each wait before a picture is drawn, well within the deadline of a request.
	waitTimeout = 4 * time.Second
	// notable is the memory from which it is returned to the system at once.
	notable = 8 << 20
	// workspace is the memory that encoding takes for any picture: code tables, compression windows.
	workspace = 2 << 20
	// maxDrawn bounds the bytes of an encoded picture.
	maxDrawn = 32 << 20
)

// painter decodes and encodes uploaded pictures, so that only the picture is stored: no location, no comment, no data
// after its end.
type painter struct {
	limit       int64 // memory of all pictures together, in bytes
	memory      *semaphore.Weighted
	waitTimeout time.Duration
}

func newPainter() painter { return painterWithin(drawingMemory) }

func painterWithin(limit int64) painter {
	return painter{limit, semaphore.NewWeighted(limit), waitTimeout}
}

// enter waits for memory, which leave returns. It fails with errno.Invalid for a picture that needs more than there is,
// and with errno.ErrBusy if the wait times out.
func (p painter) enter(ctx context.Context, need int64) (leave func(), err error) {
	if need > p.limit {
		return nil, fmt.Errorf("a picture that takes %d MiB to draw: %w", need>>20,
			errno.Invalid.Because(text.PictureTooDetailed))
	}
	waiting, cancel := context.WithTimeout(ctx, p.waitTimeout)
	defer cancel()
	if err := p.memory.Acquire(waiting, need); err != nil {
		if !errors.Is(ctx.Err(), context.Canceled) { // the caller is still there
			err = errno.ErrBusy
		}
		return nil, fmt.Errorf("wait for memory to draw: %w", err)
	}
	return func() {
		if need >= notable { // otherwise the next one would be decoded beside what is left of this one
			debug.FreeOSMemory()
		}
		p.memory.Release(need)
	}, nil
}

// buffer is a buffer of at most maxDrawn bytes. It inserts extra once it has received that many bytes.
type buffer struct {
	bytes.Buffer
	extra []byte
	at    int
}

// Write fails with errno.Invalid beyond the limit.
func (b *buffer) Write(p []byte) (int, error) {
	if n := b.at - b.Len(); len(b.extra) > 0 && len(p) >= n {
		b.Buffer.Write(p[:n])
		b.Buffer.Write(b.extra)
		b.extra = nil
		written, err := b.Write(p[n:])
		return n + written, err
	}
	if b.Len()+len(p) > maxDrawn {
		return 0, fmt.Errorf("a picture of more than %d bytes once it is drawn: %w", maxDrawn,
			errno.Invalid.Because(text.PictureTooDetailed))
	}
	return b.Buffer.Write(p)
}

// narrow converts 16 bits per channel to 8, as screens show it, in the same memory. The encoder of 16 bits would take
// as much again.
func narrow(m image.Image) image.Image {
	switch m := m.(type) {
	case *image.NRGBA64:
		return &image.NRGBA{Pix: upper(m.Pix), Stride: m.Stride / 2, Rect: m.Rect}
	case *image.RGBA64:
		return &image.RGBA{Pix: upper(m.Pix), Stride: m.Stride / 2, Rect: m.Rect}
	case *image.Gray16:
		return &image.Gray{Pix: upper(m.Pix), Stride: m.Stride / 2, Rect: m.Rect}
	}
	return m
}

// upper keeps the first byte of each two.
func upper(b []byte) []byte {
	for i := range len(b) / 2 {
		b[i] = b[2*i]
	}
	return b[:len(b)/2]
}

// The offsets in a PNG header.
const (
	pngDepth, pngColour, pngInterlace = 24, 25, 28
	pngHeaderEnd                      = 33
	pngGrey, pngPalette               = 0, 3
)

// memoryOfPNG is the memory of a decoded PNG. The passes of an interlaced one are decoded beside the whole.
func memoryOfPNG(data []byte, area int64) int64 {
	if len(data) < pngHeaderEnd {
		return 0 // which is no PNG
	}
	pixel := int64(4)
	switch colour := data[pngColour]; {
	case colour == pngPalette:
		pixel = 1
	case colour == pngGrey && !bytes.Contains(data, []byte("tRNS")):
		pixel = 1
	}
	if data[pngDepth] == 16 {
		pixel *= 2
	}
	need := pixel * area
	if data[pngInterlace] != 0 {
		need *= 2
	}
	return need
}

// memoryOfGIF is the memory of the frames of a GIF, and of one more, which is sorted if interlaced.
func memoryOfGIF(data []byte, area int64) (int64, error) {
	film, err := countFrames(data)
	return film + area, err
}

// The parts of a GIF that are needed to count its frames.
const (
	gifHeader     = 13 // signature, size of the screen, flags, background, aspect
	gifFrame      = 9  // place, size and flags of a frame
	gifExtension  = 0x21
	gifSeparator  = 0x2c
	gifTrailer    = 0x3b
	gifText       = 0x01
	gifTextLength = 12
	gifTableThere = 0x80
	gifTableSize  = 0x07
)

// countFrames returns the pixels of all frames, and fails with errno.Invalid for too many. It reads only the structure,
// since a few kilobytes can contain thousands of large frames.
func countFrames(data []byte) (area int64, err error) {
	c := cursor{data: data}
	header := c.take(gifHeader)
	if header == nil {
		return 0, fmt.Errorf("the outline of a GIF: %w", broken())
	}
	c.table(header[10])
	frames := 0
	for {
		introducer := c.take(1)
		switch {
		case introducer == nil: // truncated; the decoder reports it
			return area, nil
		case introducer[0] == gifTrailer:
			return area, nil
		case introducer[0] == gifExtension:
			// Decoders assume the length of a text block; another one would hide frames from this count.
			if part := c.peek(2); part != nil && part[0] == gifText && part[1] != gifTextLength {
				return 0, fmt.Errorf("the outline of a GIF: %w", broken())
			}
			c.take(1)
		case introducer[0] == gifSeparator:
			frame := c.take(gifFrame)
			if frame == nil {
				return area, nil
			}
			frames++
			area += int64(binary.LittleEndian.Uint16(frame[4:])) * int64(binary.LittleEndian.Uint16(frame[6:]))
			c.table(frame[8])
			c.take(1) // the width of codes
		default:
			return 0, fmt.Errorf("the outline of a GIF: %w", broken())
		}
		if frames > maxFrames || area > maxFilm {
			return 0, fmt.Errorf("%d frames of %d pixels and more: %w", frames, area,
				errno.Invalid.Because(text.AnimationTooLarge))
		}
		c.blocks()
	}
}

// The parts of a JPEG that describe its encoding.
const (
	markerBaseline    = 0xc0
	markerExtended    = 0xc1
	markerProgressive = 0xc2
	jpegHeader        = 6 // precision, height, width, number of components
	jpegComponent     = 3
	jpegBlock         = 64
	coefficient       = 4
)

// memoryOfJPEG is the memory of a decoded JPEG: its planes; all coefficients of a progressive one; the pixels of
// another colour space; and all of it again if it must be rotated.
func memoryOfJPEG(data []byte, c image.Config) int64 {
	samples, progressive := samplesOfJPEG(data, c)
	need := samples
	if progressive {
		need += coefficient * samples
	}
	area := int64(c.Width) * int64(c.Height)
	converted := c.ColorModel != color.YCbCrModel && c.ColorModel != color.GrayModel
	if converted {
		need += 4 * area
	}
	if orientation(data, "image/jpeg") > 1 {
		if converted {
			need += 8 * area
		} else {
			need += max(samples, 8*area*int64(oddlySampled(data)))
		}
	}
	return need
}

// samplesOfJPEG counts the samples of all planes, in whole blocks.
func samplesOfJPEG(data []byte, c image.Config) (samples int64, progressive bool) {
	marker, header := frameOfJPEG(data)
	if header == nil {
		return 4 * int64(c.Width) * int64(c.Height), true
	}
	wide, high, each := int64(1), int64(1), int64(0)
	for i := jpegHeader; i+1 < len(header); i += jpegComponent {
		h, v := int64(header[i+1]>>4), int64(header[i+1]&0x0f)
		wide, high, each = max(wide, h), max(high, v), each+h*v
	}
	if header[5] == 1 { // a single component has no other sampling
		wide, high, each = 1, 1, 1
	}
	across, down := blocks(c.Width, wide), blocks(c.Height, high)
	return across * down * each * jpegBlock, marker == markerProgressive
}

// blocks is the number of units of so many blocks that cover a length.
func blocks(length int, unit int64) int64 { return (int64(length) + 8*unit - 1) / (8 * unit) }

// oddlySampled is 1 for a JPEG whose planes cannot be rotated as they are, else 0.
func oddlySampled(data []byte) int {
	if _, header := frameOfJPEG(data); len(header) > 7 && header[5] == 3 && header[7]>>4 == 4 {
		return 1
	}
	return 0
}

// frameOfJPEG finds the frame header and its marker; nil if there is none.
func frameOfJPEG(data []byte) (marker byte, header []byte) {
	for m, segment := range segments(data) {
		if m == markerBaseline || m == markerExtended || m == markerProgressive {
			if len(segment) < jpegHeader {
				return 0, nil
			}
			return m, segment
		}
	}
	return 0, nil
}
