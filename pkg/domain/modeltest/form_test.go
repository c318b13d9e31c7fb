package modeltest_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// form is how much a run proves: the default of go test, or what SHOP_FORM asks for.
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
	f, ok := known[os.Getenv("SHOP_FORM")]
	require.True(t, ok, "SHOP_FORM is %q, not empty, short or long", os.Getenv("SHOP_FORM"))
	return f
}

// inTime returns a function that is true until a share of the time to SHOP_UNTIL, seconds since 1970, has passed; without
// that variable it always is. The long form stops drawing then, and says how far it has come.
func inTime(t *testing.T, share float64) func() bool {
	t.Helper()
	text := os.Getenv("SHOP_UNTIL")
	if text == "" || formOf(t) != long {
		return func() bool { return true }
	}
	until, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	limit := time.Now().Add(time.Duration(share * float64(time.Until(time.Unix(until, 0)))))
	return func() bool { return time.Now().Before(limit) }
}
