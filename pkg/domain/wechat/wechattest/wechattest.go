// Package wechattest is an app platform for tests: it speaks the platform's interface over HTTP on this machine.
package wechattest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // the platform's own scheme
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"shop.internal/pkg/domain/wechat"
)

// The app that the platform knows.
const (
	AppID  = "wx0123456789abcdef"
	Secret = "the-secret-of-the-app"
)

// Platform answers for every code "code-of-<user>" with the identity "o-<user>", as often as it comes. The codes that
// it draws are QR codes of the page and the scene: "page?scene".
type Platform struct {
	server *httptest.Server

	mu      sync.Mutex
	calls   int
	keys    map[string]string
	refusal int
}

// Open starts a platform that ends with the test.
func Open(t testing.TB) *Platform {
	t.Helper()
	p := &Platform{keys: map[string]string{}}
	p.server = httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(p.server.Close)
	return p
}

// Config is what a shop needs to know of the app.
func (p *Platform) Config() wechat.Config {
	return wechat.Config{AppID: AppID, Secret: Secret, BaseURL: p.server.URL}
}

// Calls is how often the platform was called.
func (p *Platform) Calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

// Key is the session key that a user was given last.
func (p *Platform) Key(user string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys[user]
}

// Refuse has the platform refuse to draw codes, by a number of its own; 0 ends that.
func (p *Platform) Refuse(errcode int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = errcode
}

func (p *Platform) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/cgi-bin/stable_token":
		giveToken(w, r)
		return
	case r.Method == http.MethodPost && r.URL.Path == "/wxa/getwxacodeunlimit":
		drawCode(w, r, p.refusal)
		return
	}
	w.Header().Set("Content-Type", "text/plain") // as the platform does
	q := r.URL.Query()
	user, known := strings.CutPrefix(q.Get("js_code"), "code-of-")
	switch {
	case r.Method != http.MethodGet || r.URL.Path != "/sns/jscode2session" || q.Get("grant_type") != "authorization_code":
		http.NotFound(w, r)
	case q.Get("appid") != AppID || q.Get("secret") != Secret:
		_, _ = fmt.Fprint(w, `{"errcode":40125,"errmsg":"invalid appsecret"}`)
	case !known:
		_, _ = fmt.Fprint(w, `{"errcode":40029,"errmsg":"invalid code"}`)
	default:
		p.keys[user] = newKey()
		_ = json.NewEncoder(w).Encode(map[string]string{"openid": "o-" + user, "session_key": p.keys[user]})
	}
}

func newKey() string {
	key := make([]byte, 16)
	_, _ = rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
}

// Number is what the platform seals about a mobile number.
func Number(mobile, appID string) string {
	return fmt.Sprintf(`{"phoneNumber":%q,"purePhoneNumber":%q,"countryCode":"86",`+
		`"watermark":{"timestamp":1893470400,"appid":%q}}`, mobile, mobile, appID)
}

// Seal seals a text under a session key.
func Seal(t testing.TB, key, text string) (iv, sealed string) {
	t.Helper()
	k, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(k)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]byte, aes.BlockSize)
	_, _ = rand.Read(v)
	n := aes.BlockSize - len(text)%aes.BlockSize
	data := append([]byte(text), bytes.Repeat([]byte{byte(n)}, n)...)
	cipher.NewCBCEncrypter(block, v).CryptBlocks(data, data)
	return base64.StdEncoding.EncodeToString(v), base64.StdEncoding.EncodeToString(data)
}

// Sign signs a message as the platform does.
func Sign(token, timestamp, nonce string) string {
	parts := []string{token, timestamp, nonce}
	slices.Sort(parts)
	sum := sha1.Sum([]byte(strings.Join(parts, ""))) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}
