package manifests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
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
	var ports []string
	for _, port := range p.Services["proxy"].Ports {
		ports = append(ports, port.Published+"/"+port.Protocol)
	}
	require.Equal(t, []string{"80/tcp", "443/tcp", "443/udp", "8443/tcp"}, ports, "80 for the authority, and for who writes http://")
	require.Equal(t, "/data", p.Services["proxy"].Volumes[0].Target, "certificates outlive the container")
	require.True(t, p.Networks["inside"].Internal, "the servers reach nobody and nobody reaches them")
	for _, name := range []string{"mysql", "redis"} {
		require.Len(t, p.Services[name].Networks, 1, name)
		require.Contains(t, p.Services[name].Networks, "inside", name)
	}
	for _, name := range []string{"storefront", "admin"} {
		require.Empty(t, p.Services[name].Ports, "%s is reached through the proxy alone, so it can be scaled", name)
		require.Equal(t, types.ServiceConditionCompletedSuccessfully, p.Services[name].DependsOn["setup"].Condition, name)
		require.Equal(t, types.ShellCommand{"--strict"}, p.Services[name].Command, name)
		require.Greater(t, time.Duration(*p.Services[name].StopGracePeriod), 25*time.Second, "%s: stop.delay and the longest request", name)
		require.Contains(t, read(t, "deploy/Caddyfile"), "dynamic a "+name+" ", "the proxy knows it")
	}
}

// TestComposeSettings fills in everything that the example offers: Compose finds the copy beside compose.yaml, the services
// are given its values, and both programs accept them.
func TestComposeSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deploy")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "compose.yaml"), []byte(read(t, "deploy/compose.yaml")), 0o600))
	example := read(t, "deploy/settings.env.example")
	filled := regexp.MustCompile(`(?m)^#([A-Z_]+=)`).ReplaceAllString(example, "$1")
	filled = strings.Replace(filled, "SHOP_URL=https://localhost", "SHOP_URL=https://shop.example.com", 1)
	secrets := made(t)
	for _, text := range []string{example, filled} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".env"), []byte(text), 0o600))
		options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.yaml")}, cli.WithEnvFiles(), cli.WithDotEnv)
		require.NoError(t, err)
		p, err := options.LoadProject(t.Context())
		require.NoError(t, err)
		for _, name := range []string{"storefront", "admin"} {
			environment := map[string]string{}
			for variable, value := range p.Services[name].Environment {
				environment[variable] = *value
			}
			checks(t, name, environment, "/run/secrets", secrets)
			if text == filled {
				prefix := strings.ToUpper(name)
				require.Equal(t, "https://shop.example.com/wx/storage/fetch/", environment[prefix+"_STORAGE_BASE_URL"])
				require.Equal(t, "Shop <shop@example.com>", environment[prefix+"_MAIL_SMTP_FROM"])
				require.Equal(t, "{mobile}@sms.example.com", environment[prefix+"_SMS_MAIL_TO"])
				environment[prefix+"_MAIL_SMPT_HOST"] = "mail.example.com"
				said, err := check(t, name, environment, "/run/secrets", secrets)
				require.ErrorContains(t, err, "exit status 2", "a misspelt variable")
				require.Contains(t, said, prefix+"_MAIL_SMTP_HOST", "the nearest key")
			}
		}
		require.Equal(t, p.Environment["SHOP_URL"], *p.Services["proxy"].Environment["SHOP_URL"])
		require.Equal(t, p.Environment["SHOP_TLS"], *p.Services["proxy"].Environment["SHOP_TLS"])
		if text == filled {
			require.Equal(t, "tls /run/secrets/tls.crt /run/secrets/tls.key", p.Environment["SHOP_TLS"])
			require.Equal(t, "shopkeeper", p.Services["setup"].Command[2])
		}
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
	require.NotNil(t, s.Logging, "its log is bounded")
	require.NotEmpty(t, s.Logging.Options["max-size"])
	require.NotEmpty(t, s.Logging.Options["max-file"])
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
