package audit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
)

func TestDifference(t *testing.T) {
	t.Parallel()
	type row struct {
		ID           int64
		Name, PicURL string
		PasswordHash string
		IDs          []int64
		Price        money.Amount
		Kind         fmt.Stringer
		hidden       int
	}
	old := row{ID: 1, Name: "a", PicURL: "<p>", PasswordHash: "x", Price: 990, hidden: 1}
	changed := old
	changed.Name, changed.PasswordHash, changed.Price, changed.IDs = "b", "y", 1000, []int64{7}
	const whole = `{"id":1,"ids":[],"kind":null,"name":"a","passwordHash":"***","picUrl":"<p>","price":9.90}`
	tests := map[string]struct {
		before, after any
		was, is       string
	}{
		"nothing there":   {nil, nil, "", ""},
		"nothing changed": {old, old, "{}", "{}"},
		"created":         {nil, old, "", whole},
		"deleted":         {&old, (*row)(nil), whole, ""},
		"changed": {
			old, changed, `{"ids":[],"name":"a","passwordHash":"***","price":9.90}`,
			`{"ids":[7],"name":"b","passwordHash":"***","price":10.00}`,
		},
		"another secret alone": {
			map[string]any{"token": "a"}, map[string]any{"token": "b"}, `{"token":"***"}`, `{"token":"***"}`,
		},
		"keys of a map stay": {
			map[string]any{"litemall_a": "1"}, map[string]any{"litemall_a": "2"}, `{"litemall_a":"1"}`, `{"litemall_a":"2"}`,
		},
		"times": {
			map[string]time.Time{"at": {}}, map[string]time.Time{"at": noon}, `{"at":null}`, `{"at":"2030-01-02T12:00:00.000Z"}`,
		},
		"tags and embedded fields": {
			nil,
			struct {
				Stamps
				Other int `json:"another,omitempty"`
			}{Stamps{noon}, 0},
			"", `{"addTime":"2030-01-02T12:00:00.000Z","another":0}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			was, is, err := difference(tt.before, tt.after)
			require.NoError(t, err)
			require.Equal(t, tt.was, orEmpty(was))
			require.Equal(t, tt.is, orEmpty(is))
		})
	}
	for _, bad := range []any{[]int{1}, 7, struct{ C chan int }{}} {
		_, _, err := difference(bad, nil)
		require.Error(t, err)
	}
}

// noon is a fixed time, Stamps an embedded struct.
var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

type Stamps struct{ AddTime time.Time }

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestSpelled(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ID": "id", "SN": "sn", "PicURL": "picUrl", "OnSale": "onSale", "GoodsIDs": "goodsIds", "IDs": "ids", "URLs": "urls",
		"HTMLBody": "htmlBody", "litemall_mall_name": "litemall_mall_name", "Is": "is", "AddTime": "addTime",
	} {
		require.Equal(t, want, spelled(name), name)
	}
}
