package domain_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/promotion"
)

// registered registers an account as shoppers do, in a process of the shop.
func registered(t *testing.T, s *domaintest.Shop, process *domain.Domain, name, mobile string) (id int64) {
	t.Helper()
	require.NoError(t, process.Accounts.SendCode(t.Context(), mobile, "192.0.2.1"))
	_, err := process.Accounts.Register(t.Context(), account.Registration{
		Username: name, Password: domaintest.Password, Mobile: mobile, Code: s.Messages.Code(mobile), Address: "192.0.2.1",
	})
	require.NoError(t, err)
	return s.Int("SELECT id FROM user WHERE username = ?", name)
}

func gift(t *testing.T, s *domaintest.Shop, name string, c promotion.Coupon) {
	t.Helper()
	c.Name, c.Kind = name, promotion.Gift
	_, err := s.Promotions.Create(t.Context(), c)
	require.NoError(t, err)
}

const waiting = "SELECT COUNT(*) FROM outbox_event WHERE topic = 'coupon.welcome' AND state = 0"

// One coupon with 9,999,999 days, or 300,000 per shopper, made every registration fail.
func TestADefinitionOutOfBoundsIsHeldToThem(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	gift(t, s, "for ever", promotion.Coupon{PerShopper: 1, Days: 9_999_999})
	gift(t, s, "plenty", promotion.Coupon{PerShopper: 300_000, Days: 10})
	gift(t, s, "plain", promotion.Coupon{PerShopper: 2, Days: 10})
	id := registered(t, s, s.Domain, "lin", "13900000001")
	for name, want := range map[string]int64{"for ever": 1, "plenty": 100, "plain": 2} {
		require.Equal(t, want, s.Int("SELECT COUNT(*) FROM coupon_user h JOIN coupon c ON c.id = h.coupon_id "+
			"WHERE h.user_id = ? AND c.name = ?", id, name), name)
	}
	require.Equal(t, int64(3650), s.Int("SELECT MAX(DATEDIFF(end_time, start_time)) FROM coupon_user"))
	require.Zero(t, s.Int(waiting))
	s.Agree()
}

// A gift that fails does not fail the registration; the outbox gives it later.
func TestAGiftThatFailsIsGivenLater(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	gift(t, s, "broken", promotion.Coupon{PerShopper: 1, Days: 10})
	gift(t, s, "good", promotion.Coupon{PerShopper: 1, Days: 10})
	s.Exec("UPDATE coupon SET goods_value = '[\"x\"]' WHERE name = 'broken'")
	id := registered(t, s, s.Domain, "lin", "13900000001")
	require.Equal(t, int64(1), s.Int(waiting))
	s.Clock.Move(time.Minute)
	_, err := s.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), s.Int(waiting), "tried again later")
	s.Exec("UPDATE coupon SET goods_value = '[]' WHERE name = 'broken'")
	s.Clock.Move(time.Hour)
	_, err = s.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Zero(t, s.Int(waiting))
	require.Equal(t, int64(2), s.Int("SELECT COUNT(*) FROM coupon_user WHERE user_id = ?", id))
	s.Agree()
}

// An operator's lock on a coupon does not delay a registration.
func TestALockedGiftDelaysNobody(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	gift(t, s, "held", promotion.Coupon{PerShopper: 1, Days: 10})
	// Without a limit of its own the registration would wait for the lock until it is released, which is after it.
	waits := s.With(func(c *domain.Config) { c.MySQLDSN += "?innodb_lock_wait_timeout=3600&readTimeout=1h" })
	release := s.Hold("SELECT id FROM coupon WHERE id = 1 FOR UPDATE")
	id := registered(t, s, waits, "lin", "13900000001")
	release()
	require.Equal(t, int64(1), s.Int(waiting))
	s.Clock.Move(time.Minute)
	_, err := s.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), s.Int("SELECT COUNT(*) FROM coupon_user WHERE user_id = ?", id))
}

// A gift that is given up causes a notice to operators.
func TestAGiftThatIsGivenUpIsNoticed(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	gift(t, s, "broken", promotion.Coupon{PerShopper: 1, Days: 10})
	s.Exec("UPDATE coupon SET goods_value = '[\"x\"]'")
	id := registered(t, s, s.Domain, "lin", "13900000001")
	for range 14 { // twelve attempts, then the notice
		s.Clock.Move(time.Hour)
		_, err := s.Outbox.Deliver(t.Context())
		require.NoError(t, err)
	}
	require.Zero(t, s.Int(waiting))
	require.Contains(t, s.Text("SELECT content FROM notice"), fmt.Sprintf("coupon.welcome:%d", id))
}
