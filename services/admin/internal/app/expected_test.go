package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
)

// An existing console keeps its own row over several edits and sends it back whole; that is never refused. Who says
// which state was read is refused once somebody else has changed it. Each change makes updateTime later, even within a
// second, so that equal times are equal states.
func TestEveryUpdateKnowsWhatItsCallerHasRead(t *testing.T) {
	t.Parallel()
	w := withCalledRows(t)
	super := w.Super()
	tested := 0
	for _, c := range calls(t) {
		area, isUpdate := strings.CutSuffix(c.path, "/update")
		if !isUpdate {
			continue
		}
		tested++
		var edit map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.body), &edit))
		switch area {
		case "/admin/goods", "/admin/topic": // their consoles read the row before each edit
			continue
		case "/admin/channel": // a setting, without a row of its own
			continue
		}
		id := edit["id"]
		read := func() map[string]any { return rowIn(super, area, id) }
		old := read()
		sent := maps.Clone(old)
		maps.DeleteFunc(sent, func(_ string, v any) bool { return v == "" }) // the rows were not made by a console
		maps.Copy(sent, edit)
		body, err := json.Marshal(sent)
		require.NoError(t, err)
		seen := []any{old["updateTime"]}
		for range 2 {
			super.POST(c.path, "%s", body).OK()
			seen = append(seen, read()["updateTime"])
			require.Less(t, seen[len(seen)-2], seen[len(seen)-1], "%s: a change leaves its time", c.path)
		}
		for expected, code := range map[any]*errno.Code{
			seen[0]: errno.Stale, seen[1]: errno.Stale, "yesterday": errno.Invalid,
		} {
			edit["expectedUpdateTime"] = expected
			super.POST(c.path, "%s", encoded(t, edit)).Fails(code)
		}
		require.Equal(t, seen[2], read()["updateTime"], "%s: a refusal changes nothing", c.path)
		edit["expectedUpdateTime"] = seen[2]
		super.POST(c.path, "%s", encoded(t, edit)).OK()
		edit["expectedUpdateTime"] = ""
		super.POST(c.path, "%s", encoded(t, edit)).OK()
	}
	require.Equal(t, 16, tested, "updates")
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

// rowIn returns the row of an id from the list of its area.
func rowIn(as *optest.Client, area string, id any) map[string]any {
	var tree struct{ List []map[string]any }
	as.GET(area + "/list?limit=0").OK().Data(&tree)
	rows := tree.List
	for len(rows) > 0 {
		row := rows[0]
		rows = rows[1:]
		if fmt.Sprint(row["id"]) == fmt.Sprint(id) {
			if row["updateTime"] != nil {
				return row
			}
			as.GET(fmt.Sprintf("%s/read?id=%v", area, id)).OK().Data(&row) // a tree shows no times
			return row
		}
	}
	panic(fmt.Sprintf("%s lists no %v", area, id))
}
