package app_test

import (
	"net/http"
	"strings"

	"shop.internal/services/admin/internal/apitest"
)

// readQuery contains the queries of operations that read one record.
func readQuery(path string) string {
	switch {
	case strings.HasSuffix(path, "/read"), strings.HasSuffix(path, "/detail"), strings.HasSuffix(path, "/clist"):
		return "?id=1"
	case path == "/admin/find":
		return "?keyword=x"
	case path == "/admin/role/permissions":
		return "?roleId=1"
	}
	return ""
}

// reads calls all operations that read, and returns the number of statements of each.
func reads(w *apitest.Env) map[string]int {
	sent := map[string]int{}
	for _, s := range w.Handler.Specs {
		if s.Method != http.MethodGet || s.IsRaw() || strings.HasPrefix(s.Path, "/admin/auth/40") {
			continue // files are read in batches, and two operations only refuse
		}
		sent[s.Key()] = w.Super().GET(s.Path + readQuery(s.Path)).OK().Statements
	}
	return sent
}
