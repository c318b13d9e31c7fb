package storage

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"iter"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

// The parts of a colour profile, as the ICC defines them.
const (
	// maxProfile bounds a profile, in bytes: one segment of a JPEG. Those of cameras and screens take about 500.
	maxProfile     = 1<<16 - 1 - 2 - len(jpegProfile)
	profileHeader  = 128
	profileTag     = 12
	maxProfileTags = 64
	spaceRGB       = "RGB "
	spaceGrey      = "GRAY"
)

// profiled returns a colour profile if it has the form of one for pixels of that colour space, else nil. Pixels of
// another one were converted, and decoders would refuse the profile.
func profiled(data []byte, space string) []byte {
	if len(data) < profileHeader+4 || len(data) > maxProfile || int(binary.BigEndian.Uint32(data)) != len(data) ||
		string(data[36:40]) != "acsp" || string(data[16:20]) != space {
		return nil
	}
	count := binary.BigEndian.Uint32(data[profileHeader:])
	if count > maxProfileTags {
		return nil
	}
	c := cursor{data: data[profileHeader+4:]}
	for range count {
		tag := c.take(profileTag)
		if tag == nil {
			return nil
		}
		at, size := binary.BigEndian.Uint32(tag[4:]), binary.BigEndian.Uint32(tag[8:])
		if uint64(at)+uint64(size) > uint64(len(data)) {
			return nil
		}
	}
	return data
}

const (
	jpegStart = 2
	// jpegProfile begins a segment with the first part, of one, of a profile.
	jpegProfile = "ICC_PROFILE\x00\x01\x01"
	markerApp2  = 0xe2
)

// segments yields the marker and the content of each segment of a JPEG up to its first scan, as far as it can be read.
func segments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		c := cursor{data: data}
		c.take(jpegStart)
		for {
			head := c.take(2)
			if head == nil || head[0] != 0xff {
				return
			}
			marker := head[1:]
			for marker != nil && marker[0] == 0xff { // fill bytes may precede a marker
				marker = c.take(1)
			}
			if marker == nil || marker[0] == markerScan {
				return
			}
			length := c.take(2)
			if length == nil {
				return
			}
			segment := c.take(int(binary.BigEndian.Uint16(length)) - 2)
			if segment == nil || !yield(marker[0], segment) {
				return
			}
		}
	}
}

// coloursOfJPEG is the segment with the colour profile of a JPEG; nil if it has none.
func coloursOfJPEG(data []byte, space string) []byte {
	for marker, segment := range segments(data) {
		profile, found := bytes.CutPrefix(segment, []byte(jpegProfile))
		if !found || marker != markerApp2 {
			continue
		}
		if profiled(profile, space) == nil {
			return nil
		}
		head := []byte{0xff, markerApp2, 0, 0}
		binary.BigEndian.PutUint16(head[2:], uint16(len(segment)+2)) //nolint:gosec // as it was read
		return append(head, segment...)
	}
	return nil
}

// chunks yields the name and the content of each chunk of a PNG up to its picture.
func chunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		c := cursor{data: data}
		c.take(len("\x89PNG\r\n\x1a\n"))
		for {
			head := c.take(chunkHeader)
			if head == nil {
				return
			}
			name := string(head[4:])
			body := c.take(int(binary.BigEndian.Uint32(head)))
			if c.take(crc32.Size) == nil || name == "IDAT" || !yield(name, body) {
				return
			}
		}
	}
}

// still fails with errno.Invalid for an animated PNG, of which encoding would leave the first picture.
func still(data []byte) error {
	for name, body := range chunks(data) {
		if name == "acTL" && len(body) >= 4 && binary.BigEndian.Uint32(body) > 1 {
			return errno.Invalid.Because(text.PictureAnimatedPNG)
		}
	}
	return nil
}

// pngColours are the chunks of numbers that say what the colours of a PNG are, and their length.
var pngColours = map[string]int{"cICP": 4, "cHRM": 32, "gAMA": 4, "sRGB": 1}

// coloursOfPNG are the chunks of a PNG that say what its colours are and how it is turned.
func coloursOfPNG(data []byte, space string) []byte {
	var kept []byte
	seen := map[string]bool{}
	for name, body := range chunks(data) {
		if seen[name] {
			continue
		}
		seen[name] = true
		switch length, numbers := pngColours[name]; {
		case numbers && len(body) == length:
			kept = appendChunk(kept, name, body)
		case name == "iCCP":
			if profile := unpackProfile(body, space); profile != nil {
				kept = appendChunk(kept, name, packProfile(profile))
			}
		case name == "eXIf":
			if turned := turnedIn(body); turned > 1 {
				kept = appendChunk(kept, name, onlyTurned(turned))
			}
		}
	}
	return kept
}

// unpackProfile reads the profile in an iCCP chunk: a name, the method 0, and compressed bytes.
func unpackProfile(body []byte, space string) []byte {
	_, packed, found := bytes.Cut(body, []byte("\x00\x00"))
	if !found {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(r, int64(maxProfile)+1))
	if err != nil {
		return nil
	}
	return profiled(profile, space)
}

// packProfile is the content of an iCCP chunk. The profile's own name is not kept, as it may be any text.
func packProfile(profile []byte) []byte {
	b := bytes.NewBufferString("icc\x00\x00")
	w := zlib.NewWriter(b)
	_, _ = w.Write(profile) // a bytes.Buffer cannot fail
	_ = w.Close()
	return b.Bytes()
}

// appendChunk appends a chunk of a PNG.
func appendChunk(b []byte, name string, body []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(body))) //nolint:gosec // shorter than the upload
	start := len(b)
	b = append(append(b, name...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:]))
}

// onlyTurned is EXIF with nothing but an orientation.
func onlyTurned(turned int) []byte {
	return []byte{
		'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, tagTurned >> 8, tagTurned & 0xff, 0, 3, 0, 0, 0, 1,
		0, byte(turned), 0, 0, //nolint:gosec // at most 8
		0, 0, 0, 0,
	}
}
