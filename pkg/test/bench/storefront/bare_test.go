package storefront

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// bareVariable says to this program that it is the bare handler, in a process of its own as the storefront is.
const bareVariable = "SHOP_BENCH_BARE"

func TestMain(m *testing.M) {
	if os.Getenv(bareVariable) == "" {
		runtime.GOMAXPROCS(1) // the clients leave the other processors to what they measure
		m.Run()
		return
	}
	if err := serveBare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// recorded is an answer that a bare handler repeats.
type recorded struct {
	Header http.Header
	Body   []byte
}

// serveBare answers every request as standard input says, and writes its address to standard output.
func serveBare() error {
	var r recorded
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		return err
	}
	address, err := ratio.Listen(context.Background(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), r.Header)
		_, _ = w.Write(r.Body)
	}))
	if err != nil {
		return err
	}
	fmt.Println(address)
	select {} // until it is killed
}

// bare starts a bare handler that repeats the present answer to a request, and returns its address.
func (s *shop) bare(b *testing.B, path, token string) string {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://"+s.address+path, http.NoBody)
	require.NoError(b, err)
	return bareOf(b, request, token, `{"errno":0,`)
}

// bareOf starts a bare handler that repeats the present answer to a request of a shopper, which must begin with a text.
func bareOf(b *testing.B, request *http.Request, token, beginning string) string {
	b.Helper()
	request.Header.Set("Accept-Encoding", "identity") // as the load asks; the client would unpack the answer
	if token != "" {
		request.Header.Set("X-Shop-Token", token)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(b, err)
	defer answer.Body.Close()
	require.Equal(b, http.StatusOK, answer.StatusCode)
	body, err := io.ReadAll(answer.Body)
	require.NoError(b, err)
	require.True(b, strings.HasPrefix(string(body), beginning), string(body))
	header := answer.Header.Clone()
	header.Del("Date") // net/http writes it by itself
	text, err := json.Marshal(recorded{header, body})
	require.NoError(b, err)

	p := exec.CommandContext(b.Context(), os.Args[0])
	p.Env = append(os.Environ(), bareVariable+"=1")
	p.Stdin, p.Stderr = strings.NewReader(string(text)), os.Stderr
	out, err := p.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, p.Start())
	b.Cleanup(func() { _ = p.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	return strings.TrimSpace(line)
}
