package text

// Texts of the sandbox's payment page.
var (
	PayPageTitle   = entry("pay-page.title")
	PayPageOrder   = entry("pay-page.order")
	PayPagePay     = entry("pay-page.pay")
	PayPageRefuse  = entry("pay-page.refuse")
	PayPagePaid    = entry("pay-page.paid")
	PayPageRefused = entry("pay-page.refused")
	PayPageWaiting = entry("pay-page.waiting")
	PayPageGone    = entry("pay-page.gone")
	PayPageBroken  = entry("pay-page.broken")
	PayPageBack    = entry("pay-page.back")
	PayPageDemo    = entry("pay-page.demo")
	PayPageAstray  = entry("pay-page.astray")
)
