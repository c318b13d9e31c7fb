package app

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"shop.internal/pkg/domain/payment/sandbox"
)

// sandboxControl changes how the sandbox treats the next payments, on the private port: POST
// /sandbox?refuse=true&silent=true&wrong=true&delay=5s&slow=5s&copies=2. Other settings are reset.
func sandboxControl(s *sandbox.Gateway) http.Handler {
	if s == nil {
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sandbox", func(w http.ResponseWriter, r *http.Request) {
		b, err := behaviourOf(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.Behave(b)
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}

func behaviourOf(q url.Values) (sandbox.Behaviour, error) {
	b := sandbox.Behaviour{Delay: time.Second, Copies: 1}
	for name, to := range map[string]*bool{
		"refuse": &b.Refuse, "silent": &b.Silent, "wrong": &b.Wrong, "lost": &b.Lost, "mute": &b.Mute,
	} {
		if !q.Has(name) {
			continue
		}
		var err error
		if *to, err = strconv.ParseBool(q.Get(name)); err != nil {
			return b, err
		}
	}
	for name, to := range map[string]*time.Duration{"delay": &b.Delay, "slow": &b.Slow} {
		if text := q.Get(name); text != "" {
			var err error
			if *to, err = time.ParseDuration(text); err != nil {
				return b, err
			}
		}
	}
	if text := q.Get("copies"); text != "" {
		var err error
		if b.Copies, err = strconv.Atoi(text); err != nil {
			return b, err
		}
	}
	return b, nil
}
