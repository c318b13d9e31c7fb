package report_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/report"
)

// Every column that by its name contains an address is checked.
func TestEveryColumnOfAddressesIsKnown(t *testing.T) {
	w := consistent(t)
	var inSchema, known []string
	require.NoError(t, w.d.G(t.Context()).Raw("SELECT CONCAT(c.table_name, '.', c.column_name) FROM "+
		"information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema AND "+
		"t.table_name = c.table_name AND t.table_type = 'BASE TABLE' WHERE c.table_schema = DATABASE() AND "+
		"c.data_type IN ('char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json') AND c.column_name REGEXP "+
		"'(^|_)(url|link|pic|picture|avatar|gallery|icon|image|photo|logo|href)s?$'").Scan(&inSchema).Error)
	for table, columns := range report.Addressed() {
		for _, c := range columns {
			known = append(known, table+"."+c)
		}
	}
	require.ElementsMatch(t, inSchema, known)
}

// A harmful address from an earlier release is reported in whatever column it is, alone or in a list; a harmless one is
// not, however long.
func TestAddressesThatMayNotBeServedAreNamed(t *testing.T) {
	const bad, list = "javascript:x", `["https://shop.test/a:b", "19", "//evil.test", "data:text/html,x"]`
	w := consistent(t)
	const times = ", add_time, update_time) VALUES ("
	w.exec("INSERT INTO ad (url" + times + "''," + noon + ", " + noon + ")")
	w.exec("INSERT INTO keyword (keyword" + times + "'k'," + noon + ", " + noon + ")")
	w.exec("INSERT INTO topic (title" + times + "'t'," + noon + ", " + noon + ")")
	w.exec("INSERT INTO feedback (content" + times + "'c'," + noon + ", " + noon + ")")
	for value, refused := range map[string][]string{
		bad: {bad}, "//evil.test": {"//evil.test"}, list: {"//evil.test", "data:text/html,x"},
		"/a.png": nil, "": nil, "[]": nil, "https://shop.test/?q=javascript:x": nil, `["/a.png"]`: nil,
	} {
		var want, named []string
		for table, columns := range report.Addressed() {
			for _, c := range columns {
				require.NoError(t, w.d.G(t.Context()).Exec(fmt.Sprintf("UPDATE `%s` SET %s = ? WHERE deleted = 0 "+
					"ORDER BY id LIMIT 1", table, c), value).Error)
				for _, address := range refused {
					want = append(want, table+"."+c+" "+address)
				}
			}
		}
		require.NoError(t, report.New(w.d).Verify(t.Context(), func(d report.Disagreement) error {
			named = append(named, d.Table+"."+d.What+" "+d.Found)
			return nil
		}))
		require.ElementsMatch(t, want, named, "%s", value)
	}
	w.exec("UPDATE user SET avatar = 'javascript:x'")
	gone := errors.New("gone")
	require.ErrorIs(t, report.New(w.d).Verify(t.Context(), func(report.Disagreement) error { return gone }), gone)
}
