package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/platform/page"
	wording "shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
)

// CaseKind is a kind of open cases: what went wrong with money or with a side effect and needs staff.
type CaseKind string

// The kinds of open cases.
const (
	// RefusedNotice is an authentic notification of the platform that does not fit, such as one with a wrong amount.
	RefusedNotice CaseKind = "refused-notice"
	// ReturnedRefund is a notification that the platform has not paid a refund it accepted, or paid one unasked.
	ReturnedRefund CaseKind = "returned-refund"
	// LateMoney is a payment for an order that no longer awaited it, until it is refunded.
	LateMoney CaseKind = "late-money"
	// UnansweredRefund is a refund that the platform has neither accepted nor refused for unanswered.
	UnansweredRefund CaseKind = "unanswered-refund"
	// RefusedRefund is a refund of an order or an after-sale case that the platform refuses.
	RefusedRefund CaseKind = "refused-refund"
	// DeadLetter is an event of the outbox that was given up.
	DeadLetter CaseKind = "dead-letter"
	// FailedGroup is a paid order of a group that failed, until it is refunded.
	FailedGroup CaseKind = "failed-group"
)

// unanswered is how long a refund may wait for the platform: the request, the outbox and the job have asked by then.
const unanswered = 10 * time.Minute

// caseSource reads the open cases of a kind. Its query selects id and since from a range of an index that holds the
// open rows and few others, so that it does not grow with the orders.
type caseSource struct {
	kind  CaseKind
	query string
	words [2]*wording.Text
}

const (
	refundCase = "FROM refund r LEFT JOIN payment p ON p.id = r.payment_id WHERE r.status"
	isLate     = " AND p.status <=> @case_late"
	isNotLate  = " AND NOT p.status <=> @case_late"
)

var caseSources = []caseSource{
	{
		RefusedNotice, "SELECT n.id, n.add_time AS since FROM payment_notify n WHERE n.result = @case_notice_refused",
		[2]*wording.Text{wording.OpenRefusedNotice, wording.OpenRefusedNoticeNext},
	},
	{
		ReturnedRefund, "SELECT n.id, n.add_time AS since FROM payment_notify n WHERE n.result = @case_notice_unsettled",
		[2]*wording.Text{wording.OpenReturnedRefund, wording.OpenReturnedRefundNext},
	},
	{
		LateMoney, "SELECT r.id, r.add_time AS since " + refundCase + " IN (@case_released, @case_failed)" + isLate,
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

// CaseKinds returns the kinds of open cases.
func CaseKinds() []CaseKind {
	kinds := make([]CaseKind, len(caseSources))
	for i, s := range caseSources {
		kinds[i] = s.kind
	}
	return kinds
}

// Case is something that needs staff, or that the shop has not been able to settle yet.
type Case struct {
	Kind CaseKind
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
	i := slices.IndexFunc(caseSources, func(s caseSource) bool { return s.kind == c.Kind })
	return caseSources[i].words
}

// Automatic reports whether a job keeps trying, so that the case may end without staff.
func (c Case) Automatic() bool { return c.Kind == LateMoney || c.Kind == UnansweredRefund }

// Cases finds what needs staff.
type Cases struct {
	db  *db.DB
	now func() time.Time

	mu   sync.Mutex
	last map[CaseKind]Waiting
}

// NewCases returns the list of open cases.
func NewCases(d *db.DB, now func() time.Time) *Cases { return &Cases{db: d, now: now} }

// Waiting are the open cases of a kind: their number, and since when the oldest waits, the zero time for none.
type Waiting struct {
	N      int64
	Oldest time.Time
}

// Count counts the open cases by kind in one statement. Kinds without a case are missing.
func (s *Cases) Count(ctx context.Context) (map[CaseKind]Waiting, error) {
	return s.count(ctx, caseSources)
}

func (s *Cases) count(ctx context.Context, of []caseSource) (map[CaseKind]Waiting, error) {
	parts := make([]string, len(of))
	for i, k := range of {
		parts[i] = "SELECT '" + string(k.kind) + "' AS kind, COUNT(*) AS n, MIN(since) AS oldest FROM (" + k.query + ") AS k"
	}
	var rows []struct {
		Kind   CaseKind
		N      int64
		Oldest *time.Time
	}
	err := s.db.G(ctx).Raw(strings.Join(parts, " UNION ALL "), s.named()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count the open cases: %w", err)
	}
	counts := map[CaseKind]Waiting{}
	for _, r := range rows {
		if r.N > 0 && r.Oldest != nil {
			counts[r.Kind] = Waiting{N: r.N, Oldest: *r.Oldest}
		}
	}
	return counts, nil
}

// List returns a page of the open cases, of one kind or of all for "", by the time since when they wait.
func (s *Cases) List(ctx context.Context, kind CaseKind, q page.Query) (page.List[Case], error) {
	of := caseSources
	if kind != "" {
		of = slices.DeleteFunc(slices.Clone(caseSources), func(s caseSource) bool { return s.kind != kind })
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
		if err := s.db.G(ctx).Raw(casePage(of, q), s.named()).Scan(&found).Error; err != nil {
			return nil, fmt.Errorf("list the open cases: %w", err)
		}
		return found, nil
	})
}

// casePage is the statement of a page. Each kind contributes at most the rows up to the end of the page.
func casePage(of []caseSource, q page.Query) string {
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
func (s *Cases) named() map[string]any {
	return map[string]any{
		"case_notice_refused": payment.NotificationRefused, "case_notice_unsettled": payment.NotificationUnsettled,
		"case_late": payment.Late, "case_asked": payment.RefundAsked, "case_released": payment.RefundReleased,
		"case_failed": payment.RefundFailed, "case_dead": outbox.DeadLetter, "case_part_failed": promotion.MemberFailed,
		"case_due":        s.now().Add(-unanswered),
		"case_of_notices": []CaseKind{RefusedNotice, ReturnedRefund}, "case_of_events": []CaseKind{DeadLetter},
		"case_of_refunds":   []CaseKind{LateMoney, UnansweredRefund, RefusedRefund, FailedGroup},
		"case_refund_topic": payment.TopicRefund, "case_order_topics": order.Topics(),
	}
}

// Refresh counts the open cases for Waiting.
func (s *Cases) Refresh(ctx context.Context) error {
	counts, err := s.Count(ctx)
	if err != nil {
		counts = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = counts
	return err
}

// Waiting returns the number of the open cases of a kind and the age of the oldest in seconds, as they were last
// counted. Both are not a number before the first count and after a failed one.
func (s *Cases) Waiting(kind CaseKind) (n, age float64) {
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
func (s *Cases) Age(c Case) time.Duration { return s.now().Sub(c.Since) }
