package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/runtime/ratelimit"
)

// sendWithin is the timeout for sending a text message.
const sendWithin = 5 * time.Second

// SendCode sends a new verification code to a mobile, for a client at address. It does not look at accounts, so its
// answer cannot reveal whether the mobile is registered. It fails with errno.Invalid for an invalid number, with
// errno.AuthCaptchaUnsupported if the shop sends no text messages, and with errno.AuthCaptchaFrequency if the mobile or
// the address has had too many. If sending fails, the code is discarded.
func (s *Service) SendCode(ctx context.Context, mobile, address string) error {
	err := s.replaceCode(ctx, mobile, address)
	s.db.Meter().Count(meter.Codes, meter.Result(err, errno.AuthCaptchaFrequency, errno.Invalid))
	return err
}

func (s *Service) replaceCode(ctx context.Context, mobile, address string) error {
	if !s.cfg.Country.Mobile(mobile) {
		return s.wrongMobile()
	}
	if !s.messages.Sends(notify.ByPhone) {
		return fmt.Errorf("send a code: %w", errno.AuthCaptchaUnsupported)
	}
	if err := s.codes.allow(ctx, mobile, address); err != nil {
		return fmt.Errorf("send a code: %w", err)
	}
	code := newCode()
	err := s.codes.save(ctx, mobile, code)
	if err == nil {
		err = s.sendCode(ctx, mobile, code)
	}
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // clean up even if the client has disconnected
	return errors.Join(fmt.Errorf("send a code: %w", err),
		s.codes.discard(ctx, mobile, code), s.codes.giveBack(ctx, mobile, address))
}

func (s *Service) sendCode(ctx context.Context, mobile, code string) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	err := s.messages.SMS(ctx, "", mobile, text.SMSCode, map[string]string{
		"code": code, "minutes": strconv.Itoa(int(s.cfg.CodeTTL / time.Minute)),
	})
	if errors.Is(err, notify.ErrUnsupported) {
		return errno.AuthCaptchaUnsupported
	}
	return err
}

// newCode generates six random digits.
func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // crypto/rand never returns an error
	}
	return fmt.Sprintf("%06d", n)
}

const (
	codeTries    = 5
	codeDay      = 24 * time.Hour
	minSecretLen = 32
)

// codeStore stores verification codes and the limits on sending them in Redis. Each step is one script on one key, so
// that concurrent requests cannot share a try, a code or an attempt. All times are those of Redis, the one clock that
// the replicas share.
type codeStore struct {
	rdb                   redis.UniversalClient
	limiter               *ratelimit.Limiter
	secret                []byte
	ttl, interval         time.Duration
	perMobile, perAddress int
}

// The braces are a hash tag, which puts each key into its own slot of a cluster.
func codeKey(mobile string) string { return "code:{" + mobile + "}" }

// digest hashes a code with a secret that Redis does not hold; a plain hash of six digits would be guessed at once.
func (s codeStore) digest(mobile, code string) (string, error) {
	if len(s.secret) < minSecretLen {
		return "", errors.New("the secret of the verification codes is missing or too short")
	}
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(mobile + ":" + code))
	return hex.EncodeToString(mac.Sum(nil)), nil
}

// saveScript replaces the active code of a mobile. ARGV: digest, tries, milliseconds to live.
var saveScript = redis.NewScript(`
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'h', ARGV[1], 'n', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`)

func (s codeStore) save(ctx context.Context, mobile, code string) error {
	digest, err := s.digest(mobile, code)
	if err != nil {
		return err
	}
	err = saveScript.Run(ctx, s.rdb, []string{codeKey(mobile)}, digest, codeTries, s.ttl.Milliseconds()).Err()
	if err != nil {
		return fmt.Errorf("store a code: %w", err)
	}
	return nil
}

// takenCode is a code that was matched and removed, with what is needed to restore it.
type takenCode struct {
	mobile, digest string
	tries, until   int64 // until: milliseconds since 1970 on Redis's clock
}

// takeScript compares and removes a code in one step, or uses up a try. It returns the tries left and the expiry of a
// code that matched, and nothing otherwise. ARGV: digest.
var takeScript = redis.NewScript(`
local v = redis.call('HMGET', KEYS[1], 'h', 'n')
if not v[1] then return {} end
if v[1] == ARGV[1] then
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  local left = redis.call('PTTL', KEYS[1])
  redis.call('DEL', KEYS[1])
  return {tonumber(v[2]), now + left}
end
if tonumber(v[2]) <= 1 then
  redis.call('DEL', KEYS[1])
else
  redis.call('HINCRBY', KEYS[1], 'n', -1)
end
return {}`)

// take uses up the active code of a mobile. It fails with errno.AuthCaptchaUnmatched for a code that is absent, wrong,
// expired or used; the fifth failed try ends the active code.
func (s codeStore) take(ctx context.Context, mobile, code string) (takenCode, error) {
	digest, err := s.digest(mobile, code)
	if err != nil {
		return takenCode{}, err
	}
	got, err := takeScript.Run(ctx, s.rdb, []string{codeKey(mobile)}, digest).Int64Slice()
	if err != nil {
		return takenCode{}, fmt.Errorf("take a code: %w", err)
	}
	if len(got) != 2 {
		return takenCode{}, fmt.Errorf("take a code: %w", errno.AuthCaptchaUnmatched)
	}
	return takenCode{mobile: mobile, digest: digest, tries: got[0], until: got[1]}, nil
}

// restoreScript restores a code with its tries and its expiry, unless a newer one exists. ARGV: digest, tries, end.
var restoreScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'h', ARGV[1], 'n', ARGV[2])
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return 1`)

// restore makes a taken code valid again for its remaining tries, if any.
func (s codeStore) restore(ctx context.Context, c takenCode) error {
	if c.tries < 1 {
		return nil
	}
	err := restoreScript.Run(ctx, s.rdb, []string{codeKey(c.mobile)}, c.digest, c.tries, c.until).Err()
	if err != nil {
		return fmt.Errorf("put a code back: %w", err)
	}
	return nil
}

// discardScript removes the code that was saved, but not a newer one. ARGV: digest.
var discardScript = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'h') == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

// discard undoes save.
func (s codeStore) discard(ctx context.Context, mobile, code string) error {
	digest, err := s.digest(mobile, code)
	if err != nil {
		return err
	}
	if err := discardScript.Run(ctx, s.rdb, []string{codeKey(mobile)}, digest).Err(); err != nil {
		return fmt.Errorf("discard a code: %w", err)
	}
	return nil
}

// allow counts one code for a mobile and for an address. It fails with errno.AuthCaptchaFrequency if one of them has
// had too many; a refused code counts for neither.
func (s codeStore) allow(ctx context.Context, mobile, address string) error {
	err := s.limiter.Take(ctx, s.addressLimit(address))
	if err != nil {
		return err
	}
	if err = s.limiter.Take(ctx, s.mobileLimit(mobile)); err == nil {
		return nil
	}
	return errors.Join(err, s.limiter.GiveBack(context.WithoutCancel(ctx), s.addressLimit(address)))
}

// giveBack undoes allow for a code that was not sent.
func (s codeStore) giveBack(ctx context.Context, mobile, address string) error {
	return s.limiter.GiveBack(ctx, s.mobileLimit(mobile), s.addressLimit(address))
}

func (s codeStore) mobileLimit(mobile string) ratelimit.Limit {
	l := codeLimit(mobile, s.perMobile)
	l.Interval = s.interval
	return l
}

func (s codeStore) addressLimit(address string) ratelimit.Limit {
	return codeLimit(ratelimit.AddressKey(address), s.perAddress)
}

func codeLimit(who string, most int) ratelimit.Limit {
	return ratelimit.Limit{
		Key: "code:" + who, Max: most, Window: codeDay, FailClosed: true, Refusal: errno.AuthCaptchaFrequency,
	}
}
