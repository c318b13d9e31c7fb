package drill

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

// relay stands between the payment platform and the shop. It passes notifications on, or refuses them for a while and
// sends them again later, as a platform does whose notification was not taken.
type relay struct {
	server *httptest.Server
	mu     sync.Mutex
	target string
	hold   bool
	held   []notification
}

type notification struct {
	header http.Header
	body   []byte
}

func newRelay(t *testing.T) *relay {
	r := &relay{}
	r.server = httptest.NewServer(r)
	t.Cleanup(r.server.Close)
	return r
}

// ServeHTTP takes a notification of the platform.
func (r *relay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	r.mu.Lock()
	n, hold, target := notification{q.Header.Clone(), body}, r.hold, r.target
	if hold {
		r.held = append(r.held, n)
	}
	r.mu.Unlock()
	if err != nil || hold {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	status, err := n.send(q.Context(), target)
	if err != nil {
		status = http.StatusBadGateway
	}
	w.WriteHeader(status)
}

func (n notification) send(ctx context.Context, shop string) (status int, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, shop+"/wx/order/pay-notify", bytes.NewReader(n.body))
	if err != nil {
		return 0, err
	}
	q.Header = n.header.Clone()
	answer, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

func (r *relay) passTo(shop string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target, r.hold = shop, false
}

// refuse takes nothing from now on.
func (r *relay) refuse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hold = true
}

// again sends what was refused, each once, and returns how many the shop has taken and how many it has not.
func (r *relay) again(ctx context.Context) (taken, refused int, err error) {
	r.mu.Lock()
	held, target := r.held, r.target
	r.held = nil
	r.mu.Unlock()
	latest := map[string]notification{} // by the platform's id: a repetition is signed anew
	for _, n := range held {
		latest[gjson.GetBytes(n.body, "id").String()] = n
	}
	for _, n := range latest {
		status, err := n.send(ctx, target)
		switch {
		case err != nil:
			return taken, refused, err
		case status < 300:
			taken++
		default:
			refused++
		}
	}
	return taken, refused, nil
}
