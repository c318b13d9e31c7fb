package meter

import "time"

// Kind is what a figure is for Prometheus.
type Kind string

// The kinds of figures.
const (
	// KindCounter only grows, KindGauge goes up and down, KindHistogram counts durations by length.
	KindCounter   Kind = "counter"
	KindGauge     Kind = "gauge"
	KindHistogram Kind = "histogram"
)

// Declared is the declaration of a figure.
type Declared struct {
	Name, Help string
	Labels     []Label
}

// Label distinguishes the series of one figure.
type Label struct {
	Name string
	// Values are counted from the start, so that the first occurrence is an increase. Other values begin as they occur.
	Values []string
}

// Counter names what is counted.
type Counter int

// What is counted.
const (
	Orders Counter = iota
	Payments
	Refunds
	StockRefusals
	Logins
	Codes
	Deliveries
	JobRuns
	JobChanges
	CacheReads
	Conflicts
	RedisFailures
	PlatformFailures
	counters
)

// Timer names what is timed.
type Timer int

// What is timed.
const (
	Statements Timer = iota
	RedisCalls
	Jobs
	PlatformCalls
	timers
)

// OK and Failed are values of the label result.
const (
	OK      = "ok"
	Failed  = "failed"
	Refused = "refused"
)

// The values of the label audience of Logins.
const (
	Shopper = "shopper"
	Staff   = "staff"
)

// The values of the label result of Deliveries, JobRuns, CacheReads and Conflicts.
const (
	Delivered = "delivered"
	Postponed = "postponed"
	GivenUp   = "given up"
	Hit       = "hit"
	Miss      = "miss"
	Retried   = "retried"
	Lost      = "lost"
)

// Submitted is the value of the label event of an order that was made, beside the events of its life; Asked that of a
// refund.
const (
	Submitted = "submit"
	Asked     = "ask"
)

// The values of the label kind of Statements.
const (
	Select = "select"
	Insert = "insert"
	Update = "update"
	Delete = "delete"
	End    = "commit or rollback"
	Other  = "other"
)

// counted are the counters, each declared here and nowhere else.
var counted = [counters]Declared{
	Orders: {
		"shop_orders_total", "Orders that were made and their transitions after the commit, by event.",
		[]Label{{"event", []string{
			Submitted, "pay", "cancel", "expire", "ship", "ask for refund", "reject refund", "refund", "receive",
			"receive by time",
		}}},
	},
	Payments: {
		"shop_payments_total", "Transitions of payments; collect is money for an order, arrive late money to be refunded.",
		[]Label{{"event", []string{"issue", "collect", "arrive late", "close"}}},
	},
	Refunds: {
		"shop_refunds_total", "Refunds asked for and their transitions, by event; fail is a refusal of the platform.",
		[]Label{{"event", []string{Asked, "release", "finish", "fail", "reject"}}},
	},
	StockRefusals: {
		"shop_stock_refusals_total", "Submissions of orders that were refused because of a shortage.", nil,
	},
	Logins: {
		"shop_logins_total", "Logins with a password, by audience and result.",
		[]Label{{"audience", []string{Shopper, Staff}}, {"result", []string{OK, Refused, Failed}}},
	},
	Codes: {
		"shop_codes_total", "Verification codes that were asked for, by result; refused is above a limit.",
		[]Label{{"result", []string{OK, Refused, Failed}}},
	},
	Deliveries: {
		"shop_outbox_deliveries_total", "Attempts to deliver events of the outbox, by topic and result.",
		[]Label{{"topic", nil}, {"result", []string{Delivered, Postponed, GivenUp}}},
	},
	JobRuns: {
		"shop_job_runs_total", "Runs of jobs on this replica, by name and result.",
		[]Label{{"name", nil}, {"result", []string{OK, Failed}}},
	},
	JobChanges: {
		"shop_job_changes_total", "Rows that jobs on this replica have changed, by name.", []Label{{"name", nil}},
	},
	CacheReads: {
		"shop_cache_reads_total", "Reads of values in memory, by cache; a miss loads the value or waits for a load.",
		[]Label{{"cache", nil}, {"result", []string{Hit, Miss}}},
	},
	Conflicts: {
		"shop_sql_conflicts_total", "Transactions that lost a conflict: retried, or lost after the last attempt.",
		[]Label{{"result", []string{Retried, Lost}}},
	},
	RedisFailures: {"shop_redis_failures_total", "Calls that Redis did not answer, or not as expected.", nil},
	PlatformFailures: {
		"shop_platform_failures_total", "Calls to the payment platform that it refused or that failed otherwise, by call.",
		[]Label{{"call", platformCalls}, {"result", []string{Refused, Failed}}},
	},
}

var platformCalls = []string{"prepay", "h5", "close", "query", "refund", "refund status"}

// timed are the timers.
var timed = [timers]Declared{
	Statements: {
		"shop_sql_statement_seconds", "Round trips to the database, by the kind of their first statement.",
		[]Label{{"kind", []string{Select, Insert, Update, Delete, End, Other}}},
	},
	RedisCalls: {"shop_redis_call_seconds", "Round trips to Redis.", nil},
	Jobs: {
		"shop_job_run_seconds", "Runs of jobs on this replica that had the lease, by name.", []Label{{"name", nil}},
	},
	PlatformCalls: {
		"shop_platform_call_seconds", "Calls to the payment platform, by call.", []Label{{"call", platformCalls}},
	},
}

// bounds are the upper bounds of the buckets of all timers.
var bounds = [...]time.Duration{
	time.Millisecond / 2, time.Millisecond, 5 * time.Millisecond / 2, 5 * time.Millisecond, 10 * time.Millisecond,
	25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 5 * time.Second / 2, 5 * time.Second, 10 * time.Second, 30 * time.Second,
}
