package account

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
)

const newPassword = "wrong-horse"

// alive reports whether a token is valid: it exists and has the version of its account.
func (s *shop) alive(t *testing.T, text string) bool {
	t.Helper()
	session, err := s.tokens.Find(t.Context(), text, true)
	if err != nil {
		require.ErrorIs(t, err, errno.LoginRequired)
		return false
	}
	version, err := s.Active(t.Context(), session.Subject)
	require.NoError(t, err)
	return version == session.Version
}

func (s *shop) login(t *testing.T, username string) string {
	t.Helper()
	e, err := s.Login(t.Context(), Credentials{Username: username, Password: password, Address: home})
	require.NoError(t, err)
	return e.Token
}

func (s *shop) code(t *testing.T, mobile string) {
	t.Helper()
	require.NoError(t, s.codes.save(t.Context(), mobile, "123456"))
}

// A reset ends every token of the account, and of no other.
func TestResetPassword(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.registered(t, "lin", linMobile)
	s.registered(t, "mei", "13900000002")
	one, two, other := s.login(t, "lin"), s.login(t, "lin"), s.login(t, "mei")
	s.code(t, linMobile)
	r := PasswordReset{Password: newPassword, Mobile: linMobile, Code: "123456"}
	ctx, statements := db.WithCounter(t.Context())
	require.NoError(t, s.ResetPassword(ctx, r))
	require.Equal(t, 2, statements.Count())
	require.False(t, s.alive(t, one))
	require.False(t, s.alive(t, two))
	require.True(t, s.alive(t, other))
	_, err := s.Login(t.Context(), Credentials{Username: "lin", Password: password})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
	e, err := s.Login(t.Context(), Credentials{Username: "lin", Password: newPassword})
	require.NoError(t, err)
	require.True(t, s.alive(t, e.Token))
	require.ErrorIs(t, s.ResetPassword(t.Context(), r), errno.AuthCaptchaUnmatched, "the code is used up")
}

// The version alone ends the tokens, even if Redis has lost their list.
func TestResetPasswordWithoutTheList(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	text := s.login(t, "lin")
	require.NoError(t, s.rdb.Del(t.Context(), fmt.Sprintf("tokset:{shopper:%d}", id)).Err())
	s.code(t, linMobile)
	require.NoError(t, s.ResetPassword(t.Context(), PasswordReset{Password: newPassword, Mobile: linMobile, Code: "123456"}))
	require.False(t, s.alive(t, text))
}

func TestResetPasswordRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		reset PasswordReset
		want  error
	}{
		"password first":    {PasswordReset{Password: "12345", Mobile: "1"}, errno.Invalid},
		"long password":     {PasswordReset{Password: strings.Repeat("林", 25), Mobile: linMobile, Code: "123456"}, errno.Invalid},
		"then the mobile":   {PasswordReset{Password: newPassword, Mobile: "139", Code: "0"}, errno.Invalid},
		"then the code":     {PasswordReset{Password: newPassword, Mobile: "13900000008", Code: "000000"}, errno.AuthCaptchaUnmatched},
		"code of another":   {PasswordReset{Password: newPassword, Mobile: "13900000007", Code: "123456"}, errno.AuthCaptchaUnmatched},
		"then the account":  {PasswordReset{Password: newPassword, Mobile: "13900000008", Code: "123456"}, errno.AuthMobileUnregistered},
		"a deleted account": {PasswordReset{Password: newPassword, Mobile: "13900000009", Code: "123456"}, errno.AuthMobileUnregistered},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.registered(t, "lin", linMobile)
			s.registered(t, "old", "13900000009")
			s.exec(t, "UPDATE user SET deleted = 1, del_mark = id WHERE username = 'old'")
			token := s.login(t, "lin")
			for _, mobile := range []string{linMobile, "13900000008", "13900000009"} {
				s.code(t, mobile)
			}
			require.ErrorIs(t, s.ResetPassword(t.Context(), tt.reset), tt.want)
			require.True(t, s.alive(t, token))
			for _, mobile := range []string{linMobile, "13900000008", "13900000009"} {
				_, err := s.codes.take(t.Context(), mobile, "123456")
				require.NoError(t, err, "the refusal has not used up the code of %s", mobile)
			}
		})
	}
}

// A number that is assigned to somebody else between the lookup and the change opens neither account.
func TestResetPasswordOfANumberGivenUp(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	s.exec(t, "UPDATE user SET mobile = NULL")
	require.NoError(t, s.d.InTx(t.Context(), func(tx *db.Tx) error {
		saved, err := savePassword(t.Context(), tx, id, linMobile, "x", noon())
		require.False(t, saved)
		return err
	}))
	s.login(t, "lin")
}

// Twenty resets with one code: one succeeds.
func TestRaceOfResets(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *Config) { c.LoginPerAccount = 0 })
	s.registered(t, "lin", linMobile)
	s.code(t, linMobile)
	all := make([]PasswordReset, 20)
	for i := range all {
		all[i] = PasswordReset{Password: fmt.Sprintf("password-%d", i), Mobile: linMobile, Code: "123456"}
	}
	errs := race(all, func(r PasswordReset) error { return s.ResetPassword(context.Background(), r) })
	requireOneWins(t, errs, errno.AuthCaptchaUnmatched)
	for i, err := range errs {
		_, wrong := s.Login(t.Context(), Credentials{Username: "lin", Password: all[i].Password})
		require.Equal(t, err == nil, wrong == nil, "the winner's password, and no other")
	}
}

const newMobile = "13900000005"

func (s *shop) change(token string) MobileChange {
	return MobileChange{Password: password, Mobile: newMobile, Code: "123456", Token: token, Address: home}
}

func TestChangeMobile(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	kept, other := s.login(t, "lin"), s.login(t, "lin")
	s.code(t, newMobile)
	ctx, statements := db.WithCounter(t.Context())
	require.NoError(t, s.ChangeMobile(ctx, id, s.change(kept)))
	require.Equal(t, 2, statements.Count())
	require.True(t, s.alive(t, kept))
	require.False(t, s.alive(t, other))
	p, err := s.Info(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, newMobile, p.Mobile)
	// The session continues, and the shopper's own number is not treated as another account's.
	s.code(t, newMobile)
	require.NoError(t, s.ChangeMobile(t.Context(), id, s.change(kept)))
	require.True(t, s.alive(t, kept))
	require.NoError(t, s.Logout(t.Context(), kept))
	require.False(t, s.alive(t, kept), "and can still be ended")
}

func TestChangeMobileRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		set    string
		change func(*MobileChange)
		want   error
	}{
		"mobile first": {"", func(c *MobileChange) { *c = MobileChange{Mobile: "139"} }, errno.AuthInvalidMobile},
		"then the password": {
			"", func(c *MobileChange) { c.Password, c.Code = newPassword, "000000" }, errno.AuthInvalidAccount,
		},
		"no password": {
			"password_hash = NULL", func(c *MobileChange) { c.Password = "" }, errno.AuthInvalidAccount,
		},
		"then the code":      {"", func(c *MobileChange) { c.Code = "000000" }, errno.AuthCaptchaUnmatched},
		"another holder":     {"", func(c *MobileChange) { c.Mobile = "13900000002" }, errno.AuthMobileRegistered},
		"disabled meanwhile": {"status = 1", func(*MobileChange) {}, errno.LoginRequired},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.registered(t, "mei", "13900000002")
			id := s.registered(t, "lin", linMobile)
			token := s.login(t, "lin")
			if tt.set != "" {
				s.exec(t, "UPDATE user SET "+tt.set+" WHERE username = 'lin'")
			}
			version := s.int(t, "SELECT token_version FROM user WHERE id = ?", id)
			s.code(t, newMobile)
			s.code(t, "13900000002")
			c := s.change(token)
			tt.change(&c)
			require.ErrorIs(t, s.ChangeMobile(t.Context(), id, c), tt.want)
			require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE id = ? AND mobile = ? AND token_version = ?",
				id, linMobile, version))
			for _, mobile := range []string{newMobile, "13900000002"} {
				_, err := s.codes.take(t.Context(), mobile, "123456")
				require.NoError(t, err, "the refusal has not used up the code of %s", mobile)
			}
		})
	}
}

// A stolen token does not allow unlimited attempts at the password: they count like failed logins.
func TestChangeMobileIsRateLimited(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	token := s.login(t, "lin")
	c := s.change(token)
	c.Password = newPassword
	for range 10 {
		require.ErrorIs(t, s.ChangeMobile(t.Context(), id, c), errno.AuthInvalidAccount)
	}
	s.code(t, newMobile)
	require.ErrorIs(t, s.ChangeMobile(t.Context(), id, s.change(token)), errno.AuthInvalidAccount)
	_, err := s.Login(t.Context(), Credentials{Username: "lin", Password: password})
	require.ErrorIs(t, err, errno.AuthInvalidAccount)
}

// An account that has ended its tokens since it was read does not get the number of a former session.
func TestMobileOfAnAccountChangedMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	row, _, err := findByID(t.Context(), s.d, id)
	require.NoError(t, err)
	s.exec(t, "UPDATE user SET token_version = token_version + 1")
	require.ErrorIs(t, s.replaceMobile(t.Context(), row, newMobile, true), errno.Stale)
	require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE mobile = ?", linMobile))
}

// Ten shoppers claim one number concurrently: one gets it.
func TestRaceForANewMobile(t *testing.T) {
	t.Parallel()
	s := open(t)
	rows := make([]account, 10)
	for i := range rows {
		id := s.registered(t, fmt.Sprintf("lin%d", i), fmt.Sprintf("1390000001%d", i))
		var err error
		rows[i], _, err = findByID(t.Context(), s.d, id)
		require.NoError(t, err)
	}
	errs := race(rows, func(r account) error { return s.replaceMobile(context.Background(), r, newMobile, true) })
	requireOneWins(t, errs, errno.AuthMobileRegistered)
}

// Of two concurrent changes by one shopper, each with its own code, one may fail; the session survives.
func TestRaceOfOwnChanges(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	token := s.login(t, "lin")
	mobiles := []string{"13900000011", "13900000012", "13900000013", "13900000014"}
	for _, m := range mobiles {
		s.code(t, m)
	}
	var mu sync.Mutex
	won := map[string]bool{}
	errs := race(mobiles, func(m string) error {
		c := s.change(token)
		c.Mobile = m
		err := s.ChangeMobile(context.Background(), id, c)
		mu.Lock()
		defer mu.Unlock()
		won[m] = err == nil
		return err
	})
	for _, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, errno.Stale)
		}
	}
	p, err := s.Info(t.Context(), id)
	require.NoError(t, err)
	require.True(t, won[p.Mobile])
	require.True(t, s.alive(t, token))
}

func TestBindMobile(t *testing.T) {
	t.Parallel()
	s, p := openApp(t)
	e, err := s.LoginByApp(t.Context(), app("lin"))
	require.NoError(t, err)
	other, err := s.LoginByApp(t.Context(), app("lin"))
	require.NoError(t, err)
	sealed := EncryptedMobile{IV: "iv", Data: p.key + ":" + linMobile, Token: e.Token}
	ctx, statements := db.WithCounter(t.Context())
	require.NoError(t, s.BindMobile(ctx, e.ID, sealed))
	require.Equal(t, 2, statements.Count())
	require.NoError(t, s.BindMobile(t.Context(), e.ID, sealed), "the same again")
	require.True(t, s.alive(t, other.Token), "a first number ends nothing")
	got, err := s.Info(t.Context(), e.ID)
	require.NoError(t, err)
	require.Equal(t, linMobile, got.Mobile)
	sealed.Data = p.key + ":" + newMobile
	require.NoError(t, s.BindMobile(t.Context(), e.ID, sealed))
	require.False(t, s.alive(t, other.Token), "another number ends the other tokens")
	require.True(t, s.alive(t, e.Token))
	// A shopper with only a number sets a password by a code sent to it.
	s.code(t, newMobile)
	require.NoError(t, s.ResetPassword(t.Context(), PasswordReset{Password: newPassword, Mobile: newMobile, Code: "123456"}))
	_, err = s.Login(t.Context(), Credentials{Mobile: newMobile, Password: newPassword})
	require.NoError(t, err)
}

func TestBindMobileRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		set  string
		data string
		want error
	}{
		"no identity":             {"wx_openid = NULL", "session-key-1:" + newMobile, errno.AuthOpenIDUnaccess},
		"no session":              {"wx_session_key = ''", "session-key-1:" + newMobile, errno.AuthOpenIDUnaccess},
		"a session of plain text": {"wx_session_key = 'session-key-1'", "session-key-1:" + newMobile, errno.AuthOpenIDUnaccess},
		"another's session":       {"wx_openid = 'o-mei'", "session-key-1:" + newMobile, errno.AuthOpenIDUnaccess},
		"sealed under another":    {"", "session-key-2:" + newMobile, errno.AuthOpenIDUnaccess},
		"a number from abroad":    {"", "session-key-1:+1555", errno.AuthInvalidMobile},
		"no number":               {"", "session-key-1:", errno.AuthInvalidMobile},
		"another holder":          {"", "session-key-1:" + linMobile, errno.AuthMobileRegistered},
		"disabled meanwhile":      {"status = 1", "session-key-1:" + newMobile, errno.LoginRequired},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, _ := openApp(t)
			s.registered(t, "holder", linMobile)
			e, err := s.LoginByApp(t.Context(), app("lin"))
			require.NoError(t, err)
			if tt.set != "" {
				s.exec(t, "UPDATE user SET "+tt.set+" WHERE id = ?", e.ID)
			}
			require.ErrorIs(t, s.BindMobile(t.Context(), e.ID, EncryptedMobile{Data: tt.data, Token: e.Token}), tt.want)
			require.Equal(t, 1, s.int(t, "SELECT COUNT(*) FROM user WHERE id = ? AND mobile IS NULL", e.ID))
		})
	}
	s := open(t)
	require.ErrorIs(t, s.BindMobile(t.Context(), s.registered(t, "lin", linMobile), EncryptedMobile{}), errno.NotSupported)
}

// A restored code keeps its end: a refusal does not extend it.
func TestRefusedResetKeepsTheCodesEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.code(t, linMobile)
	require.NoError(t, s.rdb.PExpire(t.Context(), codeKey(linMobile), time.Minute).Err())
	err := s.ResetPassword(t.Context(), PasswordReset{Password: newPassword, Mobile: linMobile, Code: "123456"})
	require.ErrorIs(t, err, errno.AuthMobileUnregistered)
	left, err := s.rdb.PTTL(t.Context(), codeKey(linMobile)).Result()
	require.NoError(t, err)
	require.LessOrEqual(t, left, time.Minute)
}
