package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

type keyed struct {
	Listen string `key:"listen"`
	Token  struct {
		Headers []string `key:"headers" default:"X-A"`
	} `key:"token"`
	MySQL struct {
		MaxOpen int `key:"max-open" default:"3"`
	} `key:"mysql"`
}

func TestStrays(t *testing.T) {
	got := UnknownVariables[keyed]("SHOPPE", []string{
		"HOME=/", "SHOPPE_LISTEN=:1", "SHOPPE_MYSQL_MAX_OPEN=3", "SHOPPE_MYSQL_MAXOPEN=hidden", "SHOPPE_TOKEN_HEADER=",
		"SHOPPE_LISTNE=:2", "SHOPPES_LISTEN=:3", "SHOPPE_CONFIG=/etc/x",
		"SHOPPE_SERVICE_HOST=10.0.0.1", "SHOPPE_SERVICE_PORT=80", "SHOPPE_SERVICE_PORT_HTTP=80", "SHOPPE_PORT=tcp://10.0.0.1:80",
		"SHOPPE_PORT_80_TCP=tcp://10.0.0.1:80", "SHOPPE_PORT_80_TCP_PROTO=tcp", "SHOPPE_PORT_80_TCP_PORT=80",
		"SHOPPE_PORT_80_TCP_ADDR=10.0.0.1", "SHOPPE_DB_SERVICE_HOST=10.0.0.2", "SHOPPE_DB_PORT=tcp://10.0.0.2:3306",
	})
	require.Equal(t, []UnknownVariable{
		{"SHOPPE_LISTNE", "SHOPPE_LISTEN"},
		{"SHOPPE_MYSQL_MAXOPEN", "SHOPPE_MYSQL_MAX_OPEN"},
		{"SHOPPE_TOKEN_HEADER", "SHOPPE_TOKEN_HEADERS"},
	}, got)
	require.Equal(t, []UnknownVariable{{"SHOPPE_PORT", "SHOPPE_LISTEN"}},
		UnknownVariables[keyed]("SHOPPE", []string{"SHOPPE_PORT=8080"}),
		"a port that a person has set")
}

func TestAnEmptyVariableEmptiesAList(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(file, []byte("token: {headers: [X-B]}\nmysql: {max-open: 7}\n"), 0o600))
	for _, source := range []string{"", file} {
		t.Setenv("SHOPPE_TOKEN_HEADERS", "")
		t.Setenv("SHOPPE_MYSQL_MAX_OPEN", "")
		c, err := Load[keyed](source, "SHOPPE")
		require.NoError(t, err)
		require.Empty(t, c.Token.Headers)
		require.NotZero(t, c.MySQL.MaxOpen, "what is no list stays as it was")
	}
}

func TestTheFileOfAProgram(t *testing.T) {
	folder := t.TempDir()
	inside := filepath.Join(folder, "a", "b")
	require.NoError(t, os.MkdirAll(inside, 0o700))
	require.Empty(t, above(inside, "deploy/none.yaml"))
	file := filepath.Join(folder, "some.yaml")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Equal(t, file, above(inside, "some.yaml"))
	require.NoError(t, os.Mkdir(filepath.Join(inside, "some.yaml"), 0o700))
	require.Equal(t, file, above(inside, "some.yaml"), "a folder is no file")
	t.Setenv("SHOPPE_CONFIG", "/etc/shop.yaml")
	require.Equal(t, "/etc/shop.yaml", File("SHOPPE", "some.yaml"))
	t.Setenv("SHOPPE_CONFIG", "")
	require.Empty(t, File("SHOPPE", "no/such/file.yaml"))
}

func TestAVariableMayNameAFileWithTheValue(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	t.Setenv("SHOPPE_LISTEN_FILE", write("listen", ":7\r\n"))
	t.Setenv("SHOPPE_TOKEN_HEADERS_FILE", write("headers", "X-B,X-C"))
	c, err := Load[keyed](write("config.yaml", "listen: ':8'\n"), "SHOPPE")
	require.NoError(t, err)
	require.Equal(t, ":7", c.Listen, "before the configuration file, without the end of the line")
	require.Equal(t, []string{"X-B", "X-C"}, c.Token.Headers)
	require.Empty(t, UnknownVariables[keyed]("SHOPPE", []string{"SHOPPE_LISTEN_FILE=" + folder}))

	t.Setenv("SHOPPE_LISTEN", ":9")
	t.Setenv("SHOPPE_MYSQL_MAX_OPEN_FILE", filepath.Join(folder, "none"))
	t.Setenv("SHOPPE_TOKEN_HEADERS_FILE", "")
	_, err = Load[keyed]("", "SHOPPE")
	var wrong ValidationErrors
	require.ErrorAs(t, err, &wrong)
	require.Len(t, wrong, 2)
	require.Equal(t, "listen: set one of SHOPPE_LISTEN and SHOPPE_LISTEN_FILE, not both", wrong[0])
	require.Contains(t, wrong[1], "mysql.max-open: the file that SHOPPE_MYSQL_MAX_OPEN_FILE names cannot be read")
}

func TestAKeyThatEndsInFileIsItself(t *testing.T) {
	type sent struct {
		SMS  string `key:"sms"`
		File string `key:"sms.file"`
	}
	t.Setenv("SHOPPE_SMS_FILE", "messages.log")
	c, err := Load[sent]("", "SHOPPE")
	require.NoError(t, err)
	require.Equal(t, sent{File: "messages.log"}, c)
}
