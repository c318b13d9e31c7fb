// Package memory keeps a program within the memory of its container: the collector works harder before the kernel ends
// the program.
package memory

import (
	"errors"
	"log/slog"
	"math"
	"os"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// share is the part of the container's memory that the program may use: the rest is for what Go does not count, such as
// the pages of the program file and the buffers of the kernel.
const share = 0.9

// Limit sets Go's soft memory limit to nine tenths of the container's and logs it, unless the variable GOMEMLIMIT is
// set or there is no limit.
func Limit(log *slog.Logger) { limitTo(memlimit.FromCgroup, log) }

func limitTo(container memlimit.Provider, log *slog.Logger) {
	if _, set := os.LookupEnv("GOMEMLIMIT"); set {
		return
	}
	limit, err := memlimit.Set(memlimit.WithRatio(share), memlimit.WithProvider(container))
	switch {
	case errors.Is(err, memlimit.ErrCgroupsNotSupported):
	case err != nil:
		log.Warn("the memory limit of the container is not known", "error", err)
	case limit < math.MaxInt64:
		log.Info("memory limit of the container", "bytes", limit)
	}
}
