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

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Platform is the app platform whose users may log in without a password.
type Platform interface {
	// Session exchanges a login code, good once, for the user's identity and the key of their session.
	Session(ctx context.Context, code string) (openID, key string, err error)
	// Phone decrypts a mobile number with a session key.
	Phone(key, iv, sealed string) (string, error)
}

// identity is a user of the platform, with the key of their session encrypted for the database.
type identity struct{ openID, encryptedKey string }

// identify exchanges a login code for the identity of the user. It fails with errno.NotSupported without a platform and
// with errno.AuthOpenIDUnaccess if the platform does not accept the code, for any reason.
func (s *Service) identify(ctx context.Context, code string) (identity, error) {
	if s.cfg.Platform == nil {
		return identity{}, errno.NotSupported.Because(text.NoAppPlatform)
	}
	openID, key, err := s.cfg.Platform.Session(ctx, code)
	if err != nil {
		return identity{}, fmt.Errorf("ask the app platform: %w: %w", errno.AuthOpenIDUnaccess, err)
	}
	sealed, err := s.keys.encrypt(key, openID)
	if err != nil {
		return identity{}, err
	}
	return identity{openID, sealed}, nil
}

// sessionKeyCipher encrypts session keys in the database (AES-256-GCM). An encrypted key is bound to one identity and
// cannot be decrypted for another.
type sessionKeyCipher struct{ secret []byte }

func (s sessionKeyCipher) aead() (cipher.AEAD, error) {
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

func (s sessionKeyCipher) encrypt(key, openID string) (string, error) {
	a, err := s.aead()
	if err != nil {
		return "", err
	}
	nonce := make([]byte, a.NonceSize())
	_, _ = rand.Read(nonce) // it never returns an error
	return base64.RawStdEncoding.EncodeToString(a.Seal(nonce, nonce, []byte(key), []byte(openID))), nil
}

var errNotDecrypted = errors.New("the stored session key cannot be opened")

func (s sessionKeyCipher) decrypt(sealed, openID string) (string, error) {
	a, err := s.aead()
	if err != nil {
		return "", err
	}
	data, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil || len(data) < a.NonceSize() {
		return "", errNotDecrypted
	}
	key, err := a.Open(nil, data[:a.NonceSize()], data[a.NonceSize():], []byte(openID))
	if err != nil {
		return "", errNotDecrypted
	}
	return string(key), nil
}

// AppLogin is the login request of the platform's app.
type AppLogin struct {
	// Code is the platform's one-time login code.
	Code string
	// Nickname, Avatar and Gender are used for a new account; they are truncated to the column sizes, and invisible
	// characters are removed.
	Nickname, Avatar string
	Gender           int
	// Address is the client's address.
	Address string
}

// LoginByApp logs a user of the app platform in; at the first login it creates an account without a password, with the
// gifts of a registration. It fails with errno.NotSupported without a platform, with errno.AuthOpenIDUnaccess if the
// platform does not accept the code, and with errno.AuthInvalidAccount for an account that may not be used.
func (s *Service) LoginByApp(ctx context.Context, a AppLogin) (Entry, error) {
	who, err := s.identify(ctx, a.Code)
	if err != nil {
		return Entry{}, fmt.Errorf("log in by the app: %w", err)
	}
	row, found, err := s.loginByIdentity(ctx, who, a.Address)
	if err == nil && !found {
		row, err = s.createByApp(ctx, who, a)
		// Of two concurrent first logins one creates the account and the other finds it.
		if db.Duplicate(err, "uk_user_openid") || db.Duplicate(err, "uk_user_name") {
			if row, found, err = s.loginByIdentity(ctx, who, a.Address); err == nil && !found {
				err = fmt.Errorf("the account came and went: %w", errno.AuthInvalidAccount)
			}
		}
	}
	if err != nil {
		return Entry{}, fmt.Errorf("log in by the app: %w", err)
	}
	return s.startSession(ctx, row.profile(), row.TokenVersion, a.Address)
}

// loginByIdentity records the login on the account of an identity, if there is one.
func (s *Service) loginByIdentity(ctx context.Context, who identity, address string) (account, bool, error) {
	var row account
	var found bool
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if row, found, err = accounts.One(ctx, tx, byOpenID+" FOR UPDATE", who.openID); err != nil || !found {
			return err
		}
		if row.Status != Usable {
			return fmt.Errorf("shopper %d may not use the shop: %w", row.ID, errno.AuthInvalidAccount)
		}
		at := s.now()
		_, err = accounts.Update(ctx, tx, table.Set{
			"wx_session_key": who.encryptedKey, "last_login_time": at, "last_login_ip": address, "update_time": at,
		}, "id = ?", row.ID)
		return err
	})
	return row, found, err
}

func (s *Service) createByApp(ctx context.Context, who identity, a AppLogin) (account, error) {
	u := account{
		Member: Member{
			Username: "wx_" + strings.ToLower(rand.Text()[:16]),
			Nickname: form.Clean(form.Truncate(form.Clean(form.Printable(a.Nickname)), maxNickname)),
			Avatar:   webPicture(a.Avatar), Gender: a.Gender, LastAddress: a.Address,
		},
		UsernameKey: "#" + who.openID, OpenID: who.openID, SessionKey: who.encryptedKey,
	}
	if u.Gender < 0 || u.Gender > 2 {
		u.Gender = 0
	}
	var row account
	at := s.now()
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if row, err = s.insert(ctx, tx, u, at); err != nil {
			return err
		}
		return s.gift(ctx, tx, row.ID)
	})
	return row, err
}

// webPicture accepts an external picture only if it has a web address, since it is shown on other people's pages.
func webPicture(link string) string {
	if !form.Web(link) {
		return ""
	}
	return link
}
