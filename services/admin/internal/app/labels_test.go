package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/app"
	"shop.internal/services/admin/internal/menu"
)

func TestEveryMemberHasALabel(t *testing.T) {
	t.Parallel()
	specs, err := app.Specs()
	require.NoError(t, err)
	optest.Labelled(t, specs, text.FieldNamed)
}

// The catalogue has no page, button or action that no operation has.
func TestWordsOfTheConsoleAreUsed(t *testing.T) {
	t.Parallel()
	specs, err := app.Specs()
	require.NoError(t, err)
	used := map[*text.Text]bool{}
	for _, s := range specs {
		used[s.Audit.Action] = true
		if page, is := s.Access.Permission.Page.(menu.Menu); is {
			used[page.Group.Text], used[page.Page.Text] = true, true
		}
		if button, is := s.Access.Permission.Button.(menu.Label); is {
			used[button.Text] = true
		}
	}
	for _, e := range text.All() {
		switch family, _, _ := strings.Cut(e.Key, "."); family {
		case "menu", "button", "action":
			require.True(t, used[e], e.Key)
		}
	}
}
