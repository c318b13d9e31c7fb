package logging_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/logging"
)

func TestSecretsAreStruckOut(t *testing.T) {
	var out bytes.Buffer
	log := logging.New(&out, slog.LevelInfo)
	log.With("X-Shop-Token", "hidden").Info("said", "password", "hidden", "adminPassword", "hidden", "captcha", "hidden",
		"dsn", "hidden", "address", "hidden", "who", "shopper 7", slog.Group("login", "Mobile", "hidden", "id", 5))
	require.NotContains(t, out.String(), "hidden")
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	require.Equal(t, logging.Redacted, line["adminPassword"])
	require.Equal(t, "shopper 7", line["who"])
	require.Equal(t, map[string]any{"Mobile": logging.Redacted, "id": 5.0}, line["login"])
}

func TestTheLevelHolds(t *testing.T) {
	var out bytes.Buffer
	log := logging.New(&out, slog.LevelWarn)
	log.Info("no")
	log.Warn("yes")
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
}

// writer counts writes.
type writer struct {
	mu     sync.Mutex
	writes []string
}

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes = append(w.writes, string(p))
	return len(p), nil
}

func (w *writer) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.writes...)
}

func TestLinesAreWrittenTogetherAndSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &writer{}
		log := logging.New(logging.NewBuffer(w), slog.LevelInfo)
		log.Info("one")
		log.Info("two")
		require.Empty(t, w.all())
		time.Sleep(101 * time.Millisecond)
		synctest.Wait()
		require.Len(t, w.all(), 1)
		require.Equal(t, 2, strings.Count(w.all()[0], "\n"))
		log.With("a", 1).WithGroup("g").Error("at once")
		require.Len(t, w.all(), 2)
	})
}

func TestABufferLosesNoLine(t *testing.T) {
	w := &writer{}
	b := logging.NewBuffer(w)
	log := logging.New(b, slog.LevelInfo)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				log.Info(strings.Repeat("x", 100))
			}
		})
	}
	wg.Wait()
	require.NoError(t, b.Flush())
	require.NoError(t, b.Flush())
	all := strings.Join(w.all(), "")
	require.Equal(t, 8000, strings.Count(all, "\n"))
	for line := range strings.Lines(all) {
		require.True(t, json.Valid([]byte(line)), line)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAFailedWriteIsReported(t *testing.T) {
	b := logging.NewBuffer(broken{})
	_, err := b.Write([]byte("line\n"))
	require.NoError(t, err)
	require.ErrorIs(t, b.Flush(), io.ErrClosedPipe)
}

func BenchmarkRequestLine(b *testing.B) {
	log := logging.New(logging.NewBuffer(io.Discard), slog.LevelInfo)
	for b.Loop() {
		log.LogAttrs(b.Context(), slog.LevelInfo, "request", slog.String("method", "GET"),
			slog.String("path", "/goods/list"), slog.Int("errno", 0), slog.Int("status", 200), slog.Float64("ms", 1.25),
			slog.String("request", "0197a7c5-7d1e-7a2b-8c3d-0123456789ab"), slog.String("who", "shopper 7"))
	}
}
