package account

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// platform knows every user whose code begins with "code-of-", and encrypts a number by prefixing the key.
type platform struct {
	mu    sync.Mutex
	calls int
	key   string
}

func (p *platform) Session(_ context.Context, code string) (openID, key string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	user, known := strings.CutPrefix(code, "code-of-")
	if !known {
		return "", "", errors.New("unknown code")
	}
	return "o-" + user, p.key, nil
}

func (p *platform) Phone(key, _, sealed string) (string, error) {
	mobile, ok := strings.CutPrefix(sealed, key+":")
	if !ok {
		return "", errors.New("sealed under another key")
	}
	return mobile, nil
}

// openApp returns a shop with the app platform.
func openApp(t *testing.T) (*shop, *platform) {
	t.Helper()
	p := &platform{key: "session-key-1"}
	return open(t, func(c *Config) { c.Platform, c.SessionSecret = p, []byte(strings.Repeat("q", 32)) }), p
}

func app(user string) AppLogin {
	return AppLogin{
		Code: "code-of-" + user, Nickname: "App " + user, Avatar: "https://x.test/" + user, Gender: 2, Address: home,
	}
}

func TestSessionKeyCipher(t *testing.T) {
	t.Parallel()
	s := sessionKeyCipher{[]byte(strings.Repeat("q", 32))}
	one, err := s.encrypt("key", "o-lin")
	require.NoError(t, err)
	two, err := s.encrypt("key", "o-lin")
	require.NoError(t, err)
	require.NotEqual(t, one, two, "a random nonce each time")
	require.NotContains(t, one, "key")
	long, err := s.encrypt(strings.Repeat("k", 128), "o-lin")
	require.NoError(t, err)
	require.LessOrEqual(t, len(long), 255, "what the column holds")
	got, err := s.decrypt(one, "o-lin")
	require.NoError(t, err)
	require.Equal(t, "key", got)
	for name, tt := range map[string]struct {
		s              sessionKeyCipher
		sealed, openID string
	}{
		"another identity": {s, one, "o-mei"},
		"another secret":   {sessionKeyCipher{[]byte(strings.Repeat("r", 32))}, one, "o-lin"},
		"cut":              {s, one[:12], "o-lin"},
		"changed":          {s, "AAAA" + one[4:], "o-lin"},
		"plain":            {s, "session-key-1", "o-lin"},
		"nothing":          {s, "", "o-lin"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tt.s.decrypt(tt.sealed, tt.openID)
			require.ErrorIs(t, err, errNotDecrypted)
			require.Empty(t, got)
		})
	}
	_, err = sessionKeyCipher{[]byte("short")}.encrypt("key", "o-lin")
	require.ErrorContains(t, err, "too short")
	_, err = sessionKeyCipher{}.decrypt(one, "o-lin")
	require.ErrorContains(t, err, "missing")
}

func TestLoginByApp(t *testing.T) {
	t.Parallel()
	s, p := openApp(t)
	gifts := 0
	s.gift = func(context.Context, *db.Tx, int64) error { gifts++; return nil }
	e, err := s.LoginByApp(t.Context(), app("lin"))
	require.NoError(t, err)
	require.Regexp(t, "^wx_[a-z2-7]{16}$", e.Username)
	require.Equal(t, Profile{
		ID: 1, Username: e.Username, Nickname: "App lin", Avatar: "https://x.test/lin", Gender: 2,
	}, e.Profile)
	// Neither the identity nor anything else works as a password.
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE username_key = '#o-lin' AND password_hash IS NULL AND "+
		"mobile IS NULL AND wx_openid = 'o-lin' AND last_login_ip = ? AND last_login_time = ?", home, utc(noon())))
	for _, password := range []string{"o-lin", "", "#o-lin"} {
		for _, name := range []string{e.Username, "#o-lin", "o-lin"} {
			_, err = s.Login(t.Context(), Credentials{Username: name, Password: password})
			require.ErrorIs(t, err, errno.AuthInvalidAccount)
		}
	}
	row, _, err := accounts.One(t.Context(), s.d, byOpenID, "o-lin")
	require.NoError(t, err)
	require.NotContains(t, row.SessionKey, p.key)
	first, err := s.keys.decrypt(row.SessionKey, "o-lin")
	require.NoError(t, err)
	require.Equal(t, "session-key-1", first)

	// The second login writes only its time.
	p.key = "session-key-2"
	again := app("lin")
	again.Nickname, again.Address = "Another", "10.0.0.2"
	ctx, statements := db.WithCounter(t.Context())
	e2, err := s.LoginByApp(ctx, again)
	require.NoError(t, err)
	require.Equal(t, 2, statements.Count())
	require.Equal(t, e.Profile, e2.Profile)
	require.NotEqual(t, e.Token, e2.Token)
	require.Equal(t, 1, gifts)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE last_login_ip = '10.0.0.2'"))
	row, _, err = accounts.One(t.Context(), s.d, byOpenID, "o-lin")
	require.NoError(t, err)
	second, err := s.keys.decrypt(row.SessionKey, "o-lin")
	require.NoError(t, err)
	require.Equal(t, "session-key-2", second)
	for _, text := range []string{e.Token, e2.Token} {
		session, err := s.tokens.Find(t.Context(), text, true)
		require.NoError(t, err)
		require.EqualValues(t, 1, session.Subject)
	}
}

// The user's data from the app is truncated to what an account may contain.
func TestLoginByAppCutsTheProfile(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sent AppLogin
		want Profile
	}{
		"nothing": {AppLogin{}, Profile{Avatar: "https://shop.test/avatar.png"}},
		"long": {
			AppLogin{Nickname: strings.Repeat("林", 64), Avatar: "http://x/" + strings.Repeat("a", 300)},
			// A truncated address would show a broken picture.
			Profile{Nickname: strings.Repeat("林", 63), Avatar: "https://shop.test/avatar.png"},
		},
		"no picture of the web": {AppLogin{Avatar: "javascript:alert(1)"}, Profile{Avatar: "https://shop.test/avatar.png"}},
		"gender below":          {AppLogin{Gender: -1, Avatar: "http://x"}, Profile{Avatar: "http://x"}},
		"gender above":          {AppLogin{Gender: 3, Avatar: "http://x"}, Profile{Avatar: "http://x"}},
		"gender":                {AppLogin{Gender: 1, Avatar: "http://x"}, Profile{Avatar: "http://x", Gender: 1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, _ := openApp(t)
			tt.sent.Code = "code-of-lin"
			e, err := s.LoginByApp(t.Context(), tt.sent)
			require.NoError(t, err)
			tt.want.ID, tt.want.Username = 1, e.Username
			require.Equal(t, tt.want, e.Profile)
			got, err := s.Info(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestLoginByAppRefused(t *testing.T) {
	t.Parallel()
	s, p := openApp(t)
	_, err := s.LoginByApp(t.Context(), AppLogin{Code: "nobody"})
	require.ErrorIs(t, err, errno.AuthOpenIDUnaccess)
	_, err = s.LoginByApp(t.Context(), app("lin"))
	require.NoError(t, err)
	for _, status := range []string{"1", "2"} {
		s.exec(t, "UPDATE user SET status = "+status)
		_, err = s.LoginByApp(t.Context(), app("lin"))
		require.ErrorIs(t, err, errno.AuthInvalidAccount)
	}
	require.Equal(t, 3, p.calls-1)
	// A deleted account does not count: the user gets a new one.
	s.exec(t, "UPDATE user SET deleted = 1, del_mark = id")
	e, err := s.LoginByApp(t.Context(), app("lin"))
	require.NoError(t, err)
	require.NotEqualValues(t, 1, e.ID)

	without := open(t)
	_, err = without.LoginByApp(t.Context(), app("lin"))
	require.ErrorIs(t, err, errno.NotSupported)
	weak := open(t, func(c *Config) { c.Platform, c.SessionSecret = p, []byte("short") })
	_, err = weak.LoginByApp(t.Context(), app("lin"))
	require.Equal(t, errno.Internal, errno.Of(err), "no key is stored that anybody could open")
}

func TestLoginByAppRollsBackWithItsGift(t *testing.T) {
	t.Parallel()
	s, _ := openApp(t)
	broken := errors.New("no gift today")
	s.gift = func(context.Context, *db.Tx, int64) error { return broken }
	_, err := s.LoginByApp(t.Context(), app("lin"))
	require.ErrorIs(t, err, broken)
	require.Zero(t, s.int(t, "SELECT COUNT(*) FROM user"))
}

// Twenty concurrent first logins of one user create one account with one gift, and all succeed.
func TestRaceOfFirstLogins(t *testing.T) {
	t.Parallel()
	s, _ := openApp(t)
	var mu sync.Mutex
	ids := map[int64]bool{}
	s.gift = func(ctx context.Context, tx *db.Tx, shopper int64) error {
		return dbtest.Exec(ctx, tx, "UPDATE user SET user_level = user_level + 1 WHERE id = ?", shopper)
	}
	errs := race(make([]int, 20), func(int) error {
		e, err := s.LoginByApp(context.Background(), app("lin"))
		mu.Lock()
		defer mu.Unlock()
		ids[e.ID] = true
		return err
	})
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, ids, 1)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
	require.Equal(t, 1, s.int(t, "SELECT user_level FROM user"))
}

func TestRegisterWithTheApp(t *testing.T) {
	t.Parallel()
	s, p := openApp(t)
	r := s.registration(t, "lin", linMobile)
	r.AppCode = "code-of-lin"
	e, err := s.Register(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "lin", e.Username)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE username_key = 'lin' AND wx_openid = 'o-lin'"))
	require.Equal(t, 1, p.calls)
	by, err := s.LoginByApp(t.Context(), app("lin"))
	require.NoError(t, err)
	require.Equal(t, e.Profile, by.Profile, "one account, two ways in")
}

// An identity never has two accounts.
func TestRegisterWithABoundIdentity(t *testing.T) {
	t.Parallel()
	s, _ := openApp(t)
	r := s.registration(t, "lin", linMobile)
	r.AppCode = "code-of-lin"
	_, err := s.Register(t.Context(), r)
	require.NoError(t, err)
	second := s.registration(t, "mei", "13900000002")
	second.AppCode = "code-of-lin"
	_, err = s.Register(t.Context(), second)
	require.ErrorIs(t, err, errno.AuthOpenIDBound)
	second.AppCode = "nobody"
	_, err = s.Register(t.Context(), second)
	require.ErrorIs(t, err, errno.AuthOpenIDUnaccess)
	second.AppCode = ""
	_, err = s.Register(t.Context(), second)
	require.NoError(t, err, "the refusals have not used up the code")
	require.Equal(t, 2, s.int(t, "SELECT COUNT(*) FROM user"))
}

// An account created by the app gets the credentials, keeps its data, and gets no second gift.
func TestRegisterUpgradesTheAppsAccount(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]string{"without a mobile": "NULL", "with its mobile": "'" + linMobile + "'", "with another": "'13900000009'"} {
		t.Run(name, func(t *testing.T) {
			s, _ := openApp(t)
			gifts := 0
			s.gift = func(context.Context, *db.Tx, int64) error { gifts++; return nil }
			before, err := s.LoginByApp(t.Context(), app("lin"))
			require.NoError(t, err)
			s.exec(t, "UPDATE user SET token_version = 3, mobile = "+own)
			r := s.registration(t, "Lin", linMobile)
			r.AppCode = "code-of-lin"
			ctx, statements := db.WithCounter(t.Context())
			e, err := s.Register(ctx, r)
			require.NoError(t, err)
			require.Equal(t, 3, statements.Count())
			want := before.Profile
			want.Username, want.Mobile = "Lin", linMobile
			require.Equal(t, want, e.Profile)
			require.Equal(t, 1, gifts)
			session, err := s.tokens.Find(t.Context(), e.Token, true)
			require.NoError(t, err)
			require.Equal(t, 3, session.Version)
			require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
			for _, c := range []Credentials{{Username: "lin", Password: password}, {Mobile: linMobile, Password: password}} {
				_, err = s.Login(t.Context(), c)
				require.NoError(t, err)
			}
			_, err = s.LoginByApp(t.Context(), app("lin"))
			require.NoError(t, err)
		})
	}
}

func TestRegisterDoesNotTakeOverAppAccounts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		set  string
		code string
		want error
	}{
		"another app user's mobile":     {"mobile = '13900000001'", "code-of-mei", errno.AuthMobileRegistered},
		"that, and no platform's code":  {"mobile = '13900000001'", "", errno.AuthMobileRegistered},
		"that, and an unknown code":     {"mobile = '13900000001'", "nobody", errno.AuthMobileRegistered},
		"a mobile with own credentials": {"mobile = '13900000001', password_hash = 'x'", "nobody", errno.AuthMobileRegistered},
		"a disabled account":            {"status = 1", "code-of-lin", errno.AuthOpenIDBound},
		"a closed account":              {"status = 2", "code-of-lin", errno.AuthOpenIDBound},
		"own credentials":               {"password_hash = 'x'", "code-of-lin", errno.AuthOpenIDBound},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, _ := openApp(t)
			_, err := s.LoginByApp(t.Context(), app("lin"))
			require.NoError(t, err)
			s.exec(t, "UPDATE user SET "+tt.set)
			r := s.registration(t, "mei", linMobile)
			r.AppCode = tt.code
			_, err = s.Register(t.Context(), r)
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE username LIKE 'wx\\_%'"))
			_, err = s.codes.take(t.Context(), linMobile, "123456")
			require.NoError(t, err, "put back")
		})
	}
}

// Twenty registrations with one identity, each with its own name and mobile: one gets it, whether or not the identity
// has an account already.
func TestRaceForAnIdentity(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"a new identity": false, "an account of the app": true} {
		t.Run(name, func(t *testing.T) {
			s, _ := openApp(t)
			if known {
				_, err := s.LoginByApp(t.Context(), app("lin"))
				require.NoError(t, err)
			}
			all := make([]Registration, 20)
			for i := range all {
				all[i] = s.registration(t, "lin"+string(rune('a'+i)), "139000000"+string(rune('1'+i/10))+string(rune('0'+i%10)))
				all[i].AppCode = "code-of-lin"
			}
			errs := race(all, func(r Registration) error {
				_, err := s.Register(context.Background(), r)
				return err
			})
			requireOneWins(t, errs, errno.AuthOpenIDBound)
			require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user"))
		})
	}
}
