package memory

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"os"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/stretchr/testify/require"
)

func TestLimit(t *testing.T) {
	of := func(limit uint64, err error) memlimit.Provider {
		return func() (uint64, error) { return limit, err }
	}
	for name, tt := range map[string]struct {
		container memlimit.Provider
		byHand    bool
		want      int64
		says      string
	}{
		"a container of a GiB": {of(1<<30, nil), false, (1 << 30) / 10 * 9, "memory limit of the container"},
		"no limit":             {of(0, memlimit.ErrNoLimit), false, math.MaxInt64, ""},
		"no control groups":    {of(0, memlimit.ErrCgroupsNotSupported), false, math.MaxInt64, ""},
		"a malformed file":     {of(0, errors.New("malformed")), false, math.MaxInt64, "malformed"},
		"set by hand":          {of(1<<30, nil), true, math.MaxInt64, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOMEMLIMIT", "off")
			if !tt.byHand {
				require.NoError(t, os.Unsetenv("GOMEMLIMIT"))
			}
			before := debug.SetMemoryLimit(math.MaxInt64)
			defer debug.SetMemoryLimit(before)
			var said bytes.Buffer
			limitTo(tt.container, slog.New(slog.NewTextHandler(&said, nil)))
			require.InDelta(t, tt.want, debug.SetMemoryLimit(-1), 16)
			require.Contains(t, said.String(), tt.says)
			require.Equal(t, tt.says == "", said.Len() == 0)
		})
	}
}
