package races

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shop.internal/pkg/test/reliability/client"
)

// trap stands between the payment platform and the shop: it keeps the signed notices, so that a trial sends each when it
// wants to, once or many times.
type trap struct {
	url     string
	mu      sync.Mutex
	notices map[string]client.Request
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &trap{url: "http://" + listener.Addr().String() + "/wx/order/pay-notify", notices: map[string]client.Request{}}
	server := &http.Server{Handler: r, ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return r
}

// ServeHTTP takes a notice from the platform.
func (r *trap) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	header := http.Header{}
	for name, values := range req.Header {
		if len(name) > 9 && name[:9] == "Wechatpay" {
			header[name] = values
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notices[gjson.GetBytes(body, "id").String()] = client.Request{
		Method: http.MethodPost, Path: "/wx/order/pay-notify", ContentType: "application/json", Body: body, Header: header,
	}
	w.WriteHeader(http.StatusNoContent)
}

// of waits for the notice of the first payment of an order. The platform derives its ids from the number of the order.
func (r *trap) of(number string) client.Request {
	short := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:13])
	}
	id := "EV-" + short(number+"42"+short(number))
	for range 1000 {
		r.mu.Lock()
		notice, ok := r.notices[id]
		r.mu.Unlock()
		if ok {
			return notice
		}
		time.Sleep(5 * time.Millisecond)
	}
	must(fmt.Errorf("the platform sends no notice for order %s", number))
	return client.Request{}
}

// payAtOnce makes the platform of a replica send its notices without delay.
func payAtOnce(t *testing.T, ops string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, ops+"/sandbox?delay=1ms", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		t.Fatalf("the sandbox answers %s", res.Status)
	}
}
