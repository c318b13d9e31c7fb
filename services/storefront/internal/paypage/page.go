package paypage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/url"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment/sandbox"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// Parsed once from embedded files.
var (
	page      = template.Must(template.New("page").Parse(pageHTML))
	styleHash = hash(pageCSS)
)

func hash(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// view is the content of the page.
type view struct {
	Language, Title, Amount, OrderSN string
	Labels                           labels
	Style                            template.CSS
	// State is empty before a decision; Says describes any other state.
	State, Says string
	// Open shows the form. Action is its target; Back is the link to the shop, "" for none; Astray says that the address
	// to return to is not allowed.
	Open         bool
	Action, Back string
	Astray       bool
	// Yes and No are the values of the buttons, Choice their name.
	Choice, Yes, No string
}

type labels struct{ Order, Pay, Refuse, Back, Demo, Astray string }

// view returns the page of a payment, or without a token an invalid page. back is the address to return to as received,
// which the form sends again.
func (h handlers) view(p sandbox.PagePayment, token, back string) view {
	in := func(t *text.Text) string { return t.In(h.Language) }
	v := view{
		Language: text.Tag(h.Language), Title: in(text.PayPageTitle), OrderSN: p.OrderSN,
		Style: template.CSS(pageCSS), //nolint:gosec // our own file
		Labels: labels{
			Order: in(text.PayPageOrder), Pay: in(text.PayPagePay), Refuse: in(text.PayPageRefuse),
			Back: in(text.PayPageBack), Demo: in(text.PayPageDemo), Astray: in(text.PayPageAstray),
		},
		Choice: actionName, Yes: pay, No: refuse,
	}
	to, given := h.back.To(back)
	v.Back, v.Astray = to, given && to == ""
	if token != "" {
		v.Amount = p.Currency.Price(p.Amount)
		v.Action = address(token, back, "")
	}
	return v
}

// address is the address of a payment's page, after a decision with its result.
func address(token, back, action string) string {
	q := url.Values{tokenName: {token}}
	if back != "" {
		q.Set(backName, back)
	}
	if action != "" {
		q.Set(actionName, action)
	}
	return sandbox.PagePath + "?" + q.Encode()
}
