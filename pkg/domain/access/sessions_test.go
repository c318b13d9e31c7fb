package access

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

const logged = "SELECT CONCAT_WS('|', admin, ip, type, action, status, result, comment) FROM log ORDER BY id"

// A login writes only its time and address.
func TestLogIn(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		c      Credentials
		damage string
		want   error
		log    string
	}{
		"right": {
			Credentials{"clerk", password, "10.0.0.9"},
			"", nil,
			"clerk|10.0.0.9|1|登录|1||",
		},
		"another case": {
			Credentials{" CLERK", password, "10.0.0.9"},
			"", nil,
			"clerk|10.0.0.9|1|登录|1||",
		},
		"wrong password": {
			Credentials{"clerk", "orchid-8", "10.0.0.9"},
			"", errno.AdminInvalidAccount,
			"匿名用户|10.0.0.9|1|登录|0|密码错误|clerk",
		},
		"unknown": {
			Credentials{"x' or '1'='1", password, "10.0.0.9"},
			"", errno.AdminInvalidAccount,
			"匿名用户|10.0.0.9|1|登录|0|用户不存在|x' or '1'='1",
		},
		"a very long name": {
			Credentials{strings.Repeat("名", 9000), password, ""},
			"", errno.AdminInvalidAccount,
			"匿名用户||1|登录|0|用户不存在|" + strings.Repeat("名", 63),
		},
		"locked": {
			Credentials{"clerk", password, ""},
			"UPDATE admin SET status = 1", errno.AdminInvalidAccount,
			"匿名用户||1|登录|0|用户已锁定|clerk",
		},
		"deleted": {
			Credentials{"clerk", password, ""},
			"UPDATE admin SET deleted = 1, del_mark = id", errno.AdminInvalidAccount,
			"匿名用户||1|登录|0|用户不存在|clerk",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, 5, 50)
			id, err := s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
			require.NoError(t, err)
			if tt.damage != "" {
				s.exec(t, tt.damage)
			}
			const untouched = "SELECT CONCAT_WS('|', username, password_hash, token_version, update_time, version) FROM admin"
			before := s.texts(t, untouched)
			o, tok, err := s.sessions.LogIn(t.Context(), tt.c)
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, []string{tt.log}, s.texts(t, logged))
			require.Equal(t, before, s.texts(t, untouched))
			if tt.want != nil {
				require.Empty(t, tok)
				return
			}
			require.Equal(t, id, o.ID)
			found, err := s.sessions.Find(t.Context(), tok, true)
			require.NoError(t, err)
			require.Equal(t, "clerk", found.Username)
			require.Equal(t, tt.c.Address, found.LastLoginAddress)
			require.Equal(t, noon(), found.LastLogin)
		})
	}
}

func TestLongPasswordsAreNotCut(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	long := strings.Repeat("a", 72)
	hash, err := bcrypt.GenerateFromPassword([]byte(long), bcrypt.MinCost)
	require.NoError(t, err)
	_, err = s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
	require.NoError(t, err)
	s.exec(t, "UPDATE admin SET password_hash = ?", string(hash))
	_, _, err = s.sessions.LogIn(t.Context(), Credentials{Username: "clerk", Password: long + "b"})
	require.ErrorIs(t, err, errno.AdminInvalidAccount)
	_, _, err = s.sessions.LogIn(t.Context(), Credentials{Username: "clerk", Password: long})
	require.NoError(t, err)
}

// Attempts after too many failures do not fill the log: per window only the first refusal is logged.
func TestRefusedLoginsDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	s := open(t, 5, 8)
	_, err := s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
	require.NoError(t, err)
	try := func(name, address string) {
		_, _, err := s.sessions.LogIn(t.Context(), Credentials{name, "wrong-one", address})
		require.ErrorIs(t, err, errno.AdminInvalidAccount)
	}
	for range 100 {
		try("clerk", "10.0.0.1")
	}
	require.Equal(t, []string{"密码错误 5", text.LogTooManyLogins.Stored() + " 1"}, s.texts(t,
		"SELECT CONCAT(result, ' ', COUNT(*)) FROM log GROUP BY result ORDER BY COUNT(*) DESC"))
	for i := range 100 {
		try("nobody"+strconv.Itoa(i), "10.0.0.1") // three more lock out the address
	}
	require.Equal(t, []string{"密码错误 5", "用户不存在 3", text.LogTooManyLogins.Stored() + " 2"}, s.texts(t,
		"SELECT CONCAT(result, ' ', COUNT(*)) FROM log GROUP BY result ORDER BY COUNT(*) DESC"))
}

func TestLoginRateLimit(t *testing.T) {
	t.Parallel()
	s := open(t, 5, 8)
	_, err := s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
	require.NoError(t, err)
	try := func(name, secret, address string) error {
		_, _, err := s.sessions.LogIn(t.Context(), Credentials{name, secret, address})
		return err
	}
	for range 4 {
		require.ErrorIs(t, try("clerk", "wrong-one", "10.0.0.1"), errno.AdminInvalidAccount)
	}
	require.NoError(t, try("clerk", password, "10.0.0.1"), "four failures are allowed")
	require.ErrorIs(t, try("CLERK", "wrong-one", "10.0.0.1"), errno.AdminInvalidAccount)
	require.ErrorIs(t, try("clerk", password, "10.0.0.2"), errno.AdminInvalidAccount, "the fifth shuts the name")
	for range 3 {
		require.ErrorIs(t, try("somebody", "wrong-one", "10.0.0.1"), errno.AdminInvalidAccount)
	}
	_, err = s.Appoint(t.Context(), Appointment{Username: "other", Password: password, Role: "clerks"})
	require.NoError(t, err)
	require.ErrorIs(t, try("other", password, "10.0.0.1"), errno.AdminInvalidAccount, "the eighth shuts the address")
	require.NoError(t, try("other", password, "10.0.0.2"))
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"deleted":      "UPDATE admin SET deleted = 1, del_mark = id",
		"locked":       "UPDATE admin SET status = 1",
		"new password": "UPDATE admin SET token_version = token_version + 1",
		"gone":         "DELETE FROM admin",
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, 5, 50)
			_, err := s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
			require.NoError(t, err)
			_, tok, err := s.sessions.LogIn(t.Context(), Credentials{Username: "clerk", Password: password})
			require.NoError(t, err)
			s.exec(t, damage)
			_, err = s.sessions.Find(t.Context(), tok, true)
			require.ErrorIs(t, err, errno.LoginRequired)
		})
	}
}

func TestLogOut(t *testing.T) {
	t.Parallel()
	s := open(t, 5, 50)
	_, err := s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
	require.NoError(t, err)
	o, tok, err := s.sessions.LogIn(t.Context(), Credentials{"clerk", password, "10.0.0.9"})
	require.NoError(t, err)
	_, other, err := s.sessions.LogIn(t.Context(), Credentials{"clerk", password, "10.0.0.9"})
	require.NoError(t, err)
	require.NoError(t, s.sessions.LogOut(t.Context(), o, tok, "10.0.0.9"))
	_, err = s.sessions.Find(t.Context(), tok, true)
	require.ErrorIs(t, err, errno.LoginRequired)
	_, err = s.sessions.Find(t.Context(), other, true)
	require.NoError(t, err, "the other session goes on")
	require.NoError(t, s.sessions.End(t.Context(), o.ID))
	_, err = s.sessions.Find(t.Context(), other, true)
	require.ErrorIs(t, err, errno.LoginRequired)
	require.Equal(t, "clerk|10.0.0.9|1|退出|1||", s.texts(t, logged)[2])
}

func TestANameCannotShutAnAddress(t *testing.T) {
	t.Parallel()
	s := open(t, 5, 3)
	_, err := s.Appoint(t.Context(), Appointment{Username: "clerk", Password: password, Role: "clerks"})
	require.NoError(t, err)
	for i := range 6 {
		c := Credentials{"ip:10.0.0.7", "wrong-one", "10.0.1." + strconv.Itoa(i)}
		_, _, err := s.sessions.LogIn(t.Context(), c)
		require.ErrorIs(t, err, errno.AdminInvalidAccount)
	}
	_, _, err = s.sessions.LogIn(t.Context(), Credentials{"clerk", password, "10.0.0.7"})
	require.NoError(t, err)
}

// As for shoppers: after a restore another operator may have the id of a lost one, but not its sessions.
func TestASessionDoesNotOutliveItsOperator(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	enter := func(name string) (id int64, token string) {
		id, err := s.Create(t.Context(), name, password)
		require.NoError(t, err)
		_, token, err = s.sessions.LogIn(t.Context(), Credentials{Username: name, Password: password})
		require.NoError(t, err)
		return id, token
	}
	first, old := enter("first_one")
	s.exec(t, "DELETE FROM admin")
	s.exec(t, "ALTER TABLE admin AUTO_INCREMENT = 1")
	second, token := enter("second_one")
	require.Equal(t, first, second)
	_, err := s.sessions.Find(t.Context(), token, true)
	require.NoError(t, err)
	_, err = s.sessions.Find(t.Context(), old, true)
	require.ErrorIs(t, err, errno.LoginRequired)
}
