package program

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/config"
)

type settings struct {
	Folder string `key:"folder"`
}

func TestStart(t *testing.T) {
	broken := errors.New("mysql.dsn: is missing")
	tests := map[string]struct {
		args []string
		load error
		run  error
		want error
		out  string
		ran  bool
	}{
		"serves":                   {nil, nil, nil, nil, "", true},
		"serves until it is told":  {nil, nil, context.Canceled, nil, "", true},
		"fails while serving":      {nil, nil, broken, broken, "", true},
		"a bad configuration":      {nil, broken, nil, broken, "", false},
		"checks a configuration":   {[]string{"--check-config"}, nil, nil, nil, "the configuration is good\n", false},
		"checks a bad one":         {[]string{"--check-config"}, broken, nil, broken, "", false},
		"is strict, all is known":  {[]string{"--strict"}, nil, nil, nil, "", true},
		"checks strictly":          {[]string{"--check-config", "--strict"}, nil, nil, nil, "the configuration is good\n", false},
		"describes without one":    {[]string{"--openapi"}, broken, nil, nil, "{}", false},
		"a flag that nobody knows": {[]string{"--nonsense"}, nil, nil, errFlags, "", false},
		"a word that is no flag":   {[]string{"serve"}, nil, nil, errFlags, "", false},
		"tells its version":        {[]string{"-version"}, broken, nil, nil, "test " + About() + "\n", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TEST_CONFIG", "/etc/file.yaml")
			ran := false
			p := Program[settings]{
				Name: "test", Config: "file.yaml", Prefix: "TEST",
				Load: func(file string) (settings, error) {
					require.Equal(t, "/etc/file.yaml", file)
					return settings{Folder: "x"}, tt.load
				},
				Describe: func(w io.Writer) error {
					_, err := io.WriteString(w, "{}")
					return err
				},
				Run: func(_ context.Context, c settings, d Deps) error {
					require.Equal(t, settings{Folder: "x"}, c)
					require.Equal(t, Start{Version: Version(), File: "/etc/file.yaml"}, d.Start)
					require.Equal(t, time.UTC, d.Now().Location())
					require.Zero(t, d.Now().Nanosecond()%int(time.Millisecond))
					ran = true
					return tt.run
				},
			}
			var out bytes.Buffer
			require.ErrorIs(t, p.start(t.Context(), tt.args, &out, io.Discard), tt.want)
			require.Equal(t, tt.out, out.String())
			require.Equal(t, tt.ran, ran)
		})
	}
}

// An unusable resource is reported like a configuration mistake, and a misspelled variable is one only if --strict asks for it.
func TestWhatTheMachineLacks(t *testing.T) {
	t.Setenv("TEST_FOLDRE", "hidden")
	wrong := []string{"folder: cannot be written"}
	p := Program[settings]{
		Name: "test", Prefix: "TEST",
		Load:  func(string) (settings, error) { return settings{}, nil },
		Check: func(settings) []string { return wrong },
		Run:   func(context.Context, settings, Deps) error { return errors.New("must not run") },
	}
	var out, stderr bytes.Buffer
	for _, args := range [][]string{nil, {"--check-config"}} {
		require.ErrorContains(t, p.start(t.Context(), args, &out, &stderr), "folder: cannot be written")
	}
	wrong = nil
	for _, args := range [][]string{{"--strict"}, {"--check-config", "--strict"}} {
		stderr.Reset()
		require.ErrorIs(t, p.start(t.Context(), args, &out, &stderr), errStrict, "before it runs")
		require.Empty(t, out.String())
		require.Equal(t, "error: TEST_FOLDRE names no key; the nearest is TEST_FOLDER\n", stderr.String())
	}
	stderr.Reset()
	require.NoError(t, p.start(t.Context(), []string{"--check-config"}, &out, &stderr))
	require.Equal(t, "the configuration is good\n", out.String())
	require.Equal(t, "warning: TEST_FOLDRE names no key; the nearest is TEST_FOLDER\n", stderr.String())

	var log bytes.Buffer
	Start{Version: "v1", File: "f", UnknownVariables: []config.UnknownVariable{{Name: "TEST_FOLDRE", Nearest: "TEST_FOLDER"}}}.
		Log(slog.New(slog.NewTextHandler(&log, nil)))
	require.Contains(t, log.String(), "level=INFO msg=starting version=v1 config=f")
	require.Contains(t, log.String(), "level=WARN")
	require.Contains(t, log.String(), "variable=TEST_FOLDRE nearest=TEST_FOLDER")
}

func TestAbout(t *testing.T) {
	defer func() { version, commit, date = "", "", "" }()
	version = "v1.2.3"
	require.Equal(t, "v1.2.3", About())
	commit, date = "0123456789ab", "2026-11-25"
	require.Equal(t, "v1.2.3 (0123456789ab, 2026-11-25)", About())
	version = "2026-11-25-0123456789ab-dirty"
	require.Equal(t, version, About(), "what the version has is not repeated")
}

// What a plain go build records has the form of what a release is given: never a hash alone.
func TestRecorded(t *testing.T) {
	recordedAs := func(main string, settings ...debug.BuildSetting) string {
		return recorded(&debug.BuildInfo{Main: debug.Module{Version: main}, Settings: settings})
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	at := debug.BuildSetting{Key: "vcs.time", Value: "2026-11-25T10:00:00Z"}
	require.Equal(t, "2026-11-25-0123456789ab", recordedAs("(devel)", commit, at))
	require.Equal(t, "2026-11-25-0123456789ab-dirty", recordedAs("", commit, at, debug.BuildSetting{Key: "vcs.modified", Value: "true"}))
	require.Equal(t, "v1.2.3", recordedAs("v1.2.3"))
	require.Equal(t, "unknown", recordedAs("(devel)", commit))
}
