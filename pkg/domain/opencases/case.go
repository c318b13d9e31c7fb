// Package opencases lists what went wrong with money or with a side effect and needs staff. It reads the tables of the
// areas that own them, from a range of an index each.
package opencases

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/outbox"
)

// Kind is a kind of open cases: what went wrong with money or with a side effect and needs staff.
type Kind string

// The kinds of open cases.
const (
	// RejectedNotification is an authentic notification of the platform that does not fit, such as one with a wrong
	// amount.
	RejectedNotification Kind = "refused-notice"
	// ReturnedRefund is a notification that the platform has not paid a refund it accepted, or paid one isSimpleRequest.
	ReturnedRefund Kind = "returned-refund"
	// LatePayment is a payment for an order that no longer awaited it, until it is refunded.
	LatePayment Kind = "late-money"
	// UnansweredRefund is a refund that the platform has neither accepted nor refused for unanswered.
	UnansweredRefund Kind = "unanswered-refund"
	// RefusedRefund is a refund of an order or an after-sale case that the platform refuses.
	RefusedRefund Kind = "refused-refund"
	// DeadLetter is an event of the outbox that was given up.
	DeadLetter Kind = "dead-letter"
	// FailedGroup is a paid order of a group that failed, until it is refunded.
	FailedGroup Kind = "failed-group"
)

// unanswered is how long a refund may wait for the platform: the request, the outbox and the job have tried by then.
const unanswered = 10 * time.Minute

// source reads the open cases of a kind. Its query selects id and since from a range of an index that holds the
// open rows and few others, so that it does not grow with the orders.
type source struct {
	kind  Kind
	query string
	words [2]*wording.Text
}

const (
	refundCase = "FROM refund r LEFT JOIN payment p ON p.id = r.payment_id WHERE r.status"
	isLate     = " AND p.status <=> @case_late"
	isNotLate  = " AND NOT p.status <=> @case_late"
)

var sources = []source{
	{
		RejectedNotification, "SELECT n.id, n.add_time AS since FROM payment_notify n WHERE n.result = @case_notice_refused",
		[2]*wording.Text{wording.OpenRefusedNotice, wording.OpenRefusedNoticeNext},
	},
	{
		ReturnedRefund, "SELECT n.id, n.add_time AS since FROM payment_notify n WHERE n.result = @case_notice_unsettled",
		[2]*wording.Text{wording.OpenReturnedRefund, wording.OpenReturnedRefundNext},
	},
	{
		LatePayment, "SELECT r.id, r.add_time AS since " + refundCase + " IN (@case_released, @case_failed)" + isLate,
		[2]*wording.Text{wording.OpenLateMoney, wording.OpenLateMoneyNext},
	},
	{
		UnansweredRefund, "SELECT r.id, COALESCE(r.released_time, r.update_time) AS since " + refundCase +
			" = @case_released" + isNotLate + " AND COALESCE(r.released_time, r.update_time) <= @case_due",
		[2]*wording.Text{wording.OpenUnansweredRefund, wording.OpenUnansweredRefundNext},
	},
	{
		RefusedRefund, "SELECT r.id, r.update_time AS since " + refundCase + " = @case_failed" + isNotLate,
		[2]*wording.Text{wording.OpenRefusedRefund, wording.OpenRefusedRefundNext},
	},
	{
		DeadLetter, "SELECT e.id, e.available_time AS since FROM outbox_event e WHERE e.state = @case_dead",
		[2]*wording.Text{wording.OpenDeadLetter, wording.OpenDeadLetterNext},
	},
	{
		FailedGroup, `SELECT r.id, r.add_time AS since
			FROM refund r
			JOIN groupon g ON g.order_id = r.order_id
			WHERE r.status = @case_asked AND g.status = @case_part_failed`,
		[2]*wording.Text{wording.OpenFailedGroup, wording.OpenFailedGroupNext},
	},
}

// Kinds returns the kinds of open cases.
func Kinds() []Kind {
	kinds := make([]Kind, len(sources))
	for i, s := range sources {
		kinds[i] = s.kind
	}
	return kinds
}

// Case is something that needs staff, or that the shop has not been able to settle yet.
type Case struct {
	Kind Kind
	// ID is the row: a notification, a refund or an event of the outbox, by the kind.
	ID int64
	// The order, payment, refund and after-sale case concerned, 0 for none.
	OrderID, PaymentID, RefundID, AftersaleID int64
	OrderSN                                   string
	// Number is our number of the payment or the refund, or the key of the event.
	Number string
	Amount money.Amount
	// RefundStatus is the state of the refund.
	RefundStatus payment.RefundStatus
	// Since is when the case began, Detail what was said about it, in the language of the shop or of the platform.
	Since  time.Time
	Detail string
}

// What returns what happened, in words.
func (c Case) What(language string) string { return c.words()[0].In(language, c.Number) }

// Next returns what staff does next, in words.
func (c Case) Next(language string) string { return c.words()[1].In(language) }

func (c Case) words() [2]*wording.Text {
	i := slices.IndexFunc(sources, func(s source) bool { return s.kind == c.Kind })
	return sources[i].words
}

// Automatic reports whether a job keeps trying, so that the case may end without staff.
func (c Case) Automatic() bool { return c.Kind == LatePayment || c.Kind == UnansweredRefund }

// Service finds what needs staff.
type Service struct {
	db  *db.DB
	now func() time.Time

	mu   sync.Mutex
	last map[Kind]Backlog
}

// New returns the list of open cases.
func New(d *db.DB, now func() time.Time) *Service { return &Service{db: d, now: now} }

// Backlog are the open cases of a kind: their number, and since when the oldest waits, the zero time for none.
type Backlog struct {
	N      int64
	Oldest time.Time
}

// Count counts the open cases by kind in one statement. Kinds without a case are missing.
func (s *Service) Count(ctx context.Context) (map[Kind]Backlog, error) {
	return s.count(ctx, sources)
}

func (s *Service) count(ctx context.Context, of []source) (map[Kind]Backlog, error) {
	parts := make([]string, len(of))
	for i, k := range of {
		parts[i] = "SELECT '" + string(k.kind) + "' AS kind, COUNT(*) AS n, MIN(since) AS oldest FROM (" + k.query + ") AS k"
	}
	var rows []struct {
		Kind   Kind
		N      int64
		Oldest *time.Time
	}
	err := table.Scan(ctx, s.db, &rows, strings.Join(parts, " UNION ALL "), s.named())
	if err != nil {
		return nil, fmt.Errorf("count the open cases: %w", err)
	}
	counts := map[Kind]Backlog{}
	for _, r := range rows {
		if r.N > 0 && r.Oldest != nil {
			counts[r.Kind] = Backlog{N: r.N, Oldest: *r.Oldest}
		}
	}
	return counts, nil
}

// List returns a page of the open cases, of one kind or of all for "", by the time since when they wait.
func (s *Service) List(ctx context.Context, kind Kind, q page.Query) (page.List[Case], error) {
	of := sources
	if kind != "" {
		of = slices.DeleteFunc(slices.Clone(sources), func(s source) bool { return s.kind != kind })
	}
	return page.Fetch(q, func() (int64, error) {
		counts, err := s.count(ctx, of)
		total := int64(0)
		for _, w := range counts {
			total += w.N
		}
		return total, err
	}, func(q page.Query) ([]Case, error) {
		var found []Case
		if err := table.Scan(ctx, s.db, &found, casePage(of, q), s.named()); err != nil {
			return nil, fmt.Errorf("list the open cases: %w", err)
		}
		return found, nil
	})
}

// casePage is the statement of a page. Each kind contributes at most the rows up to the end of the page.
func casePage(of []source, q page.Query) string {
	first := "since"
	if q.Sort == "id" {
		first = "id"
	}
	by := func(alias string) string {
		return fmt.Sprintf(" ORDER BY %[1]s.%[2]s %[3]s, %[1]s.id %[3]s, %[1]s.kind", alias, first, q.Direction())
	}
	parts := make([]string, len(of))
	for i, k := range of {
		parts[i] = fmt.Sprintf("(SELECT k.* FROM (SELECT '%s' AS kind, s.* FROM (%s) AS s) AS k%s LIMIT %d)", k.kind, k.query,
			by("k"), q.Offset()+q.Limit)
	}
	return fmt.Sprintf(caseRows, strings.Join(parts, " UNION ALL "), by("u"), q.Limit, q.Offset(), by("c"))
}

// caseRows completes the cases of a page with the rows that they are about.
const caseRows = `SELECT c.kind, c.id, c.since, COALESCE(o.id, 0) AS order_id, COALESCE(o.order_sn, '') AS order_sn,
		COALESCE(p.id, r.payment_id, 0) AS payment_id, COALESCE(r.id, 0) AS refund_id,
		COALESCE(r.aftersale_id, 0) AS aftersale_id, COALESCE(r.status, 0) AS refund_status,
		COALESCE(n.out_no, e.event_key, r.out_refund_no, '') AS number,
		COALESCE(n.amount, r.amount, p.amount, 0) AS amount, COALESCE(n.reason, r.last_error, '') AS detail
	FROM (SELECT * FROM (%s) AS u%s LIMIT %d OFFSET %d) AS c
	LEFT JOIN payment_notify n ON n.id = IF(c.kind IN @case_of_notices, c.id, NULL)
	LEFT JOIN outbox_event e ON e.id = IF(c.kind IN @case_of_events, c.id, NULL)
	LEFT JOIN refund m ON m.out_refund_no = IF(n.kind = 2, n.out_no, NULL)
	LEFT JOIN refund r ON r.id = COALESCE(m.id, IF(e.topic = @case_refund_topic, e.aggregate_id, NULL),
		IF(c.kind IN @case_of_refunds, c.id, NULL))
	LEFT JOIN payment p ON p.out_trade_no = IF(n.kind = 1, n.out_no, NULL)
	LEFT JOIN orders o ON o.id = COALESCE(r.order_id, p.order_id, IF(e.topic IN @case_order_topics, e.aggregate_id, NULL))
	%s`

// named are the states and times that the statements use.
func (s *Service) named() map[string]any {
	return map[string]any{
		"case_notice_refused": payment.NotificationRefused, "case_notice_unsettled": payment.NotificationUnsettled,
		"case_late": payment.Late, "case_asked": payment.RefundAsked, "case_released": payment.RefundReleased,
		"case_failed": payment.RefundFailed, "case_dead": outbox.DeadLetter, "case_part_failed": promotion.MemberFailed,
		"case_due":        s.now().Add(-unanswered),
		"case_of_notices": []Kind{RejectedNotification, ReturnedRefund}, "case_of_events": []Kind{DeadLetter},
		"case_of_refunds":   []Kind{LatePayment, UnansweredRefund, RefusedRefund, FailedGroup},
		"case_refund_topic": payment.TopicRefund, "case_order_topics": order.Topics(),
	}
}

// Refresh counts the open cases for Backlog.
func (s *Service) Refresh(ctx context.Context) error {
	counts, err := s.Count(ctx)
	if err != nil {
		counts = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = counts
	return err
}

// Backlog returns the number of the open cases of a kind and the age of the oldest in seconds, as they were last
// counted. Both are not a number before the first count and after a failed one.
func (s *Service) Backlog(kind Kind) (n, age float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return math.NaN(), math.NaN()
	}
	w := s.last[kind]
	if w.N == 0 {
		return 0, 0
	}
	return float64(w.N), s.now().Sub(w.Oldest).Seconds()
}

// Age is how long a case has been open.
func (s *Service) Age(c Case) time.Duration { return s.now().Sub(c.Since) }
