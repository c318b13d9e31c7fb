package text

// What happened in an open case, the argument being the number of the payment or refund or the key of the event, and
// what staff does next.
var (
	OpenRefusedNotice        = entry("open-case.refused-notice")
	OpenRefusedNoticeNext    = entry("open-case.refused-notice.next")
	OpenReturnedRefund       = entry("open-case.returned-refund")
	OpenReturnedRefundNext   = entry("open-case.returned-refund.next")
	OpenLateMoney            = entry("open-case.late-money")
	OpenLateMoneyNext        = entry("open-case.late-money.next")
	OpenUnansweredRefund     = entry("open-case.unanswered-refund")
	OpenUnansweredRefundNext = entry("open-case.unanswered-refund.next")
	OpenRefusedRefund        = entry("open-case.refused-refund")
	OpenRefusedRefundNext    = entry("open-case.refused-refund.next")
	OpenDeadLetter           = entry("open-case.dead-letter")
	OpenDeadLetterNext       = entry("open-case.dead-letter.next")
	OpenFailedGroup          = entry("open-case.failed-group")
	OpenFailedGroupNext      = entry("open-case.failed-group.next")
)
