package storage

import (
	"encoding/binary"
	"fmt"

	"shop.internal/pkg/domain/platform/errno"
	wording "shop.internal/pkg/domain/platform/text"
)

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
		return 0, fmt.Errorf("the outline of a GIF: %w", errno.Invalid.Because(wording.PictureBroken))
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
			if text := c.peek(2); text != nil && text[0] == gifText && text[1] != gifTextLength {
				return 0, fmt.Errorf("the outline of a GIF: %w", errno.Invalid.Because(wording.PictureBroken))
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
			return 0, fmt.Errorf("the outline of a GIF: %w", errno.Invalid.Because(wording.PictureBroken))
		}
		if frames > maxFrames || area > maxFilm {
			return 0, fmt.Errorf("%d frames of %d pixels and more: %w", frames, area,
				errno.Invalid.Because(wording.FilmTooLarge))
		}
		c.blocks()
	}
}

// cursor walks over bytes.
type cursor struct{ data []byte }

// take returns the next n bytes, nil where there are fewer.
func (c *cursor) take(n int) []byte {
	taken := c.peek(n)
	c.data = c.data[len(taken):]
	if taken == nil {
		c.data = nil
	}
	return taken
}

// peek is take without moving on.
func (c *cursor) peek(n int) []byte {
	if n < 0 || len(c.data) < n {
		return nil
	}
	return c.data[:n]
}

// table skips a table of colours that the flags announce.
func (c *cursor) table(flags byte) {
	if flags&gifTableThere != 0 {
		c.take(3 << (flags&gifTableSize + 1))
	}
}

// blocks skips blocks, each after its length, up to the empty one.
func (c *cursor) blocks() {
	for {
		length := c.take(1)
		if length == nil || length[0] == 0 {
			return
		}
		c.take(int(length[0]))
	}
}
