//go:build !linux

package main

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// endWithParent sends SIGTERM to this program when the one that started it has died: the kernel, which would tell at
// once on Linux, then gives it another parent.
func endWithParent() {
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(500 * time.Millisecond)
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
}

// endWithUs does nothing: a child of this program that is killed goes on until the next start, which ends what it finds.
func endWithUs(*exec.Cmd) {}
