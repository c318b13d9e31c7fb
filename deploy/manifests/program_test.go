package manifests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// programs is a folder with the built services; SHOP_BIN names one that has them already.
func programs(t *testing.T) string {
	t.Helper()
	dir, err := build()
	require.NoError(t, err)
	return dir
}

var build = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("SHOP_BIN"); dir != "" {
		return dir, nil
	}
	root, err := filepath.Abs(checkout)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".local/manifests/bin")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", dir+"/",
		"./services/storefront/cmd/storefront", "./services/admin/cmd/admin")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK="+filepath.Join(root, "go.work")) // this module is outside of it
	cmd.Stderr = os.Stderr
	return dir, cmd.Run()
})

// made are the secrets of deploy/secrets.sh, in a folder.
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"tls.crt", "tls.key"} { // which need openssl otherwise
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("none\n"), 0o600))
	}
	said, err := exec.CommandContext(t.Context(), "bash", filepath.Join(checkout, "deploy/secrets.sh"), dir, "shop.example.com").CombinedOutput()
	require.NoError(t, err, "%s", said)
	return dir
}

// checks asks a service what it thinks of the environment that a container is given, and requires that it finds nothing
// wrong; at is where the container sees the files of the folder secrets. The image's folder of uploaded files is another one.
func checks(t *testing.T, service string, environment map[string]string, at, secrets string) {
	t.Helper()
	said, err := check(t, service, environment, at, secrets)
	require.NoError(t, err, "%s: %s", service, said)
	require.Contains(t, said, "the configuration is good", service)
}

func check(t *testing.T, service string, environment map[string]string, at, secrets string) (string, error) {
	t.Helper()
	root, err := filepath.Abs(checkout)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs(t), service), "--check-config", "--strict",
		"--config", filepath.Join(root, "deploy", service, "config.yaml"))
	cmd.Dir = t.TempDir()
	cmd.Env = []string{strings.ToUpper(service) + "_STORAGE_DIR=" + filepath.Join(t.TempDir(), "objects")}
	for name, value := range environment {
		cmd.Env = append(cmd.Env, name+"="+strings.Replace(value, at+"/", secrets+"/", 1))
	}
	said, err := cmd.CombinedOutput()
	return string(said), err
}
