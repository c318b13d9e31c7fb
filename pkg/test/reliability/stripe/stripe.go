// Package stripe is a second payment platform for the tests, beside the shop's sandbox: it keeps the sessions, payments
// and refunds that the shop asks for over HTTP, and sends signed webhooks.
package stripe

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The keys of the shop's account.
const (
	key    = "sk_test_51Reliability"
	secret = "whsec_reliability"
)

// Platform is the running platform. It outlives every process of the shop.
type Platform struct {
	// URL is its own address.
	URL string

	server *http.Server
	stop   context.CancelFunc
	going  sync.WaitGroup

	mu       sync.Mutex
	webhook  string
	after    time.Duration
	sessions map[string]*session // by their ids
	latest   map[string]*session // by our numbers
	refunds  map[string]refund   // by our numbers
}

type object struct {
	ID       string            `json:"id"`
	Metadata map[string]string `json:"metadata"`
}

type session struct {
	object
	Status        string  `json:"status"`
	PaymentStatus string  `json:"payment_status"`
	URL           string  `json:"url"`
	AmountTotal   int64   `json:"amount_total"`
	Currency      string  `json:"currency"`
	PaymentIntent *string `json:"payment_intent"`

	paid time.Time
}

type refund struct {
	object
	Status        string `json:"status"`
	Amount        int64  `json:"amount"`
	Currency      string `json:"currency"`
	PaymentIntent string `json:"payment_intent"`
}

// Open starts the platform. No shopper pays there until PayAfter is called.
func Open(ctx context.Context) (*Platform, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Platform{
		URL: "http://" + listener.Addr().String(), sessions: map[string]*session{}, latest: map[string]*session{},
		refunds: map[string]refund{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/checkout/sessions", p.answer(p.create))
	mux.HandleFunc("GET /v1/checkout/sessions/{id}", p.answer(p.show))
	mux.HandleFunc("POST /v1/checkout/sessions/{id}/expire", p.answer(p.expire))
	mux.HandleFunc("GET /v1/payment_intents/search", p.answer(p.search))
	mux.HandleFunc("POST /v1/refunds", p.answer(p.refund))
	mux.HandleFunc("GET /v1/refunds", p.answer(p.made))
	p.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	var stop context.Context
	stop, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	p.server.BaseContext = func(net.Listener) context.Context { return stop }
	p.going.Go(func() { _ = p.server.Serve(listener) })
	return p, nil
}

// Close ends the platform and the webhooks that it repeats.
func (p *Platform) Close() error {
	p.stop()
	err := p.server.Close()
	p.going.Wait()
	return err
}

// Settings are those of the services that use the platform.
func (p *Platform) Settings() []string {
	return []string{
		"PAYMENT_STRIPE_SECRET_KEY=" + key, "PAYMENT_STRIPE_WEBHOOK_SECRET=" + secret, "PAYMENT_STRIPE_BASE_URL=" + p.URL,
	}
}

// PayAfter lets shoppers pay a while after their session began. The webhook is sent to the address until it is taken.
func (p *Platform) PayAfter(d time.Duration, webhook string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.after, p.webhook = d, webhook
}

// Pay pays the latest session of our number. It reports false if there is none to pay.
func (p *Platform) Pay(number string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.latest[number]
	if s == nil || s.Status != "open" {
		return false
	}
	intent := "pi_" + s.ID
	s.Status, s.PaymentStatus, s.PaymentIntent, s.paid = "complete", "paid", &intent, time.Now()
	return true
}

// Notice returns the webhook of a payment, signed now. Of one that does not exist it has no news.
func (p *Platform) Notice(number string) (header http.Header, body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.latest[number]
	if s == nil {
		s = &session{object: object{ID: "none"}}
	}
	body, _ = json.Marshal(map[string]any{
		"id": "evt_" + s.ID, "type": "checkout.session.completed", "created": s.paid.Unix(), "livemode": false,
		"data": map[string]any{"object": s},
	})
	at := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "." + string(body)))
	header = http.Header{"Content-Type": {"application/json"}}
	header.Set("Stripe-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
	return header, body
}

// Collected are the paid sessions by our numbers, as JSON like that of the sandbox.
func (p *Platform) Collected() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]string{}
	for number, s := range p.latest {
		if s.PaymentIntent != nil {
			all[number] = record(number, *s.PaymentIntent, s.AmountTotal, s.paid)
		}
	}
	return all
}

// Returned are the refunds likewise.
func (p *Platform) Returned() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]string{}
	for number, r := range p.refunds {
		all[number] = record(number, r.PaymentIntent, r.Amount, time.Time{})
	}
	return all
}

func record(number, transaction string, amount int64, at time.Time) string {
	text, _ := json.Marshal(map[string]any{
		"OutTradeNo": number, "TransactionID": transaction, "Amount": amount, "Time": at,
	})
	return string(text)
}

// answer checks the key and serves one request after the other.
func (p *Platform) answer(do func(r *http.Request) (int, any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status, body := http.StatusUnauthorized, refusal("", "Invalid API Key provided")
		if r.Header.Get("Authorization") == "Bearer "+key && r.ParseForm() == nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			status, body = do(r)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
}

func refusal(code, message string) any {
	return map[string]any{"error": map[string]any{"type": "invalid_request_error", "code": code, "message": message}}
}

func missing() (int, any) { return http.StatusNotFound, refusal("resource_missing", "No such object") }

// create makes a session, one for each key of idempotency.
func (p *Platform) create(r *http.Request) (int, any) {
	const price = "line_items[0][price_data]"
	number, id := r.Form.Get("metadata[out_no]"), "cs_test_"+r.Header.Get("Idempotency-Key")
	if s, known := p.sessions[id]; known {
		return http.StatusOK, s
	}
	amount, err := strconv.ParseInt(r.Form.Get(price+"[unit_amount]"), 10, 64)
	if err != nil || amount <= 0 || number == "" {
		return http.StatusBadRequest, refusal("", "Missing required param")
	}
	s := &session{
		object: object{id, map[string]string{"out_no": number}}, Status: "open", PaymentStatus: "unpaid",
		URL: p.URL + "/pay/" + id, AmountTotal: amount, Currency: strings.ToLower(r.Form.Get(price + "[currency]")),
	}
	p.sessions[id], p.latest[number] = s, s
	if p.after > 0 {
		webhook, after, ctx := p.webhook, p.after, p.server.BaseContext(nil)
		p.going.Go(func() { p.shopper(ctx, number, webhook, after) })
	}
	return http.StatusOK, s
}

// shopper pays, and sends the webhook until it is taken.
func (p *Platform) shopper(ctx context.Context, number, webhook string, after time.Duration) {
	if !wait(ctx, after) || !p.Pay(number) {
		return
	}
	for pause := time.Second; pause < time.Minute; pause *= 2 {
		if p.send(ctx, number, webhook) == nil || !wait(ctx, pause) {
			return
		}
	}
}

func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func (p *Platform) send(ctx context.Context, number, webhook string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	header, body := p.Notice(number)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, webhook, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = header
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	_, _ = io.Copy(io.Discard, a.Body)
	if a.StatusCode/100 != 2 {
		return fmt.Errorf("the shop answers %d", a.StatusCode)
	}
	return nil
}

func (p *Platform) show(r *http.Request) (int, any) {
	s, known := p.sessions[r.PathValue("id")]
	if !known {
		return missing()
	}
	return http.StatusOK, s
}

func (p *Platform) expire(r *http.Request) (int, any) {
	s, known := p.sessions[r.PathValue("id")]
	if !known {
		return missing()
	}
	if s.Status != "open" {
		return http.StatusBadRequest, refusal("", "Only Checkout Sessions that are open can be expired.")
	}
	s.Status = "expired"
	return http.StatusOK, s
}

// search finds a payment whose session's id the shop has lost.
func (p *Platform) search(r *http.Request) (int, any) {
	found := []any{}
	for number, s := range p.latest {
		query := fmt.Sprintf("status:'succeeded' AND metadata['out_no']:'%s'", number)
		if s.PaymentIntent != nil && r.Form.Get("query") == query {
			found = append(found, map[string]any{
				"id": *s.PaymentIntent, "metadata": s.Metadata, "amount_received": s.AmountTotal, "currency": s.Currency,
				"latest_charge": map[string]any{"created": s.paid.Unix()},
			})
		}
	}
	return http.StatusOK, map[string]any{"data": found, "has_more": false}
}

// refund returns money, once under a key of idempotency, and never more than was paid.
func (p *Platform) refund(r *http.Request) (int, any) {
	number, intent := r.Form.Get("metadata[out_no]"), r.Form.Get("payment_intent")
	if before, known := p.refunds[number]; known {
		return http.StatusOK, before
	}
	amount, err := strconv.ParseInt(r.Form.Get("amount"), 10, 64)
	s, known := p.sessions[strings.TrimPrefix(intent, "pi_")]
	if !known || s.PaymentIntent == nil {
		return missing()
	}
	left := s.AmountTotal
	for before := range maps.Values(p.refunds) {
		if before.PaymentIntent == intent {
			left -= before.Amount
		}
	}
	if err != nil || amount <= 0 || amount > left {
		return http.StatusBadRequest, refusal("", "Refund amount is greater than unrefunded amount on charge")
	}
	made := refund{object{"re_" + number, map[string]string{"out_no": number}}, "succeeded", amount, s.Currency, intent}
	p.refunds[number] = made
	return http.StatusOK, made
}

// made lists the refunds of a payment.
func (p *Platform) made(r *http.Request) (int, any) {
	list := []refund{}
	for one := range maps.Values(p.refunds) {
		if one.PaymentIntent == r.Form.Get("payment_intent") {
			list = append(list, one)
		}
	}
	return http.StatusOK, map[string]any{"data": list, "has_more": false}
}
