package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/job"
)

// Each job that handles rows one by one gets past more failing rows than a batch contains. They fail in the database,
// at the update of the table that the job changes.
func TestRowsThatFailForEverHoldUpNoOthers(t *testing.T) {
	const some = 40
	for name, c := range map[string]struct {
		table string
		// behind inserts the row that is due after count others.
		behind func(t *testing.T, s *domaintest.Shop) int64
		count  int
		// over is the state of a handled row.
		state string
		over  int64
		wait  time.Duration
	}{
		"checkOrderUnpaid": {
			table: "orders", count: 501, state: "order_status", over: 103, wait: time.Hour,
			behind: func(t *testing.T, s *domaintest.Shop) int64 {
				return s.Order(s.Shopper("lin"), s.Product("tea", 10000, 9))
			},
		},
		"checkOrderUnconfirm": {
			table: "orders", count: 501, state: "order_status", over: 402, wait: 8 * 24 * time.Hour,
			behind: func(t *testing.T, s *domaintest.Shop) int64 { return shipped(t, s, s.Shopper("lin"), 1)[0] },
		},
		"checkOrderComment": {
			table: "orders", count: 501, state: "comments", over: 0, wait: 8 * 24 * time.Hour,
			behind: func(t *testing.T, s *domaintest.Shop) int64 {
				lin := s.Shopper("lin")
				id := shipped(t, s, lin, 1)[0]
				require.NoError(t, s.Orders.Confirm(t.Context(), lin, id))
				return id
			},
		},
		"checkCouponExpired": {
			table: "coupon_user", count: 501, state: "status", over: 2, wait: 40 * 24 * time.Hour,
			behind: func(t *testing.T, s *domaintest.Shop) int64 {
				_, held := s.Coupon(s.Shopper("lin"), 100, 0)
				return held
			},
		},
		"checkGrouponExpired": {
			table: "groupon_rules", count: 501, state: "status", over: 1, wait: 40 * 24 * time.Hour,
			behind: func(t *testing.T, s *domaintest.Shop) int64 {
				s.Exec("INSERT INTO groupon_rules (goods_id, goods_name, pic_url, discount, discount_member, expire_time, status, "+
					"add_time, update_time) VALUES (?, 'tea', '', 1, 2, ?, 0, ?, ?)", s.Product("tea", 10000, 9).GoodsID,
					s.Clock.Now().Add(24*time.Hour), s.Clock.Now(), s.Clock.Now())
				return s.Int("SELECT id FROM groupon_rules")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := domaintest.Open(t)
			id := c.behind(t, s)
			multiply(t, s, c.table, id, c.count)
			s.Exec("CREATE TRIGGER poison BEFORE UPDATE ON " + c.table +
				" FOR EACH ROW SET NEW.id = IF(OLD.id < 0, NULL, NEW.id)") // which no key may be
			s.Clock.Move(c.wait)
			state := func() int64 { return s.Int("SELECT "+c.state+" FROM "+c.table+" WHERE id = ?", id) }
			for range 2 {
				_, err := jobOf(t, s.Domain, name).Run(t.Context())
				require.Error(t, err)
				require.NotEqual(t, c.over, state(), "the others are before it")
			}
			n, err := jobOf(t, s.Domain, name).Run(t.Context())
			require.Error(t, err, "one of the first batch was left")
			require.Equal(t, 1, n)
			require.Equal(t, c.over, state())
			require.Equal(t, int64(c.count), s.Int("SELECT COUNT(*) FROM job_failure WHERE job LIKE ?", name+"%"))
			// The number of notices does not need more rows than a batch contains.
			s.Exec("DELETE FROM "+c.table+" WHERE id < ?", -some)
			for range 2 { // one minute and four: the fourth failure
				s.Clock.Move(4 * time.Minute)
				_, err = jobOf(t, s.Domain, name).Run(t.Context())
				require.Error(t, err)
			}
			require.Equal(t, int64(1), s.Int("SELECT COUNT(*) FROM outbox_event WHERE event_key LIKE 'notice:job-failure:%'"),
				"one notice, however many rows")
			s.Exec("DROP TRIGGER poison")
			s.Exec("DELETE FROM " + c.table + " WHERE id < 0")
			s.Agree()
		})
	}
}

// multiply copies a row with negative ids and different unique values.
func multiply(t *testing.T, s *domaintest.Shop, table string, id int64, count int) {
	t.Helper()
	unique := map[string]string{
		"order_sn": "CONCAT('P', k)", "seq": "k + 1000", "active_mark": "k + 1000", "id": "-k",
		"out_refund_no": "CONCAT('P', k)",
	}
	var from []string
	columns := s.Texts("SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() "+
		"AND table_name = ? ORDER BY ordinal_position", table)
	for _, column := range columns {
		value, ok := unique[column]
		if !ok {
			value = "r." + column
		}
		from = append(from, value)
	}
	s.Exec("INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") WITH RECURSIVE n AS (SELECT 1 AS k UNION ALL "+
		"SELECT k + 1 FROM n WHERE k < ?) SELECT "+strings.Join(from, ", ")+" FROM "+table+" r JOIN n WHERE r.id = ?",
		count, id)
}

func jobOf(t *testing.T, d *domain.Domain, name string) job.Job {
	t.Helper()
	for _, j := range d.Jobs() {
		if j.Name == name {
			return j
		}
	}
	t.Fatalf("there is no job %s", name)
	return job.Job{}
}

// A refund of a late payment with nothing left to refund is never claimed, and does not block others.
func TestARefundThatCannotBeTakenUpHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	const asked = 50 // by one batch
	multiply(t, p.Shop, "refund", p.refusedLate(), asked+1)
	p.Exec("UPDATE refund SET amount = 99999 WHERE id < 0")
	p.Clock.Move(time.Hour)
	for range 2 {
		n, err := p.Payments.RetryRefunds(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
	}
	n, err := p.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, int64(asked+1), p.Int("SELECT COUNT(*) FROM job_failure WHERE job = 'refundRetry.late'"))
	p.Exec("DELETE FROM refund WHERE id < 0")
	p.Agree()
}
