package report

// changes is the check that the version of a row is not below the changes that other columns and other rows prove:
// every change of a row counts one. Rows for which unless holds may have come with any version.
func changes(proved, unless string) check {
	return must("version", "t.version >= "+proved+" OR "+unless, "at least the number of its changes")
}

// proven is the check that the version of a row that staff makes is not below the number of audit records of its
// changes. Records that were purged only lower that number.
func proven(name string) check {
	said := func(column string) string {
		return "JSON_CONTAINS_PATH(" + parsed(column) + ", 'one', '$.updateTime', '$.adminContent')"
	}
	records := "(SELECT COUNT(*) FROM audit_log a WHERE a.target_type = " + literal(name) + " AND a.target_id = t.id"
	// The first count needs the index alone. Few rows have fewer changes than records, also of another kind.
	return changes(records+") OR t.version >= "+records+" AND "+said("a.before_json")+" AND "+said("a.after_json")+")",
		"FALSE")
}

// What proves changes, by table.
const (
	// Each step after the first changes the order, as does a case when it is opened.
	orderChanges = `(SELECT COUNT(*) - 1 FROM order_status_log s WHERE s.order_id = t.id)
		+ (SELECT COUNT(*) FROM aftersale a WHERE a.order_id = t.id) + t.deleted + t.user_deleted`
	// Free and offline payments begin as paid. Each refund reserves its amount.
	paymentChanges = `(t.prepay_id IS NOT NULL) + (t.channel NOT IN ('free', 'offline') AND t.status NOT IN @payment_open)
		+ (SELECT COUNT(*) FROM refund r
			WHERE r.order_id = t.order_id AND r.payment_id = t.id AND r.status IN @refund_given_out)`
	// The refund of a late payment begins as released.
	refundChanges = "t.attempts - (p.status <=> @payment_late) + (t.status IN @refund_answered)"
	caseChanges   = "(t.handle_time IS NOT NULL) + (t.status IN @case_closed) + t.deleted"
	// What was received before terms were kept may come from another shop. Keeping them was a change.
	holdingChanges = "(t.last_order_id IS NOT NULL OR t.status = @coupon_used)"
	// The last who received the coupon were given it by a change, unless they came with it from another shop.
	couponChanges = `COALESCE((SELECT h.name IS NOT NULL AND h.version = 0 FROM coupon_user h
		WHERE h.coupon_id = t.id ORDER BY h.add_time DESC, h.id DESC LIMIT 1), 0)`
	// An order begins with a lock of its shopper, which is a change.
	userChanges   = "(SELECT COUNT(*) FROM orders o WHERE o.user_id = t.id)"
	memberChanges = `(t.status <> @part_unpaid)
		+ (SELECT COUNT(*) FROM groupon m WHERE m.groupon_id = t.id AND m.active_mark = 0)`
)

// placedHere is the condition that a shopper placed an order here, since what it asks for is recorded. Others come from
// another shop, from an earlier release, or were generated.
func placedHere(order string) string {
	return "EXISTS (SELECT 1 FROM order_status_log b WHERE b.order_id = " + order +
		" AND b.from_status = @order_none AND b.amount IS NOT NULL)"
}
