package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
)

// Registration is what a new shopper gives.
type Registration struct {
	Username, Password, Mobile string
	// Code was sent to Mobile.
	Code string
	// AppCode is the one-time login code of the app platform, empty for one who registers elsewhere.
	AppCode string
	// Address is the client's address.
	Address string
}

// Register makes an account with its gifts and logs it in. It fails, looked at in this order, with errno.Invalid for
// a name or a password outside the rules, errno.AuthInvalidMobile, errno.AuthCaptchaUnmatched,
// errno.AuthNameRegistered, errno.AuthMobileRegistered, for an AppCode errno.NotSupported where there is no app
// platform and errno.AuthOpenIDUnaccess, and errno.AuthOpenIDBound. In a shop that sends no codes
// errno.AuthCaptchaUnsupported stands in the place of errno.AuthCaptchaUnmatched. The code comes before what is
// registered, so that only the owner of a mobile learns anything; after a refusal the code is
// still good, but for five refusals at most, so that it does not tell of one name after the other who is registered.
func (s *Service) Register(ctx context.Context, r Registration) (Entry, error) {
	if done, known, err := idempotency.Known[opened](ctx, s.cfg.Once); known || err != nil {
		return s.enterAgain(ctx, done, r.Address, err)
	}
	r.Username = strings.TrimSpace(r.Username)
	if err := checkUsername(r.Username, r.Mobile); err != nil {
		return Entry{}, err
	}
	if err := checkPassword(r.Password); err != nil {
		return Entry{}, err
	}
	if !isMobile(r.Mobile) {
		return Entry{}, fmt.Errorf("register: %w", errno.AuthInvalidMobile)
	}
	var row credentialRow
	err := s.withCode(ctx, r.Mobile, r.Code, func() (err error) {
		row, err = s.create(ctx, r)
		return err
	})
	if err != nil {
		return Entry{}, fmt.Errorf("register: %w", err)
	}
	return s.enter(ctx, row.profile(), row.TokenVersion, r.Address)
}

// opened is what is kept of a registration that came with an idempotency key. The token is not: the table holds no
// secret that lets anybody in.
type opened struct {
	ID      int64
	Version int
}

// enterAgain is the answer to a registration that is repeated: the same account, with a token of its own. It fails with
// errno.AuthCaptchaUnmatched, as without a key, where the account has changed its password since, or may not enter.
func (s *Service) enterAgain(ctx context.Context, done opened, address string, err error) (Entry, error) {
	if err != nil {
		return Entry{}, fmt.Errorf("register: %w", err)
	}
	row, found, err := findByID(ctx, s.db, done.ID)
	if err == nil && (!found || row.Status != 0 || row.TokenVersion != done.Version) {
		err = errno.AuthCaptchaUnmatched
	}
	if err != nil {
		return Entry{}, fmt.Errorf("register shopper %d again: %w", done.ID, err)
	}
	return s.enter(ctx, row.profile(), row.TokenVersion, address)
}

// create looks first, because a refusal then costs no password hash; what decides is what is written under the unique
// keys.
func (s *Service) create(ctx context.Context, r Registration) (credentialRow, error) {
	u := newUser{
		Username: r.Username, Key: usernameKey(r.Username), Nickname: r.Username, Mobile: r.Mobile,
		Address: r.Address, At: s.now(),
	}
	row, err := s.admit(ctx, r, &u)
	if err != nil {
		return credentialRow{}, err
	}
	if u.Hash, err = s.newHash(ctx, r.Password); err != nil {
		return credentialRow{}, err
	}
	known := row.ID
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if known != 0 {
			if err := s.upgrade(ctx, tx, known, u); err != nil {
				return err
			}
			return idempotency.Save(ctx, s.cfg.Once, tx, opened{row.ID, row.TokenVersion})
		}
		if row, err = insert(ctx, tx, u); err != nil {
			return taken(err)
		}
		if err := s.gift(ctx, tx, row.ID); err != nil {
			return err
		}
		return idempotency.Save(ctx, s.cfg.Once, tx, opened{row.ID, row.TokenVersion})
	})
	row.Username, row.Mobile = u.Username, sql.NullString{String: u.Mobile, Valid: true}
	return row, err
}

// admit refuses a name, a mobile or an app identity that somebody else has. Where the identity belongs to an account
// that has no password yet, that account is to get the credentials; it is the row returned, the zero row else.
func (s *Service) admit(ctx context.Context, r Registration, u *newUser) (credentialRow, error) {
	held, err := registered(ctx, s.db, u.Key, r.Mobile)
	switch {
	case err != nil:
		return credentialRow{}, err
	case held.name:
		return credentialRow{}, errno.AuthNameRegistered
	case held.mobile != 0 && (r.AppCode == "" || !held.app):
		return credentialRow{}, errno.AuthMobileRegistered
	case r.AppCode == "":
		return credentialRow{}, nil
	}
	who, err := s.identify(ctx, r.AppCode)
	switch {
	case err != nil && held.mobile != 0 && errors.Is(err, errno.AuthOpenIDUnaccess):
		return credentialRow{}, errno.AuthMobileRegistered // the mobile comes first, and nobody has shown it to be theirs
	case err != nil:
		return credentialRow{}, err
	}
	u.OpenID, u.SessionKey = who.openID, who.sealedKey
	row, found, err := findByOpenID(ctx, s.db, who.openID)
	switch {
	case err != nil:
		return credentialRow{}, err
	case held.mobile != 0 && held.mobile != row.ID:
		return credentialRow{}, errno.AuthMobileRegistered
	case found && (row.PasswordHash.String != "" || row.Status != 0):
		return credentialRow{}, errno.AuthOpenIDBound
	}
	return row, nil
}

// upgrade gives an account of the app platform its credentials; the gifts it has had.
func (s *Service) upgrade(ctx context.Context, tx *db.Tx, id int64, u newUser) error {
	given, err := giveCredentials(ctx, tx, id, u)
	switch {
	case err != nil:
		return taken(err)
	case !given: // somebody else was faster
		return errno.AuthOpenIDBound
	}
	return nil
}

// taken names the unique key that a registration has met.
func taken(err error) error {
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

func (s *Service) newHash(ctx context.Context, password string) (string, error) {
	leave, err := s.passwords.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.passwords.hash(password)
}
