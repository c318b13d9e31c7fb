// Package memory keeps a program within the memory of its container: the collector works harder before the kernel ends
// the program.
package memory

import (
	"bufio"
	"bytes"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// variable is Go's own, which takes precedence.
	variable = "GOMEMLIMIT"
	// share is the percentage of the container's memory that the program may use: the rest is for what Go does not count,
	// such as the pages of the program file and the buffers of the kernel.
	share = 90
	// unlimited is the least value that means no limit, which version 1 writes as the largest multiple of a page.
	unlimited = 1 << 60
)

// Limit sets Go's soft memory limit to nine tenths of the container's and logs it, unless the variable GOMEMLIMIT is
// set or there is no limit.
func Limit(log *slog.Logger) {
	if limit := wanted(os.LookupEnv, "/"); limit > 0 {
		debug.SetMemoryLimit(limit)
		log.Info("memory limit of the container", "bytes", limit)
	}
}

// wanted is the limit to set, 0 for none.
func wanted(variables func(string) (string, bool), root string) int64 {
	if _, set := variables(variable); set {
		return 0
	}
	return container(root) / 100 * share
}

// container returns the memory limit of the control group of the process, 0 for none: the lowest of the group's own and
// those of the groups around it. root is the root of the file system.
func container(root string) int64 {
	var lowest int64
	groups, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup")) //nolint:gosec // root is not from outside
	if err != nil {
		return 0 // no Linux
	}
	for lines := bufio.NewScanner(bytes.NewReader(groups)); lines.Scan(); {
		number, rest, _ := strings.Cut(lines.Text(), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		mount, file := "sys/fs/cgroup", "memory.max"
		switch {
		case number == "0" && controllers == "":
		case strings.Contains(","+controllers+",", ",memory,"):
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// Within a container the group may have its name outside, which does not exist; its limit is at the top then.
		for group = path.Join("/", group); ; group = path.Dir(group) {
			if limit := number64(filepath.Join(root, mount, group, file)); limit > 0 && (lowest == 0 || limit < lowest) {
				lowest = limit
			}
			if group == "/" {
				break
			}
		}
	}
	return lowest
}

// number64 reads a limit, 0 for none.
func number64(file string) int64 {
	text, err := os.ReadFile(file) //nolint:gosec // of the kernel
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n >= unlimited {
		return 0
	}
	return n
}
