package main

import "strings"

// quiet are three days of a shop with three calls a minute and an order every two hours, in which single calls fail, are
// slow, or are refused, as happens everywhere.
const quiet = `
up{job="storefront"} 1x4320
up{job="admin"} 1x4320
dependency_up{job="storefront", dependency="mysql"} 1x4320
dependency_up{job="storefront", dependency="redis"} 1x4320
process_start_time_seconds{job="storefront"} 0x2000 2000x2320
process_open_fds{job="storefront"} 60x4320
process_max_fds{job="storefront"} 1024x4320
http_requests_total{job="storefront", path="/wx/home/index", errno="0"} 0+3x4320
http_requests_total{job="storefront", path="/wx/order/submit", errno="502"} _x2000 1x2320
http_internal_errors_total{job="storefront"} 0x2000 1x2320
http_request_duration_seconds_bucket{job="storefront", path="/wx/home/index", le="0.5"} 0+3x2000 6000+3x2320
http_request_duration_seconds_bucket{job="storefront", path="/wx/home/index", le="5"} 0+3x2000 6001+3x2320
http_request_duration_seconds_bucket{job="storefront", path="/wx/home/index", le="+Inf"} 0+3x2000 6001+3x2320
admission_refused_total{job="storefront", class="login"} 0x2000 2x2320
shop_orders_total{job="storefront", event="submit"} 0x120 1x120 2x120 3x120 4x120 5x120 6x120 7x120 8x120 9x120 10x120 11x120 12x120 13x120 14x120 15x120 16x120 17x120 18x120 19x120 20x120 21x120 22x120 23x120 24x120 25x120 26x120 27x120 28x120 29x120 30x120 31x120 32x120 33x120 34x120
shop_payments_total{job="storefront", event="issue"} 0x120 1x600 3x1200 6x1440 9x960
shop_payments_total{job="storefront", event="collect"} 0x130 1x620 3x1200 6x1440 8x930
shop_platform_failures_total{job="storefront", call="prepay", result="failed"} 0x2000 1x2320
shop_platform_call_seconds_count{job="storefront", call="prepay"} 0x120 1x600 3x1200 6x1440 9x960
shop_platform_call_seconds_count{job="admin", call="query"} 0x2000 1x2320
shop_refunds_total{job="admin", event="fail"} 0x2000 1x2320
shop_refunds_total{job="admin", event="finish"} 0x1000 1x3320
shop_open_cases{job="admin", kind="late-money"} 0x2000 1x10 0x2310
shop_open_cases{job="admin", kind="dead-letter"} 0x4320
shop_stock_refusals_total{job="storefront"} 0x2000 3x2320
shop_logins_total{job="storefront", audience="shopper", result="refused"} 0x2000 3x2320
shop_logins_total{job="storefront", audience="shopper", result="ok"} 0x120 1x600 3x1200 6x1440 9x960
shop_codes_total{job="storefront", result="failed"} 0x2000 1x2320
shop_codes_total{job="storefront", result="ok"} 0x120 1x600 3x1200 6x1440 9x960
shop_outbox_overdue_seconds{job="admin"} 0x2000 100x2 0x2318
shop_job_lag_seconds{job="admin", name="outbox"} 0x4320
shop_job_lag_seconds{job="admin", name="verify"} 0x4320
shop_job_runs_total{job="admin", name="outbox", result="ok"} 0+12x4320
shop_job_runs_total{job="admin", name="outbox", result="failed"} 0x2000 1x2320
shop_job_runs_total{job="admin", name="verify", result="ok"} 0x10 1x1440 2x1440 3x1430
shop_job_runs_total{job="admin", name="verify", result="failed"} 0x4320
shop_job_failed_rows{job="admin", name="outbox"} 0x2000 1x20 0x2300
shop_verify_disagreements{job="admin"} 0x4320
shop_sql_connections{job="storefront", instance="a", state="used"} 1x4320
shop_sql_connections_max{job="storefront", instance="a"} 64x4320
shop_sql_statement_seconds_bucket{job="storefront", kind="select", le="0.25"} 0+12x2000 24000+12x2320
shop_sql_statement_seconds_bucket{job="storefront", kind="select", le="1"} 0+12x2000 24001+12x2320
shop_sql_statement_seconds_bucket{job="storefront", kind="select", le="+Inf"} 0+12x2000 24001+12x2320
shop_sql_conflicts_total{job="storefront", result="lost"} 0x2000 1x2320
shop_replica_serves{job="storefront", replica="1"} 1x2000 0x5 1x2315
shop_redis_failures_total{job="storefront"} 0x2000 3x2320
catalog_index_lag_seconds{job="storefront", instance="a"} 1x4320
catalog_index_disagreements{job="storefront", instance="a"} 0x4320
`

// faults are the series of such a shop with the fault of each alert. An alert with several conditions has a fault for
// each condition that a quiet shop can meet.
var faults = map[string][]string{
	"ServiceDown": {`up{job="storefront"} 1x5 0x5`},
	"Restarts":    {`process_start_time_seconds{job="admin"} 0x5 300x5 600x5 900x5 1200x5 1500x5`},
	"InternalErrors": {`
		http_requests_total{job="storefront", path="/wx/home/index", errno="0"} 0+3x30 90x20
		http_requests_total{job="storefront", path="/wx/home/index", errno="502"} _x31 1+3x20
		http_internal_errors_total{job="storefront"} 0x30 1+3x20`, `
		http_requests_total{job="storefront", path="/wx/home/index", errno="502"} _x31 1x20
		http_requests_total{job="storefront", path="/wx/cart/index", errno="502"} _x32 1x19
		http_requests_total{job="storefront", path="/wx/order/list", errno="502"} _x33 1x18
		http_requests_total{job="storefront", path="/wx/user/index", errno="502"} _x34 1x17
		http_requests_total{job="storefront", path="/wx/goods/list", errno="502"} _x35 1x16
		http_internal_errors_total{job="storefront"} 0x30 1+1x5 5x15`},
	"SlowRequests": {`
		http_request_duration_seconds_bucket{job="storefront", path="/wx/home/index", le="2.5"} 0x30
		http_request_duration_seconds_bucket{job="storefront", path="/wx/home/index", le="5"} 0+3x30
		http_request_duration_seconds_bucket{job="storefront", path="/wx/home/index", le="+Inf"} 0+3x30`},
	"RequestsRefused": {`
		http_requests_total{job="storefront", path="/wx/home/index", errno="0"} 0+3x30
		http_requests_total{job="storefront", path="/wx/auth/login", errno="502"} _x10 1+2x20
		admission_refused_total{job="storefront", class="login"} 0x10 1+2x20
		admission_refused_total{job="storefront", class="read"} 0x30`},
	"FilesRunOut": {`
		process_open_fds{job="storefront"} 60x5 900x20
		process_max_fds{job="storefront"} 1024x25`},
	"NoOrders": {
		`shop_orders_total{job="storefront", event="submit"} 0x100 1+1x25 25x1500`,
		`shop_orders_total{job="storefront", event="submit"} 0x100 1x10 2x10 3x10 4x10 5x10 6x10 7x10 8x10 9x10 10x10 11x10 12x10 13x1600`,
		`shop_orders_total{job="storefront", event="submit"} 0x100 1x300 2x300 3x300 4x300 5x2900`,
	},
	"PaymentsMissing": {`
		shop_payments_total{job="storefront", event="issue"} 0x20 1+1x15 15x30
		shop_payments_total{job="storefront", event="collect"} 0x65`, `
		shop_payments_total{job="storefront", event="issue"} 0x20 1x200 2x200 3x200 4x200 5x200
		shop_payments_total{job="storefront", event="collect"} 0x1020`},
	"PaymentPlatformFailing": {`
		shop_platform_failures_total{job="storefront", call="prepay", result="failed"} 0x30 1x25 2x25 3x25 4x25
		shop_platform_call_seconds_count{job="storefront", call="prepay"} 8x30 9x25 10x25 11x25 12x25`},
	"RefundsFailing": {`
		shop_refunds_total{job="admin", event="fail"} 0x20 1x300 2x300
		shop_refunds_total{job="admin", event="finish"} 4x620`},
	"OpenCases": {`shop_open_cases{job="admin", kind="refused-refund"} 0x5 1x40`},
	"ManyShortages": {`
		shop_stock_refusals_total{job="storefront"} 0x30 1+1x60
		shop_orders_total{job="storefront", event="submit"} 0x30 1x60`},
	"LoginsRefused": {`
		shop_logins_total{job="admin", audience="staff", result="refused"} 0x5 1+3x30
		shop_logins_total{job="admin", audience="staff", result="ok"} 5x35`},
	"CodesFailing": {`
		shop_codes_total{job="storefront", result="failed"} 0x20 1x20 2x20 3x20 4x20
		shop_codes_total{job="storefront", result="ok"} 7x100
		shop_codes_total{job="storefront", result="refused"} 0x100`},
	"OutboxOverdue": {`shop_outbox_overdue_seconds{job="admin"} 0+60x20`},
	"DeadLetters":   {`shop_open_cases{job="admin", kind="dead-letter"} 0x5 1x5`},
	"JobLate":       {`shop_job_lag_seconds{job="admin", name="outbox"} 0+60x20`},
	"JobsUnknown": {
		`up{job="storefront"} 1x20`,
		`shop_job_lag_seconds{job="admin", name="outbox"}` + strings.Repeat(" NaN", 20),
	},
	"JobFailing": {`
		shop_job_runs_total{job="admin", name="outbox", result="failed"} 0x5 1+1x20
		shop_job_runs_total{job="admin", name="outbox", result="ok"} 9x25`, `
		shop_job_runs_total{job="admin", name="rollup", result="failed"} 0x10 1x60 2x60 3x60 4x60
		shop_job_runs_total{job="admin", name="rollup", result="ok"} 9x250`, `
		shop_job_runs_total{job="admin", name="verify", result="failed"} 0x10 1x1440 2x1440
		shop_job_runs_total{job="admin", name="verify", result="ok"} 0x2890`},
	"JobRowsSetAside": {`shop_job_failed_rows{job="admin", name="expire"} 0x5 1x70`},
	"BooksDisagree":   {`shop_verify_disagreements{job="admin"} 0x5 1x5`},
	"BooksUnverified": {`shop_job_lag_seconds{job="admin", name="verify"} 86000+60x90`},
	"DatabaseFailing": {`dependency_up{job="storefront", dependency="mysql"} 1x5 0x5`},
	"ReadReplicaOut":  {`shop_replica_serves{job="storefront", replica="1"} 1x5 0x15`},
	"IndexBehind":     {`catalog_index_lag_seconds{job="storefront", instance="a"} 0+10x20`},
	"IndexDisagrees":  {`catalog_index_disagreements{job="storefront", instance="a"} 0x5 1x5`},
	"RedisFailing":    {`dependency_up{job="storefront", dependency="redis"} 1x5 0x5`},
	"DatabaseConnections": {`
		shop_sql_connections{job="storefront", instance="a", state="used"} 1x5 60x10
		shop_sql_connections_max{job="storefront", instance="a"} 64x15`},
	"DatabaseSlow": {`
		shop_sql_statement_seconds_bucket{job="storefront", kind="select", le="0.5"} 0+9x30
		shop_sql_statement_seconds_bucket{job="storefront", kind="select", le="1"} 0+12x30
		shop_sql_statement_seconds_bucket{job="storefront", kind="select", le="+Inf"} 0+12x30`},
	"DatabaseConflicts": {`
		http_requests_total{job="storefront", path="/wx/order/submit", errno="504"} 0+2x40
		http_requests_total{job="storefront", path="/wx/home/index", errno="0"} 0+1x40
		shop_sql_conflicts_total{job="storefront", result="lost"} 0x5 0+2x35`},
}
