package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"shop.internal/pkg/test/reliability/client"
)

// Sample is one call as its caller has seen it.
type Sample struct {
	Began  time.Time
	Took   time.Duration
	By     client.Caller
	Path   string
	Answer client.Answer
	// Err says that there was no answer.
	Err error
}

// Kind is who made the call: guests, shoppers or operators.
func (s Sample) Kind() string {
	switch {
	case strings.HasPrefix(s.Path, "/admin/"):
		return "operators"
	case s.By.Token == "":
		return "guests"
	default:
		return "shoppers"
	}
}

// Failed reports whether the shop did not do its part: no answer, none of the contract, or one that says so.
func (s Sample) Failed() bool {
	return s.Err != nil || s.Answer.Status >= http.StatusInternalServerError || s.Answer.Errno == -1 ||
		unsettled[s.Answer.Errno]
}

// Outcome names what the caller saw: 200, 200/502 with the errno, 502 page for an answer without an envelope, or
// no answer.
func (s Sample) Outcome() string {
	switch {
	case s.Err != nil && strings.Contains(s.Err.Error(), "Client.Timeout"):
		return "no answer in time"
	case s.Err != nil:
		return "no answer"
	case s.Answer.Errno == -1:
		return fmt.Sprintf("%d without an envelope", s.Answer.Status)
	case s.Answer.Errno == 0:
		return fmt.Sprint(s.Answer.Status)
	default:
		return fmt.Sprintf("%d/%d", s.Answer.Status, s.Answer.Errno)
	}
}

// read is the life of a guest: the pages that everybody opens.
func (w *World) read(ctx context.Context, r *rand.Rand) {
	guest := w.Shop.Storefront.Guest()
	for ctx.Err() == nil {
		w.gate.RLock()
		path := "/wx/home/index"
		switch r.IntN(4) {
		case 0:
			path = fmt.Sprintf("/wx/goods/list?page=%d&limit=20", 1+r.IntN(4))
		case 1, 2:
			path = fmt.Sprintf("/wx/goods/detail?id=%d", w.Goods[r.IntN(len(w.Goods))].ID)
		}
		_, _ = w.watched(ctx, guest, client.Request{Method: http.MethodGet, Path: path})
		w.gate.RUnlock()
		time.Sleep(time.Duration(10+r.IntN(40)) * time.Millisecond)
	}
}
