package manifests

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/stretchr/testify/require"
)

func TestImages(t *testing.T) {
	for _, service := range []string{"storefront", "admin"} {
		t.Run(service, func(t *testing.T) {
			parsed, err := parser.Parse(strings.NewReader(read(t, "deploy", service, "Dockerfile")))
			require.NoError(t, err)
			require.Empty(t, parsed.Warnings)
			stages, _, err := instructions.Parse(parsed.AST, nil)
			require.NoError(t, err)
			require.Len(t, stages, 2, "one to build in, one to run")
			for _, s := range stages {
				checkStage(t, s)
			}
			build, image := stages[0], stages[1]
			require.Equal(t, "scratch", image.BaseName, "nothing but the program")
			require.Contains(t, read(t, "go.work"), "go "+goOf(build.BaseName), "the Go of the project")
			checkImage(t, service, image)
			checkModules(t, build)
		})
	}
}

// An engine that has built one image takes the first stage of the other one from its cache.
func TestImagesShareTheirBuild(t *testing.T) {
	build := func(service string) string {
		parts := strings.SplitAfter(read(t, "deploy", service, "Dockerfile"), "FROM ")
		require.Len(t, parts, 3)
		return parts[1]
	}
	require.Equal(t, build("storefront"), build("admin"))
}

// goOf is the version of Go in a name such as golang:1.26-bookworm.
func goOf(image string) string {
	version, _, _ := strings.Cut(strings.TrimPrefix(image, "golang:"), "-")
	return version
}

func checkStage(t *testing.T, s instructions.Stage) {
	t.Helper()
	require.True(t, s.BaseName == "scratch" || strings.Contains(s.BaseName, ":") && !strings.HasSuffix(s.BaseName, ":latest"),
		"%s has no version", s.BaseName)
	for _, c := range s.Commands {
		require.NotEqual(t, "add", c.Name(), "COPY, which downloads and unpacks nothing")
		if c, ok := c.(*instructions.CopyCommand); ok && c.From == "" {
			for _, from := range c.SourcePaths {
				_, err := os.Stat(filepath.Join(checkout, from))
				require.NoError(t, err, "a part of the checkout")
			}
		}
	}
}

// checkImage looks at how the program runs: as nobody in particular, healthy or not, without a shell.
func checkImage(t *testing.T, service string, s instructions.Stage) {
	t.Helper()
	var user, health, entry string
	for _, c := range s.Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.HealthCheckCommand:
			health = strings.Join(c.Health.Test, " ")
		case *instructions.EntrypointCommand:
			require.False(t, c.PrependShell)
			entry = strings.Join(c.CmdLine, " ")
		case *instructions.EnvCommand:
			for _, v := range c.Env {
				knows(t, "the image of "+service, v.Key)
			}
		}
	}
	require.Regexp(t, `^[1-9]\d*:[1-9]\d*$`, user, "a number, which Kubernetes can tell from root")
	require.Equal(t, "CMD "+service+" --healthy", health)
	require.Equal(t, service, entry)
}

// checkModules requires the module files of the whole workspace before the download of its dependencies, so that this
// layer is built again only if they change.
func checkModules(t *testing.T, s instructions.Stage) {
	t.Helper()
	var copied []string
	for _, c := range s.Commands {
		switch c := c.(type) {
		case *instructions.CopyCommand:
			copied = append(copied, c.SourcePaths...)
		case *instructions.RunCommand:
			if slices.Contains(c.CmdLine, "go mod download") {
				for line := range strings.Lines(read(t, "go.work")) {
					if dir, ok := strings.CutPrefix(strings.TrimSpace(line), "./"); ok {
						require.Contains(t, copied, dir+"/go.mod")
						require.Contains(t, copied, dir+"/go.sum")
					}
				}
				return
			}
		}
	}
	require.Fail(t, "no instruction downloads the modules")
}
