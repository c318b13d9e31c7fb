package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// silent are the corruptions of which nothing can be said, by the reason why. A paragraph is a column, the kinds of
// corruption, and the tables that have such a column.
var silent = []struct {
	why  string
	what string
}{
	{"counts changes, and any higher number is as good", `
		token_version more: user
		token_version more other zero: admin
		version more: ad admin aftersale comment groupon_rules issue keyword notice orders payment refund
			topic
		version more other zero: category goods goods_product role system_config
		version more other: coupon coupon_user groupon user
		version more zero: brand`},
	{"the time of the last change: nothing else says it", `
		update_time more: ad address admin aftersale brand cart category collect feedback footprint goods_content
			groupon_rules issue keyword order_goods orders payment refund search_history stock_bucket storage
			system_config topic user
		update_time more other: comment coupon coupon_user goods goods_attribute goods_product goods_specification
			groupon notice notice_admin role`},
	{"the number of a row that nothing refers to", `
		bucket_no more: stock_bucket
		id more: address notice_admin order_status_log payment_notify permission refund region stock_log storage
			system_config
		key_name more: system_config
		scope more: list_counter`},
	{"nothing refers to the row, or says that there must be one", `
		row removed: address list_counter notice_admin region stat_day storage system_config`},
	{"two equal rows are as good as one", `
		row doubled: ad brand category goods_attribute goods_specification issue notice region topic`},
	{"a time between two others, or of something that leaves no other trace", `
		add_time more other: admin_role
		add_time other: admin aftersale payment storage
		last_login_time more null: admin user
		paid_time other: payment
		prepay_expire more other: payment
		read_time more null: notice_admin
		refresh_time more: list_counter
		refresh_time more zero: stat_day
		released_time null: refund
		start_time other: coupon_user
		unused_since more null: storage`},
	{"rows of earlier releases have none", `
		amount null: order_status_log payment_notify
		name null: coupon_user`},
	{"nothing is as good as zero, or as an empty list", `
		goods_type zero: coupon_user
		goods_value null: coupon_user`},
	{"what the program notes for people: a job, its failures, the log in words", `
		action more other zero: log
		comment more other zero: log
		deleted more: log
		fence more zero: job_lease
		holder more zero: job_lease
		id more: log
		ip more other zero: log
		job more: job_failure
		last_end more null: job_lease
		last_error more zero: job_failure
		last_note more zero: job_lease
		last_start more null: job_lease
		lease_until more: job_lease
		name more: job_lease
		result more other zero: log
		retry_time more: job_failure
		row doubled removed: log
		row removed: job_failure job_lease
		row_id more zero: job_failure
		status other zero: log
		tries more: job_failure
		type more other zero: log
		update_time more: log`},
	{"what shoppers leave behind: carts, traces and feedback refer to them and are referred to by nothing", `
		add_time other: cart
		checked zero: cart
		content more: feedback
		deleted more: collect feedback footprint search_history
		deleted other zero: cart
		feed_type more zero: feedback
		goods_id more: footprint
		id more: cart collect feedback footprint search_history
		keyword more: search_history
		mobile more zero: feedback
		number more other: cart
		pic_url more zero: cart
		price more other zero: cart
		row doubled removed: feedback
		row removed: cart collect footprint search_history
		source more zero: search_history
		status more: feedback
		times more: search_history
		user_id more: collect footprint search_history
		user_id more zero: feedback
		username more zero: feedback
		view_count more other: footprint
		view_time more: footprint`},
	{"work that is done or waits: nothing remembers that it was asked for", `
		add_time more: goods_change
		add_time other: idempotency outbox_event
		aggregate_id more other zero: outbox_event
		attempts more other zero: outbox_event
		available_time more: outbox_event
		event_key more: outbox_event
		expire_time more: idempotency
		goods_id more other zero: goods_change
		id more: goods_change idempotency outbox_event
		idem_key more: idempotency
		locked_by zero: outbox_event
		owner_id more other zero: idempotency
		payload null other: outbox_event
		request_hash other: idempotency
		response other: idempotency
		row doubled removed: goods_change
		row removed: idempotency
		scope more: idempotency
		state other zero: outbox_event
		subject zero: idempotency
		topic more other: outbox_event
		trace_parent zero: outbox_event`},
	{"what a shopper, a platform or an operator has written once; nothing repeats it", `
		address more: orders
		address_detail more zero: address
		area_code more zero: address
		city more: address
		code more other: region
		comment more zero: aftersale
		content more other zero: comment
		county more: address
		last_error more zero: refund
		last_login_ip more zero: admin user
		message more zero: orders
		mobile more: orders
		mobile more null zero: user
		name more other: region
		name more zero: address
		nickname more other zero: user
		postal_code zero: address
		province more: address
		tel more zero: address`},
	{"a choice of its owner: any value that is allowed is as good", `
		birthday more null zero: user
		gender more zero: user
		position more: admin_role
		retired more: region
		star more other: comment
		status more: admin coupon user
		type other zero: comment
		user_deleted other zero: orders
		user_level more: user`},
	{"what leaves no other trace: an attempt, whose call waits, a removal, a number that is counted again", `
		deleted more: comment
		ordered_by null zero: refund
		total zero: list_counter`},
	{"a secret is known to its owner alone", `
		password_hash more null other: user
		wx_openid zero: user
		wx_session_key more: user`},
	{"the platform's number, message or answer: it alone knows them", `
		body null zero: payment_notify
		prepay_id more other zero: payment
		transaction_id more: payment`},
	{"an upload of a shopper: only its file says so", `
		name more other zero: storage
		owner_id more other zero: storage
		size more: storage
		type more: storage`},
	{"an address is checked for its form; which picture it shows nobody says", `
		avatar more zero: user
		pic_url more zero: order_goods
		share_url zero: goods groupon`},
}

// silences are the corruptions that silent lists, as "table.column kind".
func silences(t testing.TB) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, s := range silent {
		var head []string
		for line := range strings.Lines(s.what) {
			column, tables, begins := strings.Cut(line, ":")
			if begins {
				head = strings.Fields(column)
			} else {
				tables = line
			}
			for _, table := range strings.Fields(tables) {
				for _, kind := range head[1:] {
					what := table + "." + head[0] + " " + kind
					require.False(t, all[what], "%s is listed twice", what)
					all[what] = true
				}
			}
		}
	}
	return all
}
