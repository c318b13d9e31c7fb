package audit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDifference(t *testing.T) {
	type row struct {
		ID           int64
		Name, PicURL string
		PasswordHash string
		IDs          []int64
	}
	old := row{ID: 1, Name: "a", PicURL: "<p>", PasswordHash: "x"}
	renamed := old
	renamed.Name, renamed.PasswordHash = "b", "y"
	tests := map[string]struct {
		before, after any
		was, is       string
	}{
		"nothing there":      {nil, nil, "", ""},
		"nothing changed":    {old, old, "{}", "{}"},
		"created":            {nil, old, "", `{"id":1,"ids":null,"name":"a","passwordHash":"***","picUrl":"<p>"}`},
		"deleted":            {&old, (*row)(nil), `{"id":1,"ids":null,"name":"a","passwordHash":"***","picUrl":"<p>"}`, ""},
		"changed":            {old, renamed, `{"name":"a","passwordHash":"***"}`, `{"name":"b","passwordHash":"***"}`},
		"keys of a map stay": {map[string]any{"litemall_a": "1"}, map[string]any{"litemall_a": "2"}, `{"litemall_a":"1"}`, `{"litemall_a":"2"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			was, is, err := difference(tt.before, tt.after)
			require.NoError(t, err)
			require.Equal(t, tt.was, orEmpty(was))
			require.Equal(t, tt.is, orEmpty(is))
		})
	}
	_, _, err := difference([]int{1}, nil)
	require.Error(t, err)
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestSpelled(t *testing.T) {
	for name, want := range map[string]string{
		"ID": "id", "SN": "sn", "PicURL": "picUrl", "OnSale": "onSale", "GoodsIDs": "goodsIds", "IDs": "ids", "URLs": "urls",
		"HTMLBody": "htmlBody", "litemall_mall_name": "litemall_mall_name", "Is": "is", "AddTime": "addTime",
	} {
		require.Equal(t, want, spelled(name), name)
	}
}
