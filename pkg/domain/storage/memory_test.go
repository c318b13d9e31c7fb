package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
)

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	require.NoError(t, e.Encode(&b, m))
	return b.Bytes()
}

func jpegOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, m, nil))
	return b.Bytes()
}

// turnedJPEG returns a JPEG with an orientation.
func turnedJPEG(t *testing.T, m image.Image, turned byte) []byte {
	t.Helper()
	data := jpegOf(t, m)
	segment := append([]byte("\xff\xe1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00"),
		turned, 0, 0, 0, 0, 0, 0, 0)
	return bytes.Join([][]byte{data[:2], segment, data[2:]}, nil)
}

// claiming makes a PNG claim a larger size than it has.
func claiming(data []byte, w, h uint32) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// interlaced marks a PNG as interlaced; its data is too short for that, but the memory is allocated before.
func interlaced(data []byte) []byte {
	data = bytes.Clone(data)
	data[pngInterlace] = 1
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// progressive marks a JPEG as progressive: its header and one scan without content.
func progressive(w, h uint16, sampling byte) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xc2, 0, 17, 8}
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, h), w)
	b = append(b, 3, 1, sampling, 0, 2, 0x11, 0, 3, 0x11, 0)
	b = append(b, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)
	return append(b, make([]byte, 64)...)
}

func size(w, h int) image.Rectangle { return image.Rect(0, 0, w, h) }

// The computed memory of a picture is what redrawing it needs.
func TestMemoryIsWhatItTakes(t *testing.T) {
	const w, h = 2000, 1500
	grey := color.Palette{color.Black, color.White}
	movie := &gif.GIF{Image: make([]*image.Paletted, 5), Delay: make([]int, 5)}
	for i := range movie.Image {
		movie.Image[i] = image.NewPaletted(size(w, h), grey)
	}
	var film bytes.Buffer
	require.NoError(t, gif.EncodeAll(&film, movie))
	for name, data := range map[string][]byte{
		"PNG, grey": pngOf(t, image.NewGray(size(w, h))), "PNG, colours": pngOf(t, image.NewRGBA(size(w, h))),
		"PNG, 16 bits": pngOf(t, image.NewNRGBA64(size(w, h))), "PNG, grey of 16 bits": pngOf(t, image.NewGray16(size(w, h))),
		"PNG, palette": pngOf(t, image.NewPaletted(size(w, h), palette.Plan9)),
		"JPEG":         jpegOf(t, image.NewRGBA(size(w, h))), "JPEG, grey": jpegOf(t, image.NewGray(size(w, h))),
		"JPEG, lying": turnedJPEG(t, image.NewRGBA(size(w, h)), 6), "JPEG, grey, turned": turnedJPEG(t, image.NewGray(size(w, h)), 3),
		"GIF": film.Bytes(), "JPEG, progressive": progressive(w, h, 0x22), "JPEG, progressive, full": progressive(w, h, 0x11),
		"PNG, interlaced": interlaced(pngOf(t, image.NewRGBA(size(w, h)))),
	} {
		kind := typeOf(data, Owner{Kind: Shopper})
		_, need, err := inspect(data, kind)
		require.NoError(t, err, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = newPainter().draw(t.Context(), data, kind)
		runtime.ReadMemStats(&after)
		if err != nil { // only marked as such
			require.ErrorIs(t, err, errno.Invalid, name)
		}
		took := int64(after.TotalAlloc - before.TotalAlloc)
		require.LessOrEqual(t, took, need+(2<<20), "%s takes %d KiB, said are %d", name, took>>10, need>>10)
		require.GreaterOrEqual(t, took, need/2-(2<<20), "%s takes %d KiB, said are %d", name, took>>10, need>>10)
	}
}

// The largest picture of each kind that is accepted, four concurrently: all are redrawn within the memory limit.
// BenchmarkUploads measures a whole storefront with pictures of four times this size and limit.
// It runs alone, since it measures the memory of the process.
func TestFourAtOnce(t *testing.T) {
	const limit = drawingMemory / 4
	for name, data := range map[string][]byte{
		"PNG, 16 bits": pngOf(t, image.NewNRGBA64(size(1900, 1400))),
		"JPEG, lying":  turnedJPEG(t, image.NewRGBA(size(2200, 2200)), 6),
	} {
		_, need, err := inspect(data, typeOf(data, Owner{Kind: Shopper}))
		require.NoError(t, err)
		require.Greater(t, need, int64(limit/2), name)
		runtime.GC()
		base := heap()
		p, most, done := painterWithin(limit), uint64(0), make(chan struct{})
		p.waitTimeout = time.Hour // speed is not tested here
		var watch, wg sync.WaitGroup
		watch.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
					most = max(most, heap())
				}
			}
		})
		for range 4 {
			wg.Go(func() {
				_, err := p.draw(t.Context(), data, typeOf(data, Owner{Kind: Shopper}))
				require.NoError(t, err)
			})
		}
		wg.Wait()
		close(done)
		watch.Wait()
		require.Less(t, most, base+limit+(16<<20), name)
		require.Less(t, heap(), base+(16<<20), "%s: the memory is given back", name)
	}
}

// heap is the memory of reachable and not yet collected objects, in bytes.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}

// A few kilobytes that would fill the memory are refused before they are decompressed.
func TestTooMuchMemory(t *testing.T) {
	for name, data := range map[string][]byte{
		"PNG, 16 bits, 25 million pixels": claiming(pngOf(t, image.NewNRGBA64(size(2, 2))), 5000, 5000),
		"PNG, interlaced":                 interlaced(claiming(pngOf(t, image.NewNRGBA(size(2, 2))), 5000, 5000)),
		"JPEG, progressive":               progressive(5000, 5000, 0x11),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := newPainter().draw(t.Context(), data, typeOf(data, Owner{Kind: Shopper}))
		runtime.ReadMemStats(&after)
		require.ErrorIs(t, err, errno.Invalid, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), name)
		_, err = newPainter().thumbnail(t.Context(), data, typeOf(data, Owner{Kind: Shopper}), 100)
		require.ErrorIs(t, err, errno.Invalid, name)
	}
}

// 16 bits become their upper 8, at the same positions.
func TestSixteenBits(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA64(size(3, 2))
	m.SetNRGBA64(2, 1, color.NRGBA64{R: 0x1234, G: 0x5678, B: 0x9abc, A: 0xdef0})
	drawn, err := newPainter().draw(t.Context(), pngOf(t, m), "image/png")
	require.NoError(t, err)
	got, err := png.Decode(bytes.NewReader(drawn))
	require.NoError(t, err)
	require.Equal(t, color.NRGBA{R: 0x12, G: 0x56, B: 0x9a, A: 0xde}, got.At(2, 1))
	require.Equal(t, color.NRGBA{}, got.At(0, 0))
}

// A wait for memory that times out fails, and a caller that leaves takes no place.
func TestWaitingForMemory(t *testing.T) {
	t.Parallel()
	p := newPainter()
	p.waitTimeout = 300 * time.Millisecond
	leave, err := p.enter(t.Context(), drawingMemory)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = p.enter(ctx, 1)
	require.ErrorIs(t, err, errno.ErrBusy, "the deadline of the request is no other reason")
	left, leaves := context.WithCancel(t.Context())
	leaves()
	_, err = p.enter(left, 1)
	require.ErrorIs(t, err, context.Canceled)
	_, err = p.enter(t.Context(), 1)
	require.ErrorIs(t, err, errno.ErrBusy)
	leave()
	leave, err = p.enter(t.Context(), drawingMemory)
	require.NoError(t, err)
	leave()
}
