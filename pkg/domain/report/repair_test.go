package report_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/report"
)

// repairs are corruptions that a repair undoes, and the tables that it changes.
var repairs = map[string]string{
	"the counter of a coupon":        "UPDATE coupon SET received = received + 3 WHERE id = 1",
	"the number of members":          "UPDATE groupon SET member_count = 7 WHERE groupon_id IS NULL ORDER BY id LIMIT 1",
	"the lines without a comment":    "UPDATE orders SET comments = 9 WHERE order_status = 401",
	"whether a comment has pictures": "UPDATE comment SET has_picture = 1 - has_picture",
	"a title that was copied":        "UPDATE notice_admin SET notice_title = 'another'",
	"a search term too few":          "DELETE FROM goods_term WHERE goods_id = 1 LIMIT 1",
	"a search term too many":         "INSERT INTO goods_term (term, goods_id) VALUES ('zz', 1)",
	"terms of goods that are gone":   "INSERT INTO goods_term (term, goods_id) VALUES ('zz', 99999)",
	"a recipient's term too few":     "DELETE FROM order_recipient ORDER BY name, term LIMIT 1",
	"a recipient's term too many":    "INSERT INTO order_recipient (term, name) SELECT 'zz', MIN(name) FROM order_recipient",
	"statistics":                     "UPDATE stat_day SET users = users + 1 ORDER BY day LIMIT 1",
}

// Goods may have more terms than one value of the database holds: MySQL cuts lists in a text after 1,024 bytes.
func TestGoodsOfManyTerms(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	goods := s.Product("tea", money.Yuan(10), 5).GoodsID
	var words strings.Builder
	for i := range 250 {
		words.WriteRune(rune('一' + i))
	}
	s.Exec("UPDATE goods SET keywords = ? WHERE id = ?", words.String(), goods)
	s.InTx(func(tx *db.Tx) error { return catalog.Reindex(t.Context(), tx, goods, s.Clock.Now()) })
	require.Greater(t, s.Int("SELECT COUNT(*) FROM goods_term WHERE goods_id = ?", goods), int64(400))
	s.Agree()
	s.Exec("DELETE FROM goods_term WHERE goods_id = ? ORDER BY term DESC LIMIT 1", goods)
	require.NotEmpty(t, s.Disagreements())
}

// called is the context of somebody who repairs.
func called(ctx context.Context, b *domaintest.Shop) context.Context {
	return audit.With(ctx, audit.Call{By: actor.System, Name: "shopctl:root", Operation: "shopctl verify", At: b.Clock.Now()})
}

// One shop for all of them: each ends with books that agree.
func TestRepair(t *testing.T) {
	t.Parallel()
	b := domaintest.Open(t)
	b.Fill()
	b.Agree()
	for _, name := range slices.Sorted(maps.Keys(repairs)) {
		t.Run(name, func(t *testing.T) {
			n, err := b.TryExec(repairs[name])
			require.NoError(t, err)
			require.Positive(t, n)
			found := b.Disagreements()
			require.NotEmpty(t, found)
			records := b.Int("SELECT COUNT(*) FROM audit_log")
			repaired := int64(0)
			for _, d := range found {
				require.True(t, d.Repairable(), d)
				done, err := b.Report.Repair(called(t.Context(), b), d)
				require.NoError(t, err)
				if done {
					repaired++
				}
			}
			require.Positive(t, repaired)
			require.Equal(t, records+repaired, b.Int("SELECT COUNT(*) FROM audit_log"), "each has its record")
			_, err = b.Rollup.Refresh(t.Context())
			require.NoError(t, err)
			b.Agree()
			if c := found[0]; c.Table == "coupon" {
				done, err := b.Report.Repair(t.Context(), c)
				require.NoError(t, err)
				require.False(t, done, "it agrees by now")
			}
		})
	}
}

// Money, stock and states are for people.
func TestNothingRepairsMoney(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	defer b.close()
	before := b.Text("SELECT COUNT(*) FROM audit_log")
	for _, c := range []struct{ table, corruption string }{
		{"goods_product", "UPDATE goods_product SET number = number + 1 WHERE id = 1"},
		{"payment", "UPDATE payment SET paid_amount = paid_amount + 1 WHERE id = 1"},
		{"orders", "UPDATE orders SET actual_price = actual_price + 1 WHERE id = 2"},
		{"refund", "UPDATE refund SET amount = amount + 1 WHERE id = 1"},
		{"orders", "UPDATE orders SET order_status = 401 WHERE order_status = 201"},
		{"coupon_user", "UPDATE coupon_user SET status = 0 WHERE status = 1"},
	} {
		b.Exec(c.corruption)
		found := b.Disagreements()
		require.NotEmpty(t, found, c.corruption)
		for _, d := range found {
			if d.Repairable() {
				require.Contains(t, []string{"comments", "sums"}, d.What, "what is counted from it follows: %s", d)
				continue
			}
			done, err := b.Report.Repair(called(t.Context(), b.Shop), d)
			require.NoError(t, err)
			require.False(t, done)
		}
		require.Equal(t, before, b.Text("SELECT COUNT(*) FROM audit_log"))
		b.restore(b.tables[c.table])
		b.Agree()
	}
	require.False(t, report.Disagreement{}.Repairable())
}
