package express_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/express"
)

var parcel = express.Parcel{Channel: "ZTO", Number: "75001"}

// carrier is a provider whose behaviour a test controls.
type carrier struct {
	asked atomic.Int64
	slow  time.Duration
	deaf  bool
	err   error
	// mended makes it answer immediately.
	mended atomic.Bool
}

func (c *carrier) Track(ctx context.Context, p express.Parcel) (express.Track, error) {
	c.asked.Add(1)
	if c.mended.Load() {
		return express.Track{Success: true}, nil
	}
	var end <-chan struct{}
	if !c.deaf {
		end = ctx.Done()
	}
	select {
	case <-time.After(c.slow):
	case <-end:
		return express.Track{}, ctx.Err()
	}
	return express.Track{Success: true, Traces: []express.Trace{{Station: "at " + p.Number, Time: "now"}}}, c.err
}

func service(c express.Provider) *express.Service {
	return express.New(c, nil, time.Now, slog.New(slog.DiscardHandler))
}

func TestAnAnswerIsGoodForTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &carrier{}
		s := service(c)
		require.True(t, s.Configured())
		for range 3 {
			require.Equal(t, "at 75001", s.Track(t.Context(), parcel).Traces[0].Station)
			time.Sleep(3 * time.Minute)
		}
		require.Equal(t, int64(1), c.asked.Load())
		time.Sleep(time.Minute)
		s.Track(t.Context(), parcel)
		require.Equal(t, int64(2), c.asked.Load(), "and no longer")
		s.Track(t.Context(), express.Parcel{Channel: "YTO", Number: "75001"})
		require.Equal(t, int64(3), c.asked.Load(), "another carrier's is another parcel")
		require.Empty(t, s.Track(t.Context(), express.Parcel{Channel: "YTO"}))
		require.Equal(t, int64(3), c.asked.Load(), "without a number there is none")
	})
}

func TestTwoSecondsAtTheMost(t *testing.T) {
	for name, c := range map[string]*carrier{
		"slow": {slow: time.Minute}, "deaf": {slow: time.Minute, deaf: true}, "failing": {err: errors.New("out of order")},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := service(c)
				start := time.Now()
				require.Equal(t, express.Track{}, s.Track(t.Context(), parcel))
				require.LessOrEqual(t, time.Since(start), 2*time.Second)
				start = time.Now()
				require.Equal(t, express.Track{}, s.Track(t.Context(), parcel))
				require.Zero(t, time.Since(start), "nor is it asked again at once")
				require.Equal(t, int64(1), c.asked.Load())
				time.Sleep(time.Minute)
				c.mended.Store(true)
				require.True(t, s.Track(t.Context(), parcel).Success, "but after a minute")
			})
		})
	}
}

func TestOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &carrier{slow: time.Second}
		s := service(c)
		gone, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { require.Empty(t, s.Track(gone, parcel).Traces, "who has left gets nothing") })
		synctest.Wait()
		for range 50 {
			wg.Go(func() { require.Len(t, s.Track(t.Context(), parcel).Traces, 1) })
		}
		synctest.Wait()
		cancel()
		wg.Wait()
		require.Equal(t, int64(1), c.asked.Load())
	})
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &carrier{}
		s := service(c)
		for i := range 10_050 {
			s.Track(t.Context(), express.Parcel{Channel: "ZTO", Number: strings.Repeat("x", i%7) + time.Duration(i).String()})
		}
		require.LessOrEqual(t, s.Cached(), 10_000)
		time.Sleep(time.Hour)
		s.Track(t.Context(), parcel)
		require.Equal(t, 1, s.Cached(), "the old ones go first")
	})
}

func TestNobodyToAsk(t *testing.T) {
	for _, p := range []express.Provider{nil, express.None{}} {
		s := service(p)
		require.False(t, s.Configured())
		require.Equal(t, express.Track{}, s.Track(t.Context(), parcel))
	}
	_, err := express.None{}.Track(t.Context(), parcel)
	require.ErrorIs(t, err, express.ErrNone)
}

func TestHTTP(t *testing.T) {
	var asked *http.Request
	answer, status := "", http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	p := express.NewHTTP(server.URL+"/v1?key=k", "secret-token")
	answer = `{"Success":true,"State":"2","Reason":"","Traces":[{"AcceptStation":"杭州","AcceptTime":"2030-01-02 12:00:00"}],"x":1}`
	got, err := p.Track(t.Context(), express.Parcel{Channel: "ZTO&number=2", Number: "7 5&x=y"})
	require.NoError(t, err)
	require.Equal(t, express.Track{Success: true, State: "2", Traces: []express.Trace{{"杭州", "2030-01-02 12:00:00"}}}, got)
	require.Equal(t, "7 5&x=y", asked.URL.Query().Get("number"))
	require.Equal(t, "ZTO&number=2", asked.URL.Query().Get("channel"))
	require.Equal(t, "k", asked.URL.Query().Get("key"))
	require.Equal(t, "Bearer secret-token", asked.Header.Get("Authorization"))

	answer = `{"Traces":[` + strings.TrimSuffix(strings.Repeat(`{},`, 1000), ",") + `]}`
	got, err = p.Track(t.Context(), parcel)
	require.NoError(t, err)
	require.Len(t, got.Traces, 200)
	for _, wrong := range []string{"", "<html>", `{"Traces":1}`, `"` + strings.Repeat("x", 2<<20) + `"`} {
		answer = wrong
		_, err = p.Track(t.Context(), parcel)
		require.Error(t, err)
	}
	for _, wrong := range []int{http.StatusFound, http.StatusNotFound, http.StatusInternalServerError} {
		status = wrong
		_, err = p.Track(t.Context(), parcel)
		require.ErrorContains(t, err, "HTTP status")
		require.Equal(t, "/v1", asked.URL.Path, "no redirection is followed")
	}
	server.Close()
	_, err = p.Track(t.Context(), parcel)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "key=k", "the address may hold a key")
	_, err = express.NewHTTP("http://bad host/?key=k", "").Track(t.Context(), parcel)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "key=k")
}
