package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/image/webp"
)

// The outline of a WebP: a RIFF container of chunks.
const (
	riffHeader  = 12
	chunkHeader = 8
	// webpAlpha is the flag of the extended header that says that pixels may be clear, the one that is kept: the others
	// announce chunks that are not.
	webpAlpha = 0x10
	// mostLossless is the most memory for the pixels of a lossless picture, in bytes. Its tables of codes may take more
	// than that, whatever its size, so such pictures are drawn one at a time.
	mostLossless = 48 << 20
)

// bare returns a WebP with nothing but its picture: no EXIF, no XMP, no profile, nothing behind its end. The chunks of
// the
// picture are taken as they are, so that it loses no quality. It fails with errno.Invalid for an animation, and for
// what has no picture.
func bare(data []byte) ([]byte, error) {
	c := cursor{data: data}
	c.take(riffHeader)
	out := append(make([]byte, 0, len(data)), "RIFF\x00\x00\x00\x00WEBP"...)
	for {
		head := c.take(chunkHeader)
		if head == nil {
			return nil, fmt.Errorf("a WebP without a picture: %w", broken())
		}
		size := int64(binary.LittleEndian.Uint32(head[4:]))
		if size > int64(len(c.data)) {
			return nil, fmt.Errorf("a WebP that breaks off: %w", broken())
		}
		body := c.take(int(size))
		if size%2 == 1 {
			c.take(1) // chunks begin at even places
		}
		name := string(head[:4])
		switch name {
		case "VP8X":
			body = bytes.Clone(body)
			if len(body) > 0 {
				body[0] &= webpAlpha
			}
		case "ALPH", "VP8 ", "VP8L":
		case "ANIM", "ANMF":
			return nil, fmt.Errorf("an animated WebP: %w", broken())
		default:
			continue
		}
		out = append(append(out, head...), body...)
		if size%2 == 1 {
			out = append(out, 0)
		}
		if name == "VP8 " || name == "VP8L" {
			binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8)) //nolint:gosec // shorter than the upload
			return out, nil
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

// checkWebP returns a WebP without whatever is not its picture, once it has been unpacked to see that there is one.
func checkWebP(data []byte) ([]byte, error) {
	picture, err := bare(data)
	if err != nil {
		return nil, err
	}
	if _, err := webp.Decode(bytes.NewReader(picture)); err != nil {
		return nil, fmt.Errorf("read a WebP: %w: %w", broken(), err)
	}
	return picture, nil
}
