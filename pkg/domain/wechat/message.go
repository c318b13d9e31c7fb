package wechat

import (
	"crypto/sha1" //nolint:gosec // the platform's own scheme
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
)

// Signed reports whether the platform has signed a message: the signature is the SHA-1 of the shared token, the time
// and a random text, sorted. Without a token it is always false.
func Signed(token, signature, timestamp, nonce string) bool {
	if token == "" {
		return false
	}
	parts := []string{token, timestamp, nonce}
	slices.Sort(parts)
	sum := sha1.Sum([]byte(strings.Join(parts, ""))) //nolint:gosec // see above
	want := hex.EncodeToString(sum[:])
	return subtle.ConstantTimeCompare([]byte(want), []byte(strings.ToLower(signature))) == 1
}
