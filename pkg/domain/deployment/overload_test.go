package deployment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/admission"
)

func configured(connections int) *Shared {
	s := &Shared{}
	s.MySQL.MaxOpen, s.Overload.Queue, s.Overload.Wait = connections, 16, time.Second
	return s
}

// Those who were admitted never wait for a connection, and some are left for jobs and checks.
func TestPlacesLeaveConnections(t *testing.T) {
	for _, connections := range []int{20, 32, 64, 200, 1000} {
		for _, processors := range []int{1, 2, 3, 16, 128} {
			limits := configured(connections).limits(processors)
			sum := 0
			for class, l := range limits {
				require.Positive(t, l.Places, class)
				if class != admission.Memory {
					sum += l.Places
				}
			}
			require.Less(t, sum, connections, "%d connections, %d processors", connections, processors)
		}
	}
	least := configured(2).limits(1)
	for _, class := range admission.Classes() {
		require.Positive(t, least[class].Places, class)
	}
}

func TestConfiguredPlaces(t *testing.T) {
	s := configured(64)
	limits := s.limits(2)
	require.Equal(t, admission.Limits{Places: 24, Queue: 384, Wait: time.Second, Hold: true}, limits[admission.Read])
	require.Equal(t, admission.Limits{Places: 2, Queue: 192, Wait: 6 * time.Second, Hold: true}, limits[admission.Login])
	s.Overload.Read, s.Overload.Queue = 5, 2
	require.Equal(t, admission.Limits{Places: 5, Queue: 10, Wait: time.Second, Hold: true}, s.limits(2)[admission.Read])
}
