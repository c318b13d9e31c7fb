package lists

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
)

func TestBookmarksExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := new(bookmarks)
		m.add(bookmark{list: "a", position: 1, key: key{ID: 7}})
		time.Sleep(bookmarkTTL / 2)
		m.add(bookmark{list: "a", position: 2, key: key{ID: 8}})
		m.add(bookmark{list: "b", position: 3, key: key{ID: 9}})
		require.Len(t, m.of("a"), 2)
		m.add(bookmark{list: "a", position: 1, key: key{ID: 6}})
		require.Len(t, m.of("a"), 2)
		time.Sleep(bookmarkTTL/2 + time.Second)
		require.Len(t, m.of("a"), 2, "the newer one at the same position stays")
		time.Sleep(bookmarkTTL / 2)
		require.Empty(t, m.of("a"))
		for i := range maxBookmarks + 5 {
			m.add(bookmark{list: "c", position: i})
		}
		require.Len(t, m.all, maxBookmarks)
		require.Equal(t, 5, m.of("c")[0].position)
		time.Sleep(2 * bookmarkTTL)
	})
}

func TestShortestScan(t *testing.T) {
	t.Parallel()
	at := func(pos int) *bookmark { return &bookmark{position: pos} }
	known := []*bookmark{at(500), at(700)}
	for _, tt := range []struct {
		name    string
		page    int
		skip    int
		limit   int
		back    bool
		from    *bookmark
		unknown bool
	}{
		{name: "from the start", page: 3, skip: 20, limit: 10},
		{name: "the middle", page: 50, skip: 490, limit: 10, unknown: true},
		{name: "from the end", page: 99, skip: 15, limit: 10, back: true},
		{name: "the last, which is not full", page: 101, skip: 0, limit: 5, back: true},
		{name: "at a bookmark", page: 51, skip: 0, limit: 10, from: known[0]},
		{name: "behind a bookmark", page: 53, skip: 20, limit: 10, from: known[0]},
		{name: "before a bookmark", page: 49, skip: 10, limit: 10, back: true, from: known[0]},
		{name: "right before a bookmark", page: 70, skip: 0, limit: 10, back: true, from: known[1]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			places := known
			if tt.unknown {
				places = nil
			}
			got := shortestScan(page.Query{Page: tt.page, Limit: 10}, 1005, places)
			require.Equal(t, scan{skip: tt.skip, limit: tt.limit, reverse: tt.back, from: tt.from}, got)
		})
	}
}
