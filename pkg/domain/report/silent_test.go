package report_test

import (
	"strings"
	"testing"
)

// silent are the corruptions of which nothing can be said, with the reason. A line is table.column and the kinds.
var silent = []struct {
	why  string
	what string
}{
	{"a version counts changes, and any number is as good", `
		ad.version more
		admin.token_version more other zero
		admin.version more
		aftersale.version more other zero
		brand.version more
		category.version more other zero
		comment.version more other zero
		coupon.version more other zero
		coupon_user.version more other zero
		goods.version more other zero
		goods_product.version more other zero
		groupon.version more other zero
		groupon_rules.version more
		issue.version more
		job_lease.fence more zero
		keyword.version more
		notice.version more
		orders.version more other zero
		payment.version more other zero
		refund.version more other zero
		role.version more other zero
		system_config.version more other zero
		topic.version more
		user.token_version more
		user.version more other zero`},
	{"an address of a picture or a page is checked for its form alone", `
		ad.link more zero
		ad.url more
		admin.avatar more null zero
		aftersale.pictures null
		brand.pic_url more zero
		cart.pic_url more null zero
		category.icon_url more null zero
		category.pic_url more null zero
		goods.gallery null
		goods.pic_url more null zero
		goods.share_url zero
		goods_product.url more null zero
		goods_specification.pic_url more zero
		groupon.share_url zero
		groupon_rules.pic_url more null zero
		keyword.url more zero
		order_goods.pic_url more zero
		topic.pic_url more null zero
		user.avatar more zero`},
	{"a time between two others, or of something that leaves no other trace", `
		ad.end_time more null
		ad.start_time more null
		ad.update_time more
		address.update_time more
		admin.add_time other
		admin.last_login_time more null
		admin.update_time more
		admin_role.add_time more other
		aftersale.add_time other
		aftersale.handle_time other
		aftersale.update_time more
		brand.update_time more
		cart.add_time other
		cart.update_time more
		category.update_time more
		collect.update_time more
		comment.update_time more other
		coupon.end_time more
		coupon.start_time more
		coupon.update_time more other
		coupon_user.end_time more other
		coupon_user.update_time more other
		feedback.update_time more
		footprint.update_time more
		footprint.view_time more
		goods.update_time more other
		goods_attribute.update_time more other
		goods_change.add_time more
		goods_content.update_time more
		goods_product.update_time more other
		goods_specification.update_time more other
		groupon.add_time other
		groupon.creator_user_time other
		groupon.update_time more
		groupon_rules.expire_time more
		groupon_rules.update_time more
		idempotency.add_time other
		idempotency.expire_time more
		issue.update_time more
		job_failure.retry_time more
		job_lease.last_end more null
		job_lease.last_start more null
		job_lease.lease_until more
		keyword.update_time more
		list_counter.refresh_time more
		log.add_time other
		log.update_time more
		notice.update_time more other
		notice_admin.read_time more null
		notice_admin.update_time more other
		order_goods.update_time more
		order_status_log.add_time more
		orders.update_time more
		outbox_event.add_time other
		outbox_event.available_time more
		payment.add_time other
		payment.paid_time other
		payment.prepay_expire more other
		payment.update_time more
		payment_notify.add_time more other
		refund.add_time other
		refund.update_time more
		role.update_time more other
		search_history.update_time more
		stat_day.refresh_time more zero
		stock_bucket.update_time more
		storage.add_time other
		storage.unused_since more null
		storage.update_time more
		system_config.update_time more
		topic.update_time more
		user.birthday more null zero
		user.last_login_time more null
		user.update_time more`},
	{"what programs note for people, or a part of a request", `
		job_failure.job more
		job_failure.last_error more zero
		job_failure.row removed
		job_failure.row_id more zero
		job_failure.tries more
		job_lease.holder more zero
		job_lease.last_note more zero
		job_lease.name more
		job_lease.row removed
		log.action more null other zero
		log.admin more null other zero
		log.comment more null other zero
		log.deleted more
		log.id more
		log.ip more null other zero
		log.result more null other zero
		log.row doubled removed
		log.status other zero
		log.type more other zero`},
	{"what shoppers leave behind refers to them and is referred to by nothing", `
		cart.checked zero
		cart.deleted more other zero
		cart.goods_name more other zero
		cart.goods_sn more other zero
		cart.id more
		cart.number more other
		cart.price more other zero
		cart.row removed
		cart.specifications null
		collect.deleted more
		collect.id more
		collect.row removed
		collect.user_id more
		feedback.content more
		feedback.deleted more
		feedback.feed_type more zero
		feedback.id more
		feedback.mobile more zero
		feedback.row doubled removed
		feedback.status more
		feedback.user_id more zero
		feedback.username more zero
		footprint.deleted more
		footprint.goods_id more
		footprint.id more
		footprint.row removed
		footprint.user_id more
		footprint.view_count more other
		search_history.deleted more
		search_history.id more
		search_history.keyword more
		search_history.row removed
		search_history.source more zero
		search_history.times more
		search_history.user_id more`},
	{"contents of pages, which nothing refers to", `
		ad.content more zero
		ad.deleted more
		ad.enabled zero
		ad.id more
		ad.name more zero
		ad.row doubled removed
		issue.answer more null zero
		issue.deleted more
		issue.id more
		issue.question more
		issue.row doubled removed
		keyword.deleted more
		keyword.id more
		keyword.is_default zero
		keyword.is_hot zero
		keyword.keyword more
		keyword.row doubled removed
		keyword.sort_order more
		topic.content more null zero
		topic.deleted more
		topic.goods null
		topic.price more zero
		topic.read_count more zero
		topic.row doubled
		topic.sort_order more
		topic.subtitle more null zero
		topic.title more`},
	{"work that is done or will be done: nothing remembers that it was asked for", `
		goods_change.goods_id more other zero
		goods_change.id more
		goods_change.row doubled removed
		idempotency.id more
		idempotency.idem_key more
		idempotency.owner_id more other zero
		idempotency.request_hash other
		idempotency.response other
		idempotency.row removed
		idempotency.scope more
		idempotency.subject zero
		outbox_event.aggregate_id more other zero
		outbox_event.attempts more other zero
		outbox_event.event_key more
		outbox_event.id more
		outbox_event.locked_by zero
		outbox_event.payload null other
		outbox_event.row removed
		outbox_event.state other zero
		outbox_event.topic more other`},
	{"words for people", `
		address.address_detail more zero
		address.area_code more null zero
		address.city more
		address.county more
		address.name more zero
		address.postal_code zero
		address.province more
		address.tel more zero
		admin.last_login_ip more null zero
		aftersale.comment more zero
		aftersale.reason more zero
		brand.description more zero
		brand.name more
		category.description more null zero
		category.keywords more zero
		category.name more other
		comment.admin_content more zero
		comment.content more other zero
		coupon.description more zero
		coupon.name more other
		coupon.tag more zero
		goods.brief more other zero
		goods.goods_sn more other
		goods.unit more zero
		goods_attribute.attribute more
		goods_attribute.value more zero
		goods_content.detail more null zero
		goods_specification.specification more
		groupon_rules.goods_name more
		notice.content more null other zero
		order_goods.goods_name more other
		order_goods.goods_sn more other zero
		order_status_log.reason more other zero
		orders.address more
		orders.message more zero
		orders.mobile more
		orders.refund_content more null other zero
		orders.refund_type more zero
		orders.ship_channel more
		orders.ship_sn more other
		payment.trade_type more zero
		refund.last_error more zero
		refund.reason more zero
		region.code more other
		region.name more other
		role.description more null zero
		role.name more
		storage.name more other
		user.last_login_ip more zero
		user.mobile more null zero
		user.nickname more other zero`},
	{"a display order, a switch or a mark that staff set as they like", `
		admin.status more
		admin_role.position more
		brand.sort_order more
		category.sort_order more
		coupon.status more
		goods.is_hot zero
		goods.is_new zero
		goods.is_on_sale zero
		goods.sort_order more
		orders.user_deleted other zero
		region.retired more
		role.enabled zero
		user.gender more zero
		user.status more
		user.user_level more`},
	{"a secret is known to its owner alone", `
		admin.password_hash more other
		user.password_hash more null other
		user.wx_openid zero
		user.wx_session_key more`},
	{"a number of the platform is known to the platform alone, and its message is kept as it came", `
		payment.prepay_id more other zero
		payment.transaction_id more
		payment_notify.body more null other zero
		payment_notify.notify_id more
		refund.channel_refund_id more other`},
	{"a price or a term that staff set as they like; what was sold has its own copy", `
		brand.floor_price more zero
		comment.star more other
		comment.type other zero
		coupon.days more other
		coupon.discount more other
		coupon.min_amount more other zero
		coupon.per_user_limit more other zero
		coupon.total more other zero
		goods.counter_price more other zero
		groupon_rules.discount more
		groupon_rules.discount_member more
		list_counter.total zero
		storage.size more
		storage.type more
		system_config.key_value more other zero`},
	{"a row that nothing refers to yet may come, go, or have another number", `
		address.id more
		address.row removed
		admin_role.role_id more other
		admin_role.row removed
		brand.row doubled
		category.row doubled
		comment.deleted more
		goods.brand_id zero
		goods.category_id zero
		goods_attribute.goods_id other
		goods_attribute.id more
		goods_attribute.row doubled removed
		goods_content.row removed
		goods_specification.id more
		goods_specification.row doubled
		list_counter.row removed
		list_counter.scope more
		notice.admin_id more other zero
		notice.row doubled
		notice_admin.id more
		notice_admin.row removed
		order_status_log.id more
		payment_notify.id more
		permission.deleted more
		permission.id more
		permission.role_id more
		permission.row removed
		refund.id more
		region.id more
		region.row doubled removed
		role.deleted more
		stat_day.row removed
		stock_bucket.bucket_no more
		stock_log.id more
		storage.id more
		storage.owner_id more other
		storage.row removed
		system_config.id more
		system_config.key_name more
		system_config.row removed`},
	{"an attempt leaves no other trace", `
		refund.attempts more
		refund.ordered_by more null zero`},
}

// silences are the corruptions that silent lists, as "table.column kind".
func silences(t testing.TB) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, s := range silent {
		for line := range strings.Lines(s.what) {
			f := strings.Fields(line)
			for i := 1; i < len(f); i++ {
				all[f[0]+" "+f[i]] = true
			}
		}
	}
	return all
}
