package audit

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

// Pages hold each record once, also those of one moment; whatever is filtered, an index has the order.
func TestBrowse(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := New(d, func() time.Time { return noon })
	rows := make([]row, 3000)
	for i := range rows {
		rows[i] = row{
			AdminID: int64(i % 7), AdminName: "clerk", MethodPath: "POST /x", TargetType: "table" + strconv.Itoa(i%5),
			TargetID: int64(i % 11), AddTime: noon,
		}
	}
	require.NoError(t, records.InsertAll(t.Context(), d, rows))
	for name, f := range map[string]Browsed{
		"all":            {},
		"operator":       {Operator: 3},
		"table":          {Table: "table2"},
		"row":            {Table: "table2", Row: 7},
		"operator, kind": {Operator: 3, Table: "table2"},
		"until":          {Until: noon.Add(time.Second)},
	} {
		f.Limit = 20
		seen := map[int64]bool{}
		for turns := 0; ; turns++ {
			found, more, err := s.Browse(t.Context(), f)
			require.NoError(t, err, name)
			for _, r := range found {
				require.False(t, seen[r.ID], "%s: record %d twice", name, r.ID)
				seen[r.ID] = true
			}
			if !more {
				break
			}
			require.Len(t, found, 20, name)
			f.Before = found[19].ID
		}
		want := 0
		for _, r := range rows {
			if (f.Operator == 0 || r.AdminID == f.Operator) && (f.Table == "" || r.TargetType == f.Table) &&
				(f.Row == 0 || r.TargetID == f.Row) {
				want++
			}
		}
		require.Len(t, seen, want, name)

		where, args := f.where()
		var plan []struct{ Extra string }
		query := "EXPLAIN SELECT * FROM audit_log r FORCE INDEX (" + f.index() + ") WHERE 1 = 1"
		for _, condition := range where {
			query += " AND " + condition
		}
		require.NoError(t, table.Scan(t.Context(), d, &plan, query+" ORDER BY r.add_time DESC, r.id DESC LIMIT 21", args...))
		require.NotContains(t, plan[0].Extra, "filesort", name)
	}
}
