package apitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Programs returns the folder with the programs of the shop as they are delivered: the one that the environment
// variable SHOP_BUILT names, as in make test, or one that they are built into now.
func Programs(t testing.TB) string {
	t.Helper()
	if built := os.Getenv("SHOP_BUILT"); built != "" {
		return built
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", dir+string(filepath.Separator),
		"shop.internal/services/storefront/cmd/...", "shop.internal/services/admin/cmd/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // which the race detector has set to 1
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}
