package storefront

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// ending compares how fast the administration, with its jobs as delivered, ends the orders that a load has left unpaid
// with how fast they were made.
func (s *shop) ending(b *testing.B, made float64) {
	b.Helper()
	const unpaid = "SELECT COUNT(*) FROM orders WHERE order_status = 101"
	for _, of := range []string{"order_goods", "order_status_log", "stock_log"} {
		s.exec(b, "UPDATE "+of+" r JOIN orders o ON o.id = r.order_id "+
			"SET r.add_time = r.add_time - INTERVAL 2 DAY WHERE o.order_status = 101")
	}
	s.exec(b, "UPDATE orders SET add_time = add_time - INTERVAL 2 DAY WHERE order_status = 101")
	ops := ratio.FreePort(b)
	p := ratio.Start(b, ops, []string{
		"ADMIN_MYSQL_DSN=" + s.dsn, "ADMIN_LISTEN=" + ratio.FreePort(b), "ADMIN_OPS_LISTEN=" + ops,
	}, s.provided.Program("admin"), "--config", "../../../../deploy/admin/config.yaml")
	defer func() {
		require.NoError(b, p.Process.Kill())
		_ = p.Wait() // killed
	}()
	all := s.number(b, unpaid)
	left, began := all, time.Now()
	for ; left > 0 && time.Since(began) < time.Minute; left = s.number(b, unpaid) {
		if left == all {
			began = time.Now() // the job has not begun
		}
		time.Sleep(50 * time.Millisecond)
	}
	require.Less(b, left, all, "no order was ended")
	ended := float64(all-left) / time.Since(began).Seconds()
	ratio.Report(b, ratio.Result{
		Name: "unpaid orders ended, against orders made", Baseline: made, Ours: ended,
		Ratio: ended / made, Min: ended / made, Max: ended / made, Bar: 3,
	})
}
