package optest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/optest"
)

// A sample is about its portion of the requests, the same each time, and all of them for make reliability.
func TestSample(t *testing.T) {
	count := func() (taken int) {
		for operation := range 40 {
			takes := optest.Sample(fmt.Sprint(operation))
			for range 50 {
				if takes() {
					taken++
				}
			}
		}
		return taken
	}
	t.Setenv("SHOP_FORM", "")
	require.InDelta(t, 2000/optest.Portion, count(), 100)
	first := count()
	require.Equal(t, first, count())
	t.Setenv("SHOP_FORM", "short")
	require.Equal(t, 2000, count())
}
