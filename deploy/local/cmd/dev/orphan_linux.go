package main

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the kernel send SIGTERM to this program when the one that started it dies.
func endWithParent() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
}

// startWithUs starts a child to which the kernel sends SIGTERM when this program dies. The caller calls ended once it
// has waited for the child.
func startWithUs(child *exec.Cmd) (ended func(), err error) {
	child.SysProcAttr.Pdeathsig = syscall.SIGTERM
	return func() {}, child.Start()
}
