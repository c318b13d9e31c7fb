package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// PasswordReset is the request of a shopper who has forgotten their password.
type PasswordReset struct {
	// Password is the new one; Code was sent to Mobile.
	Password, Mobile, Code string
}

// ResetPassword sets the password of the account with a mobile and ends all its tokens. It fails, checked in this
// order, with errno.Invalid for an invalid password or number, with errno.AuthCaptchaUnmatched
// (errno.AuthCaptchaUnsupported in a shop that sends no codes), and with errno.AuthMobileUnregistered, which leaves the
// code usable.
func (s *Service) ResetPassword(ctx context.Context, r PasswordReset) error {
	if done, err := idempotency.Done(ctx, s.cfg.Once); done || err != nil {
		return err
	}
	if err := checkPassword(r.Password); err != nil {
		return err
	}
	if !s.cfg.Country.Mobile(r.Mobile) {
		return s.wrongMobile()
	}
	var id int64
	err := s.withCode(ctx, r.Mobile, r.Code, func() (err error) {
		id, err = s.replacePassword(ctx, r)
		return err
	})
	if err != nil {
		return fmt.Errorf("reset a password: %w", err)
	}
	return s.tokens.RevokeAll(context.WithoutCancel(ctx), id, "")
}

// replacePassword looks up the account first, because a refusal then costs no password hash.
func (s *Service) replacePassword(ctx context.Context, r PasswordReset) (int64, error) {
	row, found, err := accounts.One(ctx, s.db, byMobile, r.Mobile)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, errno.AuthMobileUnregistered
	}
	hash, err := s.passwords.Hash(ctx, r.Password)
	if err != nil {
		return 0, err
	}
	return row.ID, s.db.InTx(ctx, func(tx *db.Tx) error {
		saved, err := savePassword(ctx, tx, row.ID, r.Mobile, hash, s.now())
		if err == nil && !saved { // the number was removed or the account deleted since
			err = errno.AuthMobileUnregistered
		}
		if err != nil {
			return err
		}
		tx.OnCommit(func() { s.active.Invalidate(row.ID) })
		return idempotency.SaveDone(ctx, s.cfg.Once, tx)
	})
}

// savePassword also ends the tokens of the account. It reports false if the account no longer has the mobile.
func savePassword(ctx context.Context, tx *db.Tx, id int64, mobile, hash string, at time.Time) (bool, error) {
	return accounts.Moved(ctx, tx, table.Set{
		"password_hash": hash, "token_version": nextVersion, "update_time": at,
	}, "id = ? AND mobile = ? AND deleted = 0", id, mobile)
}

// withCode uses up a code, runs do, and restores the code if do fails. Each refusal counts as one of the code's tries,
// for any reason: otherwise one code would reveal whether any number of names and numbers are registered. Internal
// errors do not count. In a shop that sends no codes it fails with errno.AuthCaptchaUnsupported.
func (s *Service) withCode(ctx context.Context, mobile, code string, do func() error) error {
	if !s.messages.Sends(notify.ByPhone) {
		return errno.AuthCaptchaUnsupported
	}
	taken, err := s.codes.take(ctx, mobile, code)
	if err != nil {
		return err
	}
	if err = do(); err == nil {
		return nil
	}
	if errno.Of(err) != errno.Internal {
		taken.tries--
	}
	return errors.Join(err, s.codes.restore(context.WithoutCancel(ctx), taken)) // also without the client
}

// MobileChange is a request for a new mobile number.
type MobileChange struct {
	// Password is the account's; Code was sent to Mobile, the new number.
	Password, Mobile, Code string
	// Token is the token of the call, which stays valid.
	Token string
	// Address is the client's address.
	Address string
}

// ChangeMobile changes the mobile of an account and ends its other tokens. It fails, checked in this order, with
// errno.AuthInvalidMobile, errno.AuthInvalidAccount for a wrong password or an account without one,
// errno.AuthCaptchaUnmatched (errno.AuthCaptchaUnsupported in a shop that sends no codes), errno.AuthMobileRegistered
// for the number of another account, and errno.Stale if the account was modified concurrently. A refusal after the code
// was checked leaves it usable.
func (s *Service) ChangeMobile(ctx context.Context, id int64, c MobileChange) error {
	if done, err := idempotency.Done(ctx, s.cfg.Once); done || err != nil {
		return err
	}
	if !s.cfg.Country.Mobile(c.Mobile) {
		return fmt.Errorf("change the mobile of shopper %d: %w", id, errno.AuthInvalidMobile)
	}
	row, found, err := findByID(ctx, s.db, id)
	if err != nil {
		return fmt.Errorf("change the mobile of shopper %d: %w", id, err)
	}
	if !found {
		return fmt.Errorf("change the mobile of shopper %d: %w", id, errno.LoginRequired)
	}
	// Attempts count as failed logins, so that a stolen token does not allow guessing the password.
	_, err = s.verify(ctx, row, row.UsernameKey, Credentials{Password: c.Password, Address: c.Address})
	if err != nil {
		return fmt.Errorf("change the mobile of shopper %d: %w", id, err)
	}
	err = s.withCode(ctx, c.Mobile, c.Code, func() error { return s.replaceMobile(ctx, row, c.Mobile, true) })
	if err != nil {
		return fmt.Errorf("change the mobile of shopper %d: %w", id, err)
	}
	return s.revokeOthers(ctx, row, c.Token)
}

// EncryptedMobile is a number that the app platform has encrypted for the app.
type EncryptedMobile struct {
	IV, Data string
	// Token is the token of the call, which stays valid.
	Token string
}

// BindMobile sets the number that the app platform has verified. If it replaces another number, the account's other
// tokens end. It fails, checked in this order, with errno.NotSupported without a platform, errno.AuthOpenIDUnaccess if
// the account has no session with the platform or the data cannot be decrypted, errno.AuthInvalidMobile,
// errno.AuthMobileRegistered for the number of another account, and errno.Stale if the account was modified
// concurrently.
func (s *Service) BindMobile(ctx context.Context, id int64, m EncryptedMobile) error {
	if s.cfg.Platform == nil {
		return errno.NotSupported.Because(text.NoAppPlatform)
	}
	row, found, err := findByID(ctx, s.db, id)
	if err == nil && !found {
		err = errno.LoginRequired
	}
	if err != nil {
		return fmt.Errorf("bind a mobile to shopper %d: %w", id, err)
	}
	mobile, err := s.decryptMobile(row, m)
	if err == nil && !s.cfg.Country.Mobile(mobile) {
		err = errno.AuthInvalidMobile
	}
	if err != nil {
		return fmt.Errorf("bind a mobile to shopper %d: %w", id, err)
	}
	changes := row.Mobile != "" && row.Mobile != mobile
	if err := s.replaceMobile(ctx, row, mobile, changes); err != nil {
		return fmt.Errorf("bind a mobile to shopper %d: %w", id, err)
	}
	if !changes {
		return nil
	}
	return s.revokeOthers(ctx, row, m.Token)
}

// decryptMobile decrypts a number with the account's session key. It fails with errno.AuthOpenIDUnaccess.
func (s *Service) decryptMobile(row account, m EncryptedMobile) (string, error) {
	if row.OpenID == "" || row.SessionKey == "" {
		return "", fmt.Errorf("no session with the app platform: %w", errno.AuthOpenIDUnaccess)
	}
	key, err := s.keys.decrypt(row.SessionKey, row.OpenID)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errno.AuthOpenIDUnaccess, err)
	}
	mobile, err := s.cfg.Platform.Phone(key, m.IV, m.Data)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errno.AuthOpenIDUnaccess, err)
	}
	return mobile, nil
}

// replaceMobile sets the number of the account as it was read; a unique key keeps it from two accounts. It fails with
// errno.Stale if the account was disabled or deleted, or has ended its tokens, since it was read. Changing a password
// always ends them.
func (s *Service) replaceMobile(ctx context.Context, row account, mobile string, endTokens bool) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		set := table.Set{"mobile": mobile, "update_time": s.now()}
		if endTokens {
			set["token_version"] = nextVersion
		}
		saved, err := accounts.Moved(ctx, tx, set,
			"id = ? AND status = ? AND deleted = 0 AND token_version = ?", row.ID, Usable, row.TokenVersion)
		switch {
		case db.Duplicate(err, "uk_user_mobile"):
			return errno.AuthMobileRegistered
		case err == nil && !saved:
			return fmt.Errorf("the account was modified concurrently: %w", errno.Stale)
		case err != nil:
			return err
		}
		tx.OnCommit(func() { s.active.Invalidate(row.ID) })
		return idempotency.SaveDone(ctx, s.cfg.Once, tx)
	})
}

// revokeOthers renews one token for the raised version of its account and deletes the others, which the version has
// invalidated already. It runs even if the client has disconnected.
func (s *Service) revokeOthers(ctx context.Context, row account, text string) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(s.tokens.Renew(ctx, text, row.TokenVersion+1), s.tokens.RevokeAll(ctx, row.ID, text))
}
