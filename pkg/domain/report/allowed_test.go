package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/actor"
)

// What the shop may do, verify accepts: each of these would raise an alarm if a rule did not allow for it.
func TestVerifyAcceptsWhatIsRare(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	defer s.close()
	owner := actor.Operator(s.Int("SELECT MIN(id) FROM admin"))
	call := func(target string) audit.Call {
		return audit.Call{By: owner, Name: "owner", Operation: "POST /" + target, Target: target, At: s.Clock.Now()}
	}

	refused := s.Int("SELECT order_id FROM refund WHERE status = 3 AND operator_id <> ?", owner.ID)
	require.NoError(t, s.Orders.RejectRefund(audit.With(t.Context(), call("orders")), owner, refused, "used"))
	require.Empty(t, s.Disagreements(), "the platform refused a refund, and another operator rejects it")
}
