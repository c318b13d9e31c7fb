package table_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

type topic struct {
	ID                  int64
	Title               string
	Subtitle            string `table:"null"`
	SortOrder           int
	Goods               []int64 `gorm:"serializer:list"`
	AddTime, UpdateTime time.Time
}

type word struct {
	ID, UserID          int64
	Keyword             string
	Times               int
	AddTime, UpdateTime time.Time
}

type headline struct {
	ID    int64
	Title string
}

var (
	topics    = table.Of[topic]("topic", table.Versioned)
	words     = table.Of[word]("search_history")
	headlines = table.Part[headline](topics)
	noon      = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
)

func two(t *testing.T) (d *db.DB, first, second topic) {
	t.Helper()
	d = dbtest.Open(t)
	rows := []topic{
		{ID: 1, Title: "tea", Subtitle: "green", SortOrder: 3, Goods: []int64{4, 5}, AddTime: noon, UpdateTime: noon},
		{ID: 2, Title: "pots", SortOrder: 1, AddTime: noon, UpdateTime: noon},
	}
	require.NoError(t, topics.InsertAll(t.Context(), d, rows))
	rows[1].Goods = []int64{} // a list is stored as one
	return d, rows[0], rows[1]
}

func TestReading(t *testing.T) {
	t.Parallel()
	d, tea, pots := two(t)
	ctx := t.Context()
	got, found, err := topics.Get(ctx, d, 1)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, tea, got)
	_, found, err = topics.Live(ctx, d, 3)
	require.NoError(t, err)
	require.False(t, found)
	all, err := topics.Find(ctx, d, "r.deleted = 0 ORDER BY r.sort_order")
	require.NoError(t, err)
	require.Equal(t, []topic{pots, tea}, all)
	all, err = topics.From(ctx, d, "(SELECT MAX(id) AS id FROM topic) m JOIN topic r ON r.id = m.id")
	require.NoError(t, err)
	require.Equal(t, []topic{pots}, all)
	some, err := headlines.All(ctx, d, []int64{1, 9})
	require.NoError(t, err)
	require.Equal(t, []headline{{1, "tea"}}, some)
	n, err := topics.Count(ctx, d, "r.title LIKE ?", "p%")
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	there, err := topics.Exists(ctx, d, "r.title = ?", "cups")
	require.NoError(t, err)
	require.False(t, there)
	none, err := topics.All(ctx, d, nil)
	require.NoError(t, err)
	require.Empty(t, none)
	ids, err := topics.IDs(ctx, d, "r.deleted = 0 ORDER BY r.sort_order")
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, ids)
	var pairs []struct {
		Topic topic `gorm:"embedded;embeddedPrefix:other_"`
	}
	require.NoError(t, table.Scan(ctx, d, &pairs, `SELECT `+topics.ColumnsAs("o", "other_")+`
		FROM topic h JOIN topic o ON o.id <> h.id ORDER BY h.id`))
	require.Equal(t, []topic{pots, tea}, []topic{pairs[0].Topic, pairs[1].Topic})
	_, err = topics.Find(ctx, d, "r.nothing = 1")
	require.ErrorContains(t, err, "read topic")
}

// The zero value of a nullable column is stored as NULL.
func TestNull(t *testing.T) {
	t.Parallel()
	d, _, _ := two(t)
	isNull := func(id int64) bool {
		there, err := topics.Exists(t.Context(), d, "r.id = ? AND r.subtitle IS NULL", id)
		require.NoError(t, err)
		return there
	}
	require.False(t, isNull(1))
	require.True(t, isNull(2))
	_, err := topics.Update(t.Context(), d, table.Set{"subtitle": ""}, "id = 1")
	require.NoError(t, err)
	require.True(t, isNull(1))
}

func TestWriting(t *testing.T) {
	t.Parallel()
	d, tea, pots := two(t)
	ctx := t.Context()
	moved, err := topics.Moved(ctx, d, table.Set{"title": "cups", "goods": []int64{7}}, "id = ? AND sort_order = ?", 2, 1)
	require.NoError(t, err)
	require.True(t, moved)
	moved, err = topics.Moved(ctx, d, table.Set{"title": "bowls"}, "id = ? AND sort_order = ?", 2, 9)
	require.NoError(t, err)
	require.False(t, moved)
	n, err := topics.Update(ctx, d, table.Set{"sort_order": gorm.Expr("sort_order + ?", 10)}, "id > 0")
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	n, err = topics.Update(ctx, d, table.Set{"read_count": table.Case([]int64{1, 2}, []string{"1k", "2k"})}, "id > 0")
	require.Error(t, err, "a column that the row type does not have")
	require.Zero(t, n)
	n, err = topics.Update(ctx, d, table.Set{"sort_order": table.Case([]int64{1, 2}, []int{7, 8})}, "id IN ?", []int64{1, 2})
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	pots.Title, pots.Goods, pots.SortOrder, tea.SortOrder = "cups", []int64{7}, 8, 7
	require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error {
		all, err := topics.LockAll(ctx, tx, []int64{2, 1})
		require.NoError(t, err)
		require.Equal(t, []topic{tea, pots}, all)
		tea.Title, tea.Goods, tea.AddTime = "white tea", nil, noon.Add(time.Hour)
		if err := topics.Save(ctx, tx, tea); err != nil {
			return err
		}
		got, _, err := topics.Lock(ctx, tx, 1)
		tea.Goods, tea.AddTime = []int64{}, noon // the time of creation stays
		require.Equal(t, tea, got)
		held, herr := topics.Hold(ctx, tx, 1)
		require.NoError(t, herr)
		require.True(t, held)
		return err
	}))
	var versions []int
	require.NoError(t, table.Scan(ctx, d, &versions, "SELECT version FROM topic ORDER BY id"))
	require.Equal(t, []int{4, 3}, versions)
	gone, err := topics.Remove(ctx, d, table.Set{"update_time": noon.Add(time.Hour)}, "id IN ?", []int64{1, 2, 3})
	require.NoError(t, err)
	require.EqualValues(t, 2, gone)
	gone, err = topics.Remove(ctx, d, table.Set{}, "id = 1")
	require.NoError(t, err)
	require.Zero(t, gone)
	_, found, err := topics.Live(ctx, d, 1)
	require.NoError(t, err)
	require.False(t, found)
}

func TestInsert(t *testing.T) {
	t.Parallel()
	d, tea, _ := two(t)
	n, err := topics.Delete(t.Context(), d, "id = ? AND sort_order = ?", tea.ID, tea.SortOrder)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	id, err := topics.Insert(t.Context(), d, tea)
	require.NoError(t, err)
	require.NotEqual(t, tea.ID, id)
}

func TestUpsert(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	put := func(times int) int64 {
		n, err := words.Upsert(t.Context(), d, word{UserID: 1, Keyword: "tea", Times: times, AddTime: noon, UpdateTime: noon},
			"times = ?", times)
		require.NoError(t, err)
		return n
	}
	require.EqualValues(t, 1, put(1))
	require.EqualValues(t, 0, put(1))
	require.EqualValues(t, 2, put(2))
	w, _, err := words.One(t.Context(), d, "r.keyword = ?", "tea")
	require.NoError(t, err)
	require.Equal(t, 2, w.Times)
	again := []word{
		{UserID: 1, Keyword: "tea", Times: 5, AddTime: noon, UpdateTime: noon},
		{UserID: 1, Keyword: "cup", Times: 6, AddTime: noon, UpdateTime: noon},
	}
	require.NoError(t, words.UpsertAll(t.Context(), d, again, "times = VALUES(times)"))
	all, err := words.Find(t.Context(), d, "r.user_id = 1 ORDER BY r.times")
	require.NoError(t, err)
	require.Equal(t, []string{"tea", "cup"}, []string{all[0].Keyword, all[1].Keyword})
	require.Equal(t, []int{5, 6}, []int{all[0].Times, all[1].Times})
}

// Invalid declarations fail at start.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { table.Of[topic]("topic") }, "twice")
	require.Panics(t, func() { table.Part[struct{ Nothing int }](topics) }, "a column that the table does not have")
}

// Rows are read into any kind of variable, and a number also as a text.
func TestScan(t *testing.T) {
	t.Parallel()
	d, _, _ := two(t)
	scan := func(into any, text string, args ...any) {
		t.Helper()
		require.NoError(t, table.Scan(t.Context(), d, into, text, args...))
	}
	var n int64
	scan(&n, "SELECT COUNT(*) FROM topic")
	require.EqualValues(t, 2, n)
	scan(&n, "SELECT id FROM topic WHERE id = 9")
	require.EqualValues(t, 2, n, "without a row it stays")
	var ids []int64
	scan(&ids, "SELECT id FROM topic WHERE id IN ? ORDER BY id", []int{1, 2, 3})
	require.Equal(t, []int64{1, 2}, ids)
	var at time.Time
	scan(&at, "SELECT MAX(add_time) FROM topic")
	require.Equal(t, noon, at)
	var rows []struct {
		ID    *string
		Title *string
		Other *int
	}
	scan(&rows, "SELECT id, title, NULL AS other FROM topic ORDER BY id LIMIT 1")
	require.Len(t, rows, 1)
	require.Equal(t, []string{"1", "tea"}, []string{*rows[0].ID, *rows[0].Title})
	require.Nil(t, rows[0].Other)
	var one headline
	scan(&one, "SELECT id, title FROM topic WHERE title = @title", map[string]any{"title": "pots"})
	require.Equal(t, headline{2, "pots"}, one)
	require.Error(t, table.Scan(t.Context(), d, &n, "SELECT NULL"), "a number is none")
}
