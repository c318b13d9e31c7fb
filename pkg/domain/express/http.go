package express

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const (
	// longest bounds the bytes read of an answer, maxTraces the stations.
	longest   = 1 << 20
	maxTraces = 200
)

// HTTP is a provider that sends GET <address>?channel=ZTO&number=1 and expects JSON with the members Success, Reason,
// State and Traces, a list of AcceptStation and AcceptTime.
type HTTP struct {
	address, token string
	client         *http.Client
}

// NewHTTP returns the provider at an address. A non-empty token is sent as bearer.
func NewHTTP(address, token string) *HTTP {
	return &HTTP{address: address, token: token, client: &http.Client{
		Timeout: requestTimeout,
		// The token is for this address only, so redirects are not followed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Track implements Provider.
func (h *HTTP) Track(ctx context.Context, p Parcel) (Track, error) {
	separator := "?"
	if strings.Contains(h.address, "?") {
		separator = "&"
	}
	query := url.Values{"channel": {p.Channel}, "number": {p.Number}}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, h.address+separator+query, http.NoBody)
	if err != nil {
		return Track{}, errors.New("the address of the provider is malformed") // without the address, which may hold a key
	}
	if h.token != "" {
		r.Header.Set("Authorization", "Bearer "+h.token)
	}
	answer, err := h.client.Do(r)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // without the address
		}
		return Track{}, fmt.Errorf("ask the provider: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // only read
	if answer.StatusCode != http.StatusOK {
		return Track{}, fmt.Errorf("ask the provider: HTTP status %d", answer.StatusCode)
	}
	return read(answer.Body)
}

func read(body io.Reader) (Track, error) {
	var answer struct {
		Success bool   `json:"Success"`
		Reason  string `json:"Reason"`
		State   string `json:"State"`
		Traces  []struct {
			Station string `json:"AcceptStation"`
			Time    string `json:"AcceptTime"`
		} `json:"Traces"`
	}
	if err := json.NewDecoder(io.LimitReader(body, longest)).Decode(&answer); err != nil {
		return Track{}, fmt.Errorf("read the provider's answer: %w", err)
	}
	t := Track{Success: answer.Success, Reason: answer.Reason, State: answer.State}
	for _, trace := range answer.Traces[:min(len(answer.Traces), maxTraces)] {
		t.Traces = append(t.Traces, Trace{Station: trace.Station, Time: trace.Time})
	}
	return t, nil
}
