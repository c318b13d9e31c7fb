package server_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/server"
)

func engine(t *testing.T, o server.EngineOptions) *gin.Engine {
	t.Helper()
	g, err := server.Engine(o)
	require.NoError(t, err)
	g.HandleMethodNotAllowed = true
	g.GET("/here", func(c *gin.Context) { c.String(http.StatusOK, c.ClientIP()) })
	return g
}

func ask(g *gin.Engine, method, path string, header map[string]string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	r.RemoteAddr = "10.0.0.1:1234"
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w.Result()
}

func TestForwardedForIsBelievedFromTrustedProxiesOnly(t *testing.T) {
	header := map[string]string{"X-Forwarded-For": "192.0.2.1, 198.51.100.7", "X-Real-IP": "203.0.113.1", "CF-Connecting-IP": "203.0.113.1"}
	tests := map[string]struct {
		proxies []string
		want    string
	}{
		"none":                             {nil, "10.0.0.1"},
		"another":                          {[]string{"10.0.0.2"}, "10.0.0.1"},
		"the peer":                         {[]string{"10.0.0.0/8"}, "198.51.100.7"},
		"the peer and the proxy before it": {[]string{"10.0.0.1", "198.51.100.7"}, "192.0.2.1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := engine(t, server.EngineOptions{TrustedProxies: tt.proxies})
			body := make([]byte, 64)
			n, _ := ask(g, "GET", "/here", header).Body.Read(body)
			require.Equal(t, tt.want, string(body[:n]))
		})
	}
	_, err := server.Engine(server.EngineOptions{TrustedProxies: []string{"not an address"}})
	require.Error(t, err)
}

func TestEveryOriginWithoutCredentials(t *testing.T) {
	g := engine(t, server.EngineOptions{CORS: server.CORS{
		Origins: []string{"*"}, Headers: []string{"Content-Type", "X-Token"},
	}})
	from := map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
	for _, path := range []string{"/here", "/nowhere"} {
		r := ask(g, "OPTIONS", path, from)
		require.Equal(t, 204, r.StatusCode)
		require.Equal(t, "*", r.Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, "GET, POST", r.Header.Get("Access-Control-Allow-Methods"))
		require.Equal(t, "Content-Type, X-Token", r.Header.Get("Access-Control-Allow-Headers"))
		require.Equal(t, "600", r.Header.Get("Access-Control-Max-Age"))
		require.Empty(t, r.Header.Get("Access-Control-Allow-Credentials"))
	}
	r := ask(g, "GET", "/here", from)
	require.Equal(t, 200, r.StatusCode)
	require.Equal(t, "*", r.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, r.Header.Get("Access-Control-Allow-Credentials"))
	require.Equal(t, 405, ask(g, "OPTIONS", "/here", nil).StatusCode, "an OPTIONS that is no preflight")
}

func TestListedOriginsWithCredentials(t *testing.T) {
	g := engine(t, server.EngineOptions{CORS: server.CORS{
		Origins: []string{"https://console.example.com"}, Credentials: true, Methods: []string{"GET", "POST", "OPTIONS"},
	}})
	for origin, listed := range map[string]bool{
		"https://console.example.com": true, "http://console.example.com": false, "https://console.example.com.evil.example": false,
		"null": false, "*": false, "": false,
	} {
		header := map[string]string{"Access-Control-Request-Method": "POST"}
		if origin != "" {
			header["Origin"] = origin
		}
		for _, method := range []string{"GET", "OPTIONS"} {
			r := ask(g, method, "/here", header)
			require.Equal(t, "Origin", r.Header.Get("Vary"), origin)
			if listed {
				require.Equal(t, origin, r.Header.Get("Access-Control-Allow-Origin"))
				require.Equal(t, "true", r.Header.Get("Access-Control-Allow-Credentials"))
				continue
			}
			require.Empty(t, r.Header.Get("Access-Control-Allow-Origin"), origin)
			require.Empty(t, r.Header.Get("Access-Control-Allow-Credentials"), origin)
			if method == "OPTIONS" {
				require.Equal(t, 405, r.StatusCode)
			}
		}
	}
}

func TestWrongOriginsStopTheStart(t *testing.T) {
	for name, c := range map[string]server.CORS{
		"everybody with credentials": {Origins: []string{"*"}, Credentials: true},
		"everybody and one":          {Origins: []string{"*", "https://a.example"}},
		"a path":                     {Origins: []string{"https://a.example/"}},
		"no scheme":                  {Origins: []string{"a.example"}},
	} {
		_, err := server.Engine(server.EngineOptions{CORS: c})
		require.Error(t, err, name)
	}
}

func TestNoOriginsNoHeaders(t *testing.T) {
	g := engine(t, server.EngineOptions{})
	r := ask(g, "OPTIONS", "/here", map[string]string{"Origin": "https://a.example", "Access-Control-Request-Method": "GET"})
	require.Equal(t, 405, r.StatusCode)
	require.Empty(t, r.Header.Get("Access-Control-Allow-Origin"))
}
