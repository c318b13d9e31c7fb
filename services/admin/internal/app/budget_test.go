package app_test

import (
	"net/http"
	"strings"

	"shop.internal/services/admin/internal/apitest"
)

// readQuery is what operations that read one thing are asked for.
func readQuery(path string) string {
	switch {
	case strings.HasSuffix(path, "/read"), strings.HasSuffix(path, "/detail"), strings.HasSuffix(path, "/clist"):
		return "?id=1"
	case path == "/admin/role/permissions":
		return "?roleId=1"
	}
	return ""
}

// reads asks for everything that can be read, and returns how many statements each operation has sent.
func reads(w *apitest.World) map[string]int {
	sent := map[string]int{}
	for _, s := range w.Handler.Specs {
		if s.Method != http.MethodGet || s.IsRaw() || strings.HasPrefix(s.Path, "/admin/auth/40") {
			continue // files are read a stretch at a time, and two operations only refuse
		}
		sent[s.Key()] = w.Super().GET(s.Path + readQuery(s.Path)).OK().Statements
	}
	return sent
}
