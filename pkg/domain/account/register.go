package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/token"
)

// Registration is the request of a new shopper.
type Registration struct {
	Username, Password, Mobile string
	// Code was sent to Mobile.
	Code string
	// AppCode is the one-time login code of the app platform, empty for a registration elsewhere.
	AppCode string
	// Address is the client's address.
	Address string
}

// Register creates an account with its gifts and logs it in. It fails, checked in this order, with errno.Invalid for an
// invalid name or password, errno.AuthInvalidMobile, errno.AuthCaptchaUnmatched, errno.AuthNameRegistered,
// errno.AuthMobileRegistered, for an AppCode errno.NotSupported without an app platform and errno.AuthOpenIDUnaccess,
// and errno.AuthOpenIDBound. In a shop that sends no codes errno.AuthCaptchaUnsupported replaces
// errno.AuthCaptchaUnmatched. The code is checked before what is registered, so that only the owner of a mobile learns
// anything; a refusal leaves the code usable, at most five times, so that one code cannot be used to probe names.
func (s *Service) Register(ctx context.Context, r Registration) (Entry, error) {
	if done, known, err := idempotency.Known[opened](ctx, s.cfg.Once); known || err != nil {
		return s.repeatRegistration(ctx, done, r.Address, err)
	}
	r.Username = form.Clean(r.Username)
	if err := s.checkUsername(r.Username, r.Mobile); err != nil {
		return Entry{}, err
	}
	if err := checkPassword(r.Password); err != nil {
		return Entry{}, err
	}
	if !s.cfg.Country.Mobile(r.Mobile) {
		return Entry{}, fmt.Errorf("register: %w", errno.AuthInvalidMobile)
	}
	var row account
	err := s.withCode(ctx, r.Mobile, r.Code, func() (err error) {
		row, err = s.create(ctx, r)
		return err
	})
	if err != nil {
		return Entry{}, fmt.Errorf("register: %w", err)
	}
	return s.startSession(ctx, row.profile(), row.TokenVersion, r.Address)
}

// opened is what is stored of a registration with an idempotency key. The token is not: the table holds no secret that
// logs in.
type opened struct {
	ID      int64
	Version int
}

// repeatRegistration answers a repeated registration with the same account and a new token. It fails with
// errno.AuthCaptchaUnmatched, as without a key, if the account has changed its password since, or may not be used.
func (s *Service) repeatRegistration(ctx context.Context, done opened, address string, err error) (Entry, error) {
	if err != nil {
		return Entry{}, fmt.Errorf("register: %w", err)
	}
	row, found, err := findByID(ctx, s.db, done.ID)
	if err == nil && (!found || row.Status != Usable || row.TokenVersion != done.Version) {
		err = errno.AuthCaptchaUnmatched
	}
	if err != nil {
		return Entry{}, fmt.Errorf("register shopper %d again: %w", done.ID, err)
	}
	return s.startSession(ctx, row.profile(), row.TokenVersion, address)
}

// create looks up the account first, because a refusal then costs no password hash; the unique keys decide.
func (s *Service) create(ctx context.Context, r Registration) (account, error) {
	u, at := account{
		Member:      Member{Username: r.Username, Nickname: r.Username, Mobile: r.Mobile, LastAddress: r.Address},
		UsernameKey: usernameKey(r.Username),
	}, s.now()
	row, err := s.checkAvailable(ctx, r, &u)
	if err != nil {
		return account{}, err
	}
	if u.PasswordHash, err = s.passwords.Hash(ctx, r.Password); err != nil {
		return account{}, err
	}
	known := row.ID
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if known != 0 {
			if err := s.upgrade(ctx, tx, known, u, at); err != nil {
				return err
			}
			return idempotency.Save(ctx, s.cfg.Once, tx, opened{row.ID, row.TokenVersion})
		}
		if row, err = s.insert(ctx, tx, u, at); err != nil {
			return refusal(err)
		}
		if err := s.gift(ctx, tx, row.ID); err != nil {
			return err
		}
		return idempotency.Save(ctx, s.cfg.Once, tx, opened{row.ID, row.TokenVersion})
	})
	row.Username, row.Mobile = u.Username, u.Mobile
	return row, err
}

// checkAvailable refuses a name, a mobile or an app identity that another account has. If the identity belongs to an
// account without a password, that account is returned to get the credentials, otherwise a zero row.
func (s *Service) checkAvailable(ctx context.Context, r Registration, u *account) (account, error) {
	taken, err := registered(ctx, s.db, u.UsernameKey, r.Mobile)
	switch {
	case err != nil:
		return account{}, err
	case taken.name:
		return account{}, errno.AuthNameRegistered
	case taken.mobile != 0 && (r.AppCode == "" || !taken.app):
		return account{}, errno.AuthMobileRegistered
	case r.AppCode == "":
		return account{}, nil
	}
	who, err := s.identify(ctx, r.AppCode)
	switch {
	case err != nil && taken.mobile != 0 && errors.Is(err, errno.AuthOpenIDUnaccess):
		return account{}, errno.AuthMobileRegistered // the mobile is checked first, and is not proven to be theirs
	case err != nil:
		return account{}, err
	}
	u.OpenID, u.SessionKey = who.openID, who.encryptedKey
	row, found, err := accounts.One(ctx, s.db, byOpenID, who.openID)
	switch {
	case err != nil:
		return account{}, err
	case taken.mobile != 0 && taken.mobile != row.ID:
		return account{}, errno.AuthMobileRegistered
	case found && (row.PasswordHash != "" || row.Status != Usable):
		return account{}, errno.AuthOpenIDBound
	}
	return row, nil
}

// upgrade gives an account of the app platform a name, a password and a mobile, without gifts, which it has had. It
// fails with errno.AuthOpenIDBound if the account has got credentials since or may not be used.
func (s *Service) upgrade(ctx context.Context, tx *db.Tx, id int64, u account, at time.Time) error {
	given, err := accounts.Moved(ctx, tx, table.Set{
		"username": u.Username, "username_key": u.UsernameKey, "password_hash": u.PasswordHash, "mobile": u.Mobile,
		"wx_session_key": u.SessionKey, "last_login_time": at, "last_login_ip": u.LastAddress, "update_time": at,
	}, "id = ? AND wx_openid = ? AND password_hash IS NULL AND status = ? AND deleted = 0", id, u.OpenID, Usable)
	switch {
	case err != nil:
		return refusal(err)
	case !given:
		return errno.AuthOpenIDBound
	}
	return nil
}

// refusal maps a violated unique key to a code.
func refusal(err error) error {
	switch {
	case db.Duplicate(err, "uk_user_name"):
		return errno.AuthNameRegistered
	case db.Duplicate(err, "uk_user_mobile"):
		return errno.AuthMobileRegistered
	case db.Duplicate(err, "uk_user_openid"):
		return errno.AuthOpenIDBound
	}
	return err
}

// owners are the accounts that have a login name, a mobile or an app identity.
type owners struct {
	name bool
	// mobile is the id of the account with the mobile, 0 for none; app reports that it has no password of its own.
	mobile int64
	app    bool
}

func registered(ctx context.Context, q db.Querier, key, mobile string) (owners, error) {
	var rows []struct {
		ID          int64
		UsernameKey string
		Mobile      string
		App         bool
	}
	err := table.Scan(ctx, q, &rows, `
		SELECT id, username_key, mobile, password_hash IS NULL AND wx_openid IS NOT NULL AS app
		FROM user
		WHERE username_key = ? AND del_mark = 0
		UNION ALL
		SELECT id, username_key, mobile, password_hash IS NULL AND wx_openid IS NOT NULL AS app
		FROM user
		WHERE mobile = ? AND del_mark = 0`, key, mobile)
	if err != nil {
		return owners{}, fmt.Errorf("find the name and the mobile: %w", err)
	}
	var o owners
	for _, r := range rows {
		o.name = o.name || r.UsernameKey == key
		if r.Mobile == mobile {
			o.mobile, o.app = r.ID, r.App
		}
	}
	return o, nil
}

// insert creates an account, with a token version of its own and its first login.
func (s *Service) insert(ctx context.Context, tx *db.Tx, u account, at time.Time) (account, error) {
	if s.cfg.Keep != nil {
		if err := s.cfg.Keep(ctx, tx); err != nil {
			return account{}, err
		}
	}
	u.TokenVersion, u.LastLogin = token.FirstVersion(), at
	id, err := accounts.InsertAt(ctx, tx, u, at)
	if err != nil {
		return account{}, err
	}
	u.ID = id
	return u, upload.Use(ctx, tx, u.Avatar)
}
