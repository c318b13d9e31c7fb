package prove_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// form is how much a run proves: the default of go test, or what SHOP_PROVE asks for.
type form int

const (
	quick form = iota
	short
	long
)

// formOf returns the form of this run.
func formOf(t *testing.T) form {
	t.Helper()
	known := map[string]form{"": quick, "short": short, "long": long}
	f, ok := known[os.Getenv("SHOP_PROVE")]
	require.True(t, ok, "SHOP_PROVE is %q, not empty, short or long", os.Getenv("SHOP_PROVE"))
	return f
}
