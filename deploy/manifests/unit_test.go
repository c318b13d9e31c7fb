package manifests

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coreos/go-systemd/v22/unit"
	"github.com/stretchr/testify/require"
)

// hardened are the directives that both units have.
var hardened = map[string]string{
	"Type": "notify", "Restart": "always", "NoNewPrivileges": "yes", "PrivateTmp": "yes", "PrivateDevices": "yes",
	"ProtectSystem": "strict", "ProtectHome": "yes", "CapabilityBoundingSet": "", "RestrictNamespaces": "yes",
	"MemoryDenyWriteExecute": "yes", "Group": "shop", "UMask": "0007", "ReadWritePaths": "-/var/lib/shop/objects",
}

func TestUnits(t *testing.T) {
	for _, service := range []string{"storefront", "admin"} {
		t.Run(service, func(t *testing.T) {
			options, err := unit.DeserializeOptions(strings.NewReader(read(t, "deploy/systemd", service+".service")))
			require.NoError(t, err)
			has := map[string][]string{}
			for _, o := range options {
				if o.Section == "Service" {
					has[o.Name] = append(has[o.Name], o.Value)
				}
			}
			for name, value := range hardened {
				require.Equal(t, []string{value}, has[name], name)
			}
			require.NotEmpty(t, has["WatchdogSec"])
			require.Equal(t, []string{"shop-" + service}, has["User"], "a user of its own")
			require.NotContains(t, has, "StateDirectory", "systemd would give the folder to one of the two users")
			require.Equal(t, []string{"/opt/shop/bin/" + service + " --config /opt/shop/deploy/" + service + "/config.yaml --strict"},
				has["ExecStart"])
			require.Equal(t, []string{"/etc/shop/" + service + ".env"}, has["EnvironmentFile"])
			checkCredentials(t, service, has["LoadCredential"], has["Environment"])
			analyze(t, service)
		})
	}
}

// checkCredentials requires that the service is handed secrets that deploy/secrets.sh makes, and uses each of them.
func checkCredentials(t *testing.T, service string, loaded, environment []string) {
	t.Helper()
	given := map[string]bool{}
	for _, credential := range loaded {
		name, file, _ := strings.Cut(credential, ":")
		dir, secret := filepath.Split(file)
		require.Equal(t, "/etc/shop/secrets/", dir, credential)
		require.Contains(t, read(t, "deploy/secrets.sh"), secret, "deploy/secrets.sh makes it")
		given["%d/"+name] = true
	}
	require.Contains(t, loaded, "mysql-dsn:/etc/shop/secrets/mysql-dsn-"+service, "the account that may not alter tables")
	for _, entry := range environment {
		variable, value, _ := strings.Cut(entry, "=")
		knows(t, service, variable)
		require.True(t, given[value], "%s names %s, which the service is not given", variable, value)
		delete(given, value)
	}
	require.Empty(t, given, "%s is given secrets that it does not use", service)
}

// analyze asks systemd itself, where it is installed. It finds directives that do not exist and what a service may do that
// it need not; that the program is not installed here is no fault of the unit.
func analyze(t *testing.T, service string) {
	t.Helper()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		return
	}
	path := filepath.Join(checkout, "deploy/systemd", service+".service")
	said, _ := exec.CommandContext(t.Context(), program, "verify", "--man=no", path).CombinedOutput()
	for line := range strings.Lines(string(said)) {
		require.NotRegexp(t, "Unknown|Failed to parse|Invalid", line, "systemd-analyze")
	}
	// From 0, nothing is left to forbid, to 100. Versions without --offline answer with their usage.
	said, err = exec.CommandContext(t.Context(), program, "security", "--offline=yes", "--no-pager", "--threshold=15", path).CombinedOutput()
	if !strings.Contains(string(said), "unrecognized option") {
		require.NoError(t, err, "%s", said)
	}
}
