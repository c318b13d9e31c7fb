//go:build !linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// endWithParent sends SIGTERM to this program when the one that started it has died: the kernel, which tells at once on
// Linux, then gives it another parent.
func endWithParent() {
	parent := os.Getppid()
	go func() {
		for os.Getppid() == parent {
			time.Sleep(500 * time.Millisecond) // lasts: the pause between two looks, as long as this program runs
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
}

// startWithUs starts a child to which the guard sends SIGTERM when this program dies. The caller calls ended once it
// has waited for the child.
func startWithUs(child *exec.Cmd) (ended func(), err error) {
	guarded, err := guard()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		return nil, err
	}
	pid := child.Process.Pid
	_, _ = fmt.Fprintln(guarded, "+", pid)
	return func() { _, _ = fmt.Fprintln(guarded, "-", pid) }, nil
}

// guarding reads which children have begun and ended. Its input ends when this program dies, however it does.
const guarding = `all=
while read -r sign pid; do
  case $sign in
  +) all="$all $pid" ;;
  -) all=$(for one in $all; do [ "$one" = "$pid" ] || echo "$one"; done) ;;
  esac
done
[ -z "$all" ] || kill $all`

// guard starts the guard, once, and returns its input.
var guard = sync.OnceValues(func() (io.Writer, error) {
	cmd := command(context.Background(), "/bin/sh", "-c", guarding)
	cmd.Stdout, cmd.Stderr = nil, nil
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	guarded, err := cmd.StdinPipe()
	return guarded, errors.Join(err, cmd.Start())
})
