package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

const (
	// drawingMemory is what all pictures that are being drawn may take together in this process, in bytes. A file of a few
	// kilobytes can hold a picture of any size, so each takes its part of it before anything is unpacked, and one that
	// needs more than all of it is refused.
	drawingMemory = 96 << 20
	// waitTimeout is the longest that a picture waits for its part.
	waitTimeout = 10 * time.Second
	// notable is from how much memory on it is worth giving it back to the system at once.
	notable = 8 << 20
	// workspace is what drawing takes whatever the picture: tables of codes, windows of the compression.
	workspace = 2 << 20
	// maxDrawn is the most bytes of a picture that was written anew.
	maxDrawn = 32 << 20
)

// painter draws uploaded pictures anew, so that nothing is stored but the picture: no place where it was taken, no
// comment, no second file behind its end.
type painter struct {
	limit       int64 // what all pictures together may take, in bytes
	memory      *semaphore.Weighted
	waitTimeout time.Duration
}

func newPainter() painter { return painterWithin(drawingMemory) }

func painterWithin(limit int64) painter {
	return painter{limit, semaphore.NewWeighted(limit), waitTimeout}
}

// enter waits for the memory to draw in, which leave gives back. It fails with errno.Invalid for a picture that needs
// more than there is, and with errno.Internal, and a sentence that says so, where others need it for too long.
func (p painter) enter(ctx context.Context, need int64) (leave func(), err error) {
	if need > p.limit {
		return nil, fmt.Errorf("a picture that takes %d MiB to draw: %w", need>>20,
			errno.Invalid.Because(text.PictureTooDetailed))
	}
	waiting, cancel := context.WithTimeout(ctx, p.waitTimeout)
	defer cancel()
	if err := p.memory.Acquire(waiting, need); err != nil {
		if ctx.Err() == nil {
			err = errno.Internal.Because(text.UploadsBusy)
		}
		return nil, fmt.Errorf("wait for memory to draw: %w", err)
	}
	return func() {
		if need >= notable { // the next one would else be unpacked beside what is left of this one
			debug.FreeOSMemory()
		}
		p.memory.Release(need)
	}, nil
}

// buffer takes a picture that is written, up to maxDrawn.
type buffer struct{ bytes.Buffer }

// Write fails with errno.Invalid where it becomes too much.
func (b *buffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxDrawn {
		return 0, fmt.Errorf("a picture of more than %d bytes once it is drawn: %w", maxDrawn,
			errno.Invalid.Because(text.PictureTooDetailed))
	}
	return b.Buffer.Write(p)
}

// narrow gives a picture of 16 bits a colour 8 of them, as screens show it, in the memory that it has. The encoder of
// 16 bits would take as much again.
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

// The places of a PNG's header.
const (
	pngDepth, pngColour, pngInterlace = 24, 25, 28
	pngHeaderEnd                      = 33
	pngGrey, pngPalette               = 0, 3
)

// memoryOfPNG is what a PNG takes once it is unpacked. The passes of an interlaced one are unpacked beside the whole.
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

// memoryOfGIF is what the frames of a GIF take, and one of them once more, which is sorted where it is interlaced.
func memoryOfGIF(data []byte, area int64) (int64, error) {
	film, err := countFrames(data)
	return film + area, err
}

// The parts of a GIF that matter for counting its frames.
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

// countFrames returns the pixels of all frames together, and fails with errno.Invalid where they are too many. It
// reads the outline alone: a few kilobytes can hold thousands of large frames, and decoding is what makes them large.
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
		case introducer == nil: // it breaks off, which is for the decoder to judge
			return area, nil
		case introducer[0] == gifTrailer:
			return area, nil
		case introducer[0] == gifExtension:
			// Decoders take the length of a text for granted; another one would hide frames from this count.
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
				errno.Invalid.Because(text.FilmTooLarge))
		}
		c.blocks()
	}
}

// The parts of a JPEG that say how it is stored.
const (
	markerBaseline    = 0xc0
	markerExtended    = 0xc1
	markerProgressive = 0xc2
	jpegHeader        = 6 // precision, height, width, number of components
	jpegComponent     = 3
	jpegBlock         = 64
	coefficient       = 4
)

// memoryOfJPEG is what a JPEG takes: its planes; of a progressive one all coefficients before; of one in another colour
// space the pixels in that; and where the camera was not held upright all of it a second time.
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

// samplesOfJPEG counts the samples of all planes, whole blocks each.
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
	if header[5] == 1 { // alone, a component has no other sampling
		wide, high, each = 1, 1, 1
	}
	across, down := blocks(c.Width, wide), blocks(c.Height, high)
	return across * down * each * jpegBlock, marker == markerProgressive
}

// blocks is the number of units of so many blocks that cover a length.
func blocks(length int, unit int64) int64 { return (int64(length) + 8*unit - 1) / (8 * unit) }

// oddlySampled is 1 for a JPEG whose planes cannot be turned as they are, 0 else.
func oddlySampled(data []byte) int {
	if _, header := frameOfJPEG(data); len(header) > 7 && header[5] == 3 && header[7]>>4 == 4 {
		return 1
	}
	return 0
}

// frameOfJPEG finds the header of the frame and its marker; nil where there is none.
func frameOfJPEG(data []byte) (marker byte, header []byte) {
	c := cursor{data: data}
	c.take(2)
	for {
		head := c.take(2)
		for head != nil && head[1] == 0xff { // any number of them may stand before a marker
			if next := c.take(1); next != nil {
				head = []byte{0xff, next[0]}
			} else {
				head = nil
			}
		}
		if head == nil || head[0] != 0xff || head[1] == markerScan {
			return 0, nil
		}
		length := c.take(2)
		if length == nil {
			return 0, nil
		}
		segment := c.take(int(binary.BigEndian.Uint16(length)) - 2)
		if segment == nil {
			return 0, nil
		}
		if m := head[1]; m == markerBaseline || m == markerExtended || m == markerProgressive {
			if len(segment) < jpegHeader {
				return 0, nil
			}
			return m, segment
		}
	}
}

// memoryOfWebP is what a WebP takes once it is unpacked. A layer of clearness is a lossless picture of its own.
func memoryOfWebP(data []byte, area int64) int64 {
	if bytes.Contains(data[:min(len(data), riffHeader+chunkHeader)], []byte("VP8 ")) {
		return 2 * area
	}
	if 8*area > mostLossless {
		return drawingMemory + 1
	}
	return drawingMemory
}
