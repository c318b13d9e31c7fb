package meter

// figure is the declaration of a counter or timer.
type figure struct {
	name, help string
	labels     []label
}

// label distinguishes the series of one figure.
type label struct {
	name string
	// values are counted from the start, so that the first occurrence is an increase. Other values begin as they occur.
	values []string
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
var counted = [counters]figure{
	Orders: {
		"shop_orders_total", "Orders that were made and their transitions after the commit, by event.",
		[]label{{"event", []string{
			Submitted, "pay", "cancel", "expire", "ship", "ask for refund", "reject refund", "refund", "receive",
			"receive by time",
		}}},
	},
	Payments: {
		"shop_payments_total", "Transitions of payments; collect is money for an order, arrive late money to be refunded.",
		[]label{{"event", []string{"issue", "collect", "arrive late", "close"}}},
	},
	Refunds: {
		"shop_refunds_total", "Refunds asked for and their transitions, by event; fail is a refusal of the platform.",
		[]label{{"event", []string{Asked, "release", "finish", "fail", "reject"}}},
	},
	StockRefusals: {
		"shop_stock_refusals_total", "Submissions of orders that were refused because of a shortage.", nil,
	},
	Logins: {
		"shop_logins_total", "Logins with a password, by audience and result.",
		[]label{{"audience", []string{Shopper, Staff}}, {"result", []string{OK, Refused, Failed}}},
	},
	Codes: {
		"shop_codes_total", "Verification codes that were asked for, by result; refused is above a limit.",
		[]label{{"result", []string{OK, Refused, Failed}}},
	},
	Deliveries: {
		"shop_outbox_deliveries_total", "Attempts to deliver events of the outbox, by topic and result.",
		[]label{{"topic", nil}, {"result", []string{Delivered, Postponed, GivenUp}}},
	},
	JobRuns: {
		"shop_job_runs_total", "Runs of jobs on this replica, by name and result.",
		[]label{{"name", nil}, {"result", []string{OK, Failed}}},
	},
	JobChanges: {
		"shop_job_changes_total", "Rows that jobs on this replica have changed, by name.", []label{{"name", nil}},
	},
	CacheReads: {
		"shop_cache_reads_total", "Reads of values in memory, by cache; a miss loads the value or waits for a load.",
		[]label{{"cache", nil}, {"result", []string{Hit, Miss}}},
	},
	Conflicts: {
		"shop_sql_conflicts_total", "Transactions that lost a conflict: retried, or lost after the last attempt.",
		[]label{{"result", []string{Retried, Lost}}},
	},
	RedisFailures: {"shop_redis_failures_total", "Calls that Redis did not answer, or not as expected.", nil},
	PlatformFailures: {
		"shop_platform_failures_total", "Calls to the payment platform that it refused or that failed otherwise, by call.",
		[]label{{"call", platformCalls}, {"result", []string{Refused, Failed}}},
	},
}

var platformCalls = []string{"prepay", "h5", "close", "query", "refund", "refund status"}

// timed are the timers.
var timed = [timers]figure{
	Statements: {
		"shop_sql_statement_seconds", "Round trips to the database, by the kind of their first statement.",
		[]label{{"kind", []string{Select, Insert, Update, Delete, End, Other}}},
	},
	RedisCalls: {"shop_redis_call_seconds", "Round trips to Redis.", nil},
	Jobs: {
		"shop_job_run_seconds", "Runs of jobs on this replica that had the lease, by name.", []label{{"name", nil}},
	},
	PlatformCalls: {
		"shop_platform_call_seconds", "Calls to the payment platform, by call.", []label{{"call", platformCalls}},
	},
}

// bounds are the upper bounds of the buckets of all timers, in seconds.
var bounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// Values returns the declared values of a counter's label.
func Values(c Counter, name string) []string {
	for _, l := range counted[c].labels {
		if l.name == name {
			return l.values
		}
	}
	return nil
}

func (f figure) labelNames() (names []string) {
	for _, l := range f.labels {
		names = append(names, l.name)
	}
	return names
}
