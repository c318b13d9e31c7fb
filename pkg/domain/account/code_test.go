package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/platform/errno"
)

func TestSendCode(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.SendCode(t.Context(), linMobile, home))
	require.Regexp(t, `^13900000001 您的验证码是 [0-9]{6}，5 分钟内有效`, s.sent.texts[0])
	code := s.sent.code(t)

	stored, err := s.rdb.HGetAll(t.Context(), "code:{"+linMobile+"}").Result()
	require.NoError(t, err)
	require.Len(t, stored["h"], 64)
	require.NotContains(t, stored["h"], code)
	ttl, err := s.rdb.PTTL(t.Context(), "code:{"+linMobile+"}").Result()
	require.NoError(t, err)
	require.InDelta(t, 5*time.Minute, ttl, float64(time.Minute))

	_, err = s.codes.take(t.Context(), "13900000002", code)
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched, "a code belongs to its mobile")
	_, err = s.codes.take(t.Context(), linMobile, code)
	require.NoError(t, err)
	_, err = s.codes.take(t.Context(), linMobile, code)
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched, "a code is good once")
}

func TestSendCodeRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		mobile string
		change func(*Config)
		arrange,
		check func(*testing.T, *shop)
		want error
	}{
		"no mobile":       {mobile: "1390000000a", want: errno.Invalid},
		"mobile too long": {mobile: "139000000011", want: errno.Invalid},
		"no sender": {
			mobile: linMobile, arrange: func(_ *testing.T, s *shop) { s.messages = notify.New(notify.NewNone(), nil, nil) },
			want: errno.AuthCaptchaUnsupported,
		},
		"sender without text messages": {
			mobile: linMobile, arrange: func(_ *testing.T, s *shop) { s.sent.fail = notify.ErrUnsupported },
			want: errno.AuthCaptchaUnsupported,
		},
		"one was just sent": {
			mobile:  linMobile,
			arrange: func(t *testing.T, s *shop) { require.NoError(t, s.SendCode(t.Context(), linMobile, "10.0.0.9")) },
			check: func(t *testing.T, s *shop) {
				require.Len(t, s.sent.texts, 1)
				_, err := s.codes.take(t.Context(), linMobile, s.sent.code(t))
				require.NoError(t, err, "the first code is still good")
			},
			want: errno.AuthCaptchaFrequency,
		},
		"mobile has had its share": {
			mobile: linMobile,
			change: func(c *Config) { c.CodeInterval, c.CodesPerMobile = time.Nanosecond, 2 },
			arrange: func(t *testing.T, s *shop) {
				require.NoError(t, s.SendCode(t.Context(), linMobile, "10.0.0.8"))
				require.NoError(t, s.SendCode(t.Context(), linMobile, "10.0.0.9"))
			},
			want: errno.AuthCaptchaFrequency,
		},
		"address has had its share": {
			mobile: linMobile,
			change: func(c *Config) { c.CodesPerAddress = 2 },
			arrange: func(t *testing.T, s *shop) {
				require.NoError(t, s.SendCode(t.Context(), "13900000002", home))
				require.NoError(t, s.SendCode(t.Context(), "13900000003", home))
			},
			want: errno.AuthCaptchaFrequency,
		},
		"no secret": {
			mobile: linMobile, change: func(c *Config) { c.CodeSecret = []byte("short") }, want: errno.Internal,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.change == nil {
				tt.change = func(*Config) {}
			}
			s := open(t, tt.change)
			if tt.arrange != nil {
				tt.arrange(t, s)
			}
			err := s.SendCode(t.Context(), tt.mobile, home)
			require.Equal(t, tt.want, error(errno.Of(err)))
			if tt.check != nil {
				tt.check(t, s)
			}
		})
	}
}

// The answer is the same for a registered and an unregistered mobile.
func TestSendCodeDoesNotTellWhoIsRegistered(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	require.NoError(t, s.SendCode(t.Context(), linMobile, home))
	require.NoError(t, s.SendCode(t.Context(), "13900000002", home))
}

func TestPauseEnds(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.SendCode(t.Context(), linMobile, home))
	require.ErrorIs(t, s.SendCode(t.Context(), linMobile, home), errno.AuthCaptchaFrequency)
	first := s.sent.code(t)
	limit := "rate:{code:" + linMobile + "}" // with the time of the last code, in milliseconds
	require.NoError(t, s.rdb.HIncrBy(t.Context(), limit, "t", -time.Minute.Milliseconds()).Err())
	require.NoError(t, s.SendCode(t.Context(), linMobile, home))
	second := s.sent.code(t)
	if first != second {
		_, err := s.codes.take(t.Context(), linMobile, first)
		require.ErrorIs(t, err, errno.AuthCaptchaUnmatched, "a new code replaces the one before")
	}
	_, err := s.codes.take(t.Context(), linMobile, second)
	require.NoError(t, err)
}

// A refused request does not count for the address: pressing twice does not use up the limit of a household.
func TestRefusedCodesDoNotCount(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *Config) { c.CodesPerAddress = 2 })
	require.NoError(t, s.SendCode(t.Context(), linMobile, home))
	for range 5 {
		require.ErrorIs(t, s.SendCode(t.Context(), linMobile, home), errno.AuthCaptchaFrequency)
	}
	require.NoError(t, s.SendCode(t.Context(), "13900000002", home))
	require.ErrorIs(t, s.SendCode(t.Context(), "13900000003", home), errno.AuthCaptchaFrequency)
}

func TestLimitsOfCodesLastADay(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *Config) { c.CodeInterval = time.Nanosecond })
	for range 2 {
		require.NoError(t, s.SendCode(t.Context(), linMobile, home))
	}
	for _, key := range []string{"rate:{code:" + linMobile + "}", "rate:{code:" + home + "}"} {
		require.InDelta(t, 24*time.Hour, s.rdb.PTTL(t.Context(), key).Val(), float64(time.Minute))
		require.Equal(t, "2", s.rdb.HGet(t.Context(), key, "n").Val())
	}
}

func TestCodeIsDiscardedWhenSendingFails(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.sent.fail = errors.New("the provider is down")
	err := s.SendCode(t.Context(), linMobile, home)
	require.Equal(t, errno.Internal, errno.Of(err))
	require.Zero(t, s.rdb.Exists(t.Context(), "code:{"+linMobile+"}").Val())
	s.sent.fail = nil
	require.NoError(t, s.SendCode(t.Context(), linMobile, home), "nothing was sent, so there is no pause")
	require.Equal(t, "1", s.rdb.HGet(t.Context(), "rate:{code:"+linMobile+"}", "n").Val())
}

func TestOnlyOneOfManySends(t *testing.T) {
	t.Parallel()
	s := open(t)
	errs := race(make([]struct{}, 20), func(struct{}) error { return s.SendCode(context.Background(), linMobile, home) })
	requireOneWins(t, errs, errno.AuthCaptchaFrequency)
	require.Len(t, s.sent.texts, 1)
	require.Equal(t, "1", s.rdb.HGet(t.Context(), "rate:{code:"+home+"}", "n").Val())
}

func TestFifthWrongTryEndsTheCode(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[int]error{4: nil, 5: errno.AuthCaptchaUnmatched} {
		s := open(t)
		require.NoError(t, s.codes.save(t.Context(), linMobile, "123456"))
		errs := race(make([]struct{}, wrong), func(struct{}) error {
			_, err := s.codes.take(context.Background(), linMobile, "000000")
			return err
		})
		for _, err := range errs {
			require.ErrorIs(t, err, errno.AuthCaptchaUnmatched)
		}
		_, err := s.codes.take(t.Context(), linMobile, "123456")
		require.ErrorIs(t, err, want)
	}
}

func TestCodeExpires(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *Config) { c.CodeTTL = 100 * time.Millisecond })
	require.NoError(t, s.codes.save(t.Context(), linMobile, "123456"))
	time.Sleep(150 * time.Millisecond) // lasts longer than the code
	_, err := s.codes.take(t.Context(), linMobile, "123456")
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched)
}

func TestPutBackDoesNotOutliveTheCode(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.codes.save(t.Context(), linMobile, "123456"))
	taken, err := s.codes.take(t.Context(), linMobile, "123456")
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(5*time.Minute), time.UnixMilli(taken.until), time.Minute)
	taken.until = time.Now().UnixMilli()
	require.NoError(t, s.codes.restore(t.Context(), taken))
	_, err = s.codes.take(t.Context(), linMobile, "123456")
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched)
}

// Whatever happens to a mobile's codes, they behave like one code with five attempts, and the latest code counts.
func TestCodeStoreAgainstAModel(t *testing.T) {
	t.Parallel()
	s := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		ctx := t.Context()
		require.NoError(rt, s.rdb.FlushDB(ctx).Err())
		var (
			active string // the valid code, "" for none
			tries  int
			taken  *takenCode // the code that was taken last and can be restored
			was    string
		)
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"put", "wrong", "right", "back", "discard"}).Draw(rt, "step") {
			case "put":
				active, tries = rapid.StringMatching(`[1-9][0-9]{5}`).Draw(rt, "code"), codeTries
				require.NoError(rt, s.codes.save(ctx, linMobile, active))
			case "wrong":
				_, err := s.codes.take(ctx, linMobile, "000000")
				require.ErrorIs(rt, err, errno.AuthCaptchaUnmatched)
				if tries--; tries <= 0 {
					active = ""
				}
			case "right":
				got, err := s.codes.take(ctx, linMobile, active)
				if active == "" {
					require.ErrorIs(rt, err, errno.AuthCaptchaUnmatched)
					continue
				}
				require.NoError(rt, err)
				require.EqualValues(rt, tries, got.tries)
				taken, was, active = &got, active, ""
			case "back":
				if taken == nil {
					continue
				}
				require.NoError(rt, s.codes.restore(ctx, *taken))
				if active == "" {
					active, tries = was, int(taken.tries)
				}
				taken = nil
			case "discard":
				require.NoError(rt, s.codes.discard(ctx, linMobile, "000000"), "another code stays")
			}
		}
		require.LessOrEqual(rt, s.rdb.PTTL(ctx, codeKey(linMobile)).Val(), 5*time.Minute)
		require.Equal(rt, active != "", s.rdb.Exists(ctx, codeKey(linMobile)).Val() == 1)
	})
}

func TestCodesAreSixDigits(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		code := newCode()
		require.Len(t, code, 6)
		require.Empty(t, strings.Trim(code, "0123456789"))
		seen[code] = true
	}
	require.Greater(t, len(seen), 990)
}
