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

	"shop.internal/pkg/domain/errno"
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
