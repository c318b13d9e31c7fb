package app_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
)

// Every table has a line in the manual about what bounds its growth, and each retention named there is a configuration
// key.
func TestTheManualSaysHowTablesGrow(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	manual, err := os.ReadFile("../../../docs/operation.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(manual), "## How tables grow\n")
	require.True(t, found)
	section, _, _ := strings.Cut(rest, "\n## ")
	config, err := os.ReadFile("../../../deploy/admin/config.yaml")
	require.NoError(t, err)
	name := regexp.MustCompile("`([a-z_.-]+)`")
	var told []string
	for line := range strings.SplitSeq(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		require.NotEmpty(t, strings.TrimSpace(cells[2]), line)
		for _, m := range name.FindAllStringSubmatch(cells[1], -1) {
			told = append(told, m[1])
		}
		for _, m := range name.FindAllStringSubmatch(cells[2], -1) {
			if key, kept := strings.CutPrefix(m[1], "keep."); kept {
				require.Regexp(t, `(?m)^  `+key+`: `, string(config), line)
			}
		}
	}
	require.ElementsMatch(t, s.Texts("SELECT table_name FROM information_schema.tables "+
		"WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'"), told)
}
