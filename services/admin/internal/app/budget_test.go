package app_test

import (
	"net/http"
	"net/url"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/apitest"
)

// readQueries are those of operations that read more with a certain query.
var readQueries = map[string]string{
	"/admin/access/holders": "permission=*", "/admin/audit/takeback": "id=9000", "/admin/role/permissions": "roleId=1",
}

// readQuery is the query of an operation that reads: one of those above, or what it requires, of the first record.
func readQuery(s op.Spec) string {
	if query, own := readQueries[s.Path]; own {
		return query
	}
	values := url.Values{}
	for _, m := range s.Fields() {
		switch {
		case !m.Required:
		case m.Kind == op.Text:
			values.Set(m.Name, "x")
		default:
			values.Set(m.Name, "1")
		}
	}
	return values.Encode()
}

// reads calls all operations that read, and returns the number of statements of each.
func reads(w *apitest.Env) map[string]int {
	withGoodsRecord(w.Shop)
	sent := map[string]int{}
	for _, s := range w.Handler.Specs {
		if s.Method != http.MethodGet || s.IsRaw() || strings.HasPrefix(s.Path, "/admin/auth/40") {
			continue // files are read in batches, and two operations only refuse
		}
		sent[s.Key()] = w.Super().GET("%s?%s", s.Path, readQuery(s)).OK().Statements
	}
	return sent
}
