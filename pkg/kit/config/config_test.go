package config_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/config"
)

type shared struct {
	Listen string `key:"listen" validate:"required"`
	Log    struct {
		Level slog.Level `key:"level"`
	} `key:"log"`
}

type sample struct {
	shared
	MySQL struct {
		DSN     string `key:"dsn" validate:"required"`
		MaxOpen int    `key:"max-open" validate:"min=1,max=500" default:"20"`
	} `key:"mysql"`
	Token struct {
		Lifetime time.Duration `key:"lifetime" default:"24h"`
		Headers  []string      `key:"headers"`
	} `key:"token"`
	Shop struct {
		Language string `key:"language" validate:"oneof=zh en" default:"zh"`
	} `key:"shop"`
	Limits struct {
		Body config.Size `key:"body"`
	} `key:"limits"`
	Secrets struct {
		Codes string `key:"codes" validate:"omitempty,secret"`
	} `key:"secrets"`
	Demo bool `key:"demo"`
}

func (s *sample) Validate() []string {
	if s.Demo && s.Shop.Language == "en" {
		return []string{"demo: is Chinese"}
	}
	return nil
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

const good = `
listen: ":8080"
log: {level: warn}
mysql: {dsn: "shop:shop@tcp(db)/shop", max-open: 30}
token: {lifetime: 90m, headers: [X-A, X-B]}
limits: {body: 1MiB}
demo: true
`

func TestTheFileFillsTheStruct(t *testing.T) {
	c, err := config.Load[sample](file(t, good), "KITTEST")
	require.NoError(t, err)
	require.Equal(t, ":8080", c.Listen)
	require.Equal(t, slog.LevelWarn, c.Log.Level)
	require.Equal(t, 30, c.MySQL.MaxOpen)
	require.Equal(t, 90*time.Minute, c.Token.Lifetime)
	require.Equal(t, []string{"X-A", "X-B"}, c.Token.Headers)
	require.Equal(t, config.Size(1<<20), c.Limits.Body)
	require.Equal(t, "zh", c.Shop.Language, "the default of a key that nobody names")
	require.True(t, c.Demo)
}

func TestTheEnvironmentOverridesAlsoWhatTheFileLacks(t *testing.T) {
	for name, value := range map[string]string{
		"KITTEST_LISTEN": ":9", "KITTEST_MYSQL_DSN": "from the environment", "KITTEST_MYSQL_MAX_OPEN": "7",
		"KITTEST_TOKEN_LIFETIME": "5s", "KITTEST_TOKEN_HEADERS": "X-C, X-D,", "KITTEST_LIMITS_BODY": "64K",
		"KITTEST_LOG_LEVEL": "debug", "KITTEST_DEMO": "true", "KITTEST_SHOP_LANGUAGE": "",
		"KITTEST_SERVICE_HOST": "10.0.0.1",
	} {
		t.Setenv(name, value)
	}
	for _, source := range []string{"", file(t, "listen: ':8080'\nlimits: {body: 3}\n"), file(t, good)} {
		c, err := config.Load[sample](source, "KITTEST")
		require.NoError(t, err)
		require.Equal(t, ":9", c.Listen)
		require.Equal(t, "from the environment", c.MySQL.DSN)
		require.Equal(t, 7, c.MySQL.MaxOpen)
		require.Equal(t, 5*time.Second, c.Token.Lifetime)
		require.Equal(t, []string{"X-C", "X-D"}, c.Token.Headers)
		require.Equal(t, config.Size(64<<10), c.Limits.Body)
		require.Equal(t, slog.LevelDebug, c.Log.Level)
		require.Equal(t, "zh", c.Shop.Language, "a variable that is set but empty counts as not set")
		require.True(t, c.Demo)
	}
}

func TestAllMistakesAreToldAtOnceAndNoValue(t *testing.T) {
	err := config.Check[sample](file(t, `
listen: ""
lissten: ":8080"
mysql: {dsn: "", max-open: hidden-1, max-idle: 2}
token: {lifetime: 90}
shop: {language: hidden-2}
limits: {body: hidden-3}
log: {level: hidden-4}
secrets: {codes: hidden-5}
`), "KITTEST")
	var mistakes config.ValidationErrors
	require.ErrorAs(t, err, &mistakes)
	require.ElementsMatch(t, []string{
		"lissten: unknown key",
		"mysql.max-idle: unknown key",
		"listen: is missing",
		"mysql.dsn: is missing",
		"mysql.max-open: not a whole number",
		"token.lifetime: not a duration such as 30s or 24h",
		"shop.language: is none of zh, en",
		"limits.body: not a size such as 64K or 1MiB",
		"log.level: not a word that can be read here",
		"secrets.codes: needs at least 32 random bytes; values from examples are refused",
	}, []string(mistakes))
	require.NotContains(t, err.Error(), "hidden")
}

func TestRulesAcrossKeys(t *testing.T) {
	err := config.Check[sample](file(t, good+"shop: {language: en}\n"), "KITTEST")
	require.ErrorContains(t, err, "demo: is Chinese")
}

func TestSecrets(t *testing.T) {
	tests := map[string]struct {
		secret string
		good   bool
	}{
		"none, where it is optional": {"", true},
		"random":                     {"Zk3vR8qLw1TnYc6XbPf0hGd7sJm2uEa9", true},
		"31 bytes":                   {"Zk3vR8qLw1TnYc6XbPf0hGd7sJm2uEa", false},
		"of an example":              {"please-CHANGE-ME-before-you-go-live-1", false},
		"the alphabet":               {"abcdefghijklmnopqrstuvwxyz012345", false},
		"one character":              {strings.Repeat("x", 64), false},
		"few characters":             {strings.Repeat("01234567", 8), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KITTEST_SECRETS_CODES", tt.secret)
			err := config.Check[sample](file(t, good), "KITTEST")
			if tt.good {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "secrets.codes")
			require.NotContains(t, err.Error(), tt.secret)
		})
	}
}

func TestAMissingOrBrokenFile(t *testing.T) {
	_, err := config.Load[sample](filepath.Join(t.TempDir(), "none.yaml"), "KITTEST")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, config.Check[sample](file(t, "listen: [\n"), "KITTEST"), "read the configuration")
}

func TestADeclarationWithoutKeyStopsTheStart(t *testing.T) {
	type wrong struct{ Listen string }
	require.Panics(t, func() { _, _ = config.Load[wrong]("", "KITTEST") })
}

func TestSize(t *testing.T) {
	for text, want := range map[string]config.Size{
		"0": 0, "1048576": 1 << 20, "64K": 64 << 10, " 1 MiB ": 1 << 20, "10MB": 10 << 20, "2g": 2 << 30, "7B": 7,
	} {
		var s config.Size
		require.NoError(t, s.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, s, text)
	}
	for _, text := range []string{"", "-1", "1.5M", "MiB", "1T", "9999999999999G"} {
		var s config.Size
		require.Error(t, s.UnmarshalText([]byte(text)), text)
	}
	require.Equal(t, "1MiB", config.Size(1<<20).String())
	require.Equal(t, "65537", config.Size(65537).String())
}
