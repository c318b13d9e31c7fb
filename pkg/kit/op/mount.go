package op

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/kit/envelope"
)

// Hooks is what differs between the services.
type Hooks struct {
	// Authenticate finds out who calls. It returns the context that carries the caller and the caller's name for the
	// log, or errno.LoginRequired.
	Authenticate func(ctx context.Context, r *http.Request) (context.Context, string, error)
	// Authorize fails with errno.NoPermission where the caller of ctx lacks the permission value.
	Authorize func(ctx context.Context, permission string) error
	// Once puts an Idempotency-Key into the context, with the operation's scope and a hash of the body.
	Once func(ctx context.Context, scope, key, hash string) context.Context
	// Done is told of every answer.
	Done func(Result)
	// Now is the clock of Result.Took.
	Now func() time.Time
	// Envelope writes the answers.
	Envelope *envelope.Writer
	// BodyLimit is the most bytes of a body; Timeout the longest that an operation may take.
	BodyLimit int64
	Timeout   time.Duration
	// GuardAll asks for a token before anything is said about a path below this prefix, unknown paths included, and
	// before the size of a body is looked at.
	GuardAll string
	// BoolAsText lets booleans be read where text is declared.
	BoolAsText bool
}

var errTooLarge = errors.New("the body is too large")

// Mount checks the declarations and puts them on the engine.
func Mount(g *gin.Engine, h Hooks, ops ...Op) error {
	specs, err := Specs(ops...)
	if err != nil {
		return err
	}
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false
	for _, s := range specs {
		g.Handle(s.Method, ginPath(s.Path), func(c *gin.Context) { h.answer(c, s) })
	}
	g.NoRoute(func(c *gin.Context) { h.answer(c, refusal(c, errno.UnknownPath)) })
	g.NoMethod(func(c *gin.Context) { h.answer(c, refusal(c, errno.WrongMethod)) })
	return nil
}

// ginPath writes {name} as Gin's :name.
func ginPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// refusal is the operation that stands for a path or a method that is not declared.
func refusal(c *gin.Context, code *errno.Code) Spec {
	return Spec{
		Method: c.Request.Method, Path: "unknown", Access: Public,
		serve: func(context.Context, *input) ([]byte, error) { return nil, code },
	}
}

// answer runs one operation and writes its answer, whatever happens inside.
func (h *Hooks) answer(c *gin.Context, s Spec) {
	start := h.Now()
	call := &Call{ID: requestID(c.Request), Address: c.ClientIP()}
	ctx, cancel := context.WithTimeout(context.WithValue(c.Request.Context(), callKey{}, call), h.Timeout)
	defer cancel()
	c.Header("X-Request-Id", call.ID)
	c.Header("X-Content-Type-Options", "nosniff")
	r := Result{Method: s.Method, Path: s.Path}
	var data []byte
	data, r.Err = h.guarded(ctx, c, s, call)
	switch {
	case r.Err == nil && s.bare != nil:
		r.Status = c.Writer.Status()
	case r.Err == nil:
		r.Status = http.StatusOK
		h.write(c, r.Status, h.Envelope.Success(data))
	case c.Writer.Written(): // a Bare that broke off while answering
		r.Status, r.Errno = c.Writer.Status(), errno.Of(r.Err).Num
	default:
		r.Status, r.Errno = envelope.Status(r.Err), errno.Of(r.Err).Num
		if errors.Is(r.Err, errTooLarge) {
			r.Status = http.StatusRequestEntityTooLarge
			c.Header("Connection", "close") // the rest of the body is not read
		}
		h.write(c, r.Status, h.Envelope.Failure(r.Err))
	}
	r.Call, r.Took = *call, h.Now().Sub(start)
	h.Done(r)
}

func (h *Hooks) write(c *gin.Context, status int, body []byte) {
	header := c.Writer.Header()
	header["Content-Type"] = []string{envelope.ContentType}
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(body) // the client has gone: nobody is left to tell
}

// guarded turns a panic into an error with its stack, for the log.
func (h *Hooks) guarded(ctx context.Context, c *gin.Context, s Spec, call *Call) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			data, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return h.run(ctx, c, s, call)
}

// run makes the checks in the order of the contract: size, token (or the reverse below GuardAll), permission, form.
func (h *Hooks) run(ctx context.Context, c *gin.Context, s Spec, call *Call) ([]byte, error) {
	guardFirst := h.GuardAll != "" && (s.Access.NeedsToken() || s.Path == "unknown" && h.guards(c.Request.URL.Path))
	if !guardFirst && c.Request.ContentLength > h.BodyLimit {
		return nil, fmt.Errorf("%w: %w", errTooLarge, errno.Invalid)
	}
	if s.Access.kind != public || guardFirst {
		signed, who, err := h.Authenticate(ctx, c.Request)
		switch {
		case err == nil:
			ctx, call.Who = signed, who
		case s.Access.kind != optional:
			return nil, err
		}
		if guardFirst {
			c.Header("Cache-Control", "no-store")
		}
	}
	if c.Request.ContentLength > h.BodyLimit && s.Path != "unknown" {
		return nil, fmt.Errorf("%w: %w", errTooLarge, errno.Invalid)
	}
	if s.Access.kind == permitted {
		if err := h.Authorize(ctx, s.Access.Permission.Value); err != nil {
			return nil, err
		}
	}
	if s.bare != nil {
		return nil, h.serveBare(ctx, c, s)
	}
	in, ctx, err := h.read(ctx, c, s)
	if err != nil {
		return nil, err
	}
	return s.serve(ctx, in)
}

// guards reports whether a path lies below GuardAll, in whatever case or with whatever slashes it is written.
func (h *Hooks) guards(path string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(path, "/")), strings.Trim(h.GuardAll, "/"))
}

func (h *Hooks) serveBare(ctx context.Context, c *gin.Context, s Spec) error {
	r := c.Request.WithContext(ctx)
	for _, p := range c.Params {
		r.SetPathValue(p.Key, p.Value)
	}
	s.bare(c.Writer, r)
	return nil
}

// read takes the request apart as far as its declaration needs it.
func (h *Hooks) read(ctx context.Context, c *gin.Context, s Spec) (*input, context.Context, error) {
	in := &input{get: s.Method == http.MethodGet, boolAsText: h.BoolAsText}
	if s.plan == nil {
		return in, ctx, nil
	}
	if in.get {
		if len(s.plan.fields) > 0 && c.Request.URL.RawQuery != "" {
			in.query = c.Request.URL.Query()
		}
		return in, ctx, nil
	}
	body, err := io.ReadAll(io.LimitReader(c.Request.Body, h.BodyLimit+1))
	if err != nil {
		return nil, ctx, fmt.Errorf("read the body: %w: %w", errno.Invalid, err)
	}
	if int64(len(body)) > h.BodyLimit {
		return nil, ctx, fmt.Errorf("%w: %w", errTooLarge, errno.Invalid)
	}
	if in.body, err = members(body); err != nil && len(s.plan.fields) > 0 {
		return nil, ctx, err
	}
	if key := c.GetHeader("Idempotency-Key"); key != "" && s.Once != "" {
		if !tidyKey(key) {
			return nil, ctx, errno.Invalid.About("Idempotency-Key")
		}
		sum := sha256.Sum256(body)
		ctx = h.Once(ctx, s.Once, key, hex.EncodeToString(sum[:]))
	}
	return in, ctx, nil
}

// tidyKey accepts 1 to 96 printable ASCII characters without blanks: what the table's key column holds and compares.
func tidyKey(key string) bool {
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

// requestID takes the caller's id where it is tidy, so that one name follows a request through a proxy, else a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if len(id) >= 8 && len(id) <= 64 && tidyKey(id) {
		return id
	}
	fresh, err := uuid.NewV7()
	if err != nil {
		return "none"
	}
	return fresh.String()
}
