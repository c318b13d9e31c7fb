package manifests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkout is the root of the project.
const checkout = "../.."

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{checkout}, path...)...))
	require.NoError(t, err)
	return string(text)
}

// settings are the variables of a service that its reference names.
func settings(t *testing.T, service string) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	text := read(t, "docs/operate/configure-"+service+".md")
	for _, name := range regexp.MustCompile("`("+strings.ToUpper(service)+"_[A-Z0-9_]+)`").FindAllStringSubmatch(text, -1) {
		known[name[1]] = true
	}
	require.Greater(t, len(known), 50, "the reference of %s", service)
	return known
}

// knows requires that a variable, if it is one of a service, exists. A secret may come from a file.
func knows(t *testing.T, where, variable string) {
	t.Helper()
	for _, service := range []string{"storefront", "admin"} {
		if strings.HasPrefix(variable, strings.ToUpper(service)+"_") {
			require.True(t, settings(t, service)[strings.TrimSuffix(variable, "_FILE")],
				"%s sets %s, which %s does not know", where, variable, service)
		}
	}
}
