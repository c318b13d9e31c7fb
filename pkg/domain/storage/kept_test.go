package storage_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/storage"
)

// profileFor is a colour profile with one tag for pixels of a colour space.
func profileFor(space, tag string) string {
	b := make([]byte, 144, 144+len(tag))
	b = append(b, tag...)
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	copy(b[16:], space)
	copy(b[36:], "acsp")
	copy(b[128:], "\x00\x00\x00\x01rXYZ\x00\x00\x00\x90")
	binary.BigEndian.PutUint32(b[140:], uint32(len(tag)))
	return string(b)
}

const (
	displayP3 = "Display P3 of a telephone"
	position  = "GPS 30.25N 120.16E"
)

// withApp2 inserts a profile at the beginning of a JPEG.
func withApp2(data []byte, profile string) []byte {
	data = withSegment(data, "ICC_PROFILE\x00\x01\x01"+profile)
	data[3] = 0xe2
	return data
}

// pngChunk is a chunk of a PNG.
func pngChunk(name, body string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(b, name+body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(name+body)))
}

// withChunks inserts chunks behind the header of a PNG.
func withChunks(data []byte, chunks ...[]byte) []byte {
	return bytes.Join([][]byte{data[:33], bytes.Join(chunks, nil), data[33:]}, nil)
}

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// packed is a profile in an iCCP chunk.
func packed(t *testing.T, name, profile string) []byte {
	t.Helper()
	b := bytes.NewBufferString(name + "\x00\x00")
	w := zlib.NewWriter(b)
	_, err := w.Write([]byte(profile))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return pngChunk("iCCP", b.String()+position)
}

// unpacked is the profile of a stored PNG, "" if it has none.
func unpacked(t *testing.T, data []byte) string {
	t.Helper()
	at := bytes.Index(data, []byte("iCCP"))
	if at < 0 {
		return ""
	}
	r, err := zlib.NewReader(bytes.NewReader(data[at+4+len("icc\x00\x00"):]))
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = b.ReadFrom(r)
	require.NoError(t, err)
	return b.String()
}

func stored(t *testing.T, s *storage.Service, data []byte) []byte {
	t.Helper()
	o, err := s.Put(t.Context(), lin, "x", data)
	require.NoError(t, err)
	kept := read(t, s, o)
	require.NotContains(t, string(kept), "GPS")
	if o.Type != "image/webp" {
		_, _, err = image.Decode(bytes.NewReader(kept))
		require.NoError(t, err)
	}
	return kept
}

// Photographs of telephones are Display P3: without their profile they are dull.
func TestTheColourProfileIsKept(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	profile := profileFor("RGB ", displayP3)
	photo := withApp2(withSegment(jpegOf(t, corner(64, 32)), exif(6)), profile)
	kept := stored(t, s, photo)
	require.Equal(t, 1, bytes.Count(kept, []byte(profile)))
	require.Equal(t, 1, bytes.Count(stored(t, s, kept), []byte(profile)), "also by a second upload")
	grey := profileFor("GRAY", "dot gain")
	require.Contains(t, string(stored(t, s, withApp2(jpegOf(t, image.NewGray(image.Rect(0, 0, 8, 8))), grey))), grey)
	require.Equal(t, profile, unpacked(t, stored(t, s, withChunks(pngOf(t, corner(8, 8)), packed(t, position, profile)))))
	require.Equal(t, grey, unpacked(t, stored(t, s,
		withChunks(pngOf(t, image.NewGray16(image.Rect(0, 0, 8, 8))), packed(t, "x", grey)))))
	lossy := string(webpOf(t, lossyWebP)[20:])
	require.Equal(t, riff("VP8X", "\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00", "ICCP", profile, "VP8 ", lossy),
		stored(t, s, riff("VP8X", "\x2c\x00\x00\x00\x00\x00\x00\x00\x00\x00", "ICCP", profile, "VP8 ", lossy, "EXIF", position)))
}

// What is no profile, or not one of these pixels, is not stored.
func TestOddColourProfilesAreDropped(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	whole := profileFor("RGB ", displayP3)
	for name, profile := range map[string]string{
		"text": "GPS 30.25N", "cut off": whole[:len(whole)-1], "longer than it says": whole + position,
		"of grey": profileFor("GRAY", displayP3), "of print": profileFor("CMYK", displayP3),
		"a tag beyond the end": strings.Replace(whole, "rXYZ\x00\x00", "rXYZ\x00\x01", 1),
		"too many tags":        strings.Replace(whole, "\x01rXYZ", "\xffrXYZ", 1), "no mark": strings.Replace(whole, "acsp", "GPS!", 1),
		"too large": profileFor("RGB ", strings.Repeat("x", 1<<16)),
	} {
		if len(profile) < 1<<16 {
			require.NotContains(t, string(stored(t, s, withApp2(jpegOf(t, corner(8, 8)), profile))), "ICC_PROFILE", name)
		}
		require.Empty(t, unpacked(t, stored(t, s, withChunks(pngOf(t, corner(8, 8)), packed(t, "x", profile)))), name)
		require.NotContains(t, string(stored(t, s, riff("VP8X", "\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00", "ICCP", profile,
			"VP8 ", string(webpOf(t, lossyWebP)[20:])))), "ICCP", name)
	}
	bomb := packed(t, "x", strings.Repeat("\x00", 8<<20))
	require.Empty(t, unpacked(t, stored(t, s, withChunks(pngOf(t, corner(8, 8)), bomb))), "a profile of 8 MiB in 8 KiB")
}

// Numbers about the colours of a PNG, and how it is turned, are kept; text and position are not.
func TestWhatAPNGSaysOfItsPixelsIsKept(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	gamma, hdr := pngChunk("gAMA", "\x00\x00\xb1\x8f"), pngChunk("cICP", "\x0c\x0d\x00\x01")
	turned := strings.TrimPrefix(exif(6), "Exif\x00\x00")
	kept := stored(t, s, withChunks(picture(t), gamma, gamma, hdr, pngChunk("sRGB", position),
		pngChunk("tEXt", "Comment\x00"+position), pngChunk("eXIf", turned)))
	require.Equal(t, 1, bytes.Count(kept, gamma))
	require.Equal(t, 1, bytes.Count(kept, hdr))
	require.NotContains(t, string(kept), "sRGB")
	at := bytes.Index(kept, []byte("eXIf"))
	require.Positive(t, at)
	require.Equal(t, "\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06", string(kept[at+14:at+24]))
	require.NotContains(t, string(stored(t, s, withChunks(picture(t), pngChunk("eXIf", "MM")))), "eXIf")
	clear := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	clear.SetNRGBA(1, 0, color.NRGBA{R: 200, G: 100, B: 50, A: 120})
	m, err := png.Decode(bytes.NewReader(stored(t, s, pngOf(t, clear))))
	require.NoError(t, err)
	require.Equal(t, clear.At(1, 0), m.At(1, 0), "transparency")
}

// An animated WebP keeps its frames, and nothing else.
func TestAnimatedWebPIsKept(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	lossy, lossless := string(webpOf(t, lossyWebP)[20:]), string(webpOf(t, losslessWebP)[20:33])
	clear := webpOf(t, clearWebP)
	canvas, place := "\x00\x00\x00\x03\x00\x00\x03\x00\x00", "\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x64\x00\x00"
	part := func(chunks ...string) string { return string(riff(chunks...)[12:]) }
	one := place + "\x00" + part("VP8 ", lossy)
	two := place + "\x02" + part("VP8L", lossless)
	three := place + "\x01" + string(clear[30:])
	loop := "\xff\xff\xff\xff\x03\x00"
	film := riff("VP8X", "\x12"+canvas, "ANIM", loop, "ANMF", one, "ANMF", two, "ANMF", three)
	require.Equal(t, film, stored(t, s, film))
	require.Equal(t, film, stored(t, s, riff("VP8X", "\x1e"+canvas, "ANIM", loop, "ANMF", one+part("XMP ", position),
		"ANMF", two, "XMP ", position, "ANMF", place+"\xf1"+string(clear[30:]), "EXIF", position)))
	o, err := s.Put(t.Context(), lin, "x", film)
	require.NoError(t, err)
	require.Equal(t, "image/webp", o.Type)
	require.Equal(t, riff("VP8X", "\x08"+canvas[:3]+"\x00\x00\x00\x00\x00\x00", "VP8 ", lossy, "EXIF",
		"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"),
		stored(t, s, riff("VP8X", "\x18\x00\x00\x00\x00\x00\x00\x00\x00\x00", "VP8 ", lossy, "EXIF", exif(6))), "turned")
	for name, data := range map[string][]byte{
		"beside the canvas": riff("VP8X", "\x02"+canvas, "ANIM", loop, "ANMF", "\x02"+one[1:]),
		"a broken frame":    riff("VP8X", "\x02"+canvas, "ANIM", loop, "ANMF", one, "ANMF", one[:30]),
		"another's size":    riff("VP8X", "\x02"+canvas, "ANIM", loop, "ANMF", one[:6]+"\x01"+one[7:]),
		"no loop":           riff("VP8X", "\x02"+canvas, "ANMF", one),
		"no frame":          riff("VP8X", "\x02"+canvas, "ANIM", loop),
		"cut off":           film[:len(film)-20],
	} {
		_, err := s.Put(t.Context(), lin, "x", data)
		require.Equal(t, text.PictureBroken.In(text.English), reason(t, err), name)
	}
}

// Frames are counted before any is decoded.
func TestTooManyFramesOfAWebP(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	lossy := string(webpOf(t, lossyWebP)[12:])
	frame := func(side string) string { return "\x00\x00\x00\x00\x00\x00" + side + side + "\x64\x00\x00\x00" + lossy }
	for name, c := range map[string]struct {
		canvas string
		frames int
	}{"frames": {"\x00\x00\x00", 501}, "pixels": {"\x87\x13\x00", 3}} {
		chunks := []string{"VP8X", "\x02\x00\x00\x00" + c.canvas + c.canvas, "ANIM", "\x00\x00\x00\x00\x00\x00"}
		for range c.frames {
			chunks = append(chunks, "ANMF", frame(c.canvas))
		}
		_, err := s.Put(t.Context(), lin, "x", riff(chunks...))
		require.Equal(t, text.AnimationTooLarge.In(text.English), reason(t, err), name)
	}
}

// An animated PNG is refused with the reason: encoding it would leave its first picture.
func TestAnimatedPNGIsRefused(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	_, err := s.Put(t.Context(), lin, "x", withChunks(picture(t), pngChunk("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00")))
	require.Equal(t, text.PictureAnimatedPNG.In(text.English), reason(t, err))
	stored(t, s, withChunks(picture(t), pngChunk("acTL", "\x00\x00\x00\x01\x00\x00\x00\x00")))
}

// A photograph of a telephone is a lossy WebP with an extended header for its profile: that makes it no larger.
func TestALargeWebPWithAProfile(t *testing.T) {
	t.Parallel()
	_, err := webp.Decode(bytes.NewReader(webpOf(t, lossyWebP)))
	require.NoError(t, err)
	s, _, _ := open(t)
	large := bytes.Clone(webpOf(t, lossyWebP)[20:])
	binary.LittleEndian.PutUint16(large[6:], 4000)
	binary.LittleEndian.PutUint16(large[8:], 3000)
	_, err = s.Put(t.Context(), lin, "x", riff("VP8X", "\x00\x00\x00\x00\x9f\x0f\x00\xb7\x0b\x00", "VP8 ", string(large)))
	require.ErrorIs(t, err, errno.Invalid)
	require.NotEqual(t, text.PictureTooDetailed.In(text.English), reason(t, err))
}

// reason is what a refusal says.
func reason(t *testing.T, err error) string {
	t.Helper()
	require.ErrorIs(t, err, errno.Invalid)
	return errno.Text(err, text.English)
}
