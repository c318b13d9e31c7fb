package manifests

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// caddy runs a command of Caddy, which SHOP_CADDY names or the machine has; found is false where there is none.
func caddy(t *testing.T, environment []string, args ...string) (said []byte, found bool) {
	t.Helper()
	program := os.Getenv("SHOP_CADDY")
	if program == "" {
		var err error
		if program, err = exec.LookPath("caddy"); err != nil {
			t.Log("Caddy is not installed (SHOP_CADDY names another place): its files are looked at, not read by it")
			return nil, false
		}
	}
	cmd := exec.CommandContext(t.Context(), program, append(args, "--adapter", "caddyfile")...)
	cmd.Env = append(os.Environ(), append([]string{"XDG_DATA_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir()}, environment...)...)
	said, err := cmd.Output()
	require.NoError(t, err, "caddy %v", args)
	return said, true
}

// proxied is the part of Caddy's configuration that the tests look at.
type proxied struct {
	Apps struct {
		HTTP struct {
			Servers map[string]struct {
				Listen []string `json:"listen"`
				Routes []struct {
					Match []struct {
						Host []string `json:"host"`
					} `json:"match"`
					Handle json.RawMessage `json:"handle"`
				} `json:"routes"`
			} `json:"servers"`
		} `json:"http"`
		TLS struct {
			Certificates struct {
				Files []struct {
					Certificate string `json:"certificate"`
					Key         string `json:"key"`
				} `json:"load_files"`
			} `json:"certificates"`
		} `json:"tls"`
	} `json:"apps"`
}

// leads requires that a proxy serves a name, the shop at port 443 and the administration at 8443, and returns the rest.
func leads(t *testing.T, text []byte, host, storefront, admin string) (p proxied) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &p))
	at := map[string]string{}
	for _, s := range p.Apps.HTTP.Servers {
		for _, r := range s.Routes {
			require.Equal(t, []string{host}, r.Match[0].Host)
			at[s.Listen[0]] = string(r.Handle)
		}
	}
	require.Len(t, at, 2)
	require.Regexp(t, storefront, at[":443"])
	require.Regexp(t, admin, at[":8443"])
	return p
}

// TestProxy has Caddy read its file with each kind of certificate.
func TestProxy(t *testing.T) {
	const storefront, admin = `"name":"storefront","port":"8080"`, `"name":"admin","port":"8081"`
	file := filepath.Join(checkout, "deploy/Caddyfile")
	for url, host := range map[string]string{"": "localhost", "https://localhost": "localhost", "https://shop.example.com": "shop.example.com"} {
		var environment []string
		if url != "" {
			environment = []string{"SHOP_URL=" + url, "SHOP_TLS="}
		}
		text, found := caddy(t, environment, "adapt", "--config", file)
		if !found {
			return
		}
		require.Empty(t, leads(t, text, host, storefront, admin).Apps.TLS.Certificates.Files, "it gets the certificate by itself")
		_, _ = caddy(t, environment, "validate", "--config", file)
	}
	own := regexp.MustCompile(`(?m)^#SHOP_TLS='(.+)'$`).FindStringSubmatch(read(t, "deploy/settings.env.example"))
	require.NotNil(t, own, "the example names a certificate of one's own")
	text, _ := caddy(t, []string{"SHOP_URL=https://shop.example.com", "SHOP_TLS=" + own[1]}, "adapt", "--config", file)
	files := leads(t, text, "shop.example.com", storefront, admin).Apps.TLS.Certificates.Files
	require.Len(t, files, 1)
	require.Equal(t, "/run/secrets/tls.crt", files[0].Certificate)
	require.Equal(t, "/run/secrets/tls.key", files[0].Key)
}

// TestProxyOfAHost is about the file for a machine without containers.
func TestProxyOfAHost(t *testing.T) {
	file := filepath.Join(checkout, "deploy/Caddyfile.host")
	text, found := caddy(t, nil, "adapt", "--config", file)
	if !found {
		return
	}
	leads(t, text, "shop.example.com", `"dial":"127.0.0.1:8080"`, `"dial":"127.0.0.1:8081"`)
	_, _ = caddy(t, nil, "validate", "--config", file)
}
