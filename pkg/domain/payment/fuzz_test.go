package payment

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The key is fixed, since the processes that share the work of a fuzz run must agree on it.
var (
	fuzzKey  = []byte("0123456789abcdef0123456789abcdef")
	otherKey = []byte("fedcba9876543210fedcba9876543210")
)

// plains are contents that platforms send, and some that they do not, by event.
func plains() map[string][]string {
	const (
		head   = `{"appid":"wxsandbox","mchid":"1900000001","out_trade_no":"2030","transaction_id":"4200",`
		refund = `{"mchid":"1900000001","out_trade_no":"2030","transaction_id":"4200","out_refund_no":"r1","refund_id":"50",`
	)
	return map[string][]string{
		"TRANSACTION.SUCCESS": {
			head + `"trade_state":"SUCCESS","success_time":"2030-01-02T12:00:00+08:00","amount":{"total":8100,"currency":"CNY"}}`,
			head + `"trade_state":"SUCCESS","success_time":"yesterday","amount":{"total":-1}}`,
			head + `"trade_state":"CLOSED","success_time":"2030-01-02T12:00:00Z"}`, `{}`, `null`, `[]`, ``, "\xff",
		},
		"REFUND.SUCCESS": {
			refund + `"refund_status":"SUCCESS","amount":{"refund":8100}}`, refund + `"refund_status":"CLOSED"}`, `{}`, `null`,
		},
		"REFUND.ABNORMAL": {refund + `"refund_status":"ABNORMAL","amount":{"refund":1e3}}`},
		"REFUND.":         {refund + `"refund_status":""}`},
	}
}

// sealWith is a notice with a content sealed by a key; the same notice whenever it is made.
func sealWith(tb testing.TB, key []byte, event, plain string) []byte {
	tb.Helper()
	gcm, err := aead(key)
	require.NoError(tb, err)
	s := sealed{ID: "EV-1", EventType: event, ResourceType: "encrypt-resource"}
	s.Resource = resource{Algorithm: algorithm, AssociatedData: "transaction", Nonce: "nonce-of-12b"}
	text := gcm.Seal(nil, []byte(s.Resource.Nonce), []byte(plain), []byte(s.Resource.AssociatedData))
	s.Resource.Ciphertext = base64.StdEncoding.EncodeToString(text)
	body, err := json.Marshal(s)
	require.NoError(tb, err)
	return body
}

// contentOf is what of a notice's body the key vouches for.
func contentOf(body []byte) (content resource, ok bool) {
	var s sealed
	if json.Unmarshal(body, &s) != nil {
		return content, false
	}
	text, err := base64.StdEncoding.DecodeString(s.Resource.Ciphertext)
	s.Resource.Ciphertext = string(text)
	return s.Resource, err == nil
}

// FuzzOpen opens any bytes. Nothing is taken whose content was not sealed with the key, and nothing at all with another
// key.
func FuzzOpen(f *testing.F) {
	ours := map[resource]bool{}
	for event, contents := range plains() {
		for _, plain := range contents {
			body := sealWith(f, fuzzKey, event, plain)
			content, ok := contentOf(body)
			require.True(f, ok)
			ours[content] = true
			f.Add(body)
			f.Add(sealWith(f, otherKey, event, plain))
		}
	}
	good := sealWith(f, fuzzKey, "TRANSACTION.SUCCESS", plains()["TRANSACTION.SUCCESS"][0])
	_, err := open(good, fuzzKey, sandboxApp, sandboxMch)
	require.NoError(f, err)
	for _, spoiled := range [][]byte{
		nil, []byte(`{}`), []byte(`[]`), []byte(`null`), good[:len(good)/2],
		bytes.Replace(good, []byte("nonce-of-12b"), []byte("nonce-of-12c"), 1),
		bytes.Replace(good, []byte("nonce-of-12b"), nil, 1),
		bytes.Replace(good, []byte(`:"transaction"`), []byte(`:"refund"`), 1),
		bytes.Replace(good, []byte("TRANSACTION.SUCCESS"), []byte("REFUND.SUCCESS"), 1),
	} {
		f.Add(spoiled)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		n, err := open(body, fuzzKey, sandboxApp, sandboxMch)
		if err == nil {
			content, ok := contentOf(body)
			require.True(t, ok && ours[content], "%q is not sealed by us", body)
			require.NotEmpty(t, n.ID)
			require.LessOrEqual(t, len(n.ID), 96)
			require.Equal(t, n.Refund, n.OutRefundNo != "")
		} else {
			require.ErrorIs(t, err, ErrRefused)
		}
		_, err = open(body, otherKey, sandboxApp, sandboxMch)
		if content, _ := contentOf(body); err == nil {
			require.False(t, ours[content], "opened with another key")
		}
	})
}

// FuzzRead seals and signs any content as the platform would. However odd it is, reading it says what it refuses; and
// with one byte changed, wherever, nobody believes it.
func FuzzRead(f *testing.F) {
	for event, contents := range plains() {
		for i, plain := range contents {
			f.Add(event, plain, i*40, byte(1))
		}
	}
	keys, err := NewKeys()
	require.NoError(f, err)
	now := time.Unix(1893556800, 0)
	s := NewSandbox(SandboxOptions{
		Keys: func(context.Context) (Keys, error) { return keys, nil }, Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler),
	})
	f.Cleanup(s.Stop)
	f.Fuzz(func(t *testing.T, event, plain string, at int, flip byte) {
		body := sealWith(t, keys.Seal, event, plain)
		h := http.Header{}
		h.Set(headerTimestamp, strconv.FormatInt(now.Unix(), 10))
		h.Set(headerNonce, rand.Text())
		h.Set(headerSerial, sandboxSerial)
		sign, err := signature(keys.Sign, h.Get(headerTimestamp), h.Get(headerNonce), string(body))
		require.NoError(t, err)
		h.Set(headerSignature, sign)
		n, err := s.Read(t.Context(), h.Get, body, now)
		if err == nil {
			require.NotEmpty(t, n.TransactionID+n.RefundID)
		} else {
			require.ErrorIs(t, err, ErrRefused)
			require.NotErrorIs(t, err, ErrSignature, "the signature is right")
		}
		if flip == 0 {
			return
		}
		body[max(at, -at-1)%len(body)] ^= flip
		_, err = s.Read(t.Context(), h.Get, body, now)
		require.ErrorIs(t, err, ErrSignature)
	})
}
