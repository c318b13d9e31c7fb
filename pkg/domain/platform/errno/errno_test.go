package errno_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

func TestEveryCodeIsSaidInBothLanguages(t *testing.T) {
	chinese := regexp.MustCompile(`\p{Han}`)
	for _, c := range errno.All() {
		require.Regexp(t, chinese, c.Text(text.Chinese), c.Name)
		require.NotEmpty(t, c.Text(text.English), c.Name)
		require.NotRegexp(t, chinese, c.Text(text.English), c.Name)
	}
}
