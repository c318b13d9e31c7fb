package main

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the kernel send SIGTERM to this program when the one that started it dies.
func endWithParent() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
}

// endWithUs makes the kernel send SIGTERM to the child when this program dies.
func endWithUs(child *exec.Cmd) { child.SysProcAttr.Pdeathsig = syscall.SIGTERM }
