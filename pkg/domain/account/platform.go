package account

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/form"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// Platform is the app platform whose users may enter the shop without a password.
type Platform interface {
	// Session exchanges a login code, good once, for the user's identity and the key of their session.
	Session(ctx context.Context, code string) (openID, key string, err error)
	// Phone opens a mobile number that was sealed under a session key.
	Phone(key, iv, sealed string) (string, error)
}

// identity is a user of the platform, with the key of their session sealed for the database.
type identity struct{ openID, sealedKey string }

// identify asks the platform who has been given a login code. It fails with errno.NotSupported where there is no
// platform and with errno.AuthOpenIDUnaccess where the platform names nobody, for whatever reason.
func (s *Service) identify(ctx context.Context, code string) (identity, error) {
	if s.cfg.Platform == nil {
		return identity{}, errno.NotSupported.Because(text.NoAppPlatform)
	}
	openID, key, err := s.cfg.Platform.Session(ctx, code)
	if err != nil {
		return identity{}, fmt.Errorf("ask the app platform: %w: %w", errno.AuthOpenIDUnaccess, err)
	}
	sealed, err := s.keys.seal(key, openID)
	if err != nil {
		return identity{}, err
	}
	return identity{openID, sealed}, nil
}

// sealer keeps session keys unreadable for whoever sees the database (AES-256-GCM). A sealed key belongs to one
// identity: moved to another account it does not open.
type sealer struct{ secret []byte }

func (s sealer) aead() (cipher.AEAD, error) {
	if len(s.secret) < minSecretLen {
		return nil, errors.New("the secret of the session keys is missing or too short")
	}
	key, err := hkdf.Key(sha256.New, s.secret, nil, "app platform session key", 32)
	if err != nil {
		return nil, fmt.Errorf("derive the key of the session keys: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("take the key of the session keys: %w", err)
	}
	return cipher.NewGCM(block)
}

func (s sealer) seal(key, openID string) (string, error) {
	a, err := s.aead()
	if err != nil {
		return "", err
	}
	nonce := make([]byte, a.NonceSize())
	_, _ = rand.Read(nonce) // it never fails: the program ends first
	return base64.RawStdEncoding.EncodeToString(a.Seal(nonce, nonce, []byte(key), []byte(openID))), nil
}

var errUnsealed = errors.New("the stored session key cannot be opened")

func (s sealer) open(sealed, openID string) (string, error) {
	a, err := s.aead()
	if err != nil {
		return "", err
	}
	data, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(data) < a.NonceSize() {
		return "", errUnsealed
	}
	key, err := a.Open(nil, data[:a.NonceSize()], data[a.NonceSize():], []byte(openID))
	if err != nil {
		return "", errUnsealed
	}
	return string(key), nil
}

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

func findByID(ctx context.Context, q db.Querier, id int64) (credentialRow, bool, error) {
	return findCredentials(ctx, q, "id = ? AND status = 0 AND deleted = 0", id)
}

func findByOpenID(ctx context.Context, q db.Querier, openID string) (credentialRow, bool, error) {
	return findCredentials(ctx, q, "wx_openid = ? AND del_mark = 0", openID)
}

func lockByOpenID(ctx context.Context, tx *db.Tx, openID string) (credentialRow, bool, error) {
	return findCredentials(ctx, tx, "wx_openid = ? AND del_mark = 0 FOR UPDATE", openID)
}

func saveAppLogin(ctx context.Context, tx *db.Tx, id int64, sealedKey, address string, at time.Time) error {
	return tx.G(ctx).Exec("UPDATE user SET wx_session_key = ?, last_login_time = ?, last_login_ip = ?, update_time = ?, "+
		"version = version + 1 WHERE id = ?", sealedKey, at, address, at, id).Error
}

// savePassword reports false where the account no longer has the mobile.
func savePassword(ctx context.Context, tx *db.Tx, id int64, mobile, hash string, at time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE user SET password_hash = ?, token_version = token_version + 1, update_time = ?, "+
		"version = version + 1 WHERE id = ? AND mobile = ? AND deleted = 0", hash, at, id, mobile)
	return res.RowsAffected == 1, res.Error
}

// saveMobile reports false where the account has been disabled or deleted, or has ended its tokens, since it was read.
// A password never changes without ending them.
func saveMobile(
	ctx context.Context, tx *db.Tx, r credentialRow, mobile string, endTokens bool, at time.Time,
) (bool, error) {
	raise := 0
	if endTokens {
		raise = 1
	}
	res := tx.G(ctx).Exec("UPDATE user SET mobile = ?, token_version = token_version + ?, update_time = ?, "+
		"version = version + 1 WHERE id = ? AND status = 0 AND deleted = 0 AND token_version = ?",
		mobile, raise, at, r.ID, r.TokenVersion)
	return res.RowsAffected == 1, res.Error
}

// giveCredentials makes an account of the app platform one with a name, a password and a mobile. It reports false
// where the account has got credentials meanwhile or may not be used.
func giveCredentials(ctx context.Context, tx *db.Tx, id int64, u newUser) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE user SET username = ?, username_key = ?, password_hash = ?, mobile = ?, "+
		"wx_session_key = ?, last_login_time = ?, last_login_ip = ?, update_time = ?, version = version + 1 "+
		"WHERE id = ? AND wx_openid = ? AND password_hash IS NULL AND status = 0 AND deleted = 0",
		u.Username, u.Key, u.Hash, u.Mobile, u.SessionKey, u.At, u.Address, u.At, id, u.OpenID)
	return res.RowsAffected == 1, res.Error
}
