package domaintest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/payment/stripe"
)

// The keys of the account.
const (
	StripeKey    = "sk_test_51Shop"
	StripeSecret = "whsec_shop"
)

// Stripe is the payment platform, written from its documentation without the shop's own code. It verifies every request
// like the platform and signs its notifications.
type Stripe struct {
	// Section are the keys of an account at this platform.
	Section stripe.Section

	t   testing.TB
	now func() time.Time

	mu sync.Mutex
	// Sessions, Intents and Refunds are its records, by its numbers, and Requests all requests received.
	Sessions, Intents, Refunds map[string]map[string]any
	Requests                   []StripeRequest
	// Fail answers the next requests to a path, in order, in place of what the platform would.
	fail map[string][]StripeFailure
	keys map[string]remembered
}

// StripeRequest is a request that the platform has received.
type StripeRequest struct {
	Call, Key string
	Form      url.Values
}

// StripeFailure is an answer of the platform in place of the right one. Late ones are answered after the request was
// served.
type StripeFailure struct {
	Status     int
	Type, Code string
	Body       string
	Late       bool
}

// remembered is what the platform has answered to a request with an idempotency key.
type remembered struct {
	form   string
	status int
	answer []byte
}

// OpenStripe starts the platform.
func OpenStripe(t testing.TB, now func() time.Time) *Stripe {
	t.Helper()
	p := &Stripe{
		t: t, now: now, fail: map[string][]StripeFailure{}, keys: map[string]remembered{},
		Sessions: map[string]map[string]any{}, Intents: map[string]map[string]any{}, Refunds: map[string]map[string]any{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/checkout/sessions", p.serve(p.create))
	mux.HandleFunc("GET /v1/checkout/sessions/{id}", p.serve(p.show))
	mux.HandleFunc("POST /v1/checkout/sessions/{id}/expire", p.serve(p.expire))
	mux.HandleFunc("GET /v1/payment_intents/search", p.serve(p.search))
	mux.HandleFunc("POST /v1/refunds", p.serve(p.refund))
	mux.HandleFunc("GET /v1/refunds", p.serve(p.refunds))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.Section = stripe.Section{SecretKey: StripeKey, WebhookSecret: StripeSecret, BaseURL: server.URL}
	return p
}

// Fail answers the next requests in place of what the platform would. call is the method and the path.
func (p *Stripe) Fail(call string, answers ...StripeFailure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail[call] = append(p.fail[call], answers...)
}

// Forget makes the platform forget the idempotency keys, as it does after a day.
func (p *Stripe) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.keys)
}

type stripeCall func(id string, form url.Values) (status int, answer any)

// serve checks what every request must have, and repeats the answer to a repeated one.
func (p *Stripe) serve(do stripeCall) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if !p.proper(r) {
			answerStripe(w, http.StatusUnauthorized, stripeError("invalid_request_error", "", "Invalid API Key provided"))
			return
		}
		call, key := r.Method+" "+r.URL.Path, r.Header.Get("Idempotency-Key")
		p.Requests = append(p.Requests, StripeRequest{call, key, r.Form})
		if id := r.PathValue("id"); id != "" {
			call = strings.Replace(call, id, "ID", 1)
		}
		var failure StripeFailure
		if all := p.fail[call]; len(all) > 0 {
			failure, p.fail[call] = all[0], all[1:]
		}
		if failure.Status != 0 && !failure.Late {
			answerStripe(w, failure.Status, failure.body())
			return
		}
		var status int
		var answer []byte
		before, known := p.keys[key]
		switch {
		case r.Method == http.MethodPost && known && before.form != r.Form.Encode():
			status, answer = http.StatusBadRequest, stripeError("idempotency_error", "", "Keys for idempotent requests differ")
		case r.Method == http.MethodPost && known:
			status, answer = before.status, before.answer
		default:
			var value any
			status, value = do(r.PathValue("id"), r.Form)
			answer, _ = json.Marshal(value)
			if r.Method == http.MethodPost {
				p.keys[key] = remembered{r.Form.Encode(), status, answer}
			}
		}
		if failure.Late {
			status, answer = failure.Status, failure.body()
		}
		answerStripe(w, status, answer)
	}
}

// proper checks the key, that changes have an idempotency key, and that nothing about the machine is sent.
func (p *Stripe) proper(r *http.Request) bool {
	require.NoError(p.t, r.ParseForm())
	require.NotEmpty(p.t, r.Header.Get("Stripe-Version"))
	require.Empty(p.t, r.Header.Get("X-Stripe-Client-Telemetry"))
	require.NotContains(p.t, r.Header.Get("X-Stripe-Client-User-Agent"), "platform")
	if r.Method == http.MethodPost {
		require.NotEmpty(p.t, r.Header.Get("Idempotency-Key"))
	}
	return r.Header.Get("Authorization") == "Bearer "+StripeKey
}

func (f StripeFailure) body() []byte {
	if f.Body != "" {
		return []byte(f.Body)
	}
	return stripeError(f.Type, f.Code, "as a test has asked for")
}

func stripeError(kind, code, message string) []byte {
	body, _ := json.Marshal(map[string]any{
		"error": map[string]any{"type": kind, "code": code, "message": message},
	})
	return body
}

func answerStripe(w http.ResponseWriter, status int, body []byte) {
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func missing() (int, any) {
	return http.StatusNotFound, json.RawMessage(stripeError("invalid_request_error", "resource_missing", "No such object"))
}

func invalid(message string) (int, any) {
	return http.StatusBadRequest, json.RawMessage(stripeError("invalid_request_error", "", message))
}

// group returns the members of a form that have a common name, such as metadata[a].
func group(form url.Values, name string) map[string]any {
	of := map[string]any{}
	for key := range form {
		if inner, ok := strings.CutPrefix(key, name+"["); ok && strings.Count(inner, "]") == 1 {
			of[strings.TrimSuffix(inner, "]")] = form.Get(key)
		}
	}
	return of
}

func (p *Stripe) create(_ string, form url.Values) (int, any) {
	const price = "line_items[0][price_data]"
	units, err := strconv.ParseInt(form.Get(price+"[unit_amount]"), 10, 64)
	until := p.now().Add(24 * time.Hour)
	if text := form.Get("expires_at"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		require.NoError(p.t, err)
		until = time.Unix(seconds, 0)
	}
	success, bad := url.Parse(form.Get("success_url"))
	switch left := until.Sub(p.now()); {
	case err != nil || units <= 0:
		return invalid("Invalid integer")
	case bad != nil || success.Host == "":
		return invalid("Not a valid URL")
	case left < 30*time.Minute || left > 24*time.Hour:
		return invalid("The expires_at timestamp must be between 30 minutes and 24 hours from Checkout Session creation.")
	case form.Get("mode") != "payment" || form.Get("line_items[0][quantity]") != "1" ||
		form.Get(price+"[product_data][name]") == "" || len(form.Get(price+"[currency]")) != 3:
		return invalid("Missing required param")
	}
	id := fmt.Sprintf("cs_test_%d", len(p.Sessions)+1)
	s := map[string]any{
		"id": id, "object": "checkout.session", "status": "open", "payment_status": "unpaid", "livemode": false,
		"amount_total": units, "currency": strings.ToLower(form.Get(price + "[currency]")), "payment_intent": nil,
		"client_reference_id": form.Get("client_reference_id"), "metadata": group(form, "metadata"),
		"url":        "https://checkout.stripe.test/c/pay/" + id + "#fid",
		"expires_at": until.Unix(), "intent": group(form, "payment_intent_data[metadata]"),
	}
	p.Sessions[id] = s
	return http.StatusOK, maps.Clone(s)
}

func (p *Stripe) show(id string, form url.Values) (int, any) {
	s, ok := p.Sessions[id]
	if !ok {
		return missing()
	}
	shown := maps.Clone(s)
	if s["status"] != "open" {
		shown["url"] = nil
	}
	if intent, ok := s["payment_intent"].(string); ok && form.Get("expand[0]") == "payment_intent.latest_charge" {
		shown["payment_intent"] = p.Intents[intent]
	}
	return http.StatusOK, shown
}

func (p *Stripe) expire(id string, _ url.Values) (int, any) {
	s, ok := p.Sessions[id]
	if !ok {
		return missing()
	}
	if s["status"] != "open" {
		return invalid(fmt.Sprintf("Only Checkout Sessions that are open can be expired. This one is %s.", s["status"]))
	}
	s["status"] = "expired"
	return http.StatusOK, s
}

func (p *Stripe) search(_ string, form url.Values) (int, any) {
	found := []any{}
	for _, i := range p.Intents {
		number := i["metadata"].(map[string]any)["out_no"]
		if form.Get("query") == fmt.Sprintf("status:'succeeded' AND metadata['out_no']:'%s'", number) {
			found = append(found, i)
		}
	}
	return http.StatusOK, map[string]any{"object": "search_result", "data": found, "has_more": false}
}

func (p *Stripe) refund(_ string, form url.Values) (int, any) {
	intent := form.Get("payment_intent")
	i, ok := p.Intents[intent]
	if !ok {
		return missing()
	}
	units, err := strconv.ParseInt(form.Get("amount"), 10, 64)
	left, _ := i["amount_received"].(int64)
	for _, r := range p.Refunds {
		if r["payment_intent"] == intent && r["status"] != "failed" {
			left -= r["amount"].(int64)
		}
	}
	if err != nil || units <= 0 || units > left {
		return invalid("Refund amount is greater than unrefunded amount on charge")
	}
	id := fmt.Sprintf("re_%d", len(p.Refunds)+1)
	r := map[string]any{
		"id": id, "object": "refund", "amount": units, "currency": i["currency"], "payment_intent": intent,
		"status": "succeeded", "metadata": group(form, "metadata"),
	}
	p.Refunds[id] = r
	return http.StatusOK, maps.Clone(r)
}

func (p *Stripe) refunds(_ string, form url.Values) (int, any) {
	list := []any{}
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(p.Refunds))) {
		if r := p.Refunds[id]; r["payment_intent"] == form.Get("payment_intent") {
			list = append(list, r)
		}
	}
	return http.StatusOK, map[string]any{"object": "list", "data": list, "has_more": false}
}

// Session returns the session of a payment, by our number; the latest if there are several.
func (p *Stripe) Session(outTradeNo string) map[string]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	var latest map[string]any
	for _, id := range slices.Sorted(maps.Keys(p.Sessions)) {
		if s := p.Sessions[id]; s["client_reference_id"] == outTradeNo {
			latest = s
		}
	}
	require.NotNil(p.t, latest, outTradeNo)
	return latest
}

// Pay is the shopper who pays on the page, and returns the notification of it.
func (p *Stripe) Pay(outTradeNo string) (header func(string) string, body []byte) {
	s := p.Session(outTradeNo)
	p.mu.Lock()
	require.Equal(p.t, "open", s["status"])
	id := fmt.Sprintf("pi_%d", len(p.Intents)+1)
	p.Intents[id] = map[string]any{
		"id": id, "object": "payment_intent", "status": "succeeded", "amount_received": s["amount_total"],
		"currency": s["currency"], "metadata": s["intent"], "latest_charge": map[string]any{"created": p.now().Unix()},
	}
	s["status"], s["payment_status"], s["payment_intent"] = "complete", "paid", id
	p.mu.Unlock()
	return p.Tell("checkout.session.completed", s)
}

// Tell returns a notification about an object.
func (p *Stripe) Tell(event string, object any) (header func(string) string, body []byte) {
	body, err := json.Marshal(map[string]any{
		"id": fmt.Sprintf("evt_%x", sha256.Sum256(fmt.Append(nil, event, object)))[:28], "object": "event", "type": event,
		"created": p.now().Unix(), "livemode": false, "data": map[string]any{"object": object},
	})
	require.NoError(p.t, err)
	return p.Signed(body, p.now(), StripeSecret), body
}

// Signed returns the header of a notification that is signed at a time with a secret, after a signature with one that
// is no longer in use.
func (p *Stripe) Signed(body []byte, at time.Time, secret string) func(string) string {
	sign := func(secret string) string {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = fmt.Fprintf(mac, "%d.%s", at.Unix(), body)
		return hex.EncodeToString(mac.Sum(nil))
	}
	header := fmt.Sprintf("t=%d,v1=%s,v1=%s,v0=%s", at.Unix(), sign("whsec_old"), sign(secret), sign("whsec_older"))
	return func(name string) string {
		if name == "Stripe-Signature" {
			return header
		}
		return ""
	}
}
