package app_test

import (
	"fmt"
	"slices"
	"strings"

	"shop.internal/services/admin/internal/apitest"
)

// recordTables are where calls leave their records.
func recordTables() []string { return []string{"audit_log", "log"} }

// digest is a query whose single result changes if any row of the shop does, except in excluded tables.
func digest(w *apitest.Env, without ...string) string {
	var parts []string
	for _, name := range w.Shop.Texts("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() " +
		"AND table_type = 'BASE TABLE' ORDER BY 1") {
		if slices.Contains(without, name) {
			continue
		}
		// The version of the oldest role serializes changes of operators and roles, including those that change nothing.
		columns := w.Shop.Texts("SELECT CONCAT('COALESCE(`', column_name, '`, ''~'')') FROM information_schema.columns "+
			"WHERE table_schema = DATABASE() AND table_name = ? AND NOT (table_name = 'role' AND column_name = 'version') "+
			"ORDER BY ordinal_position", name)
		parts = append(parts, fmt.Sprintf(
			"(SELECT CONCAT('%s ', COUNT(*), ' ', COALESCE(SUM(CRC32(CONCAT_WS('|', %s))), 0)) FROM `%s`)",
			name, strings.Join(columns, ", "), name))
	}
	return "SELECT CONCAT_WS('\n', " + strings.Join(parts, ", ") + ")"
}
