package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"io"

	"golang.org/x/image/webp"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

// The structure of a WebP: a RIFF container of chunks.
const (
	riffHeader  = 12
	chunkHeader = 8
	// The flags of the extended header that are kept; the others announce chunks that are removed.
	webpFilm, webpTurned, webpAlpha, webpProfile = 0x02, 0x08, 0x10, 0x20
	webpExtended                                 = 10 // flags, three bytes that are 0, and the size
	webpPlace                                    = 16 // place, size, duration and flags of a frame
	webpFrameFlags                               = 0x03
	webpLoop                                     = 6 // background and repetitions of an animation
	// maxLossless bounds the memory for the pixels of a lossless picture, in bytes. Its code tables may take more than
	// that for any size, so such pictures are decoded one at a time.
	maxLossless = 48 << 20
)

// film is what is kept of a WebP: a picture, or the frames of an animation, and how to show it. It has no EXIF except
// the orientation, no XMP, nothing after its end.
type film struct {
	extended, profile, loop []byte
	turned                  int
	frames                  []frame
}

// frame is a picture of a WebP; place is nil unless it is one of an animation.
type frame struct {
	place, alpha, picture []byte
	lossless              bool
}

// chunk takes a chunk of a RIFF container; false if there is none.
func (c *cursor) chunk() (name string, body []byte, ok bool) {
	head := c.take(chunkHeader)
	if head == nil {
		return "", nil, false
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	if size > int64(len(c.data)) {
		return "", nil, false
	}
	body = c.take(int(size))
	if size%2 == 1 {
		c.take(1) // chunks begin at even offsets
	}
	return string(head[:4]), body, true
}

// add takes over a chunk of a picture, and reports whether that was the last one.
func (f *frame) add(name string, body []byte) bool {
	switch name {
	case "ALPH":
		f.alpha = body
	case "VP8 ", "VP8L":
		f.picture, f.lossless = body, name == "VP8L"
	}
	return f.picture != nil
}

// readFilm reads the structure of a WebP. It fails with errno.Invalid for a file without a picture, and for an
// animation that breaks off or is too large.
func readFilm(data []byte) (film, error) {
	w, single := film{turned: 1}, frame{}
	if len(data) < riffHeader {
		return w, fmt.Errorf("the outline of a WebP: %w", broken())
	}
	c := cursor{data: data[riffHeader:min(int64(len(data)), 8+int64(binary.LittleEndian.Uint32(data[4:])))]}
	for len(c.data) > 0 {
		name, body, ok := c.chunk()
		switch {
		case !ok && w.loop != nil:
			return w, fmt.Errorf("an animation that breaks off: %w", broken())
		case name == "EXIF":
			w.turned = turnedIn(bytes.TrimPrefix(body, []byte("Exif\x00\x00")))
		case single.picture != nil: // nothing else of interest follows
		case name == "VP8X" && len(body) == webpExtended && w.extended == nil:
			w.extended = body
		case name == "ICCP":
			w.profile = profiled(body, spaceRGB)
		case name == "ANIM" && len(body) == webpLoop && w.extended != nil:
			w.loop = body
		case name == "ANMF":
			if err := w.addFrame(body); err != nil {
				return w, err
			}
		case w.loop == nil && single.add(name, body):
			w.frames = append(w.frames, single)
		}
	}
	if len(w.frames) == 0 {
		return w, fmt.Errorf("a WebP without a picture: %w", broken())
	}
	return w, w.bound()
}

// addFrame reads a frame of an animation.
func (w *film) addFrame(body []byte) error {
	c := cursor{data: body}
	f := frame{place: c.take(webpPlace)}
	for name, part, ok := c.chunk(); ok && !f.add(name, part); name, part, ok = c.chunk() {
	}
	if w.loop == nil || f.place == nil || f.picture == nil || !f.within(w.extended) {
		return fmt.Errorf("a frame of a WebP: %w", broken())
	}
	w.frames = append(w.frames, f)
	return nil
}

// triple reads a number of three bytes.
func triple(b []byte) int64 { return int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 }

// within reports whether a frame lies within the whole picture.
func (f frame) within(extended []byte) bool {
	return 2*triple(f.place)+triple(f.place[6:]) <= triple(extended[4:]) &&
		2*triple(f.place[3:])+triple(f.place[9:]) <= triple(extended[7:])
}

// bound refuses too many frames, and too many pixels of all frames.
func (w *film) bound() error {
	area := int64(0)
	for _, f := range w.frames {
		if f.place != nil {
			area += (triple(f.place[6:]) + 1) * (triple(f.place[9:]) + 1)
		}
	}
	if len(w.frames) > maxFrames || area > maxFilm {
		return fmt.Errorf("%d frames of %d pixels: %w", len(w.frames), area,
			errno.Invalid.Because(text.AnimationTooLarge))
	}
	return nil
}

// memoryOfWebP is the memory of a decoded WebP. An alpha channel is a lossless picture of its own. Frames are decoded
// one after the other, and no other picture beside them.
func memoryOfWebP(data []byte, area int64) (int64, error) {
	w, err := readFilm(data)
	if err != nil {
		return 0, err
	}
	lossless := false
	for _, f := range w.frames {
		lossless = lossless || f.lossless || f.alpha != nil
	}
	switch {
	case lossless && 8*area > maxLossless:
		return drawingMemory + 1, nil
	case lossless || w.loop != nil:
		return drawingMemory, nil
	}
	return 2 * area, nil
}

// redrawWebP returns a WebP with nothing except its picture and how to show it, after decoding every frame. The chunks
// of the picture are copied, so it loses no quality.
func redrawWebP(data []byte) ([]byte, error) {
	w, err := readFilm(data)
	if err != nil {
		return nil, err
	}
	for _, f := range w.frames {
		if _, err := w.decode(f); err != nil {
			return nil, err
		}
	}
	return w.bytes(len(data)), nil
}

// decodeWebP decodes a WebP; of an animation the first frame.
func decodeWebP(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read a WebP: %w", err)
	}
	w, err := readFilm(data)
	if err != nil {
		return nil, err
	}
	return w.decode(w.frames[0])
}

// decode decodes a frame as a picture of its own. Its extended header bounds what its chunks may claim.
func (w *film) decode(f frame) (image.Image, error) {
	alone := frame{alpha: f.alpha, picture: f.picture, lossless: f.lossless}
	still := film{extended: bytes.Clone(w.extended), frames: []frame{alone}}
	if still.extended != nil {
		still.extended[0] = 0
	}
	if f.place != nil {
		copy(still.extended[4:], f.place[6:12])
	}
	m, err := webp.Decode(bytes.NewReader(still.bytes(len(f.alpha) + len(f.picture))))
	if err != nil {
		return nil, fmt.Errorf("read a WebP: %w: %w", broken(), err)
	}
	return m, nil
}

// bytes writes a WebP of about that size.
func (w *film) bytes(size int) []byte {
	out := append(make([]byte, 0, size+64), "RIFF\x00\x00\x00\x00WEBP"...)
	if w.extended != nil {
		out = appendRIFF(out, "VP8X", append([]byte{w.flags(), 0, 0, 0}, w.extended[4:]...))
	}
	if w.profile != nil && w.extended != nil {
		out = appendRIFF(out, "ICCP", w.profile)
	}
	if w.loop != nil {
		out = appendRIFF(out, "ANIM", w.loop)
	}
	for _, f := range w.frames {
		if f.place == nil {
			out = f.append(out)
			continue
		}
		place := bytes.Clone(f.place)
		place[webpPlace-1] &= webpFrameFlags
		out = appendRIFF(out, "ANMF", f.append(place))
	}
	if w.turned > 1 && w.extended != nil {
		out = appendRIFF(out, "EXIF", onlyTurned(w.turned))
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8)) //nolint:gosec // hardly longer than the upload
	return out
}

// flags announces the chunks that are written.
func (w *film) flags() byte {
	flags := byte(0)
	if w.profile != nil {
		flags |= webpProfile
	}
	if w.loop != nil {
		flags |= webpFilm
	}
	if w.turned > 1 {
		flags |= webpTurned
	}
	for _, f := range w.frames {
		switch {
		case f.alpha != nil:
			flags |= webpAlpha
		case f.lossless:
			flags |= w.extended[0] & webpAlpha
		}
	}
	return flags
}

// append appends the chunks of a picture.
func (f frame) append(out []byte) []byte {
	if f.alpha != nil {
		out = appendRIFF(out, "ALPH", f.alpha)
	}
	if f.lossless {
		return appendRIFF(out, "VP8L", f.picture)
	}
	return appendRIFF(out, "VP8 ", f.picture)
}

// appendRIFF appends a chunk of a RIFF container.
func appendRIFF(b []byte, name string, body []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, name...), uint32(len(body))) //nolint:gosec // as it was read
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}
