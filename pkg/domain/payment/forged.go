package payment

import (
	"sync"
	"time"
)

const (
	// forgedWindow is the time in which a process stores no more than forgedKept notices with a wrong signature, and
	// forgedBody how much of each.
	forgedWindow = time.Hour
	forgedKept   = 30
	forgedBody   = 4 << 10
)

// forged bounds what a process stores of notices that anybody can send: without it a stranger could fill the database,
// and have every one of his notices cost a write.
type forged struct {
	mu     sync.Mutex
	window time.Time
	seen   int
	// told is how many beyond those that are stored have been counted in the database.
	told int
}

// next says whether the notice that has just come is to be stored, and how many more are to be counted for a window.
// The number is told whenever it has doubled, and what is left of it with the first notice of another window.
func (f *forged) next(now time.Time) (keep bool, window time.Time, more int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := now.Truncate(forgedWindow); !at.Equal(f.window) {
		window, more = f.window, max(0, f.seen-forgedKept-f.told)
		f.window, f.seen, f.told = at, 1, 0
		return true, window, more
	}
	f.seen++
	over := f.seen - forgedKept
	if over <= 0 {
		return true, f.window, 0
	}
	if over&(over-1) != 0 { // no power of two
		return false, f.window, 0
	}
	more, f.told = over-f.told, over
	return false, f.window, more
}
