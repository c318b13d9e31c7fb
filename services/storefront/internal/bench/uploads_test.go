package bench

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/ratio"
	"shop.internal/services/storefront/internal/app"
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
	c := config(b)
	for b.Loop() {
		c.Listen, c.Ops.Listen = ratio.FreePort(b), ratio.FreePort(b)
		p := delivered(b, c)
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
			uploadAll(b, c, picture.name, picture.data, picture.taken)
		}
		most := ratio.Memory(b, p.Process.Pid, "VmHWM")
		time.Sleep(5 * time.Second)
		after := ratio.Memory(b, p.Process.Pid, "VmRSS")
		require.NoError(b, p.Process.Signal(syscall.SIGTERM))
		require.NoError(b, p.Wait())
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

// delivered starts the program as it is delivered, for shoppers who need not log in to send pictures.
func delivered(b *testing.B, c app.Config) *exec.Cmd {
	b.Helper()
	return ratio.Start(b, c.Ops.Listen, []string{
		"STOREFRONT_LISTEN=" + c.Listen, "STOREFRONT_OPS_LISTEN=" + c.Ops.Listen,
		"STOREFRONT_STORAGE_UPLOAD_REQUIRES_LOGIN=false", "STOREFRONT_STORAGE_DIR=" + b.TempDir(),
	}, filepath.Join(os.Getenv("SHOP_BENCH_PROGRAMS"), "storefront"), "--config", shipped)
}

// uploadAll uploads a picture several times concurrently.
func uploadAll(b *testing.B, c app.Config, name string, picture []byte, taken bool) {
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
		wg.Go(func() { answers[i] = upload(b, c, form.FormDataContentType(), body.Bytes()) })
	}
	wg.Wait()
	for _, answer := range answers {
		require.Equal(b, taken, strings.Contains(answer, `"errno":0`), "%s: %s", name, answer)
	}
	b.Logf("%s of %d KiB: %s", name, len(picture)>>10, answers[0])
}

func upload(b *testing.B, c app.Config, contentType string, body []byte) string {
	b.Helper()
	answer, err := http.Post("http://"+c.Listen+"/wx/storage/upload", contentType, bytes.NewReader(body))
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
