package sandbox

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
)

// Seeds: contents that platforms send.
const (
	paid     = `{"appid":"wxsandbox","mchid":"1900000001","out_trade_no":"2030","transaction_id":"4200",`
	refunded = `{"mchid":"1900000001","out_trade_no":"2030","transaction_id":"4200","out_refund_no":"r1","refund_id":"50",`
)

// notification is one with any content, encrypted with a key.
func notification(tb testing.TB, key []byte, event, plain string) []byte {
	tb.Helper()
	block, err := aes.NewCipher(key)
	require.NoError(tb, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(tb, err)
	e := apiv3.Envelope{ID: "EV-1", EventType: event, ResourceType: "encrypt-resource"}
	e.Resource = apiv3.Resource{Algorithm: apiv3.Algorithm, AssociatedData: "transaction", Nonce: "nonce-of-12b"}
	text := gcm.Seal(nil, []byte(e.Resource.Nonce), []byte(plain), []byte(e.Resource.AssociatedData))
	e.Resource.Ciphertext = base64.StdEncoding.EncodeToString(text)
	body, err := json.Marshal(e)
	require.NoError(tb, err)
	return body
}

// FuzzRead encrypts and signs arbitrary content like the platform. Reading it succeeds or fails with an error; with one
// byte changed anywhere, it is refused.
func FuzzRead(f *testing.F) {
	for i, plain := range []string{
		paid + `"trade_state":"SUCCESS","success_time":"2030-01-02T12:00:00+08:00","amount":{"total":8100,"currency":"CNY"}}`,
		paid + `"trade_state":"SUCCESS","success_time":"yesterday","amount":{"total":-1}}`,
		paid + `"trade_state":"CLOSED","success_time":"2030-01-02T12:00:00Z"}`, `{}`, `null`, `[]`, ``, "\xff",
	} {
		f.Add("TRANSACTION.SUCCESS", plain, i*40, byte(1))
	}
	f.Add("REFUND.SUCCESS", refunded+`"refund_status":"SUCCESS","amount":{"refund":8100}}`, 0, byte(1))
	f.Add("REFUND.ABNORMAL", refunded+`"refund_status":"ABNORMAL","amount":{"refund":1e3}}`, 40, byte(1))
	f.Add("REFUND.", refunded+`"refund_status":""}`, 80, byte(1))
	keys, err := NewKeys()
	require.NoError(f, err)
	now := time.Unix(1893556800, 0)
	s := New(Options{
		Keys: func(context.Context) (Keys, error) { return keys, nil }, Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler),
	})
	f.Cleanup(s.Stop)
	f.Fuzz(func(t *testing.T, event, plain string, at int, flip byte) {
		body := notification(t, keys.Encryption, event, plain)
		h := http.Header{}
		h.Set(apiv3.HeaderTimestamp, strconv.FormatInt(now.Unix(), 10))
		h.Set(apiv3.HeaderNonce, rand.Text())
		h.Set(apiv3.HeaderSerial, serial)
		sign, err := apiv3.Sign(keys.Sign, h.Get(apiv3.HeaderTimestamp), h.Get(apiv3.HeaderNonce), string(body))
		require.NoError(t, err)
		h.Set(apiv3.HeaderSignature, sign)
		n, err := s.Read(t.Context(), h.Get, body, now)
		if err == nil {
			require.NotEmpty(t, n.TransactionID+n.RefundID)
		} else {
			require.ErrorIs(t, err, payment.ErrRefused)
			require.NotErrorIs(t, err, payment.ErrSignature, "the signature is right")
		}
		if flip == 0 {
			return
		}
		body[max(at, -at-1)%len(body)] ^= flip
		_, err = s.Read(t.Context(), h.Get, body, now)
		require.ErrorIs(t, err, payment.ErrSignature)
	})
}
