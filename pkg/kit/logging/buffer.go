package logging

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A line is buffered at most this long, and at most this much is buffered: a system call for each line costs more than
// the line.
const (
	flushInterval = 100 * time.Millisecond
	bufferSize    = 64 << 10
)

// Buffer collects lines and writes them together. It is safe for concurrent use and runs no timer while it is empty.
type Buffer struct {
	mu    sync.Mutex
	out   io.Writer
	lines []byte
	timer *time.Timer
}

// NewBuffer returns a buffer for out. Its owner must flush it before the program ends.
func NewBuffer(out io.Writer) *Buffer {
	b := &Buffer{out: out, lines: make([]byte, 0, bufferSize)}
	b.timer = time.AfterFunc(time.Hour, func() { _ = b.Flush() }) // a failing log cannot be reported
	b.timer.Stop()
	return b
}

// Write buffers a line.
func (b *Buffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		b.timer.Reset(flushInterval)
	} else if len(b.lines)+len(line) > bufferSize {
		if err := b.flush(); err != nil {
			return 0, err
		}
		b.timer.Reset(flushInterval)
	}
	b.lines = append(b.lines, line...)
	return len(line), nil
}

// Flush writes the buffered lines.
func (b *Buffer) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.flush()
}

func (b *Buffer) flush() error {
	if len(b.lines) == 0 {
		return nil
	}
	b.timer.Stop()
	_, err := b.out.Write(b.lines)
	b.lines = b.lines[:0]
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}
