package sandbox

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/meter"
)

// sharedKeys is the Redis key under which the replicas share the sandbox's keys.
const sharedKeys = "sandbox:{keys}"

const (
	// keysTTL is how long a process uses the keys that it has read: they never change.
	keysTTL = 365 * 24 * time.Hour
	// keysTimeout bounds the time of reading and of generating them.
	keysTimeout = 5 * time.Second
)

// SharedKeys returns the keys of the sandbox, shared by all processes on one Redis. They are generated on first use,
// since that takes too long for the start.
func SharedKeys(
	rdb redis.UniversalClient, m *meter.Meter, now func() time.Time,
) func(context.Context) (Keys, error) {
	return cache.NewOne(cache.Options[Keys]{
		Name: "sandbox keys", Meter: m,
		TTL: cache.For[Keys](keysTTL), MaxSize: 1, Deadline: keysTimeout, Now: now,
	}, func(ctx context.Context) (Keys, error) {
		text, err := rdb.Get(ctx, sharedKeys).Result()
		if errors.Is(err, redis.Nil) {
			text, err = share(ctx, rdb)
		}
		if err != nil {
			return Keys{}, fmt.Errorf("share the sandbox keys: %w", err)
		}
		return decodeKeys(text)
	}).Get
}

// share stores new keys unless another process was faster, and returns the stored ones.
func share(ctx context.Context, rdb redis.UniversalClient) (string, error) {
	keys, err := NewKeys()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(storedKeys{
		Sign: base64.StdEncoding.EncodeToString(x509.MarshalPKCS1PrivateKey(keys.Sign)), Seal: keys.Encryption,
	})
	if err != nil {
		return "", err
	}
	if err := rdb.SetNX(ctx, sharedKeys, text, 0).Err(); err != nil {
		return "", err
	}
	return rdb.Get(ctx, sharedKeys).Result()
}

type storedKeys struct {
	Sign string
	Seal []byte
}

func decodeKeys(text string) (Keys, error) {
	var stored storedKeys
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return Keys{}, fmt.Errorf("read the sandbox keys: %w", err)
	}
	der, err := base64.StdEncoding.DecodeString(stored.Sign)
	if err != nil {
		return Keys{}, fmt.Errorf("read the sandbox keys: %w", err)
	}
	var key *rsa.PrivateKey
	if key, err = x509.ParsePKCS1PrivateKey(der); err != nil {
		return Keys{}, fmt.Errorf("read the sandbox keys: %w", err)
	}
	return Keys{Sign: key, Encryption: stored.Seal}, nil
}
