package server_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
)

// clientOf returns the address that an engine behind 10.0.0.1 sees, and its log. Each line is a header.
func clientOf(t *testing.T, trusted, peer string, headers ...string) (client, log string) {
	t.Helper()
	out := &lines{}
	g := engine(t, server.EngineOptions{
		TrustedProxies: strings.Fields(trusted), Log: slog.New(slog.NewTextHandler(out, nil)),
	})
	r := httptest.NewRequest(http.MethodGet, "/here", nil)
	r.RemoteAddr = peer
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w.Body.String(), out.String()
}

func TestTheClientBehindProxies(t *testing.T) {
	const trusted, peer = "10.0.0.0/8 2001:db8:ffff::/48", "10.0.0.1:1234"
	for name, tt := range map[string]struct {
		want    string
		headers []string
	}{
		"an address":                     {"192.0.2.1", []string{"X-Forwarded-For: 192.0.2.1"}},
		"with a port":                    {"192.0.2.1", []string{"X-Forwarded-For: 192.0.2.1:5000"}},
		"IPv6":                           {"2001:db8::1", []string{"X-Forwarded-For: 2001:DB8::1"}},
		"IPv6 in brackets":               {"2001:db8::1", []string{"X-Forwarded-For: [2001:db8::1]"}},
		"IPv6 with a port":               {"2001:db8::1", []string{"X-Forwarded-For: [2001:db8::1]:5000"}},
		"IPv4 as IPv6":                   {"192.0.2.1", []string{"X-Forwarded-For: ::ffff:192.0.2.1"}},
		"past a trusted one with a port": {"192.0.2.1", []string{"X-Forwarded-For: 6.6.6.6, 192.0.2.1:1,10.9.9.9:2"}},
		"past a trusted IPv6":            {"192.0.2.1", []string{"X-Forwarded-For: 192.0.2.1:1, [2001:db8:ffff::9]:2"}},
		"all are trusted":                {"10.3.0.1", []string{"X-Forwarded-For: 10.3.0.1:7, 10.2.0.1"}},
		"several headers": {"192.0.2.1", []string{
			"X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 192.0.2.1:1", "X-Forwarded-For: 10.2.0.1",
		}},
		"empty elements":    {"192.0.2.1", []string{"X-Forwarded-For: , 192.0.2.1, ,"}},
		"invented before":   {"192.0.2.1", []string{"X-Forwarded-For: <script>, 6.6.6.6:99999, 192.0.2.1"}},
		"Forwarded":         {"192.0.2.1", []string{"Forwarded: for=192.0.2.1"}},
		"Forwarded, quoted": {"192.0.2.1", []string{`Forwarded: by=10.0.0.1;For="192.0.2.1:80" ; proto=https`}},
		"Forwarded, IPv6":   {"2001:db8::1", []string{`Forwarded: for=6.6.6.6, for="[2001:db8::1]:5", for=10.2.0.1`}},
		"Forwarded, several": {"192.0.2.1", []string{
			"Forwarded: for=6.6.6.6", "Forwarded: for=192.0.2.1;host=a.example",
		}},
		"X-Forwarded-For wins": {"192.0.2.1", []string{"Forwarded: for=6.6.6.6", "X-Forwarded-For: 192.0.2.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, log := clientOf(t, trusted, peer, tt.headers...)
			require.Equal(t, tt.want, got)
			require.Empty(t, log)
			for _, stranger := range []string{"11.0.0.1:1234", "[2001:db8:fffe::1]:1234"} {
				got, log = clientOf(t, trusted, stranger, tt.headers...)
				require.Equal(t, strings.Trim(strings.TrimSuffix(stranger, ":1234"), "[]"), got, "only headers of trusted proxies")
				require.Empty(t, log)
			}
		})
	}
	got, log := clientOf(t, trusted, peer)
	require.Equal(t, "10.0.0.1", got)
	require.Empty(t, log, "a probe has no header")
}

func TestHeadersThatCannotBeRead(t *testing.T) {
	for _, header := range []string{
		"X-Forwarded-For: ", "X-Forwarded-For: , ,", "X-Forwarded-For: unknown", "X-Forwarded-For: shop.example.com:80",
		"X-Forwarded-For: 192.0.2.1, unknown", "X-Forwarded-For: 192.0.2.1:x", "X-Forwarded-For: 192.0.2.1:70000",
		"X-Forwarded-For: fe80::1%" + strings.Repeat("a", 300), "X-Forwarded-For: [fe80::1%eth0]:80", "X-Forwarded-For: 192.0.2.1 6.6.6.6",
		"X-Forwarded-For: 010.0.0.2", "X-Forwarded-For: 3221225985", "X-Forwarded-For: 192.0.2.1\x00",
		"X-Forwarded-For: " + strings.Repeat("1.", 30_000), "X-Forwarded-For: " + strings.Repeat("10.0.0.2,", 5000) + "x",
		"Forwarded: for=unknown", "Forwarded: for=_hidden", "Forwarded: proto=https", "Forwarded: 192.0.2.1",
		"Forwarded: for=192.0.2.1;for=6.6.6.6", `Forwarded: for="`, `Forwarded: for=", for="192.0.2.1`,
		// The Host of a request, quoted by the proxy, that looks like an element or a parameter.
		`Forwarded: for=192.0.2.1;host="a,for=6.6.6.6;b="`, `Forwarded: for=192.0.2.1;host="a,for=6.6.6.6;b=\""`,
		`Forwarded: for=192.0.2.1;host="a;for=6.6.6.6;b="`,
		"X-Real-IP: 192.0.2.1",
	} {
		got, log := clientOf(t, "10.0.0.0/8", "10.0.0.1:1234", header)
		name, _, _ := strings.Cut(header, ":")
		require.Equal(t, "10.0.0.1", got, header)
		require.Equal(t, 1, strings.Count(log, "level=WARN"), header)
		require.Contains(t, strings.ToLower(log), "cannot read "+strings.ToLower(name)+" of the trusted proxy 10.0.0.1", header)
		require.NotContains(t, log, "192.0.2.1", "an address of somebody")
	}
	got, log := clientOf(t, "10.0.0.0/8", "10.0.0.1:1234", "X-Forwarded-For: unknown", "Forwarded: for=6.6.6.6")
	require.Equal(t, "10.0.0.1", got, "what the client may have written is no replacement")
	require.NotEmpty(t, log)
}

func TestAnUnreadableHeaderIsToldOnceAndNoted(t *testing.T) {
	out := &lines{}
	h, err := server.NewHandler(server.HandlerOptions{
		Engine: server.EngineOptions{TrustedProxies: []string{"127.0.0.1"}, Log: slog.New(slog.NewTextHandler(out, nil))},
		Hooks: op.Hooks{
			Done: func(op.Result) {}, Now: time.Now, Envelope: envelope.New("en"), BodyLimit: 1, Timeout: time.Minute,
		},
	})
	require.NoError(t, err)
	r := start(t, server.Options{Handler: h, Notes: h.Notes})
	_, body := get(t, r.ops+"/readyz")
	require.JSONEq(t, `{"ready":true}`, body)
	for range 3 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.public+"/nowhere", nil)
		require.NoError(t, err)
		request.Header.Set("X-Forwarded-For", "unknown")
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
	}
	status, body := get(t, r.ops+"/readyz")
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"ready":true,"notes":["cannot read X-Forwarded-For of the trusted proxy 127.0.0.1: `+
		`limits per address count it as one client"]}`, body)
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
}
