// Package token owns the login tokens of both audiences, which live in Redis. A token is opaque text of 256 random bits
// of which only the hash is kept, so neither a leak of Redis nor a look into it lets anybody in. What a token's subject
// may do, and whether its account still stands, is for the areas that own accounts.
package token

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/domain/platform/errno"
)

// Audience is a kind of caller. A token of one audience is never found by the service of another.
type Audience struct {
	// Name is part of every key: "shopper" or "staff".
	Name string
	// Lifetime ends a token however much it is used.
	Lifetime time.Duration
	// Idle ends a token that was not used for so long; 0 means that only Lifetime counts.
	Idle time.Duration
}

// Session is what the service remembers of a token.
type Session struct {
	// Subject is the id of the account.
	Subject int64
	// Version is the token version of the account when the token was issued. A token with another version than the
	// account's present one is no longer good, which the owner of the account checks.
	Version int
	// Issued is the time of the login and End the latest that the token lives.
	Issued, End time.Time
	// Address is the client's address at login.
	Address string
}

// Service issues, finds and revokes the tokens of one audience.
type Service struct {
	rdb      redis.UniversalClient
	audience Audience
	now      func() time.Time
}

// New returns the service of an audience.
func New(rdb redis.UniversalClient, a Audience, now func() time.Time) *Service {
	return &Service{rdb: rdb, audience: a, now: now}
}

// FirstVersion is the token version that a new account starts with, from 1 to 2^30, so that a column of 32 bits has
// room for as many raises. It is random: a database that was restored from a backup gives the ids of the accounts made
// since to other people, and Redis may still hold tokens of those ids.
func FirstVersion() int {
	var bits [4]byte
	_, _ = rand.Read(bits[:]) // it never fails: the program ends first
	return 1 + int(binary.BigEndian.Uint32(bits[:])>>2)
}

// Issue makes a token for an account at the given token version, logged in from address. Earlier tokens stay valid, but
// for the oldest ones of an account that has more than 50.
func (s *Service) Issue(ctx context.Context, subject int64, version int, address string) (string, error) {
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // it never fails: the program ends first
	text := base64.RawURLEncoding.EncodeToString(bits[:])
	issued := s.now()
	session := Session{
		Subject: subject, Version: version, Issued: issued, End: issued.Add(s.audience.Lifetime), Address: address,
	}
	if err := s.put(ctx, hashOf(text), session); err != nil {
		return "", fmt.Errorf("issue a token to %s %d: %w", s.audience.Name, subject, err)
	}
	return text, nil
}

// errNoneGiven is made once, since every guest's request meets it.
var errNoneGiven = fmt.Errorf("find a token: none given: %w", errno.LoginRequired)

// Find returns the session of a token, and puts off its idle end where touch says so. It fails with
// errno.LoginRequired for a token that is empty, unknown, revoked or past its end, and with a plain error where Redis
// does not answer.
func (s *Service) Find(ctx context.Context, token string, touch bool) (Session, error) {
	if token == "" {
		return Session{}, errNoneGiven
	}
	hash := hashOf(token)
	session, found, err := s.get(ctx, hash)
	switch {
	case err != nil:
		return Session{}, fmt.Errorf("find a token: %w", err)
	case !found:
		return Session{}, fmt.Errorf("find a token: unknown: %w", errno.LoginRequired)
	case !s.now().Before(session.End):
		return Session{}, fmt.Errorf("find a token: past its end: %w", errno.LoginRequired)
	}
	if touch && s.audience.Idle > 0 {
		if err := s.extend(ctx, hash, session); err != nil {
			return Session{}, fmt.Errorf("extend a token: %w", err)
		}
	}
	return session, nil
}

// Revoke ends one token at once. Revoking what is not there is no error.
func (s *Service) Revoke(ctx context.Context, token string) error {
	if err := s.remove(ctx, hashOf(token)); err != nil {
		return fmt.Errorf("revoke a token: %w", err)
	}
	return nil
}

// RevokeAll ends every token of an account but the one given, which may be empty. Whoever calls it has raised the
// token version of the account before, so that a token issued meanwhile dies as well.
func (s *Service) RevokeAll(ctx context.Context, subject int64, except string) error {
	keep := ""
	if except != "" {
		keep = hashOf(except)
	}
	if err := s.removeAll(ctx, subject, keep); err != nil {
		return fmt.Errorf("revoke the tokens of %s %d: %w", s.audience.Name, subject, err)
	}
	return nil
}

// Renew gives a living token the present token version of its account, for the one token that outlives a raised
// version. It fails with errno.LoginRequired where the token is no longer there.
func (s *Service) Renew(ctx context.Context, token string, version int) error {
	hash := hashOf(token)
	session, found, err := s.get(ctx, hash)
	if err == nil && found {
		session.Version = version
		found, err = s.replace(ctx, hash, session)
	}
	switch {
	case err != nil:
		return fmt.Errorf("renew a token: %w", err)
	case !found:
		return fmt.Errorf("renew a token: unknown: %w", errno.LoginRequired)
	}
	return nil
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
