package listing

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/page"
)

func TestPlacesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(marks)
		m.add(mark{list: "a", pos: 1, key: key{ID: 7}})
		time.Sleep(life / 2)
		m.add(mark{list: "a", pos: 2, key: key{ID: 8}})
		m.add(mark{list: "b", pos: 3, key: key{ID: 9}})
		require.Len(t, m.of("a"), 2)
		m.add(mark{list: "a", pos: 1, key: key{ID: 6}})
		require.Len(t, m.of("a"), 2)
		time.Sleep(life/2 + time.Second)
		require.Len(t, m.of("a"), 2, "the newer one at the same place stays")
		time.Sleep(life / 2)
		require.Empty(t, m.of("a"))
		for i := range most + 5 {
			m.add(mark{list: "c", pos: i})
		}
		require.Len(t, m.kept, most)
		require.Equal(t, 5, m.of("c")[0].pos)
		time.Sleep(2 * life)
	})
}

func TestShortestWalk(t *testing.T) {
	at := func(pos int) *mark { return &mark{pos: pos} }
	known := []*mark{at(500), at(700)}
	for _, tt := range []struct {
		name    string
		page    int
		skip    int
		limit   int
		back    bool
		from    *mark
		unknown bool
	}{
		{name: "from the start", page: 3, skip: 20, limit: 10},
		{name: "the middle", page: 50, skip: 490, limit: 10, unknown: true},
		{name: "from the end", page: 99, skip: 15, limit: 10, back: true},
		{name: "the last, which is not full", page: 101, skip: 0, limit: 5, back: true},
		{name: "at a place", page: 51, skip: 0, limit: 10, from: known[0]},
		{name: "behind a place", page: 53, skip: 20, limit: 10, from: known[0]},
		{name: "before a place", page: 49, skip: 10, limit: 10, back: true, from: known[0]},
		{name: "right before a place", page: 70, skip: 0, limit: 10, back: true, from: known[1]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			places := known
			if tt.unknown {
				places = nil
			}
			got := wayTo(page.Query{Page: tt.page, Limit: 10}, 1005, places)
			require.Equal(t, way{skip: tt.skip, limit: tt.limit, back: tt.back, from: tt.from}, got)
		})
	}
}
