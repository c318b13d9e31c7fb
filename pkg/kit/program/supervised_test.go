package program

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSystemdHearsThatTheProgramLives(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	require.NoError(t, err)
	defer systemd.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "20000")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- supervised(ctx) }()
	said := make([]byte, 100)
	for _, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		n, err := systemd.Read(said)
		require.NoError(t, err)
		require.Equal(t, want, string(said[:n]))
	}
	cancel()
	require.NoError(t, <-ended)
}

func TestWithoutSystemd(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("WATCHDOG_USEC", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, supervised(ctx))
}
