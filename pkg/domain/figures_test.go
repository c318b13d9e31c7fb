package domain_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/money"
)

// gaugeOf reads one figure.
func gaugeOf(t *testing.T, d *domain.Domain, name, label string) float64 {
	t.Helper()
	for _, g := range append(d.BacklogGauges(), d.ConnectionGauges()...) {
		if g.Name != name {
			continue
		}
		if label == "" {
			return g.Value()
		}
		for _, value := range g.Labels {
			if value == label {
				return g.Value()
			}
		}
	}
	t.Fatalf("there is no figure %s of %q", name, label)
	return 0
}

// What the business feels is counted once, after the commit.
func TestBusinessIsCounted(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	count := func(c meter.Counter, labels ...string) int64 { return s.Meter().Value(c, labels...) }
	lin, staff := s.Shopper("lin"), actor.Operator(1)
	tea := s.Product("tea", money.Yuan(9), 2)
	id := s.Order(lin, tea)
	require.NoError(t, s.Orders.Cancel(t.Context(), lin, id))
	require.Error(t, s.Orders.Cancel(t.Context(), lin, id), "the second one changes nothing, and is not counted")
	id = s.Order(lin, tea)
	s.Pay(lin, id)
	require.NoError(t, s.Deliver(s.Notification(id)), "a repeated notification is not counted")
	require.NoError(t, s.Orders.AskRefund(t.Context(), lin, id))
	paid, err := money.Parse(s.Text("SELECT actual_price FROM orders WHERE id = ?", id))
	require.NoError(t, err)
	require.NoError(t, s.Orders.Refund(t.Context(), staff, id, paid))
	for event, want := range map[string]int64{
		meter.Submitted: 2, "cancel": 1, "pay": 1, "ask for refund": 1, "refund": 1, "ship": 0, "expire": 0,
	} {
		require.Equal(t, want, count(meter.Orders, event), event)
	}
	require.EqualValues(t, 1, count(meter.Payments, "issue"))
	require.EqualValues(t, 1, count(meter.Payments, "collect"))
	require.EqualValues(t, 0, count(meter.Payments, "arrive late"))
	for _, event := range []string{meter.Asked, "release", "finish"} {
		require.EqualValues(t, 1, count(meter.Refunds, event), event)
	}
	require.EqualValues(t, 0, count(meter.Refunds, "fail"))

	row, err := s.Cart.Set(t.Context(), lin, cart.AddRequest{GoodsID: tea.GoodsID, ProductID: tea.ProductID, Number: 2})
	require.NoError(t, err)
	s.Exec("UPDATE goods_product SET number = 1 WHERE id = ?", tea.ProductID)
	s.Clock.Move(time.Minute)
	address := s.Int("SELECT MAX(id) FROM address WHERE user_id = ?", lin)
	_, err = s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Cart: row, Address: address}})
	require.ErrorIs(t, err, errno.GoodsNoStock)
	require.EqualValues(t, 1, count(meter.StockRefusals))
	require.EqualValues(t, 2, count(meter.Orders, meter.Submitted), "what is rolled back is not counted")
}

// The values that are declared in the meter, so that they begin at 0, are the events of the state machines.
func TestEveryEventIsDeclared(t *testing.T) {
	t.Parallel()
	want := []string{meter.Submitted}
	for _, e := range []order.Event{
		order.Pay, order.Cancel, order.Expire, order.Ship, order.AskRefund, order.RejectRefund, order.Refund, order.Receive,
		order.AutoReceive,
	} {
		want = append(want, string(e))
	}
	require.ElementsMatch(t, want, meter.Values(meter.Orders, "event"))
	require.ElementsMatch(t, []string{
		string(payment.Issue), string(payment.Collect), string(payment.ArriveLate), string(payment.Close),
	}, meter.Values(meter.Payments, "event"))
	require.ElementsMatch(t, []string{
		meter.Asked, string(payment.ReleaseRefund), string(payment.FinishRefund), string(payment.FailRefund),
		string(payment.RejectRefund),
	}, meter.Values(meter.Refunds, "event"))
}

func TestLoginsAndCodesAreCounted(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Shopper("lin")
	_, err := s.Accounts.Login(t.Context(), account.Credentials{Username: "lin", Password: "wrong", Address: "192.0.2.1"})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
	_, _, err = s.Sessions.LogIn(t.Context(), access.Credentials{Username: "unknown", Password: "wrong", Address: "192.0.2.1"})
	require.ErrorIs(t, err, errno.AdminInvalidAccount)
	require.EqualValues(t, 1, s.Meter().Value(meter.Logins, meter.Shopper, meter.Refused))
	require.EqualValues(t, 1, s.Meter().Value(meter.Logins, meter.Staff, meter.Refused))
	require.EqualValues(t, 0, s.Meter().Value(meter.Logins, meter.Shopper, meter.OK))

	const mobile = "13900000001"
	require.NoError(t, s.Accounts.SendCode(t.Context(), mobile, "192.0.2.1"))
	require.ErrorIs(t, s.Accounts.SendCode(t.Context(), mobile, "192.0.2.1"), errno.AuthCaptchaFrequency)
	s.Messages.FailBy(notify.ByPhone, errors.New("down"))
	require.Error(t, s.Accounts.SendCode(t.Context(), "13900000002", "192.0.2.1"))
	for _, result := range []string{meter.OK, meter.Refused, meter.Failed} {
		require.EqualValues(t, 1, s.Meter().Value(meter.Codes, result), result)
	}
}

// The outbox, its dead letters and the jobs are seen from every replica.
func TestBacklogIsSeen(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	require.NotEqual(t, 0., gaugeOf(t, s.Domain, "shop_outbox_pending", ""), "nothing is known yet")
	news(s, order.TopicPaid, "order.paid:7:1", paid)
	s.Messages.FailBy(notify.ByMail, errors.New("down"))
	s.Clock.Move(time.Minute)
	require.NoError(t, s.Outbox.Refresh(t.Context()))
	require.InDelta(t, 1, gaugeOf(t, s.Domain, "shop_outbox_pending", ""), 0)
	require.InDelta(t, 60, gaugeOf(t, s.Domain, "shop_outbox_overdue_seconds", ""), 0)
	deliver(t, s)
	require.EqualValues(t, 1, s.Meter().Value(meter.Deliveries, order.TopicPaid, meter.Delivered))
	require.NoError(t, s.Outbox.Refresh(t.Context()))
	require.InDelta(t, 1, gaugeOf(t, s.Domain, "shop_outbox_pending", ""), 0, "the mail waits for another attempt")
	require.InDelta(t, 0, gaugeOf(t, s.Domain, "shop_outbox_overdue_seconds", ""), 0)

	runner := s.RunnerOf(job.Job{Name: "outbox", Every: time.Second, Run: s.Outbox.Deliver})
	_, err := runner.Once(t.Context(), s.Jobs()[0])
	require.NoError(t, err)
	require.EqualValues(t, 1, s.Meter().Value(meter.JobRuns, "outbox", meter.OK))
	s.Exec("UPDATE job_lease SET last_end = UTC_TIMESTAMP(3) - INTERVAL 61 SECOND WHERE name = 'outbox'")
	s.Exec("INSERT INTO job_failure (job, row_id, tries, retry_time, last_error, add_time) VALUES ('purge.x', 7, 1, NOW(3), '', NOW(3))")
	replica := s.Replica()
	require.NoError(t, replica.Refresh(t.Context()))
	require.InDelta(t, 60, gaugeOf(t, replica, "shop_job_lag_seconds", "outbox"), 30)
	require.InDelta(t, 1, gaugeOf(t, replica, "shop_job_failed_rows", "purge"), 0)
	require.InDelta(t, 0, gaugeOf(t, replica, "shop_job_failed_rows", "outbox"), 0)
}

func TestRoundTripsAreTimed(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	read := func() map[string]int64 {
		all := map[string]int64{}
		s.Meter().Each(func(m meter.Sample) {
			key := m.Figure.Name
			for _, v := range m.Values {
				key += " " + v
			}
			all[key] = m.Total
		})
		return all
	}
	before := read()
	require.NoError(t, s.PingRedis(t.Context()))
	s.Order(s.Shopper("lin"), s.Product("tea", 900, 2))
	for range 2 {
		_, err := s.Settings.Now(t.Context())
		require.NoError(t, err)
	}
	after := read()
	for _, key := range []string{
		"shop_redis_call_seconds", "shop_sql_statement_seconds select", "shop_sql_statement_seconds insert",
		"shop_sql_statement_seconds update", "shop_cache_reads_total settings miss", "shop_cache_reads_total settings hit",
	} {
		require.Greater(t, after[key], before[key], key)
	}
	require.Equal(t, before["shop_redis_failures_total"], after["shop_redis_failures_total"])
	require.InDelta(t, 64, gaugeOf(t, s.Domain, "shop_sql_connections_max", ""), 0)
	require.Positive(t, gaugeOf(t, s.Domain, "shop_sql_connections", "idle"))
}
