package golden_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/golden"
)

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	errors []string
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func update(t *testing.T, on string) {
	t.Helper()
	require.NoError(t, flag.Set("update", on))
	t.Cleanup(func() { require.NoError(t, flag.Set("update", "false")) })
}

func TestAGoldenFileIsWrittenAndCompared(t *testing.T) {
	t.Chdir(t.TempDir())
	missing := &recorder{TB: t}
	golden.JSON(missing, "area/one", []byte(`{"b":36.00,"a":[]}`))
	require.Len(t, missing.errors, 1)
	require.Contains(t, missing.errors[0], "-update")

	update(t, "true")
	golden.JSON(t, "area/one", []byte(`{"b":36.00,"a":[]}`))
	text, err := os.ReadFile("testdata/area/one.json")
	require.NoError(t, err)
	want := "{\n  \"b\": 36.00,\n  \"a\": []\n}\n"
	require.Equal(t, []byte(want), text, "order, digits and blanks stay")
	update(t, "false")

	golden.JSON(t, "area/one", []byte(` {"b": 36.00, "a": [ ]}`+"\n"))
	for _, other := range []string{`{"b":36.0,"a":[]}`, `{"a":[],"b":36.00}`, `{"b":36.00}`, `not JSON`} {
		r := &recorder{TB: t}
		golden.JSON(r, "area/one", []byte(other))
		require.Len(t, r.errors, 1, other)
	}
}

func TestAValueIsWrittenAsSortedJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	update(t, "true")
	golden.Value(t, "statements", map[string]int{"POST /b": 7, "GET /a": 3})
	text, err := os.ReadFile("testdata/statements.json")
	require.NoError(t, err)
	require.Equal(t, "{\n  \"GET /a\": 3,\n  \"POST /b\": 7\n}\n", string(text))
	update(t, "false")
	for _, other := range []any{map[string]int{"POST /b": 8, "GET /a": 3}, make(chan int)} {
		r := &recorder{TB: t}
		golden.Value(r, "statements", other)
		require.Len(t, r.errors, 1)
	}
}

func TestNamesStayInTestdata(t *testing.T) {
	for _, name := range []string{"../x", "/x", ""} {
		r := &recorder{TB: t}
		golden.Text(r, name, nil)
		require.Len(t, r.errors, 1, name)
	}
}

func TestUnusedFilesAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	unused, err := golden.Unused()
	require.NoError(t, err)
	require.Empty(t, unused, "no folder at all")
	update(t, "true")
	golden.JSON(t, "area/used", []byte(`{}`))
	require.NoError(t, os.WriteFile("testdata/area/left.json", []byte(`{}`), 0o600))
	unused, err = golden.Unused()
	require.NoError(t, err)
	require.Equal(t, []string{"testdata/area/left.json"}, unused)
}
