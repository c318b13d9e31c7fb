package token

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// record is a session as stored in Redis; times are milliseconds since 1970.
type record struct {
	Subject int64  `json:"sub"`
	Version int    `json:"ver"`
	Issued  int64  `json:"iat"`
	End     int64  `json:"end"`
	Address string `json:"ip"`
}

func recordOf(s Session) record {
	return record{
		Subject: s.Subject, Version: s.Version, Issued: s.Issued.UnixMilli(), End: s.End.UnixMilli(), Address: s.Address,
	}
}

func (r record) session() Session {
	return Session{
		Subject: r.Subject, Version: r.Version, Address: r.Address,
		Issued: time.UnixMilli(r.Issued).UTC(), End: time.UnixMilli(r.End).UTC(),
	}
}

// The braces are a hash tag, which puts each key into its own slot of a cluster; no step here uses two keys at once.
func (s *Service) key(hash string) string { return "tok:{" + s.audience.Name + ":" + hash + "}" }

func (s *Service) setKey(subject int64) string {
	return "tokset:{" + s.audience.Name + ":" + strconv.FormatInt(subject, 10) + "}"
}

// enlist adds a hash to the tokens of an account, removes expired ones, and sets the time to live of the list to that
// of its longest token. It removes and returns the oldest hashes beyond the maximum of an account. ARGV: the hash, its
// end, now, the milliseconds to live, the maximum.
var enlist = redis.NewScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
local above = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[5])
if above <= 0 then return {} end
local oldest = redis.call('ZRANGE', KEYS[1], 0, above - 1)
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, above - 1)
return oldest`)

// maxTokens is the maximum number of tokens of an account.
const maxTokens = 50

// put writes the list entry first: a token without one could not be revoked with the others.
func (s *Service) put(ctx context.Context, hash string, session Session) error {
	body, err := json.Marshal(recordOf(session))
	if err != nil {
		return fmt.Errorf("encode the session: %w", err)
	}
	lifetime := session.End.Sub(session.Issued)
	oldest, err := enlist.Run(ctx, s.rdb, []string{s.setKey(session.Subject)},
		hash, session.End.UnixMilli(), session.Issued.UnixMilli(), lifetime.Milliseconds(), maxTokens).StringSlice()
	if err != nil {
		return err
	}
	if err := s.drop(ctx, oldest); err != nil {
		return err
	}
	return s.rdb.Set(ctx, s.key(hash), body, s.rest(session, session.Issued)).Err()
}

// drop revokes tokens that are no longer in a list.
func (s *Service) drop(ctx context.Context, hashes []string) error {
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, hash := range hashes {
			p.Del(ctx, s.key(hash))
		}
		return nil
	})
	return err
}

// rest is the time to live of a session that is used now.
func (s *Service) rest(session Session, now time.Time) time.Duration {
	rest := session.End.Sub(now)
	if s.audience.Idle > 0 {
		rest = min(rest, s.audience.Idle)
	}
	return rest
}

func (s *Service) get(ctx context.Context, hash string) (Session, bool, error) {
	body, err := s.rdb.Get(ctx, s.key(hash)).Result()
	if errors.Is(err, redis.Nil) {
		return Session{}, false, nil
	}
	if err != nil {
		return Session{}, false, err
	}
	return decode(body)
}

func decode(body string) (Session, bool, error) {
	var r record
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		return Session{}, false, fmt.Errorf("decode a session: %w", err)
	}
	return r.session(), true, nil
}

// extend moves the idle end; a token that was revoked concurrently stays revoked.
func (s *Service) extend(ctx context.Context, hash string, session Session) error {
	return s.rdb.PExpire(ctx, s.key(hash), s.rest(session, s.now())).Err()
}

// replace changes an existing session and keeps its end.
func (s *Service) replace(ctx context.Context, hash string, session Session) (bool, error) {
	body, err := json.Marshal(recordOf(session))
	if err != nil {
		return false, fmt.Errorf("encode the session: %w", err)
	}
	return s.rdb.SetXX(ctx, s.key(hash), body, redis.KeepTTL).Result()
}

func (s *Service) remove(ctx context.Context, hash string) error {
	body, err := s.rdb.GetDel(ctx, s.key(hash)).Result()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	if err != nil {
		return err
	}
	session, _, err := decode(body)
	if err != nil {
		return err
	}
	return s.rdb.ZRem(ctx, s.setKey(session.Subject), hash).Err()
}

func (s *Service) removeAll(ctx context.Context, subject int64, keep string) error {
	set := s.setKey(subject)
	hashes, err := s.rdb.ZRange(ctx, set, 0, -1).Result()
	if err != nil {
		return err
	}
	_, err = s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, hash := range hashes {
			if hash != keep {
				p.Del(ctx, s.key(hash))
				p.ZRem(ctx, set, hash)
			}
		}
		return nil
	})
	return err
}
