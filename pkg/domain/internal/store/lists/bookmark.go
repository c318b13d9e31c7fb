package lists

import (
	"sync"
	"time"
)

const (
	// bookmarkAfter is how many rows a scan may skip before it starts at a bookmark.
	bookmarkAfter = 100_000
	// bookmarkTTL is how long a bookmark is kept, and maxBookmarks how many.
	bookmarkTTL  = time.Minute
	maxBookmarks = 512
)

// bookmark is a position in a list: a row and the number of rows before it.
type bookmark struct {
	list     string
	position int
	key      key
}

// key is what lists are sorted by.
type key struct {
	ID      int64
	AddTime time.Time
}

// bookmarks are the positions of recently read deep pages, from which adjacent pages need a short scan. While rows are
// added and deleted, a bookmark may be off by these rows until it expires. This is no cache.Cache: a page searches for
// the nearest position of its list rather than for a key, and the oldest bookmark makes room for a new one.
type bookmarks struct {
	mu  sync.Mutex
	all []*bookmark // the oldest first
}

func (m *bookmarks) of(list string) (found []*bookmark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.all {
		if b.list == list {
			found = append(found, b)
		}
	}
	return found
}

// add stores a bookmark and replaces an older one at the same position.
func (m *bookmarks) add(b bookmark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(func(old *bookmark) bool { return old.list == b.list && old.position == b.position })
	if len(m.all) == maxBookmarks {
		m.all = m.all[1:]
	}
	m.all = append(m.all, &b)
	time.AfterFunc(bookmarkTTL, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.drop(func(old *bookmark) bool { return old == &b })
	})
}

func (m *bookmarks) drop(gone func(*bookmark) bool) {
	var rest []*bookmark
	for _, b := range m.all {
		if !gone(b) {
			rest = append(rest, b)
		}
	}
	m.all = rest
}
