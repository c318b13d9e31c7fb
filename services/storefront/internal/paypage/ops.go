// Package paypage serves the page on which payments of the sandbox are made in a browser, instead of the payment
// platform's own. It exists only in demo shops with the sandbox.
package paypage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/redirect"
)

// Deps are the dependencies of the page.
type Deps struct {
	// Sandbox is the payment platform; without it there are no operations.
	Sandbox *sandbox.Gateway
	// Language is the shop's language, zh or en.
	Language string
	// Shop is an address of the shop, such as that of payment notifications; Origins are those of its other pages.
	// Browsers are redirected only to these.
	Shop    string
	Origins []string
}

type handlers struct {
	Deps
	back redirect.Targets
}

// formLimit bounds the bytes of the form, which has one field.
const formLimit = 4 << 10

// Ops declares the operations of the page, none without a sandbox.
func Ops(d Deps) []op.Op {
	if d.Sandbox == nil {
		return nil
	}
	h := handlers{d, redirect.New(d.Shop, d.Origins)}
	return []op.Op{
		op.Raw{
			Method: http.MethodGet, Path: sandbox.PagePath, Title: "Show the sandbox's payment page", Access: op.Public,
			Statuses: pageStatuses(http.StatusOK, "The page."), Serve: h.show,
		},
		op.Raw{
			Method: http.MethodPost, Path: sandbox.PagePath, Title: "Pay or refuse on the sandbox's payment page",
			Access: op.Public, Statuses: pageStatuses(http.StatusSeeOther, "Where the browser goes on."), Serve: h.decide,
		},
	}
}

// pageStatuses are the HTTP statuses of the page.
func pageStatuses(success int, text string) map[int]string {
	return map[int]string{
		success:               text,
		http.StatusBadRequest: "Neither to pay nor to refuse was asked.",
		http.StatusNotFound:   "The sandbox knows no such payment.",
		http.StatusBadGateway: "The shop cannot look it up now.",
	}
}

// The names of parameters. prepay_id and redirect_url are those of the payment platform.
const (
	tokenName  = "prepay_id"
	backName   = "redirect_url"
	actionName = "action"
	pay        = "pay"
	refuse     = "refuse"
)

// stay is how many seconds the result is shown before the browser returns to the shop.
const stay = 2

// show serves the page: the payment with its two buttons, or its result with the link back.
func (h handlers) show(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p, err := h.Sandbox.Page(r.Context(), q.Get(tokenName))
	if err != nil {
		return h.fail(w, q, err)
	}
	v := h.view(p, q.Get(tokenName), q.Get(backName))
	switch {
	case p.Paid:
		v.State, v.Says = "paid", text.PayPagePaid.In(h.Language)
	case q.Get(actionName) == refuse:
		v.State, v.Says = "refused", text.PayPageRefused.In(h.Language)
	case q.Get(actionName) == pay:
		v.State, v.Says = "waiting", text.PayPageWaiting.In(h.Language)
	}
	// A refused payment without a link back can still be paid; otherwise the page would be a dead end.
	v.Open = v.State == "" || v.State == "refused" && v.Back == ""
	if v.State == "waiting" {
		w.Header().Set("Refresh", fmt.Sprint(stay))
	} else if v.State != "" && v.Back != "" {
		w.Header().Set("Refresh", fmt.Sprintf("%d; url=%s", stay, v.Back))
	}
	return h.write(w, http.StatusOK, v)
}

// decide pays or refuses, and redirects the browser to the result. It redirects no further, since the policy on form
// targets applies to redirects too.
func (h handlers) decide(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	token := q.Get(tokenName)
	if _, err := h.Sandbox.Page(r.Context(), token); err != nil {
		return h.fail(w, q, err)
	}
	r.Body = http.MaxBytesReader(w, r.Body, formLimit)
	action := r.PostFormValue(actionName)
	switch action {
	case pay:
		if err := h.Sandbox.PayOnPage(r.Context(), token); err != nil {
			return h.fail(w, q, err)
		}
	case refuse:
	default:
		w.WriteHeader(http.StatusBadRequest)
		return errno.Invalid.Because(text.ValidationInvalid, actionName)
	}
	back := q.Get(backName)
	back = back[:min(len(back), redirect.Max+1)] // one that is too long stays so, but needs no long header
	headers(w)
	w.Header().Set("Location", address(token, back, action))
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// fail says that the page is invalid or, with 502, that something failed. It also shows the link back.
func (h handlers) fail(w http.ResponseWriter, q url.Values, err error) error {
	v := h.view(sandbox.PagePayment{}, "", q.Get(backName))
	v.State, v.Says = "gone", text.PayPageGone.In(h.Language)
	if errors.Is(err, sandbox.ErrNoPage) {
		return h.write(w, http.StatusNotFound, v)
	}
	v.Says = text.PayPageBroken.In(h.Language)
	return errors.Join(err, h.write(w, http.StatusBadGateway, v))
}

func (h handlers) write(w http.ResponseWriter, status int, v view) error {
	var b bytes.Buffer
	if err := page.Execute(&b, v); err != nil {
		return fmt.Errorf("write the payment page: %w", err)
	}
	headers(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(b.Bytes())
	if err != nil {
		return fmt.Errorf("send the payment page: %w", context.Canceled)
	}
	return nil
}

// headers prevent the page from executing anything, from being framed, and its token from leaking.
func headers(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src '"+styleHash+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
}
