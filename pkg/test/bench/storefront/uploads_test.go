package storefront

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

const (
	// atOnce is the number of concurrent uploads.
	atOnce = 4
	// maxDuringUploads is the maximum peak memory of the program during them, maxAfter the maximum afterwards, in MiB.
	maxDuringUploads = 200
	maxAfter         = 100
)

// BenchmarkUploads measures the peak memory of the released program while it redraws four pictures concurrently: the
// largest that it accepts, in files of a few kilobytes, and larger ones, which it must refuse at no cost.
func BenchmarkUploads(b *testing.B) {
	s := open(b, small, "STOREFRONT_STORAGE_UPLOAD_REQUIRES_LOGIN=false", "STOREFRONT_STORAGE_DIR="+b.TempDir())
	for b.Loop() {
		for _, picture := range []struct {
			name  string
			data  []byte
			taken bool
		}{
			{"PNG of 16 bits, 25 million pixels", pngOf(b, image.NewNRGBA64(image.Rect(0, 0, 5000, 5000))), false},
			{"PNG of 16 bits", pngOf(b, image.NewNRGBA64(image.Rect(0, 0, 4000, 3000))), true},
			{"PNG", pngOf(b, image.NewRGBA(image.Rect(0, 0, 4900, 4900))), true},
			{"JPEG", jpegOf(b, image.NewRGBA(image.Rect(0, 0, 5000, 5000))), true},
		} {
			s.uploadAll(b, picture.name, picture.data, picture.taken)
		}
		most := ratio.Memory(b, s.process, "VmHWM")
		time.Sleep(5 * time.Second) // lasts: the program is quiet
		after := ratio.Memory(b, s.process, "VmRSS")
		ratio.Figure(b, "four uploads at once, most memory", most, maxDuringUploads, "MiB")
		ratio.Figure(b, "memory after the uploads", after, maxAfter, "MiB")
		require.LessOrEqual(b, most, float64(maxDuringUploads), "uploads take too much memory")
		require.LessOrEqual(b, after, float64(maxAfter), "uploads do not give the memory back")
	}
}

func pngOf(b *testing.B, m image.Image) []byte {
	b.Helper()
	var data bytes.Buffer
	require.NoError(b, png.Encode(&data, m))
	return data.Bytes()
}

func jpegOf(b *testing.B, m image.Image) []byte {
	b.Helper()
	var data bytes.Buffer
	require.NoError(b, jpeg.Encode(&data, m, nil))
	return data.Bytes()
}

// uploadAll uploads a picture several times concurrently.
func (s *shop) uploadAll(b *testing.B, name string, picture []byte, taken bool) {
	b.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "picture")
	require.NoError(b, err)
	_, err = part.Write(picture)
	require.NoError(b, err)
	require.NoError(b, form.Close())
	answers := make([]string, atOnce)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = s.upload(form.FormDataContentType(), body.Bytes()) })
	}
	wg.Wait()
	for _, answer := range answers {
		require.Equal(b, taken, strings.Contains(answer, `"errno":0`), "%s: %s", name, answer)
	}
	b.Logf("%s of %d KiB: %s", name, len(picture)>>10, answers[0])
}

func (s *shop) upload(contentType string, body []byte) string {
	answer, err := http.Post("http://"+s.address+"/wx/storage/upload", contentType, bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(answer.Body); err != nil {
		return err.Error()
	}
	return text.String()
}
