package account

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/errno"
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
// errno.AuthNameRegistered, errno.AuthMobileRegistered, and errno.AuthOpenIDUnaccess. The code comes before what is
// registered, so that only the owner of a mobile learns anything; a refusal after it leaves the code usable.
func (s *Service) Register(ctx context.Context, r Registration) (Entry, error) {
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
	taken, err := s.codes.take(ctx, r.Mobile, r.Code)
	if err != nil {
		return Entry{}, fmt.Errorf("register: %w", err)
	}
	p, err := s.create(ctx, r)
	if err != nil {
		back := s.codes.putBack(context.WithoutCancel(ctx), taken) // also for a client that has gone
		return Entry{}, errors.Join(fmt.Errorf("register: %w", err), back)
	}
	return s.enter(ctx, p, 0, r.Address)
}

// create looks first, because a refusal then costs no password hash; what decides is the insert under the unique
// keys.
func (s *Service) create(ctx context.Context, r Registration) (Profile, error) {
	key := usernameKey(r.Username)
	nameTaken, mobileTaken, err := registered(ctx, s.db, key, r.Mobile)
	switch {
	case err != nil:
		return Profile{}, err
	case nameTaken:
		return Profile{}, errno.AuthNameRegistered
	case mobileTaken:
		return Profile{}, errno.AuthMobileRegistered
	case r.AppCode != "":
		return Profile{}, fmt.Errorf("no app platform is set up: %w", errno.AuthOpenIDUnaccess)
	}
	hash, err := s.newHash(ctx, r.Password)
	if err != nil {
		return Profile{}, err
	}
	now := s.now()
	u := newUser{
		Username: r.Username, Key: key, Hash: hash, Mobile: r.Mobile,
		Avatar: s.cfg.DefaultAvatar, Address: r.Address, At: now,
	}
	p := Profile{Username: u.Username, Nickname: u.Username, Mobile: u.Mobile, Avatar: u.Avatar}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		p.ID, err = insert(ctx, tx, u)
		switch {
		case db.Duplicate(err, "uk_user_name"):
			return errno.AuthNameRegistered
		case db.Duplicate(err, "uk_user_mobile"):
			return errno.AuthMobileRegistered
		case err != nil:
			return err
		}
		return s.gift(ctx, tx, p.ID)
	})
	return p, err
}

func (s *Service) newHash(ctx context.Context, password string) (string, error) {
	leave, err := s.passwords.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return s.passwords.hash(password)
}
