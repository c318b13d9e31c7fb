package account

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	kv "shop.internal/pkg/domain/internal/redis"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/ratelimit"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		set  string // what happens to lin's account before
		c    Credentials
		want error
	}{
		"by name":             {"", Credentials{Username: "lin", Password: password}, nil},
		"by name, other case": {"", Credentials{Username: " LIN ", Password: password}, nil},
		"by mobile as a name": {"", Credentials{Username: linMobile, Password: password}, nil},
		"by mobile":           {"", Credentials{Mobile: linMobile, Password: password}, nil},
		"name as a mobile":    {"", Credentials{Mobile: "lin", Password: password}, errno.AuthInvalidAccount},
		"name before mobile": {
			"",
			Credentials{Username: "unknown", Mobile: linMobile, Password: password},
			errno.AuthInvalidAccount,
		},
		"wrong password": {"", Credentials{Username: "lin", Password: "wrong-horse"}, errno.AuthInvalidAccount},
		"unknown name":   {"", Credentials{Username: "unknown", Password: password}, errno.AuthInvalidAccount},
		"unknown mobile": {"", Credentials{Mobile: "13900000009", Password: password}, errno.AuthInvalidAccount},
		"a very long name": {
			"",
			Credentials{Username: strings.Repeat("x", 1<<16), Password: password},
			errno.AuthInvalidAccount,
		},
		"a very long password": {
			"",
			Credentials{Username: "lin", Password: strings.Repeat("x", 1<<16)},
			errno.AuthInvalidAccount,
		},
		"no password set": {
			"password_hash = NULL",
			Credentials{Username: "lin", Password: password},
			errno.AuthInvalidAccount,
		},
		"no password set, none given": {
			"password_hash = NULL",
			Credentials{Username: "lin"},
			errno.AuthInvalidAccount,
		},
		"disabled": {"status = 1", Credentials{Username: "lin", Password: password}, errno.AuthInvalidAccount},
		"closed":   {"status = 2", Credentials{Username: "lin", Password: password}, errno.AuthInvalidAccount},
		"deleted": {
			"deleted = 1, del_mark = id",
			Credentials{Username: "lin", Password: password},
			errno.AuthInvalidAccount,
		},
		"SQL in the name": {
			"",
			Credentials{Username: "lin' or '1'='1", Password: password},
			errno.AuthInvalidAccount,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			id := s.registered(t, "lin", linMobile)
			s.exec(t, "UPDATE user SET last_login_ip = '', last_login_time = NULL")
			if tt.set != "" {
				s.exec(t, "UPDATE user SET "+tt.set)
			}
			tt.c.Address = "10.0.0.2"
			got, err := s.Login(t.Context(), tt.c)
			require.ErrorIs(t, err, tt.want)
			recorded := s.int(t, "SELECT COUNT(*) FROM user WHERE last_login_ip = '10.0.0.2' AND last_login_time = ?",
				utc(noon()))
			if tt.want != nil {
				require.Empty(t, got.Token)
				require.Zero(t, recorded)
				return
			}
			require.Equal(t, 1, recorded)
			require.Equal(t, Profile{
				ID: id, Username: "lin", Nickname: "lin", Mobile: linMobile, Avatar: "https://shop.test/avatar.png",
			}, got.Profile)
			session, err := s.tokens.Find(t.Context(), got.Token, true)
			require.NoError(t, err)
			require.Equal(t, id, session.Subject)
			require.Equal(t, "10.0.0.2", session.Address)
		})
	}
}

func TestEarlierTokensStayValidAndLogoutEndsOne(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	c := Credentials{Username: "lin", Password: password, Address: home}
	first, err := s.Login(t.Context(), c)
	require.NoError(t, err)
	second, err := s.Login(t.Context(), c)
	require.NoError(t, err)
	require.NotEqual(t, first.Token, second.Token)
	require.NoError(t, s.Logout(t.Context(), first.Token))
	_, err = s.tokens.Find(t.Context(), first.Token, true)
	require.ErrorIs(t, err, errno.LoginRequired)
	_, err = s.tokens.Find(t.Context(), second.Token, true)
	require.NoError(t, err)
}

// Bytes that bcrypt ignores must not open an account: passwords that agree in 72 bytes are different.
func TestPasswordsBeyondBcryptsSightDoNotMatch(t *testing.T) {
	t.Parallel()
	s := open(t)
	seen := strings.Repeat("林", 24)
	r := s.registration(t, "lin", linMobile)
	r.Password = seen
	_, err := s.Register(t.Context(), r)
	require.NoError(t, err)
	_, err = s.Login(t.Context(), Credentials{Username: "lin", Password: seen})
	require.NoError(t, err)
	_, err = s.Login(t.Context(), Credentials{Username: "lin", Password: seen + "and more"})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
}

func TestLoginReplacesWeakHash(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *Config) { c.BcryptCost = bcrypt.MinCost + 1 })
	s.registered(t, "lin", linMobile)
	weak, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	require.NoError(t, err)
	s.exec(t, "UPDATE user SET password_hash = ?", string(weak))
	_, err = s.Login(t.Context(), Credentials{Username: "lin", Password: "wrong-horse"})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE password_hash = ?", string(weak)))
	for range 2 {
		_, err = s.Login(t.Context(), Credentials{Username: "lin", Password: password})
		require.NoError(t, err)
	}
	var hash string
	require.NoError(t, s.d.G(t.Context()).Raw("SELECT password_hash FROM user").Scan(&hash).Error)
	cost, err := bcrypt.Cost([]byte(hash))
	require.NoError(t, err)
	require.Equal(t, bcrypt.MinCost+1, cost)
}

func TestLoginRateLimit(t *testing.T) {
	t.Parallel()
	fail := func(t *testing.T, s *shop, c Credentials) {
		t.Helper()
		c.Password = "wrong-horse"
		_, err := s.Login(t.Context(), c)
		require.ErrorIs(t, err, errno.AuthInvalidAccount)
	}
	limits := func(account, address int) func(*Config) {
		return func(c *Config) { c.LoginPerAccount, c.LoginPerAddress = account, address }
	}
	tests := map[string]struct {
		limits func(*Config)
		tries  []Credentials
		want   error
	}{
		"one below": {limits(3, 100), []Credentials{{Username: "lin"}, {Username: "lin"}}, nil},
		"account used up, from anywhere": {
			limits(3, 100),
			[]Credentials{{Username: "lin"}, {Username: "LIN", Address: "10.0.0.8"}, {Username: " lin", Address: "10.0.0.9"}},
			errno.AuthInvalidAccount,
		},
		"name and mobile share one count": {
			limits(3, 100),
			[]Credentials{{Username: "lin"}, {Mobile: linMobile}, {Username: linMobile}},
			errno.AuthInvalidAccount,
		},
		"address used up by unknown names": {
			limits(3, 2),
			[]Credentials{{Username: "a", Address: home}, {Username: "b", Address: home}},
			errno.AuthInvalidAccount,
		},
		"another address": {
			limits(3, 2), []Credentials{{Username: "a", Address: "10.0.0.9"}, {Username: "b", Address: "10.0.0.9"}}, nil,
		},
		"switched off": {
			limits(0, 0), []Credentials{{Username: "lin"}, {Username: "lin"}, {Username: "lin"}, {Username: "lin"}}, nil,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, tt.limits)
			s.registered(t, "lin", linMobile)
			for _, c := range tt.tries {
				fail(t, s, c)
			}
			_, err := s.Login(t.Context(), Credentials{Username: "lin", Password: password, Address: home})
			require.ErrorIs(t, err, tt.want)
		})
	}
}

// A disabled account counts like a wrong password; otherwise the limit would reveal that the password is right.
func TestLoginToDisabledAccountCountsAsFailure(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	s.exec(t, "UPDATE user SET status = 1")
	_, err := s.Login(t.Context(), Credentials{Username: "lin", Password: password, Address: home})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
	require.Equal(t, "1", s.rdb.HGet(t.Context(), "rate:{attempt:shopper:lin}", "n").Val())
}

// Concurrent attempts share the limit: a thousand guesses at a time reveal no more than a thousand in sequence.
func TestLoginRateLimitUnderConcurrency(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *Config) { c.LoginPerAccount, c.LoginPerAddress = 10, 0 })
	s.registered(t, "lin", linMobile)
	var wg sync.WaitGroup
	var odd atomic.Int32
	for range 20 {
		wg.Go(func() {
			_, err := s.Login(context.Background(), Credentials{Username: "lin", Password: "wrong-horse"})
			if errno.Of(err) != errno.AuthInvalidAccount {
				odd.Add(1)
			}
		})
	}
	wg.Wait()
	require.Zero(t, odd.Load())
	_, err := s.Login(t.Context(), Credentials{Username: "lin", Password: password})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
	n, err := s.rdb.HGet(t.Context(), "rate:{attempt:shopper:lin}", "n").Int()
	require.NoError(t, err)
	require.LessOrEqual(t, n, 10+max(1, runtime.GOMAXPROCS(0)/2), "what is over the limit was under way when it was reached")
}

func TestLoginWithoutRedisIsAFailureOfTheShop(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	gone := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = gone.Close() })
	s.attempts = ratelimit.NewAttempts(ratelimit.New(kv.Of(gone), nil, time.Now), "shopper", 10, 100)
	_, err := s.Login(t.Context(), Credentials{Username: "lin", Password: password})
	require.Equal(t, errno.Internal, errno.Of(err))
}

// An account that is disabled while its password is compared cannot log in.
func TestLoginOfAccountChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"status = 1", "token_version = token_version + 1", "password_hash = 'x'", "deleted = 1"} {
		t.Run(set, func(t *testing.T) {
			s := open(t)
			s.registered(t, "lin", linMobile)
			row, found, err := accounts.One(t.Context(), s.d, byName, "lin")
			require.NoError(t, err)
			require.True(t, found)
			s.exec(t, "UPDATE user SET "+set)
			ok, err := s.recordLogin(t.Context(), row, "", home)
			require.NoError(t, err)
			require.False(t, ok)
		})
	}
}

func ExampleProfile_Name() {
	fmt.Println(Profile{Username: "lin", Nickname: "Lin Lin"}.Name())
	fmt.Println(Profile{Username: "lin"}.Name())
	// Output:
	// Lin Lin
	// lin
}
