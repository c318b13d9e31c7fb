package listing

import (
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

const (
	// far is how many rows a walk may pass over before it begins at a remembered place.
	far = 100_000
	// life is how long a place is remembered, and most how many are.
	life = time.Minute
	most = 512
)

// mark is a place in a list: the row that stands there, and how many rows stand before it.
type mark struct {
	list string
	pos  int
	key  key
}

// key is what lists are sorted by.
type key struct {
	ID      int64
	AddTime time.Time
}

// marks are the places of the far pages that were read last, so that their neighbours are reached by a short walk.
// While rows come and go a place may be off by these rows, for as long as it is remembered.
type marks struct {
	mu   sync.Mutex
	kept []*mark // the oldest first
}

type marksKey struct{}

// marksOf returns the places that this process remembers about a database, nil for a transaction.
func marksOf(q db.Querier) *marks {
	d, ok := q.(*db.DB)
	if !ok {
		return nil
	}
	m, _ := d.Keep(marksKey{}, func() any { return new(marks) }).(*marks)
	return m
}

func (m *marks) of(list string) (found []*mark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.kept {
		if k.list == list {
			found = append(found, k)
		}
	}
	return found
}

// add remembers a place, in the stead of an older one there.
func (m *marks) add(k mark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.without(func(old *mark) bool { return old.list == k.list && old.pos == k.pos })
	if len(m.kept) == most {
		m.kept = m.kept[1:]
	}
	m.kept = append(m.kept, &k)
	time.AfterFunc(life, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.without(func(old *mark) bool { return old == &k })
	})
}

func (m *marks) without(gone func(*mark) bool) {
	var rest []*mark
	for _, k := range m.kept {
		if !gone(k) {
			rest = append(rest, k)
		}
	}
	m.kept = rest
}
