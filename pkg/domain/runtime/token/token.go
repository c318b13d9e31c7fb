// Package token owns the login tokens of both audiences, in Redis. A token is an opaque text of 256 random bits of
// which only the hash is stored, so that access to Redis lets nobody log in. What the subject of a token may do, and
// whether its account is usable, is decided by the areas that own accounts.
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

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
)

// Audience is a kind of caller. The service of one audience does not find tokens of another.
type Audience struct {
	// Name is part of every key: "shopper" or "staff".
	Name string
	// Lifetime is the maximum age of a token.
	Lifetime time.Duration
	// Idle ends a token that was not used for this time; 0 means that only Lifetime counts.
	Idle time.Duration
	// Age is how old a session that Find returns may be, and so how long another process may use a revoked token; 0 asks
	// Redis every time. It is for audiences without Idle.
	Age time.Duration
	// Meter counts the reads of sessions in memory; it may be nil.
	Meter *meter.Meter
}

// Session is what is stored of a token.
type Session struct {
	// Subject is the id of the account.
	Subject int64
	// Version is the token version of the account at the login. The owner of the account refuses a token with another
	// version than the account's current one.
	Version int
	// Issued is the time of the login and End the latest end of the token.
	Issued, End time.Time
	// Address is the client's address at login.
	Address string
}

// Service issues, finds and revokes the tokens of one audience.
type Service struct {
	rdb      redis.UniversalClient
	audience Audience
	found    *cache.Cache[string, Session] // by the hash of the token
	now      func() time.Time
}

// New returns the service of an audience.
func New(rdb redis.UniversalClient, a Audience, now func() time.Time) *Service {
	s := &Service{rdb: rdb, audience: a, now: now}
	s.found = cache.New(cache.Options[Session]{
		Name: "sessions", Meter: a.Meter,
		TTL: cache.For[Session](a.Age), MaxSize: maxFound, Deadline: findTimeout, Now: now,
	}, s.read)
	return s
}

const (
	// maxFound bounds the sessions that are remembered.
	maxFound = 100_000
	// findTimeout bounds the time of reading one.
	findTimeout = 5 * time.Second
)

// FirstVersion is the token version of a new account, from 1 to 2^30, so that it can be raised as often in a column of
// 32 bits. It is random: after the restore of a backup new accounts reuse the ids of lost ones, and Redis may still
// have tokens of those.
func FirstVersion() int {
	var bits [4]byte
	_, _ = rand.Read(bits[:]) // it never fails: the program ends first
	return 1 + int(binary.BigEndian.Uint32(bits[:])>>2)
}

// Issue creates a token for an account with its token version, logged in from address. Earlier tokens stay valid,
// except the oldest ones of an account with more than 50.
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

// errNoneGiven is created once, since every guest's request gets it.
var errNoneGiven = fmt.Errorf("find a token: none given: %w", errno.LoginRequired)

// Find returns the session of a token, and extends its idle end if touch is set. It fails with errno.LoginRequired for
// a token that is empty, unknown, revoked or expired, and with a plain error if Redis does not answer.
func (s *Service) Find(ctx context.Context, token string, touch bool) (Session, error) {
	if token == "" {
		return Session{}, errNoneGiven
	}
	hash := hashOf(token)
	find := s.found.Get
	if s.audience.Age == 0 {
		find = s.read
	}
	session, err := find(ctx, hash)
	if err != nil {
		return Session{}, fmt.Errorf("find a token: %w", err)
	}
	if !s.now().Before(session.End) {
		return Session{}, fmt.Errorf("find a token: past its end: %w", errno.LoginRequired)
	}
	if touch && s.audience.Idle > 0 {
		if err := s.extend(ctx, hash, session); err != nil {
			return Session{}, fmt.Errorf("extend a token: %w", err)
		}
	}
	return session, nil
}

// read reads the session of a token from Redis.
func (s *Service) read(ctx context.Context, hash string) (Session, error) {
	session, found, err := s.get(ctx, hash)
	if err == nil && !found {
		err = fmt.Errorf("unknown: %w", errno.LoginRequired)
	}
	return session, err
}

// Revoke ends one token. An unknown token is no error.
func (s *Service) Revoke(ctx context.Context, token string) error {
	hash := hashOf(token)
	defer s.found.Invalidate(hash)
	if err := s.remove(ctx, hash); err != nil {
		return fmt.Errorf("revoke a token: %w", err)
	}
	return nil
}

// RevokeAll ends every token of an account except the one given, which may be empty. The caller has raised the token
// version of the account before, so that a token issued concurrently is invalid too.
func (s *Service) RevokeAll(ctx context.Context, subject int64, except string) error {
	keep := ""
	if except != "" {
		keep = hashOf(except)
	}
	defer s.found.InvalidateAll() // rare, and which hashes these are is known to Redis only
	if err := s.removeAll(ctx, subject, keep); err != nil {
		return fmt.Errorf("revoke the tokens of %s %d: %w", s.audience.Name, subject, err)
	}
	return nil
}

// Renew sets the version of a valid token to the current one of its account, for the one token that survives a raised
// version. It fails with errno.LoginRequired if the token no longer exists.
func (s *Service) Renew(ctx context.Context, token string, version int) error {
	hash := hashOf(token)
	session, found, err := s.get(ctx, hash)
	if err == nil && found {
		session.Version = version
		found, err = s.replace(ctx, hash, session)
		s.found.Invalidate(hash)
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
