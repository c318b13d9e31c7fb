package account

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/form"
	"shop.internal/pkg/domain/internal/db"
)

// AppLogin is what the app of the platform sends for a user who enters the shop.
type AppLogin struct {
	// Code is the platform's one-time login code.
	Code string
	// Nickname, Avatar and Gender make the account of one who comes first; they are cut to what an account may hold and
	// lose what cannot be seen.
	Nickname, Avatar string
	Gender           int
	// Address is the client's address.
	Address string
}

// LoginByApp logs a user of the app platform in; for one who comes for the first time it makes an account without a
// password, with the gifts of a registration. It fails with errno.NotSupported where there is no platform, with
// errno.AuthOpenIDUnaccess where the platform names nobody, and with errno.AuthInvalidAccount for an account that may
// not use the shop.
func (s *Service) LoginByApp(ctx context.Context, a AppLogin) (Entry, error) {
	who, err := s.identify(ctx, a.Code)
	if err != nil {
		return Entry{}, fmt.Errorf("log in by the app: %w", err)
	}
	row, found, err := s.enterByApp(ctx, who, a.Address)
	if err == nil && !found {
		row, err = s.createByApp(ctx, who, a)
		// Of two first logins at once one makes the account, and the other finds it made.
		if db.Duplicate(err, "uk_user_openid") || db.Duplicate(err, "uk_user_name") {
			if row, found, err = s.enterByApp(ctx, who, a.Address); err == nil && !found {
				err = fmt.Errorf("the account came and went: %w", errno.AuthInvalidAccount)
			}
		}
	}
	if err != nil {
		return Entry{}, fmt.Errorf("log in by the app: %w", err)
	}
	return s.enter(ctx, row.profile(), row.TokenVersion, a.Address)
}

// enterByApp notes the login on the account of an identity, where there is one.
func (s *Service) enterByApp(ctx context.Context, who identity, address string) (credentialRow, bool, error) {
	var row credentialRow
	var found bool
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if row, found, err = lockByOpenID(ctx, tx, who.openID); err != nil || !found {
			return err
		}
		if row.Status != 0 {
			return fmt.Errorf("shopper %d may not use the shop: %w", row.ID, errno.AuthInvalidAccount)
		}
		return saveAppLogin(ctx, tx, row.ID, who.sealedKey, address, s.now())
	})
	return row, found, err
}

func (s *Service) createByApp(ctx context.Context, who identity, a AppLogin) (credentialRow, error) {
	u := newUser{
		Username: "wx_" + strings.ToLower(rand.Text()[:16]), Key: "#" + who.openID, Nickname: cut(form.Clean(a.Nickname),
			maxNickname),
		Avatar: webPicture(a.Avatar), Gender: a.Gender, OpenID: who.openID, SessionKey: who.sealedKey,
		Address: a.Address, At: s.now(),
	}
	if u.Gender < 0 || u.Gender > 2 {
		u.Gender = 0
	}
	var row credentialRow
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if row, err = insert(ctx, tx, u); err != nil {
			return err
		}
		return s.gift(ctx, tx, row.ID)
	})
	return row, err
}

// webPicture takes a picture from outside only where it is one on the web: it is shown on other people's pages.
func webPicture(link string) string {
	if !form.Web(link) {
		return ""
	}
	return link
}

// cut keeps the first characters of a text.
func cut(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}
