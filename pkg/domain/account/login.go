package account

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Credentials are what a shopper logs in with.
type Credentials struct {
	// Username is a login name or, if no account has that name, a mobile number.
	Username string
	// Mobile is a mobile number; it counts if Username is empty.
	Mobile   string
	Password string
	// Address is the client's address.
	Address string
}

// Login logs a shopper in. It fails with errno.AuthInvalidAccount for every reason: no such account, wrong password,
// disabled account, too many failures. Neither the text nor the time of the answer reveals which.
func (s *Service) Login(ctx context.Context, c Credentials) (Entry, error) {
	entered, err := s.login(ctx, c)
	s.db.Meter().Count(meter.Logins, meter.Shopper, meter.Result(err, errno.AuthInvalidAccount))
	return entered, err
}

func (s *Service) login(ctx context.Context, c Credentials) (Entry, error) {
	row, key, err := s.claimed(ctx, c)
	if err != nil {
		return Entry{}, fmt.Errorf("find the account of a login: %w", err)
	}
	newHash, err := s.verify(ctx, row, key, c)
	if err != nil {
		return Entry{}, fmt.Errorf("log in: %w", err)
	}
	ctx, cancel := hashing.Keep(ctx)
	defer cancel()
	// The account may have been disabled, or its password changed, while the password was compared.
	ok, err := s.recordLogin(ctx, row, newHash, c.Address)
	if err != nil {
		return Entry{}, fmt.Errorf("record the login of shopper %d: %w", row.ID, err)
	}
	if !ok {
		return Entry{}, fmt.Errorf("shopper %d changed during the login: %w", row.ID, errno.AuthInvalidAccount)
	}
	return s.startSession(ctx, row.profile(), row.TokenVersion, c.Address)
}

// recordLogin stores time and address, and a new hash if there is one, on the account as it was read. It reports false
// if the account was disabled, deleted or given another password since.
func (s *Service) recordLogin(ctx context.Context, row account, newHash, address string) (ok bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		at := s.now()
		set := table.Set{"last_login_time": at, "last_login_ip": address, "update_time": at}
		if newHash != "" {
			set["password_hash"] = newHash
		}
		ok, err = accounts.Moved(ctx, tx, set,
			"id = ? AND status = ? AND deleted = 0 AND token_version = ? AND password_hash = ?",
			row.ID, Usable, row.TokenVersion, row.PasswordHash)
		return err
	})
	return ok, err
}

// startSession issues the token of an account.
func (s *Service) startSession(ctx context.Context, p Profile, version int, address string) (Entry, error) {
	text, err := s.tokens.Issue(ctx, p.ID, version, address)
	if err != nil {
		return Entry{}, err
	}
	p.Avatar = s.avatars.Shown(p.Avatar)
	return Entry{Profile: p, Token: text}, nil
}

// claimed finds the account that the credentials name, a zero row if there is none, and the key that failures are
// counted under: the account's own, so that its login name and its mobile number share one count.
func (s *Service) claimed(ctx context.Context, c Credentials) (account, string, error) {
	key, mobile := usernameKey(c.Username), s.cfg.Country.Number(c.Mobile)
	if key != "" {
		mobile = s.cfg.Country.Number(key)
		if len(key) <= 4*maxKey {
			row, found, err := accounts.One(ctx, s.db, byName, key)
			if err != nil || found {
				return row, key, err
			}
		}
	}
	if s.cfg.Country.Mobile(mobile) {
		row, found, err := accounts.One(ctx, s.db, byMobile, mobile)
		if err != nil || found {
			return row, row.UsernameKey, err
		}
	}
	return account{}, usernameKey(mobile), nil
}

// verify compares the password and counts a failure. It returns a new hash if the stored one is too weak. The turn
// lasts until the failure is counted, so that the attempts beyond a limit are few.
func (s *Service) verify(
	ctx context.Context, row account, key string, c Credentials,
) (newHash string, err error) {
	turn, err := s.passwords.Turn(ctx)
	if err != nil {
		return "", err
	}
	defer turn.Leave()
	if err := s.lockedOut(ctx, key, c.Address); err != nil {
		return "", err
	}
	match, err := turn.Match(row.PasswordHash, c.Password)
	if err != nil {
		return "", err
	}
	kept, cancel := hashing.Keep(ctx)
	defer cancel()
	if !match || row.Status != Usable {
		if err := s.attempts.Failed(kept, key, c.Address); err != nil {
			return "", err
		}
		return "", fmt.Errorf("shopper %d: no match, or not in use: %w", row.ID, errno.AuthInvalidAccount)
	}
	// Checked again, since other attempts may have failed concurrently: those beyond the limit must not learn the
	// password.
	if err := s.lockedOut(kept, key, c.Address); err != nil {
		return "", err
	}
	if !s.passwords.Weak(row.PasswordHash) {
		return "", nil
	}
	newHash, err = turn.Hash(c.Password)
	if errors.Is(err, errno.ErrBusy) {
		return "", nil // a later login replaces it
	}
	return newHash, err
}

func (s *Service) lockedOut(ctx context.Context, key, address string) error {
	blocked, err := s.attempts.Blocked(ctx, key, address)
	if err == nil && blocked {
		err = fmt.Errorf("too many failures: %w", errno.AuthInvalidAccount)
	}
	return err
}
