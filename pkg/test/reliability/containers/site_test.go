package containers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/stack"
)

// project and version keep the drill apart from a shop that runs on the same engine.
const (
	project = "shop-drill"
	version = "drill"
)

// site is a checkout in which the commands of the page are followed.
type site struct {
	t   *testing.T
	dir string
	// more are the files of Compose after compose.yaml.
	more  []string
	env   []string
	began time.Time
}

// newSite copies what git has of this checkout, with the changes that are not committed.
func newSite(t *testing.T) *site {
	t.Helper()
	root, err := stack.ProjectRoot()
	must(t, err)
	s := &site{t: t, dir: filepath.Join(root, ".local/containers/site"), began: time.Now()}
	must(t, os.RemoveAll(s.dir))
	must(t, os.MkdirAll(s.dir, 0o700))
	copied := exec.CommandContext(t.Context(), "bash", "-c", `set -o pipefail
		git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - 2>/dev/null | tar -x -C "$0"`, s.dir)
	copied.Dir = root
	out, err := copied.CombinedOutput()
	if err != nil {
		t.Fatalf("copy the checkout: %v\n%s", err, out)
	}
	s.env = append(os.Environ(), "COMPOSE_PROJECT_NAME="+project, "VERSION="+version,
		"SHOP_TLS=tls /run/secrets/tls.crt /run/secrets/tls.key") // no authority gives the drill a certificate
	if _, err := s.run(t.Context(), "docker", "buildx", "version"); err != nil {
		s.env = append(s.env, "DOCKER_BUILDKIT=0") // Debian's engine builds in the earlier way
	}
	t.Cleanup(s.remove)
	return s
}

// remove ends the project with its volumes and images, and says how its containers have ended.
func (s *site) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if s.t.Failed() {
		said, _ := s.run(ctx, "docker", s.compose("logs", "--tail", "30")...)
		s.t.Log(said)
	}
	said, err := s.run(ctx, "docker", s.compose("down", "--volumes", "--remove-orphans")...)
	if err == nil {
		said, err = s.run(ctx, "docker", "image", "rm", "shop/storefront:"+version, "shop/admin:"+version)
	}
	if err != nil && !s.t.Failed() {
		s.t.Errorf("the drill cannot be removed: %v\n%s", err, said)
	}
}

func (s *site) run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s%s", program, strings.Join(args, " "), err, out.String(), errs.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// compose are the arguments with which docker runs a command of Compose.
func (s *site) compose(args ...string) []string {
	all := []string{"compose", "-f", "deploy/compose.yaml"}
	for _, file := range s.more {
		all = append(all, "-f", file)
	}
	return append(all, args...)
}

// do runs a command of Compose, and returns what it printed.
func (s *site) do(args ...string) string {
	s.t.Helper()
	said, err := s.run(s.t.Context(), "docker", s.compose(args...)...)
	must(s.t, err)
	return said
}

// inspect returns what the engine says of an image or a container in a template.
func (s *site) inspect(what, template string) string {
	s.t.Helper()
	said, err := s.run(s.t.Context(), "docker", "inspect", "--format", template, what)
	must(s.t, err)
	return said
}

var block = regexp.MustCompile("(?ms)^## One machine, with containers\n.*?^```console\n(.*?)^```$")

// follow runs the commands of the page in one shell, in which a failed command ends it.
func (s *site) follow() string {
	s.t.Helper()
	page, err := os.ReadFile(filepath.Join(s.dir, "docs/operate/install.md"))
	must(s.t, err)
	found := block.FindSubmatch(page)
	if found == nil {
		s.t.Fatal("install.md has no commands for containers")
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 45*time.Minute)
	defer cancel()
	said, err := s.run(ctx, "bash", "-euo", "pipefail", "-c", string(found[1]))
	must(s.t, err)
	return said
}

// container is one of the project.
type container struct {
	ID, Name, Service, State, Health string
	ExitCode                         int
}

// containers lists those of the project, also ended ones.
func (s *site) containers() []container {
	s.t.Helper()
	var list []container
	lines := bufio.NewScanner(strings.NewReader(s.do("ps", "--all", "--no-trunc", "--format", "json")))
	for lines.Scan() {
		var c container
		must(s.t, json.Unmarshal(lines.Bytes(), &c))
		list = append(list, c)
	}
	return list
}

// of lists the containers of a service.
func (s *site) of(service string) (list []container) {
	s.t.Helper()
	for _, c := range s.containers() {
		if c.Service == service {
			list = append(list, c)
		}
	}
	return list
}

func (s *site) say(format string, args ...any) {
	fmt.Printf("%6.1f s  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
