package manifests

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
)

// kubernetes is the part of install.md about clusters.
func kubernetes(t *testing.T) string {
	t.Helper()
	_, text, found := strings.Cut(read(t, "docs/operate/install.md"), "\n## Kubernetes\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// created are the keys of the secret that install.md creates, each the name of a file. Who runs the shop has those of the
// object store; deploy/secrets.sh makes all others.
func created(t *testing.T) (keys []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`--from-file=shop-secrets/(\S+)`).FindAllStringSubmatch(kubernetes(t), -1) {
		keys = append(keys, m[1])
		if !strings.HasPrefix(m[1], "s3-") {
			require.Contains(t, read(t, "deploy/secrets.sh"), m[1], "deploy/secrets.sh makes it")
		} else {
			require.Contains(t, kubernetes(t), "> shop-secrets/"+m[1], "install.md writes it")
		}
	}
	require.NotEmpty(t, keys)
	return keys
}

// setup is the job of the release.
func (c *cluster) setup(t *testing.T) *batch.Job {
	t.Helper()
	require.Len(t, c.jobs, 1, "tables are migrated once for each release")
	for name, job := range c.jobs {
		require.Regexp(t, "^setup(-|$)", name)
		return job
	}
	return nil
}

// checkLabels requires that the page names the labels of namespaces by which the policies let anybody in.
func (c *cluster) checkLabels(t *testing.T) {
	t.Helper()
	page, found := kubernetes(t), 0
	for _, p := range c.policies {
		for _, rule := range p.Spec.Ingress {
			for _, from := range rule.From {
				for name, value := range from.NamespaceSelector.MatchLabels {
					require.Regexp(t, `kubectl label namespace \S+ `+regexp.QuoteMeta(name+"="+value)+"\n", page, "install.md labels a namespace")
					found++
				}
			}
		}
	}
	require.Equal(t, 2, found)
}

// environment is what the program of a pod is given.
func (c *cluster) environment(pod core.PodSpec) map[string]string {
	all := map[string]string{}
	for _, from := range pod.Containers[0].EnvFrom {
		for name, value := range c.configs[from.ConfigMapRef.Name].Data {
			all[name] = value
		}
	}
	for _, v := range pod.Containers[0].Env {
		all[v.Name] = v.Value
	}
	return all
}

// checkPrograms has both programs check what their pods are given, and shopctl's configuration the program whose it is.
func (c *cluster) checkPrograms(t *testing.T) {
	t.Helper()
	secrets := made(t)
	for _, name := range []string{"s3-access-key", "s3-secret-key"} {
		require.NoError(t, os.WriteFile(filepath.Join(secrets, name), []byte("0123456789abcdef"), 0o600))
	}
	for program, pod := range map[string]core.PodSpec{
		"storefront": c.deployments["storefront"].Spec.Template.Spec, "admin": c.deployments["admin"].Spec.Template.Spec,
	} {
		checks(t, program, c.environment(pod), "/run/secrets/shop", secrets)
	}
	checks(t, "admin", c.environment(c.setup(t).Spec.Template.Spec), "/run/secrets/shop", secrets)
}

// copied is a copy of the overlays in which a text of the example is another one.
func copied(t *testing.T, file string, oldNew ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "kubernetes")
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(checkout, "deploy/kubernetes"))))
	path := filepath.Join(dir, "overlays/example", file)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for old := range slices.Chunk(oldNew, 2) {
		require.Contains(t, string(text), old[0])
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.NewReplacer(oldNew...).Replace(string(text))), 0o600))
	return filepath.Dir(path)
}

// TestAReleaseOverAnotherOne applies the example to what an earlier release or other settings have left in the cluster: what
// cannot be changed there either has a new name or stays as it is.
func TestAReleaseOverAnotherOne(t *testing.T) {
	old := render(t, filepath.Join(checkout, "deploy/kubernetes/overlays/example"))
	require.Equal(t, "setup-v1.0.0", old.setup(t).Name)
	require.Contains(t, kubernetes(t), "job/setup-v1.0.0", "install.md waits for it")

	next := render(t, copied(t, "kustomization.yaml", "newTag: v1.0.0", "newTag: v1.1.0"))
	require.Equal(t, "setup-v1.1.0", next.setup(t).Name)
	require.Equal(t, "registry.example.com/shop/admin:v1.1.0", next.setup(t).Spec.Template.Spec.Containers[0].Image)
	checkOver(t, old, next)

	changed := render(t, copied(t, "admin.env", "=redis.example.com:6379", "=redis2.example.com:6379"))
	require.Equal(t, "setup-v1.0.0", changed.setup(t).Name)
	require.NotEqual(t, old.deployments["admin"].Spec.Template, changed.deployments["admin"].Spec.Template, "it is rolled out")
	require.Equal(t, "redis2.example.com:6379", changed.configs["setup"].Data["ADMIN_REDIS_ADDR"])
	checkOver(t, old, changed)
}

// checkOver looks at the fields that Kubernetes refuses to change.
func checkOver(t *testing.T, old, next *cluster) {
	t.Helper()
	for name, job := range next.jobs {
		if before, found := old.jobs[name]; found {
			require.Equal(t, before.Spec, job.Spec, "the template of a job cannot be changed")
		}
	}
	for name, d := range next.deployments {
		require.Equal(t, old.deployments[name].Spec.Selector, d.Spec.Selector, name)
	}
	for name, s := range next.services {
		require.Equal(t, old.services[name].Spec.ClusterIP, s.Spec.ClusterIP, name)
	}
}
