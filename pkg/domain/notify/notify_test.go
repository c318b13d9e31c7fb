package notify_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/notify"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

func TestLogWritesALineAMessage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "messages.log")
	s := notify.NewLog(file, noon)
	require.NoError(t, s.SMS(t.Context(), notify.SMS{Mobile: "13900000001", Text: "code 123456"}))
	require.NoError(t, s.Mail(t.Context(), notify.Mail{Subject: "Order paid", Text: "Order 1\nof 36.00"}))
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "2026-11-21T12:00:00Z sms 13900000001 code 123456\n"+
		"2026-11-21T12:00:00Z mail Order paid: Order 1 of 36.00\n", string(got))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the file holds codes")
}

func TestLogKeepsLinesWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "messages.log")
	line := strings.Repeat("x", 5000)
	var wg sync.WaitGroup
	for _, s := range []notify.Sender{notify.NewLog(file, noon), notify.NewLog(file, noon)} { // two processes
		for range 20 {
			wg.Go(func() { _ = s.SMS(context.Background(), notify.SMS{Mobile: "13900000001", Text: line}) })
		}
	}
	wg.Wait()
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	want := "2026-11-21T12:00:00Z sms 13900000001 " + line + "\n"
	require.Equal(t, strings.Repeat(want, 40), string(got))
}

func TestLogFails(t *testing.T) {
	require.Error(t, notify.NewLog(filepath.Join(t.TempDir(), "no", "folder"), noon).SMS(t.Context(), notify.SMS{}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, notify.NewLog(filepath.Join(t.TempDir(), "m"), noon).SMS(ctx, notify.SMS{}), context.Canceled)
}

func TestNoneRefuses(t *testing.T) {
	require.ErrorIs(t, notify.NewNone().SMS(t.Context(), notify.SMS{}), notify.ErrUnsupported)
	require.ErrorIs(t, notify.NewNone().Mail(t.Context(), notify.Mail{}), notify.ErrUnsupported)
}
