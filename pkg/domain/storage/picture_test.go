package storage_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/storage"
)

var lin = storage.Owner{Kind: storage.Shopper, ID: 7}

// corner is a picture whose upper left quarter is red and whose rest is white.
func corner(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 255, 255, 255}
			if x < w/2 && y < h/2 {
				c = color.RGBA{255, 0, 0, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func jpegOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}))
	return b.Bytes()
}

// withSegment inserts an APP1 segment at the beginning of a JPEG.
func withSegment(data []byte, payload string) []byte {
	head := []byte{0xff, 0xe1, 0, 0}
	binary.BigEndian.PutUint16(head[2:], uint16(len(payload)+2))
	return bytes.Join([][]byte{data[:2], head, []byte(payload), data[2:]}, nil)
}

// exif is an APP1 payload with an orientation, and a position that must not be published.
func exif(turned byte) string {
	return "Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string(turned) + "\x00\x00\x00" +
		"\x00\x00\x00\x00GPS 30.25N 120.16E"
}

// read returns the bytes of an object.
func read(t *testing.T, s *storage.Service, o storage.Object) []byte {
	t.Helper()
	_, r, err := s.Open(t.Context(), o.Key)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return data
}

func red(m image.Image, x, y int) bool {
	r, g, _, _ := m.At(x, y).RGBA()
	return r > 0xc000 && g < 0x4000
}

// The picture is rotated by its orientation, since the metadata is dropped.
func TestPhotosStandUpright(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	photo := jpegOf(t, corner(64, 32))
	for turned, want := range map[byte]struct{ left, top, lying bool }{
		1: {true, true, false}, 2: {false, true, false}, 3: {false, false, false}, 4: {true, false, false},
		5: {true, true, true}, 6: {false, true, true}, 7: {false, false, true}, 8: {true, false, true},
		0: {true, true, false}, 9: {true, true, false},
	} {
		o, err := s.Put(t.Context(), lin, "x.jpg", withSegment(photo, exif(turned)))
		require.NoError(t, err)
		stored := read(t, s, o)
		require.NotContains(t, string(stored), "GPS")
		require.NotContains(t, string(stored), "Exif")
		m, err := jpeg.Decode(bytes.NewReader(stored))
		require.NoError(t, err)
		w, h := m.Bounds().Dx(), m.Bounds().Dy()
		require.Equal(t, want.lying, h > w, turned)
		for _, left := range []bool{true, false} {
			for _, top := range []bool{true, false} {
				x, y := w-4, h-4
				if left {
					x = 4
				}
				if top {
					y = 4
				}
				require.Equal(t, left == want.left && top == want.top, red(m, x, y), "%d: %v %v", turned, left, top)
			}
		}
	}
}

func TestOddSegmentsCountAsUpright(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	photo := jpegOf(t, corner(64, 32))
	for _, payload := range []string{
		"", "Exif\x00\x00", "Exif\x00\x00II*\x00", "Exif\x00\x00II*\x00\xff\xff\xff\xff", "Exif\x00\x00MM\x00*\x00\x00\x00\x08",
		"Exif\x00\x00II*\x00\x08\x00\x00\x00\xff\xff", "http://ns.adobe.com/xap/1.0/\x00<x/>",
	} {
		_, err := s.Put(t.Context(), lin, "x.jpg", withSegment(photo, payload))
		require.NoError(t, err, "%q", payload)
	}
	broken := bytes.Join([][]byte{photo[:2], {0xff, 0xe1, 0, 0}, photo[2:]}, nil) // a segment shorter than its header
	_, err := s.Put(t.Context(), lin, "x.jpg", broken)
	require.ErrorIs(t, err, errno.Invalid)
}

// Of a polyglot file only the picture is stored.
func TestNothingButThePictureIsStored(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	const secret = "<script>alert(1)</script>"
	var film bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 8, 8), palette.Plan9)
	require.NoError(t, gif.EncodeAll(&film, &gif.GIF{
		Image: []*image.Paletted{frame, frame, frame}, Delay: []int{5, 10, 15}, LoopCount: 3,
	}))
	text := "tEXtComment\x00" + secret
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)-4))
	chunk = binary.BigEndian.AppendUint32(append(chunk, text...), crc32.ChecksumIEEE([]byte(text)))
	png := picture(t)
	commented := bytes.Join([][]byte{png[:33], chunk, png[33:]}, nil)
	comment := append([]byte{0x21, 0xfe, byte(len(secret))}, secret+"\x00"...)
	gifEnd := film.Bytes()[:film.Len()-1]
	for name, data := range map[string][]byte{
		"behind a PNG": append(bytes.Clone(png), secret...), "in a PNG": commented,
		"behind a JPEG": append(jpegOf(t, corner(8, 8)), secret...), "behind a GIF": append(bytes.Clone(film.Bytes()), secret...),
		"in a GIF": append(append(bytes.Clone(gifEnd), comment...), 0x3b),
	} {
		o, err := s.Put(t.Context(), lin, "x.html", data)
		require.NoError(t, err, name)
		stored := read(t, s, o)
		require.NotContains(t, string(stored), "script", name)
		require.Equal(t, int64(len(stored)), o.Size)
		_, _, err = image.DecodeConfig(bytes.NewReader(stored))
		require.NoError(t, err, name)
		if o.Type == "image/gif" {
			kept, err := gif.DecodeAll(bytes.NewReader(stored))
			require.NoError(t, err)
			require.Equal(t, []int{5, 10, 15}, kept.Delay, "an animation stays one")
			require.Equal(t, 3, kept.LoopCount)
		}
	}
}

// webpOf returns small pictures as other programs write them.
func webpOf(t *testing.T, text string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return data
}

const (
	lossyWebP    = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
	losslessWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
	clearWebP    = "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA=="
)

// riff is a WebP of chunks, each a name and its bytes.
func riff(chunks ...string) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WEBP")
	for i := 0; i < len(chunks); i += 2 {
		b = binary.LittleEndian.AppendUint32(append(b, chunks[i]...), uint32(len(chunks[i+1])))
		b = append(b, chunks[i+1]...)
		if len(chunks[i+1])%2 == 1 {
			b = append(b, 0)
		}
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

// A WebP is not redrawn: it is stored byte by byte if it contains only a picture.
func TestWebPStaysWebP(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for _, text := range []string{lossyWebP, losslessWebP, clearWebP} {
		data := webpOf(t, text)
		o, err := s.Put(t.Context(), lin, "x.webp", data)
		require.NoError(t, err)
		require.Equal(t, "image/webp", o.Type)
		require.Regexp(t, `^[a-z0-9]{20}\.webp$`, o.Key)
		require.Equal(t, data, read(t, s, o))
	}
	// Everything but the picture is removed: position, comments, trailing data.
	lossy := string(webpOf(t, lossyWebP)[20:])
	extended := "\x2c\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	full := riff("VP8X", extended, "ICCP", "profile", "EXIF", "GPS 30.25N", "VP8 ", lossy, "XMP ", "<secret/>")
	o, err := s.Put(t.Context(), lin, "x.webp", append(full, "<script>secret</script>"...))
	require.NoError(t, err)
	require.Equal(t, riff("VP8X", "\x00"+extended[1:], "VP8 ", lossy), read(t, s, o))
	for name, data := range map[string][]byte{
		"an animation":   riff("VP8X", "\x02"+extended[1:], "ANIM", "\x00\x00\x00\x00\x00\x00", "ANMF", lossy, "VP8 ", lossy),
		"no picture":     riff("VP8X", extended, "EXIF", "GPS"),
		"a broken one":   riff("VP8 ", lossy[:len(lossy)/2]),
		"another's size": riff("VP8X", "\x00\x00\x00\x00\x05\x00\x00\x05\x00\x00", "VP8 ", lossy),
	} {
		_, err := s.Put(t.Context(), lin, "x.webp", data)
		require.ErrorIs(t, err, errno.Invalid, name)
	}
}

// pngHeader is the header of a PNG of a size, with the bytes of another.
func pngHeader(t *testing.T, w, h uint32) []byte {
	t.Helper()
	data := picture(t)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// film is an animated GIF of many frames of a size that take a few bytes each.
func film(frames int, w, h byte) []byte {
	b := append([]byte("GIF89a"), 0, w, 0, h, 0x80, 0, 0, 0, 0, 0, 255, 255, 255)
	for range frames {
		b = append(b, 0x2c, 0, 0, 0, 0, 0, w, 0, h, 0, 2, 2, 0x44, 0x01, 0)
	}
	return append(b, 0x3b)
}

// A few bytes that would fill the memory are refused before they are decompressed.
func TestBombs(t *testing.T) {
	s, _, dir := open(t)
	hidden := film(2000, 0x10, 0x10)
	text := append([]byte{0x21, 0x01, 255}, bytes.Repeat([]byte{0}, 12)...)
	hidden = bytes.Join([][]byte{hidden[:19], text, hidden[19:]}, nil)
	widest := webpOf(t, lossyWebP)
	copy(widest[26:], "\xff\x3f\xff\x3f")
	bombs := map[string][]byte{
		"a PNG of 400 million pixels": pngHeader(t, 20000, 20000), "the widest PNG": pngHeader(t, 1<<31-1, 1<<31-1),
		"an empty PNG": pngHeader(t, 0, 5), "a PNG just too large": pngHeader(t, 5000, 5001),
		"too many frames": film(501, 0, 1), "frames too large together": film(20, 0x10, 0x10),
		"frames behind a false text": hidden, "a GIF too large": film(1, 0x20, 0x20),
		"a WebP too large": widest,
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, data := range bombs {
		_, err := s.Put(t.Context(), lin, "x", data)
		require.ErrorIs(t, err, errno.Invalid, name)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), "nothing of theirs is unpacked")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
}

func TestBrokenPicturesAreRefused(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	png, photo := picture(t), jpegOf(t, corner(64, 64))
	for name, data := range map[string][]byte{
		"half a PNG": png[:len(png)/2], "a PNG's signature": png[:8], "half a JPEG": photo[:len(photo)/3],
		"a JPEG's beginning": photo[:4], "half a GIF": film(3, 0, 1)[:20], "a GIF's name": []byte("GIF89a"),
		"html in a GIF": []byte("GIF89a<script>alert(1)</script>"), "a WebP's name": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "),
		"a broken table": film(3, 0, 1)[:15], "junk in a GIF": append(film(1, 0, 1)[:19], "junk"...),
	} {
		_, err := s.Put(t.Context(), lin, "x", data)
		require.ErrorIs(t, err, errno.Invalid, name)
	}
}

func TestOddNames(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for name, want := range map[string]string{
		"": "", ".": "", "..": "", "/": "", "noextension": "noextension", "..%2fx.png": "..%2fx.png", "a/b/c.png": "c.png",
		`C:\Users\lin\x.png`: "x.png", "x.png\x00.html": "x.png.html", "new\r\nline.png": "newline.png", "bad\xff\xfe.png": "bad.png",
		strings.Repeat("图", 300): strings.Repeat("图", 255), "' OR 1=1 -- .png": "' OR 1=1 -- .png",
		"<script>.png": "<script>.png", "\u202egnp.exe": "gnp.exe", " x.png ": "x.png", "../": "",
	} {
		o, err := s.Put(t.Context(), lin, name, picture(t))
		require.NoError(t, err, "%q", name)
		require.Equal(t, want, o.Name, "%q", name)
		require.Regexp(t, `^[a-z0-9]{20}\.png$`, o.Key)
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s, _, dir := open(t)
	photo := jpegOf(t, corner(800, 600))
	var wg sync.WaitGroup
	for id := range int64(20) { // of one shopper they would wait for each other
		wg.Go(func() {
			_, err := s.Put(t.Context(), storage.Owner{Kind: storage.Shopper, ID: id + 1}, "x.jpg", photo)
			require.NoError(t, err)
		})
	}
	wg.Wait()
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 20)
}

// failingInsert returns a context in which objects cannot be recorded.
func failingInsert(t *testing.T) context.Context {
	t.Helper()
	ctx, _ := db.WithFault(t.Context(), func(_ int, statement string) error {
		if strings.HasPrefix(statement, "INSERT INTO `storage`") {
			return io.ErrUnexpectedEOF
		}
		return nil
	})
	return ctx
}

// An object that cannot be recorded leaves nothing behind.
func TestAFailedRecordLeavesNoBytes(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	_, err := s.Put(failingInsert(t), lin, "x", picture(t))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
	// If it is unknown whether there is a row, the bytes stay.
	ctx, _ := db.WithFault(t.Context(), func(int, string) error { return io.ErrUnexpectedEOF })
	_, err = s.Put(ctx, lin, "x", picture(t))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	files, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	var rows int64
	require.NoError(t, table.Scan(t.Context(), d, &rows, "SELECT COUNT(*) FROM storage"))
	require.Zero(t, rows)
}
