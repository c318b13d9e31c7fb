package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDoors(t *testing.T) {
	good := Listeners{Listen: ":8080", OpsListen: "127.0.0.1:9080"}
	require.Empty(t, good.ValidationErrors())
	tests := map[string]struct {
		change func(*Listeners)
		want   string
	}{
		"a port alone":            {func(d *Listeners) { d.Listen = "8080" }, "listen: is no address"},
		"no port":                 {func(d *Listeners) { d.Listen = "localhost" }, "listen: is no address"},
		"a port too high":         {func(d *Listeners) { d.OpsListen = ":65536" }, "ops.listen: is no address"},
		"a port that is a word":   {func(d *Listeners) { d.OpsListen = ":web" }, "ops.listen: is no address"},
		"an address of a page":    {func(d *Listeners) { d.Listen = "http://0.0.0.0:80" }, "listen: is no address"},
		"a word for proxies":      {func(d *Listeners) { d.Proxies = []string{"10.0.0.1", "all"} }, `proxies.trusted: "all"`},
		"a network without bits":  {func(d *Listeners) { d.Proxies = []string{"10.0.0.0/"} }, `proxies.trusted: "10.0.0.0/"`},
		"an origin with a slash":  {func(d *Listeners) { d.CORS.Origins = []string{"https://a.example/"} }, `cors.origins: "https://a.example/"`},
		"an origin of no scheme":  {func(d *Listeners) { d.CORS.Origins = []string{"a.example"} }, `cors.origins: "a.example"`},
		"all origins and another": {func(d *Listeners) { d.CORS.Origins = []string{"*", "https://a.example"} }, "cors.origins: * stands alone"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := good
			tt.change(&d)
			require.Len(t, d.ValidationErrors(), 1)
			require.Contains(t, d.ValidationErrors()[0], tt.want)
		})
	}
	for _, d := range []Listeners{
		{Listen: "[::1]:0", OpsListen: "localhost:9080"},
		{Listen: ":1", OpsListen: ":2", Proxies: []string{"10.0.0.0/8", "2001:db8::1"}, CORS: CORS{Origins: []string{"*"}}},
		{Listen: ":1", OpsListen: ":2", CORS: CORS{Origins: []string{"https://a.example", "http://localhost:5173"}, Credentials: true}},
	} {
		require.Empty(t, d.ValidationErrors())
	}
}
