package token_test

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/token"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	shopper = token.Audience{Name: "shopper", Lifetime: 24 * time.Hour}
	staff   = token.Audience{Name: "staff", Lifetime: 24 * time.Hour, Idle: 6 * time.Hour}
)

// clock is a clock that a test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func issued(t *testing.T, s *token.Service, subject int64) string {
	t.Helper()
	text, err := s.Issue(t.Context(), subject, 3, "10.0.0.1")
	require.NoError(t, err)
	return text
}

func ttl(t *testing.T, rdb *redis.Client) time.Duration {
	t.Helper()
	keys, err := rdb.Keys(t.Context(), "tok:*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 1)
	d, err := rdb.PTTL(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	return d
}

func TestIssuedTokenIsFound(t *testing.T) {
	t.Parallel()
	s := token.New(dbtest.Redis(t), shopper, (&clock{noon}).now)
	text := issued(t, s, 7)
	require.Regexp(t, `^[A-Za-z0-9_-]{43}$`, text)
	got, err := s.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.Equal(t, token.Session{
		Subject: 7, Version: 3, Issued: noon, End: noon.Add(24 * time.Hour), Address: "10.0.0.1",
	}, got)
	require.NotEqual(t, text, issued(t, s, 7))
}

func TestTokenItselfIsNotInRedis(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	text := issued(t, token.New(rdb, shopper, (&clock{noon}).now), 7)
	keys, err := rdb.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 2)
	for _, key := range keys {
		require.NotContains(t, key, text)
		if strings.HasPrefix(key, "tok:") {
			body, err := rdb.Get(t.Context(), key).Result()
			require.NoError(t, err)
			require.NotContains(t, body, text)
		} else {
			require.Equal(t, "tokset:{shopper:7}", key)
		}
	}
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*testing.T, *redis.Client, *clock) (*token.Service, string){
		"nothing": func(_ *testing.T, rdb *redis.Client, c *clock) (*token.Service, string) {
			return token.New(rdb, shopper, c.now), ""
		},
		"a made-up token": func(_ *testing.T, rdb *redis.Client, c *clock) (*token.Service, string) {
			return token.New(rdb, shopper, c.now), strings.Repeat("A", 43)
		},
		"a token of the other audience": func(t *testing.T, rdb *redis.Client, c *clock) (*token.Service, string) {
			return token.New(rdb, shopper, c.now), issued(t, token.New(rdb, staff, c.now), 7)
		},
		"a token past its end": func(t *testing.T, rdb *redis.Client, c *clock) (*token.Service, string) {
			s := token.New(rdb, shopper, c.now)
			text := issued(t, s, 7)
			c.t = c.t.Add(24 * time.Hour)
			return s, text
		},
		"a revoked token": func(t *testing.T, rdb *redis.Client, c *clock) (*token.Service, string) {
			s := token.New(rdb, shopper, c.now)
			text := issued(t, s, 7)
			require.NoError(t, s.Revoke(t.Context(), text))
			require.NoError(t, s.Revoke(t.Context(), text), "revoking twice is no error")
			return s, text
		},
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			s, text := arrange(t, dbtest.Redis(t), &clock{noon})
			_, err := s.Find(t.Context(), text, true)
			require.ErrorIs(t, err, errno.LoginRequired)
		})
	}
}

// Without Redis shoppers are not told to log in again: that is an internal error.
func TestRedisGoneIsNotALogout(t *testing.T) {
	t.Parallel()
	gone := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = gone.Close() })
	s := token.New(gone, shopper, (&clock{noon}).now)
	_, err := s.Find(t.Context(), "token", true)
	require.Error(t, err)
	require.Equal(t, errno.Internal, errno.Of(err))
	_, err = s.Issue(t.Context(), 7, 0, "")
	require.Equal(t, errno.Internal, errno.Of(err))
	require.Equal(t, errno.Internal, errno.Of(s.Revoke(t.Context(), "token")))
	require.Equal(t, errno.Internal, errno.Of(s.RevokeAll(t.Context(), 7, "")))
	require.Equal(t, errno.Internal, errno.Of(s.Renew(t.Context(), "token", 1)))
}

func TestIdleEnd(t *testing.T) {
	t.Parallel()
	rdb, c := dbtest.Redis(t), &clock{noon}
	s := token.New(rdb, staff, c.now)
	text := issued(t, s, 1)
	require.InDelta(t, 6*time.Hour, ttl(t, rdb), float64(time.Minute))

	key := rdb.Keys(t.Context(), "tok:*").Val()[0]
	require.NoError(t, rdb.PExpire(t.Context(), key, time.Hour).Err())
	_, err := s.Find(t.Context(), text, false)
	require.NoError(t, err)
	require.InDelta(t, time.Hour, ttl(t, rdb), float64(time.Minute), "a poll does not count as use")
	_, err = s.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.InDelta(t, 6*time.Hour, ttl(t, rdb), float64(time.Minute))

	c.t = noon.Add(23 * time.Hour)
	_, err = s.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.InDelta(t, time.Hour, ttl(t, rdb), float64(time.Minute), "use does not put off the absolute end")
}

func TestShopperTokenLivesForAFixedTime(t *testing.T) {
	t.Parallel()
	rdb, c := dbtest.Redis(t), &clock{noon}
	s := token.New(rdb, shopper, c.now)
	text := issued(t, s, 1)
	key := rdb.Keys(t.Context(), "tok:*").Val()[0]
	require.NoError(t, rdb.PExpire(t.Context(), key, time.Hour).Err())
	_, err := s.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.InDelta(t, time.Hour, ttl(t, rdb), float64(time.Minute))
}

func TestRevokeAll(t *testing.T) {
	t.Parallel()
	s := token.New(dbtest.Redis(t), shopper, (&clock{noon}).now)
	kept, ended, another := issued(t, s, 7), issued(t, s, 7), issued(t, s, 8)
	require.NoError(t, s.RevokeAll(t.Context(), 7, kept))
	for text, want := range map[string]error{kept: nil, ended: errno.LoginRequired, another: nil} {
		_, err := s.Find(t.Context(), text, true)
		require.ErrorIs(t, err, want)
	}
	require.NoError(t, s.RevokeAll(t.Context(), 7, ""))
	_, err := s.Find(t.Context(), kept, true)
	require.ErrorIs(t, err, errno.LoginRequired, "the token that was spared once is still on the list")
}

func TestRenew(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	s := token.New(rdb, shopper, (&clock{noon}).now)
	text := issued(t, s, 7)
	before := ttl(t, rdb)
	require.NoError(t, s.Renew(t.Context(), text, 4))
	got, err := s.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.Equal(t, 4, got.Version)
	require.InDelta(t, before, ttl(t, rdb), float64(time.Minute))
	require.NoError(t, s.Revoke(t.Context(), text))
	require.ErrorIs(t, s.Renew(t.Context(), text, 5), errno.LoginRequired)
}

// The list of an account does not grow with every login for ever.
func TestListForgetsEndedTokens(t *testing.T) {
	t.Parallel()
	rdb, c := dbtest.Redis(t), &clock{noon}
	s := token.New(rdb, shopper, c.now)
	for range 5 {
		issued(t, s, 7)
	}
	c.t = noon.Add(25 * time.Hour)
	issued(t, s, 7)
	n, err := rdb.ZCard(t.Context(), "tokset:{shopper:7}").Result()
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

func TestFirstVersion(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for range 1000 {
		v := token.FirstVersion()
		require.GreaterOrEqual(t, v, 1)
		require.LessOrEqual(t, v, 1<<30)
		seen[v] = true
	}
	require.Greater(t, len(seen), 990)
}

// An account has a limited number of tokens; one more ends the oldest.
func TestTheOldestTokensEnd(t *testing.T) {
	t.Parallel()
	rdb, c := dbtest.Redis(t), &clock{noon}
	s := token.New(rdb, shopper, c.now)
	another := issued(t, s, 8)
	var all []string
	for range 55 {
		c.t = c.t.Add(time.Second)
		all = append(all, issued(t, s, 7))
	}
	for i, text := range all {
		_, err := s.Find(t.Context(), text, false)
		require.Equal(t, i < 5, err != nil, i)
	}
	_, err := s.Find(t.Context(), another, false)
	require.NoError(t, err)
	keys, err := rdb.Keys(t.Context(), "tok:*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 51, "what has ended leaves nothing behind")
}

// A session is remembered for the age of its audience, unless this process ends the token; another one's end counts
// then.
func TestAge(t *testing.T) {
	t.Parallel()
	c, rdb := &clock{noon}, dbtest.Redis(t)
	kept := token.Audience{Name: "shopper", Lifetime: 24 * time.Hour, Age: time.Second}
	here, there := token.New(rdb, kept, c.now), token.New(rdb, kept, c.now)
	for name, tt := range map[string]struct {
		end  func(text string) error
		here bool
	}{
		"revoked here":      {func(text string) error { return here.Revoke(t.Context(), text) }, true},
		"revoked elsewhere": {func(text string) error { return there.Revoke(t.Context(), text) }, false},
		"all revoked here":  {func(string) error { return here.RevokeAll(t.Context(), 7, "") }, true},
		"all elsewhere":     {func(string) error { return there.RevokeAll(t.Context(), 7, "") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			text := issued(t, here, 7)
			find := func() error {
				_, err := here.Find(t.Context(), text, true)
				return err
			}
			require.NoError(t, find())
			require.NoError(t, tt.end(text))
			if tt.here {
				require.ErrorIs(t, find(), errno.LoginRequired)
				return
			}
			require.NoError(t, find())
			c.t = c.t.Add(time.Second)
			require.ErrorIs(t, find(), errno.LoginRequired)
		})
	}
	text := issued(t, here, 7)
	_, err := here.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.NoError(t, here.Renew(t.Context(), text, 9))
	session, err := here.Find(t.Context(), text, true)
	require.NoError(t, err)
	require.Equal(t, 9, session.Version)
}
