package app_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/admin/internal/app"
)

// TestPermissionsAreThoseOfTheContract holds every permission to its row of the contract: operation, menus and button in
// both languages, and alias.
func TestPermissionsAreThoseOfTheContract(t *testing.T) {
	text, err := os.ReadFile("testdata/permissions.tsv")
	require.NoError(t, err)
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		value, _, _ := strings.Cut(line, "\t")
		rows[value] = strings.TrimSuffix(line, "\n")
	}
	require.Len(t, rows, 106)
	registry, err := app.Registry()
	require.NoError(t, err)
	own := map[string]bool{ // beside the contract: taking a whole list away is more than looking at it
		"admin:user:export": true, "admin:order:export": true, "admin:goods:export": true, "admin:coupon:export": true,
	}
	require.Len(t, registry.Entries(), len(rows)+len(own))
	for _, e := range registry.Entries() {
		if own[e.Value] {
			require.Equal(t, "导出", e.Button.ZH)
			continue
		}
		require.Equal(t, rows[e.Value], strings.Join([]string{
			e.Value, e.Operation, e.Menu.Group.EN, e.Menu.Group.ZH, e.Menu.Page.EN, e.Menu.Page.ZH, e.Button.EN, e.Button.ZH,
			e.Alias,
		}, "\t"))
	}
}
