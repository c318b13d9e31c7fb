package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"
)

// report counts the steps and prints one line for each.
type report struct {
	out                     io.Writer
	verbose                 bool
	passed, failed, skipped int
}

// close prints the closing line and tells whether everything passed.
func (r *report) close() bool {
	line := fmt.Sprintf("%d passed, %d failed", r.passed, r.failed)
	if r.skipped > 0 {
		line += fmt.Sprintf(", %d skipped", r.skipped)
	}
	r.printf("%s\n", line)
	return r.failed == 0 && r.skipped == 0 && r.passed > 0
}

// printf writes to the output. Where that fails nobody is left to be told.
func (r *report) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(r.out, format, args...)
}

// chapter is a run of steps that build on each other: once a step that others need has failed, the rest is skipped.
type chapter struct {
	w      *walk
	broken bool
}

// step runs one step that the later ones of the chapter need.
func (c *chapter) step(name string, do func(s *step)) {
	if !c.try(name, do) {
		c.broken = true
	}
}

// try runs one step that nothing else depends on, and tells whether it passed.
func (c *chapter) try(name string, do func(s *step)) bool {
	if c.broken {
		c.w.skipped++
		c.w.printf("skip  %s\n", name)
		return false
	}
	s := &step{w: c.w, name: name}
	s.run(do)
	if len(s.faults) == 0 {
		c.w.passed++
		c.w.printf("ok    %s\n", name)
		return true
	}
	c.w.failed++
	c.w.printf("FAIL  %s\n", name)
	s.print()
	return false
}

// fault is one broken expectation, with the exchange that broke it where there is one.
type fault struct {
	text string
	ex   *exchange
}

// step is one line of the report. Its methods record what did not come as expected.
type step struct {
	w      *walk
	name   string
	faults []fault
	last   *exchange // the newest
}

// run does the step in a goroutine of its own, so that fatalf can end it from any depth. An answer so odd that the walk
// itself stumbles over it is a fault of this step; the other chapters go on.
func (s *step) run(do func(s *step)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if stumble := recover(); stumble != nil {
				s.failf(s.last, "the walk stumbled over the answer: %v", stumble)
			}
		}()
		do(s)
	}()
	<-done
}

// failf records a fault and goes on.
func (s *step) failf(ex *exchange, format string, args ...any) {
	s.faults = append(s.faults, fault{fmt.Sprintf(format, args...), ex})
}

// fatalf records a fault and ends the step.
func (s *step) fatalf(ex *exchange, format string, args ...any) {
	s.failf(ex, format, args...)
	runtime.Goexit()
}

// need ends the step without a request where an earlier chapter did not leave what this one builds on.
func (s *step) need(ok bool, what string) {
	if !ok {
		s.fatalf(nil, "an earlier chapter left no %s", what)
	}
}

// equal compares two values and records a difference.
func equal[T comparable](s *step, ex *exchange, what string, want, got T) {
	if want != got {
		s.failf(ex, "%s: expected %v, got %v", what, want, got)
	}
}

// within asks again and again until the answer is yes or the time is over, and tells which.
func within(limit time.Duration, ask func() bool) bool {
	end := time.Now().Add(limit)
	for !ask() {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(150 * time.Millisecond)
	}
	return true
}

const maxFaults = 12

// print shows the faults, each exchange once.
func (s *step) print() {
	var last *exchange
	for i, f := range s.faults {
		if i == maxFaults {
			s.w.printf("      ... and %d more\n", len(s.faults)-maxFaults)
			return
		}
		s.w.printf("      %s\n", f.text)
		if f.ex != nil && (f.ex != last) {
			s.w.printf("      %s\n", strings.ReplaceAll(f.ex.String(), "\n", "\n      "))
			last = f.ex
		}
	}
}
