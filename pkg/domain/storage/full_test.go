package storage_test

import (
	"bytes"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/storage"
)

// small is the size of the disk. The log of go test, which is a file of this process too, stays below it.
const small = 1 << 20

// smallDisk limits files of this process until the returned function is called.
func smallDisk(t *testing.T) (enough func()) {
	t.Helper()
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	signal.Ignore(syscall.SIGXFSZ) // so that a write fails instead
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: small, Max: before.Max}))
	return func() {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
		signal.Reset(syscall.SIGXFSZ)
	}
}

// A file that does not fit on the disk leaves nothing behind, neither a part of it nor a row, and the upload fails. The
// limit is that of the process, so that no other test may run meanwhile.
func TestAFullDisk(t *testing.T) {
	s, d, dir := open(t)
	text := bytes.Repeat([]byte("plain text\n"), 2*small/11)
	clerk := storage.Owner{Kind: storage.Operator, ID: 1}
	enough := smallDisk(t)
	_, err := s.Put(t.Context(), clerk, "long.txt", text)
	enough()
	require.ErrorIs(t, err, syscall.EFBIG)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	var rows int
	require.NoError(t, d.G(t.Context()).Raw("SELECT COUNT(*) FROM storage").Scan(&rows).Error)
	require.Zero(t, rows)
	_, err = s.Put(t.Context(), clerk, "long.txt", text)
	require.NoError(t, err)
}
