package apiv3

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"shop.internal/pkg/domain/payment"
)

// The key is fixed, since the processes of a fuzz run must use the same one.
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

// sealWith returns a notification with a content encrypted by a key, always the same.
func sealWith(tb testing.TB, key []byte, event, plain string) []byte {
	tb.Helper()
	gcm, err := aead(key)
	require.NoError(tb, err)
	s := Envelope{ID: "EV-1", EventType: event, ResourceType: "encrypt-resource"}
	s.Resource = Resource{Algorithm: Algorithm, AssociatedData: "transaction", Nonce: "nonce-of-12b"}
	text := gcm.Seal(nil, []byte(s.Resource.Nonce), []byte(plain), []byte(s.Resource.AssociatedData))
	s.Resource.Ciphertext = base64.StdEncoding.EncodeToString(text)
	body, err := json.Marshal(s)
	require.NoError(tb, err)
	return body
}

// contentOf returns the authenticated part of a notification's body.
func contentOf(body []byte) (content Resource, ok bool) {
	var s Envelope
	if json.Unmarshal(body, &s) != nil {
		return content, false
	}
	text, err := base64.StdEncoding.DecodeString(s.Resource.Ciphertext)
	s.Resource.Ciphertext = string(text)
	return s.Resource, err == nil
}

// FuzzOpen opens arbitrary bytes. Content is accepted only if it was encrypted with the key, and never with another
// key.
func FuzzOpen(f *testing.F) {
	ours := map[Resource]bool{}
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
	_, err := Open(good, fuzzKey, "wxsandbox", "1900000001")
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
		n, err := Open(body, fuzzKey, "wxsandbox", "1900000001")
		if err == nil {
			content, ok := contentOf(body)
			require.True(t, ok && ours[content], "%q is not sealed by us", body)
			require.NotEmpty(t, n.ID)
			require.LessOrEqual(t, len(n.ID), 96)
			require.Equal(t, n.Refund, n.OutRefundNo != "")
		} else {
			require.ErrorIs(t, err, payment.ErrRefused)
		}
		_, err = Open(body, otherKey, "wxsandbox", "1900000001")
		if content, _ := contentOf(body); err == nil {
			require.False(t, ours[content], "opened with another key")
		}
	})
}
