package manifests

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	label "k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// monitor is the part of the Prometheus operator's ServiceMonitor that the shop uses; its types are in none of
// Kubernetes' own packages.
type monitor struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`

	Spec struct {
		Selector  meta.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port          string `json:"port"`
			Path          string `json:"path"`
			Interval      string `json:"interval"`
			ScrapeTimeout string `json:"scrapeTimeout"`
		} `json:"endpoints"`
	} `json:"spec"`
}

// cluster are the objects of an overlay.
type cluster struct {
	deployments map[string]*apps.Deployment
	scalers     map[string]*autoscaling.HorizontalPodAutoscaler
	budgets     map[string]*policy.PodDisruptionBudget
	configs     map[string]*core.ConfigMap
	services    map[string]*core.Service
	accounts    map[string]*core.ServiceAccount
	jobs        map[string]*batch.Job
	policies    map[string]*networking.NetworkPolicy
	monitors    map[string]*monitor
	ingresses   map[string]*networking.Ingress
	gateways    map[string]*gateway
	routes      map[string]*route
}

// render builds the overlay of a folder and decodes each object into the type of its kind: an unknown field, a wrong type or a kind
// that nobody expects fails the test. Kustomize's own objects, secrets among them, are not expected.
func render(t *testing.T, dir string) *cluster {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	require.NoError(t, err)
	c := &cluster{
		map[string]*apps.Deployment{},
		map[string]*autoscaling.HorizontalPodAutoscaler{},
		map[string]*policy.PodDisruptionBudget{},
		map[string]*core.ConfigMap{},
		map[string]*core.Service{},
		map[string]*core.ServiceAccount{},
		map[string]*batch.Job{},
		map[string]*networking.NetworkPolicy{},
		map[string]*monitor{},
		map[string]*networking.Ingress{},
		map[string]*gateway{},
		map[string]*route{},
	}
	for _, r := range built.Resources() {
		text, err := r.MarshalJSON()
		require.NoError(t, err)
		into := map[string]func() error{
			"apps/v1 Deployment":                      func() error { return decode(text, c.deployments, r.GetName()) },
			"autoscaling/v2 HorizontalPodAutoscaler":  func() error { return decode(text, c.scalers, r.GetName()) },
			"policy/v1 PodDisruptionBudget":           func() error { return decode(text, c.budgets, r.GetName()) },
			"v1 ConfigMap":                            func() error { return decode(text, c.configs, r.GetName()) },
			"v1 Service":                              func() error { return decode(text, c.services, r.GetName()) },
			"v1 ServiceAccount":                       func() error { return decode(text, c.accounts, r.GetName()) },
			"batch/v1 Job":                            func() error { return decode(text, c.jobs, r.GetName()) },
			"networking.k8s.io/v1 NetworkPolicy":      func() error { return decode(text, c.policies, r.GetName()) },
			"monitoring.coreos.com/v1 ServiceMonitor": func() error { return decode(text, c.monitors, r.GetName()) },
			"networking.k8s.io/v1 Ingress":            func() error { return decode(text, c.ingresses, r.GetName()) },
			"gateway.networking.k8s.io/v1 Gateway":    func() error { return decode(text, c.gateways, r.GetName()) },
			"gateway.networking.k8s.io/v1 HTTPRoute":  func() error { return decode(text, c.routes, r.GetName()) },
		}[r.GetApiVersion()+" "+r.GetKind()]
		require.NotNil(t, into, "%s %s is not expected", r.GetKind(), r.GetName())
		require.NoError(t, into(), "%s %s", r.GetKind(), r.GetName())
		require.Equal(t, "shop", r.GetNamespace(), "%s %s", r.GetKind(), r.GetName())
	}
	return c
}

func decode[T any](text []byte, all map[string]*T, name string) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	all[name] = new(T)
	return d.Decode(all[name])
}

func TestKubernetes(t *testing.T) {
	for _, overlay := range []string{"base", "overlays/small", "overlays/large", "overlays/example"} {
		t.Run(overlay, func(t *testing.T) {
			c := render(t, filepath.Join(checkout, "deploy/kubernetes", overlay))
			for _, name := range []string{"storefront", "admin"} {
				d := c.deployments[name]
				require.NotNil(t, d, name)
				c.checkPod(t, name, d.Spec.Template)
				checkServing(t, name, d)
				c.checkReached(t, name, d.Spec.Template)
				c.checkScaling(t, name, d)
			}
			setup := c.setup(t)
			c.checkPod(t, "setup", setup.Spec.Template)
			require.NotNil(t, setup.Spec.ActiveDeadlineSeconds)
			c.checkLabels(t)
			c.checkPrograms(t)
			for name, config := range c.configs {
				for variable := range config.Data {
					knows(t, "config map "+name, variable)
				}
			}
		})
	}
}

// checkPod looks at what every program must be restricted by, and at the names that it refers to.
func (c *cluster) checkPod(t *testing.T, name string, pod core.PodTemplateSpec) {
	t.Helper()
	require.Contains(t, c.accounts, pod.Spec.ServiceAccountName, name)
	require.False(t, *pod.Spec.AutomountServiceAccountToken, "%s does not talk to the cluster", name)
	require.True(t, *pod.Spec.SecurityContext.RunAsNonRoot, name)
	require.Positive(t, *pod.Spec.SecurityContext.RunAsUser, name)
	require.Equal(t, core.SeccompProfileTypeRuntimeDefault, pod.Spec.SecurityContext.SeccompProfile.Type, name)
	require.Len(t, pod.Spec.Containers, 1, name)
	p := pod.Spec.Containers[0]
	require.False(t, *p.SecurityContext.AllowPrivilegeEscalation, name)
	require.True(t, *p.SecurityContext.ReadOnlyRootFilesystem, name)
	require.Equal(t, []core.Capability{"ALL"}, p.SecurityContext.Capabilities.Drop, name)
	require.Positive(t, p.Resources.Requests.Cpu().MilliValue(), name)
	require.Positive(t, p.Resources.Requests.Memory().Value(), name)
	require.Positive(t, p.Resources.Limits.Memory().Value(), name)
	require.False(t, *pod.Spec.EnableServiceLinks, "%s is given no variables of other services", name)
	for _, from := range p.EnvFrom {
		require.Contains(t, c.configs, from.ConfigMapRef.Name, name)
	}
	files := map[string]bool{}
	for _, m := range p.VolumeMounts {
		at := slices.IndexFunc(pod.Spec.Volumes, func(v core.Volume) bool { return v.Name == m.Name })
		require.GreaterOrEqual(t, at, 0, m.Name)
		if secret := pod.Spec.Volumes[at].Secret; secret != nil {
			require.Equal(t, "shop", secret.SecretName)
			require.NotEmpty(t, secret.Items, "%s is given the secrets that it needs, not all", name)
			for _, item := range secret.Items {
				require.Contains(t, created(t), item.Key, "install.md puts it into the secret")
				files[filepath.Join(m.MountPath, item.Path)] = true
			}
		}
	}
	for _, v := range p.Env {
		knows(t, name, v.Name)
		if file, ok := strings.CutSuffix(v.Name, "_FILE"); ok {
			require.True(t, files[v.Value], "%s: the file of %s is not mounted", name, file)
			delete(files, v.Value)
		}
	}
	require.Empty(t, files, "%s is given secrets that it does not use", name)
}

// checkServing looks at what a program needs that answers requests: its probes ask the operations port, and it is given
// the time to finish what it has begun and the bound of its memory.
func checkServing(t *testing.T, name string, d *apps.Deployment) {
	t.Helper()
	p := d.Spec.Template.Spec.Containers[0]
	for probe, path := range map[*core.Probe]string{
		p.StartupProbe: "/healthz", p.LivenessProbe: "/healthz", p.ReadinessProbe: "/readyz",
	} {
		require.NotNil(t, probe, "%s lacks the probe of %s", name, path)
		require.Equal(t, "ops", probe.HTTPGet.Port.StrVal, name)
		require.Equal(t, path, probe.HTTPGet.Path, name)
	}
	const delay, requests = 5, 20 // stop.delay and the longest request
	require.Greater(t, *d.Spec.Template.Spec.TerminationGracePeriodSeconds, int64(delay+requests), name)
	require.Zero(t, d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue(), "%s: a new replica is ready before an old one goes", name)
	require.Equal(t, []string{"--strict"}, p.Args, name)
	require.Nil(t, d.Spec.Replicas, "%s: the autoscaler owns the number", name)
	require.NotEmpty(t, d.Spec.Template.Spec.TopologySpreadConstraints, "%s is spread over nodes", name)
	for _, spread := range d.Spec.Template.Spec.TopologySpreadConstraints {
		require.True(t, selects(t, spread.LabelSelector, d.Spec.Template.Labels), name)
	}
	require.True(t, selects(t, d.Spec.Selector, d.Spec.Template.Labels), name)
	at := slices.IndexFunc(p.Env, func(v core.EnvVar) bool { return v.Name == "GOMEMLIMIT" })
	require.GreaterOrEqual(t, at, 0, name)
	bound, limit := resource.MustParse(strings.TrimSuffix(p.Env[at].Value, "B")), p.Resources.Limits.Memory()
	share := float64(bound.Value()) / float64(limit.Value())
	require.InDelta(t, 0.9, share, 0.02, "%s: GOMEMLIMIT is nine tenths of the limit", name)
}

// checkReached looks at who may reach a service: clients its port, Prometheus the operations port, nobody else anything.
func (c *cluster) checkReached(t *testing.T, name string, pod core.PodTemplateSpec) {
	t.Helper()
	ports := map[string]bool{}
	for _, p := range pod.Spec.Containers[0].Ports {
		ports[p.Name] = true
	}
	require.Equal(t, map[string]bool{"http": true, "ops": true}, ports, name)
	var monitored, opened []string
	for _, s := range c.services {
		if !selects(t, &meta.LabelSelector{MatchLabels: s.Spec.Selector}, pod.Labels) {
			continue
		}
		for _, p := range s.Spec.Ports {
			require.True(t, ports[p.TargetPort.StrVal], "service %s has an unknown port %s", s.Name, p.TargetPort.StrVal)
			for _, m := range c.monitors {
				if selects(t, &m.Spec.Selector, s.Labels) && m.Spec.Endpoints[0].Port == p.Name {
					monitored = append(monitored, p.Name)
				}
			}
		}
	}
	require.Equal(t, []string{"ops"}, monitored, "%s is watched", name)
	closed := false
	for _, n := range c.policies {
		if !selects(t, &n.Spec.PodSelector, pod.Labels) {
			continue
		}
		closed = closed || len(n.Spec.Ingress) == 0
		for _, rule := range n.Spec.Ingress {
			require.NotEmpty(t, rule.From, "%s opens to everybody", n.Name)
			for _, p := range rule.Ports {
				opened = append(opened, p.Port.StrVal)
			}
		}
	}
	require.True(t, closed, "%s is closed to all that is not named", name)
	slices.Sort(opened)
	require.Equal(t, []string{"http", "ops"}, opened, name)
}

// checkScaling looks at the autoscaler, and at the budget, which lets a node be drained and leaves a replica.
func (c *cluster) checkScaling(t *testing.T, name string, d *apps.Deployment) {
	t.Helper()
	s := c.scalers[name]
	require.NotNil(t, s, name)
	require.Equal(t, autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name}, s.Spec.ScaleTargetRef)
	require.Greater(t, s.Spec.MaxReplicas, *s.Spec.MinReplicas, name)
	b := c.budgets[name]
	if *s.Spec.MinReplicas == 1 {
		require.Nil(t, b, "%s: a budget would keep the node of the only replica from being drained", name)
		return
	}
	require.NotNil(t, b, name)
	require.True(t, selects(t, b.Spec.Selector, d.Spec.Template.Labels), name)
	require.Equal(t, 1, b.Spec.MaxUnavailable.IntValue(), name)
}

func selects(t *testing.T, s *meta.LabelSelector, labels map[string]string) bool {
	t.Helper()
	selector, err := meta.LabelSelectorAsSelector(s)
	require.NoError(t, err)
	return selector.Matches(label.Set(labels))
}
