package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/config"
)

const commented = `
# About the file.

# The address.
listen: ":8080"
log:
  # How much is said.
  level: info
mysql:
  # Required.
  dsn: ""
  # Connections | of one process,
  # and no more.
  max-open: 20
token:
  # For how long.
  lifetime: 24h
  headers: []
shop:
  # zh or en.
  language: zh
limits:
  # The largest body.
  body: 1MiB
secrets:
  # Keys the hashes.
  codes: ""
# Demo data.
demo: false
`

func TestReference(t *testing.T) {
	var page strings.Builder
	require.NoError(t, config.Reference[sample](&page, "The shop", file(t, commented), "SHOPPE"))
	for _, row := range []string{
		"# The shop\n",
		"| `listen` | `SHOPPE_LISTEN` | empty | required | The address. |",
		"\n## mysql\n",
		"| `mysql.dsn` | `SHOPPE_MYSQL_DSN` | empty | required | Required. |",
		"| `mysql.max-open` | `SHOPPE_MYSQL_MAX_OPEN` | `20` | at least `1`, at most `500` | Connections \\| of one process, and no more. |",
		"| `token.headers` | `SHOPPE_TOKEN_HEADERS` | empty | – | For how long. |",
		"| `shop.language` | `SHOPPE_SHOP_LANGUAGE` | `zh` | `zh`, `en` | zh or en. |",
		"| `secrets.codes` | `SHOPPE_SECRETS_CODES` | empty | at least 32 random bytes | Keys the hashes. |",
		"| `demo` | `SHOPPE_DEMO` | empty | – | Demo data. |",
	} {
		require.Contains(t, page.String(), row)
	}
	require.NotContains(t, page.String(), "About the file")

	missing := file(t, strings.ReplaceAll(commented, "# The address.\n", ""))
	require.ErrorContains(t, config.Reference[sample](&page, "", missing, "SHOPPE"), "listen has no comment")
	require.Error(t, config.Reference[sample](&page, "", file(t, "a: [\n"), "SHOPPE"))
	require.Error(t, config.Reference[sample](&page, "", "none.yaml", "SHOPPE"))
}
