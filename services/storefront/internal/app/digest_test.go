package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"shop.internal/services/storefront/internal/apitest"
)

// tablesWith returns the tables that have a column, by name.
func tablesWith(s *apitest.Shop, column string) []string {
	var out []string
	for last := ""; ; out = append(out, last) {
		last = s.Domain.Text("SELECT COALESCE(MIN(table_name), '') FROM information_schema.columns "+
			"WHERE table_schema = DATABASE() AND column_name = ? AND table_name > ?", column, last)
		if last == "" {
			return out
		}
	}
}

// digest is a query whose single result changes if a row does that matches the condition of its table.
func digest(s *apitest.Shop, conditions map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(conditions)) {
		var columns []string
		for {
			column := s.Domain.Text("SELECT COALESCE(MAX(column_name), '') FROM information_schema.columns "+
				"WHERE table_schema = DATABASE() AND table_name = ? AND ordinal_position = ?", name, len(columns)+1)
			if column == "" {
				break
			}
			columns = append(columns, "COALESCE(`"+column+"`, '~')")
		}
		parts = append(parts, fmt.Sprintf(
			"(SELECT CONCAT('%s ', COUNT(*), ' ', COALESCE(SUM(CRC32(CONCAT_WS('|', %s))), 0)) FROM `%s` WHERE %s)",
			name, strings.Join(columns, ", "), name, conditions[name]))
	}
	return "SELECT CONCAT_WS('\n', " + strings.Join(parts, ", ") + ")"
}

// everything selects all rows of the tables that operations write.
func everything(s *apitest.Shop) string {
	conditions := map[string]string{}
	for _, column := range []string{"add_time", "user_id", "order_id", "id", "goods_id"} {
		for _, name := range tablesWith(s, column) {
			conditions[name] = "TRUE"
		}
	}
	return digest(s, conditions)
}

// belongings are the conditions of one shopper's rows, by table.
func belongings(s *apitest.Shop, shopper int64) map[string]string {
	conditions := map[string]string{"user": fmt.Sprint("id = ", shopper)}
	for _, name := range tablesWith(s, "order_id") {
		conditions[name] = fmt.Sprint("order_id IN (SELECT id FROM orders WHERE user_id = ", shopper, ")")
	}
	for _, name := range tablesWith(s, "user_id") {
		conditions[name] = fmt.Sprint("user_id = ", shopper)
	}
	return conditions
}
