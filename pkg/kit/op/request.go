package op

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
)

// read reads the parts of the request that its declaration needs.
func (h *Hooks) read(ctx context.Context, c *gin.Context, s *Spec) (*input, context.Context, error) {
	in := &input{get: s.Method == http.MethodGet, boolAsText: h.BoolAsText, address: h.Address}
	var err error
	switch {
	case s.upload != nil:
		if in.file, err = s.upload.read(c.Writer, c.Request, h.limit(s)); err != nil {
			return nil, ctx, err
		}
		ctx, err = h.keyed(ctx, c.Request, s, in.file.sum)
		return in, ctx, err
	case s.plan == nil:
		return in, ctx, nil
	}
	if in.get {
		if len(s.plan.fields) > 0 {
			in.received, err = s.plan.query(c.Request.URL.RawQuery)
		}
		return in, ctx, err
	}
	body, err := h.body(c.Request)
	if err != nil {
		return nil, ctx, err
	}
	if h.Unit != nil {
		in.unit = func() (money.Amount, error) { return h.Unit(ctx) }
	}
	if in.received, err = s.plan.body(body); err != nil {
		return nil, ctx, err
	}
	if s.query {
		if err := s.plan.complete(in.received, c.Request.URL.RawQuery); err != nil {
			return nil, ctx, err
		}
	}
	ctx, err = h.keyed(ctx, c.Request, s, func() [sha256.Size]byte { return sha256.Sum256(body) })
	return in, ctx, err
}

// keyed adds the Idempotency-Key of a request, if any, to the context, with a hash of the request.
func (h *Hooks) keyed(
	ctx context.Context, r *http.Request, s *Spec, sum func() [sha256.Size]byte,
) (context.Context, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" || s.IdempotencyScope == "" {
		return ctx, nil
	}
	if !validKey(key) {
		return ctx, errno.Invalid.Because(wording.IdempotencyKeyFormat)
	}
	hash := sum()
	return h.WithIdempotencyKey(ctx, s.IdempotencyScope, key, hex.EncodeToString(hash[:])), nil
}

// body reads the whole body. Without a content length it reads at most the limit and one byte.
func (h *Hooks) body(r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	var body []byte
	var err error
	if n := r.ContentLength; n > 0 { // and not above the limit
		body = make([]byte, n)
		_, err = io.ReadFull(r.Body, body)
	} else {
		body, err = io.ReadAll(io.LimitReader(r.Body, h.BodyLimit+1))
	}
	if err != nil {
		return nil, fmt.Errorf("read the body: %w: %w", errno.Invalid.Because(wording.BodyBroken), err)
	}
	if int64(len(body)) > h.BodyLimit {
		return nil, tooLong()
	}
	return body, nil
}

// validKey accepts 1 to 96 printable ASCII characters without blanks, which the key column stores and compares exactly.
func validKey(key string) bool {
	if len(key) > 96 {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// requestID accepts the caller's id if it is valid, so that one id follows a request through proxies, else it returns a
// new one.
func requestID(r *http.Request, now time.Time) string {
	id := r.Header.Get("X-Request-Id")
	if len(id) >= 8 && len(id) <= 64 && validKey(id) {
		return id
	}
	return newID(now)
}

// newID generates a UUID of version 7. It must be unique, not secret, and uses the cheap random source.
func newID(now time.Time) string {
	var u uuid.UUID
	high := uint64(now.UnixMilli())<<16 | 0x7000 | rand.Uint64()&0x0fff //nolint:gosec // an id, no secret
	low := 1<<63 | rand.Uint64()>>2                                     //nolint:gosec // an id, no secret
	binary.BigEndian.PutUint64(u[:8], high)
	binary.BigEndian.PutUint64(u[8:], low)
	return u.String()
}
