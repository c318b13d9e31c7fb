package consistency_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/domaintest"
)

// Every column that by its name contains an address is checked.
func TestEveryColumnOfAddressesIsKnown(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	var inSchema, known []string
	inSchema = s.Texts("SELECT CONCAT(c.table_name, '.', c.column_name) FROM " +
		"information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema AND " +
		"t.table_name = c.table_name AND t.table_type = 'BASE TABLE' WHERE c.table_schema = DATABASE() AND " +
		"c.data_type IN ('char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json') AND c.column_name REGEXP " +
		"'(^|_)(url|link|pic|picture|avatar|gallery|icon|image|photo|logo|href)s?$'")
	for table, columns := range consistency.Addressed() {
		for _, c := range columns {
			known = append(known, table+"."+c)
		}
	}
	require.ElementsMatch(t, inSchema, known)
}

// A harmful address is reported in whatever column it is, alone or in a list; a harmless one is not.
func TestAddressesThatMayNotBeServedAreNamed(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	for value, harmful := range map[string]bool{
		"javascript:x": true, "//evil.test": true, `["/a.png", "data:text/html,x"]`: true, "/a.png": false, `["/a.png"]`: false,
	} {
		for table, columns := range consistency.Addressed() {
			for _, c := range columns {
				s.Exec("UPDATE `"+table+"` SET "+c+" = ? WHERE deleted = 0 ORDER BY id LIMIT 1", value)
			}
		}
		named := map[string]bool{}
		require.NoError(t, s.Consistency.VerifyAtOnce(t.Context(), func(d consistency.Disagreement) error {
			if d.Expected == "an address of the web or of the shop" {
				named[d.Table+"."+d.What] = true
			}
			return nil
		}))
		for table, columns := range consistency.Addressed() {
			for _, c := range columns {
				require.Equal(t, harmful, named[table+"."+c], "%s in %s.%s", value, table, c)
			}
		}
	}
}
