package manifests

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// gateway and route are the parts of the Gateway API that the example uses; its types are in none of Kubernetes' own
// packages.
type gateway struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`

	Spec struct {
		GatewayClassName string `json:"gatewayClassName"`
		Listeners        []struct {
			Name     string `json:"name"`
			Hostname string `json:"hostname"`
			Protocol string `json:"protocol"`
			Port     int32  `json:"port"`
			TLS      struct {
				CertificateRefs []struct {
					Name string `json:"name"`
				} `json:"certificateRefs"`
			} `json:"tls"`
		} `json:"listeners"`
	} `json:"spec"`
}

type route struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`

	Spec struct {
		ParentRefs []struct {
			Name        string `json:"name"`
			SectionName string `json:"sectionName"`
		} `json:"parentRefs"`
		Hostnames []string `json:"hostnames"`
		Rules     []struct {
			BackendRefs []struct {
				Name string `json:"name"`
				Port int32  `json:"port"`
			} `json:"backendRefs"`
		} `json:"rules"`
	} `json:"spec"`
}

// hosts are the names under which the examples offer the services.
var hosts = map[string]string{"storefront": "shop.example.com", "admin": "admin.shop.example.com"}

// TestIngress requires that the example leads each host to its service, which leads to a port that the policies open.
func TestIngress(t *testing.T) {
	c := render(t, filepath.Join(checkout, "deploy/kubernetes/overlays/example"))
	require.Len(t, c.ingresses, len(hosts))
	for name, host := range hosts {
		spec := c.ingresses[name].Spec
		require.NotNil(t, spec.IngressClassName)
		require.Equal(t, []string{host}, spec.TLS[0].Hosts)
		require.NotEmpty(t, spec.TLS[0].SecretName)
		require.Len(t, spec.Rules, 1)
		require.Equal(t, host, spec.Rules[0].Host)
		require.Len(t, spec.Rules[0].HTTP.Paths, 1, "the shop needs the host of its own")
		path := spec.Rules[0].HTTP.Paths[0]
		require.Equal(t, "/", path.Path)
		require.Equal(t, name, path.Backend.Service.Name)
		require.Equal(t, "http", c.port(t, name, func(p core.ServicePort) bool { return p.Name == path.Backend.Service.Port.Name }))
	}
}

// TestGateway does the same with the example of the Gateway API in place of the Ingress.
func TestGateway(t *testing.T) {
	c := render(t, copied(t, "kustomization.yaml", "ingress.yaml]", "gateway.yaml]"))
	require.Empty(t, c.ingresses)
	require.Len(t, c.routes, len(hosts))
	for name, host := range hosts {
		spec := c.routes[name].Spec
		require.Equal(t, []string{host}, spec.Hostnames)
		parent := c.gateways[spec.ParentRefs[0].Name]
		require.NotNil(t, parent, "the gateway of %s", name)
		found := false
		for _, l := range parent.Spec.Listeners {
			if l.Name == spec.ParentRefs[0].SectionName {
				found = true
				require.Equal(t, host, l.Hostname)
				require.Equal(t, "HTTPS", l.Protocol)
				require.NotEmpty(t, l.TLS.CertificateRefs[0].Name)
			}
		}
		require.True(t, found, "%s names a listener", name)
		to := spec.Rules[0].BackendRefs[0]
		require.Equal(t, name, to.Name)
		require.Equal(t, "http", c.port(t, name, func(p core.ServicePort) bool { return p.Port == to.Port }))
	}
}

// port is that of the pods which a port of a service leads to.
func (c *cluster) port(t *testing.T, service string, is func(core.ServicePort) bool) string {
	t.Helper()
	require.Contains(t, c.services, service)
	for _, p := range c.services[service].Spec.Ports {
		if is(p) {
			return p.TargetPort.StrVal
		}
	}
	require.Fail(t, "a port of the service does not exist", service)
	return ""
}
