package manifests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// compose loads the compose file as docker compose does; an unknown key or a service, network, volume or secret that is
// not declared fails the test.
func compose(t *testing.T) *types.Project {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(checkout, "deploy"))
	require.NoError(t, err)
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: dir, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml")}},
		Environment: types.Mapping{},
	})
	require.NoError(t, err)
	return p
}

func TestCompose(t *testing.T) {
	p := compose(t)
	made := read(t, "deploy/secrets.sh")
	for name, secret := range p.Secrets {
		require.Contains(t, made, name, "deploy/secrets.sh makes it")
		require.Equal(t, name, filepath.Base(secret.File))
	}
	require.Regexp(t, "^[a-z_]{6,20}$", p.Services["setup"].Command[2], "a name that setup accepts")
	for name, c := range p.Configs {
		_, err := os.Stat(c.File)
		require.NoError(t, err, name)
	}
	for name, s := range p.Services {
		t.Run(name, func(t *testing.T) { checkContainer(t, s) })
	}
	require.True(t, p.Networks["inside"].Internal, "the servers reach nobody and nobody reaches them")
	for _, name := range []string{"mysql", "redis"} {
		require.Len(t, p.Services[name].Networks, 1, name)
		require.Contains(t, p.Services[name].Networks, "inside", name)
	}
	for _, name := range []string{"storefront", "admin"} {
		require.Empty(t, p.Services[name].Ports, "%s is reached through the proxy alone, so it can be scaled", name)
		require.Equal(t, types.ServiceConditionCompletedSuccessfully, p.Services[name].DependsOn["setup"].Condition, name)
		require.Greater(t, time.Duration(*p.Services[name].StopGracePeriod), 25*time.Second, "%s: stop.delay and the longest request", name)
		require.Contains(t, read(t, "deploy/Caddyfile"), "dynamic a "+name+" ", "the proxy knows it")
	}
}

func checkContainer(t *testing.T, s types.ServiceConfig) {
	t.Helper()
	require.NotEmpty(t, s.Image)
	if s.Build == nil {
		_, version, _ := strings.Cut(s.Image, ":")
		require.NotContains(t, []string{"", "latest"}, version, "a named version of %s", s.Image)
	} else {
		require.Empty(t, s.User, "the image says who it runs as")
		_, err := os.Stat(filepath.Join(s.Build.Context, s.Build.Dockerfile))
		require.NoError(t, err)
	}
	require.False(t, s.Privileged)
	if s.Name != "mysql" { // its image begins as root and writes below /run and /var
		require.True(t, s.ReadOnly, "its file system is not written")
		require.Equal(t, []string{"ALL"}, s.CapDrop)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt)
	}
	given := map[string]bool{}
	for _, secret := range s.Secrets {
		given["/run/secrets/"+secret.Source] = true
	}
	for variable, value := range s.Environment {
		knows(t, s.Name, variable)
		if strings.HasSuffix(variable, "_FILE") {
			require.True(t, given[*value], "%s names %s, which the container is not given", variable, *value)
			delete(given, *value)
		}
		require.NotRegexp(t, `(?i)(password|secret|token|key|dsn)$`, variable, "a secret comes from a file")
	}
	if s.Build != nil {
		require.Empty(t, given, "%s is given secrets that it does not use", s.Name)
	}
}
