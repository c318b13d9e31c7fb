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
	"MemoryDenyWriteExecute": "yes", "User": "shop",
}

func TestUnits(t *testing.T) {
	for _, service := range []string{"storefront", "admin"} {
		t.Run(service, func(t *testing.T) {
			options, err := unit.DeserializeOptions(strings.NewReader(read(t, "deploy/systemd", service+".service")))
			require.NoError(t, err)
			has := map[string]string{}
			for _, o := range options {
				if o.Section == "Service" {
					has[o.Name] = o.Value
				}
			}
			for name, value := range hardened {
				require.Contains(t, has, name)
				require.Equal(t, value, has[name], name)
			}
			require.NotEmpty(t, has["WatchdogSec"])
			require.Equal(t, "/opt/shop/bin/"+service+" --config /opt/shop/deploy/"+service+"/config.yaml", has["ExecStart"])
			require.Equal(t, "/etc/shop/"+service+".env", has["EnvironmentFile"])
			verify(t, service)
		})
	}
}

// verify asks systemd itself, where it is installed. It finds directives that do not exist; that the program is not
// installed here is no fault of the unit.
func verify(t *testing.T, service string) {
	t.Helper()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		return
	}
	path := filepath.Join(checkout, "deploy/systemd", service+".service")
	said, _ := exec.CommandContext(t.Context(), program, "verify", "--man=no", path).CombinedOutput()
	for line := range strings.Lines(string(said)) {
		require.NotContains(t, line, "Unknown", "systemd-analyze")
	}
}
