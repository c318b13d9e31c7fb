package bench

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/test/bench/ratio"
	"shop.internal/services/admin/internal/app"
	"shop.internal/services/admin/internal/auth"
)

const (
	// some is the number of orders in the smaller export.
	some = 10_000
	// pause is how long the reader pauses in the middle of the larger one: longer than the write timeout of other answers.
	pause = 35 * time.Second
	// memory is the allowed ratio of the memory of the larger export to that of the smaller one.
	memory = 1.5
)

// BenchmarkExport compares the peak memory of the released program, a fresh process each time, during an export of a
// million orders with that of ten thousand. Every order must arrive, even at a slow reader.
func BenchmarkExport(b *testing.B) {
	s, c := stocked(b)
	oldest := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Add((orders - some + 1) * 30 * time.Second)
	zone, err := time.LoadLocation(c.Shop.Clock())
	require.NoError(b, err)
	newest := url.Values{"start": {oldest.In(zone).Format(time.DateTime)}}
	for b.Loop() {
		small, _ := s.exported(b, c, "?"+newest.Encode(), some, 0)
		large, took := s.exported(b, c, "", orders, pause)
		b.Logf("a million orders in %.1f s, without the pause", (took - pause).Seconds())
		within := ratio.Against(b, "export of 1,000,000 orders, most memory", small, large, memory, "MiB")
		require.True(b, within, "the memory of an export grows with its length")
	}
}

// exported starts the program, reads an export of this many orders, pausing once, and returns the peak memory of the
// program, in MiB, and the time of the export.
func (s *shop) exported(b *testing.B, c app.Config, query string, want int, still time.Duration) (float64, time.Duration) {
	b.Helper()
	c.Listen, c.Ops.Listen = ratio.FreePort(b), ratio.FreePort(b)
	p := delivered(b, c)
	begin := time.Now()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://"+c.Listen+"/admin/order/export"+query, nil)
	require.NoError(b, err)
	request.Header.Set(auth.Header, s.token)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(b, err)
	defer answer.Body.Close()
	require.Equal(b, http.StatusOK, answer.StatusCode)
	lines, part := 0, make([]byte, 1<<20)
	for {
		n, err := answer.Body.Read(part)
		lines += bytes.Count(part[:n], []byte("\n"))
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(b, err)
		if still > 0 && lines > want/2 {
			time.Sleep(still) // lasts: the client reads nothing
			still = 0
		}
	}
	require.Equal(b, want+1, lines, "a line for each order, and the header")
	took := time.Since(begin)
	most := ratio.Memory(b, p.Process.Pid, "VmHWM")
	require.NoError(b, p.Process.Signal(syscall.SIGTERM))
	require.NoError(b, p.Wait())
	return most, took
}

// delivered starts the program as it is delivered.
func delivered(b *testing.B, c app.Config) *exec.Cmd {
	b.Helper()
	return ratio.Start(b, c.Ops.Listen, []string{
		"ADMIN_MYSQL_DSN=" + c.MySQL.DSN, "ADMIN_LISTEN=" + c.Listen, "ADMIN_OPS_LISTEN=" + c.Ops.Listen,
		"ADMIN_JOBS_ENABLED=false",
	}, domaintest.OpenBench(b, "ADMIN_MYSQL_DSN").Program("admin"), "--config", shipped)
}
