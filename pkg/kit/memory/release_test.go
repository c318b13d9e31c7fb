package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDue(t *testing.T) {
	const mib = 1 << 20
	w := watch{}
	for i, step := range []struct {
		now  use
		want bool
		why  string
	}{
		{use{40 * mib, 20}, false, "it has just started"},
		{use{50 * mib, 20}, false, "little to give back"},
		{use{500 * mib, 20}, false, "busy"},
		{use{501 * mib, 20}, true, "quiet after it was busy"},
		{use{502 * mib, 20}, false, "given back already"},
		{use{503 * mib, 5000}, true, "many goroutines more"},
		{use{504 * mib, 5100}, false, "about as many"},
		{use{505 * mib, 30}, true, "they have gone"},
		{use{515 * mib, 30}, false, "a little at a time ..."},
		{use{525 * mib, 30}, false, "..."},
		{use{535 * mib, 30}, false, "..."},
		{use{545 * mib, 30}, false, "..."},
		{use{555 * mib, 30}, false, "..."},
		{use{565 * mib, 30}, false, "..."},
		{use{575 * mib, 30}, true, "... is much in the end"},
	} {
		require.Equal(t, step.want, w.due(step.now), "step %d: %s", i, step.why)
	}
}
