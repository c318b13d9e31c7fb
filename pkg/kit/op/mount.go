package op

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/base/trace"
	"shop.internal/pkg/kit/envelope"
)

// Hooks are what differs between services.
type Hooks struct {
	// Authenticate identifies the caller. It returns the context with the caller and the caller's name for the log, or
	// errno.LoginRequired.
	Authenticate func(ctx context.Context, r *http.Request) (context.Context, string, error)
	// AuthenticateLater is Authenticate for the typed operations that need a token and only read; nil calls Authenticate
	// for them too. What it leaves open is decided by verify, nil for nothing, before the operation is answered.
	AuthenticateLater func(ctx context.Context, r *http.Request) (
		signed context.Context, who string, verify func(context.Context) error, err error)
	// Authorize fails with errno.NoPermission if the caller in ctx lacks the permission.
	Authorize func(ctx context.Context, permission string) error
	// WithIdempotencyKey adds an Idempotency-Key to the context, with the operation's scope and a hash of the body.
	WithIdempotencyKey func(ctx context.Context, scope, key, hash string) context.Context
	// Change adds the operation of an authenticated POST to the context; it may be nil.
	Change func(ctx context.Context, s *Spec) context.Context
	// Limit fails with errno.Invalid if the caller in ctx has exceeded a rate limit of the operation. It is called for
	// each POST except a Raw, before the body is read; it may be nil.
	Limit func(ctx context.Context, s *Spec) error
	// AllowStale returns the context of a caller's read that may come from a read replica of the database; RecordWrite is
	// called after each POST or audited export of an identified caller, before the answer or its end. Both are nil without
	// replicas.
	AllowStale  func(ctx context.Context, who string) context.Context
	RecordWrite func(ctx context.Context, who string)
	// Done is called for every answer.
	Done func(Result)
	// Now is the clock of Result.Took.
	Now func() time.Time
	// Admission bounds the work at once; nil is no bound.
	Admission *admission.Controller
	// Tracer traces requests; nil traces none.
	Tracer *trace.Tracer
	// Envelope writes the answers.
	Envelope *envelope.Writer
	// BodyLimit is the maximum size of a body; Timeout the timeout of an operation.
	BodyLimit int64
	Timeout   time.Duration
	// GuardAll requires a token for every path below this prefix, including unknown paths, and before the size of a body
	// is checked.
	GuardAll string
	// Credentials are the headers that may identify a caller. Answers to requests with one are private, and if a token is
	// optional, the header Vary names them for caches.
	Credentials []string
	// Label returns the label that people know for a member of a request, by its JSON name or its label tag, and nil if
	// there is none. Refusals then use the JSON name, as they do for all members if Label is nil.
	Label func(member string) *wording.Field
	// Address returns the address for a member of a request that is one: clients may send the key of a file instead. It
	// may be nil.
	Address func(sent string) string
	// Unit returns what amounts in bodies are whole multiples of; it may be nil. It is asked where an amount has decimals.
	Unit func(ctx context.Context) (money.Amount, error)
	// BoolAsText accepts booleans where text is declared.
	BoolAsText bool
}

var errTooLarge = errors.New("the body is too large")

// unknown is the path of operations that are not declared.
const unknown = "unknown"

// Mount checks the declarations and adds their routes to the engine.
func Mount(g *gin.Engine, h Hooks, ops ...Op) error {
	specs, err := Specs(ops...)
	if err != nil {
		return err
	}
	if err := h.check(specs); err != nil {
		return err
	}
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false
	anonymous := map[string]bool{}
	vary := h.vary()
	for i := range specs {
		s := &specs[i]
		s.plan.call(h.Label)
		if s.upload != nil {
			s.upload.label = labels(h.Label).of(s.upload.name)
		}
		s.vary = vary[s.Access.kind == optional]
		anonymous[s.Path] = anonymous[s.Path] || s.Access.kind == public
		methods := []string{s.Method}
		if s.raw != nil && s.raw.head {
			methods = append(methods, http.MethodHead)
		}
		g.Match(methods, ginPath(s.Path), func(c *gin.Context) { h.answer(c, s) })
	}
	g.NoRoute(func(c *gin.Context) { h.answer(c, refusal(c, errno.UnknownPath)) })
	g.NoMethod(func(c *gin.Context) {
		s := refusal(c, errno.WrongMethod)
		s.anonymous = anonymous[c.Request.URL.Path]
		h.answer(c, s)
	})
	return nil
}

// check reports hooks that the declarations need but are missing.
func (h *Hooks) check(specs []Spec) error {
	if h.Done == nil || h.Now == nil || h.Envelope == nil || h.BodyLimit <= 0 || h.Timeout <= 0 {
		return errors.New("hooks: Done, Now, Envelope, BodyLimit and Timeout are needed")
	}
	var errs []error
	for _, s := range specs {
		switch {
		case s.Access.kind == optional && len(h.Credentials) == 0:
			errs = append(errs, fmt.Errorf("%s: no Credentials", s.Key()))
		case s.Access.kind != public && h.Authenticate == nil:
			errs = append(errs, fmt.Errorf("%s: no hook Authenticate", s.Key()))
		case s.Access.kind == permitted && h.Authorize == nil:
			errs = append(errs, fmt.Errorf("%s: no hook Authorize", s.Key()))
		case h.GuardAll != "" && s.Shared(): // nothing that staff see may stay in a cache
			errs = append(errs, fmt.Errorf("%s: whoever may call it, the answer has to be Private", s.Key()))
		case s.IdempotencyScope != "" && h.WithIdempotencyKey == nil:
			errs = append(errs, fmt.Errorf("%s: no hook WithIdempotencyKey", s.Key()))
		}
	}
	return errors.Join(errs...)
}

// ginPath converts {name} to Gin's :name.
func ginPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// refusal is the operation for an undeclared path or method. Clients can invent methods, so only the usual ones are
// named.
func refusal(c *gin.Context, code *errno.Code) *Spec {
	method := c.Request.Method
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodOptions, http.MethodHead, http.MethodPut, http.MethodDelete:
	default:
		method = "other"
	}
	return &Spec{
		Method: method, Path: unknown, Access: Public,
		serve: func(context.Context, *input) (answer, error) { return answer{}, code },
	}
}

// answer runs one operation and writes its answer, even after a panic.
func (h *Hooks) answer(c *gin.Context, s *Spec) {
	start := h.Now()
	ctx := &requestContext{
		Context: c.Request.Context(),
		call:    Call{ID: requestID(c.Request, start), Address: c.ClientIP(), Language: language(c.Request)},
		now:     h.Now, start: start, limit: max(h.Timeout, s.timeout),
	}
	defer ctx.end()
	ctx.work = trace.Work{Kind: s.Method, Name: s.Path, Request: ctx.call.ID}
	var span trace.Span
	ctx.Context, span = h.Tracer.Request(ctx.Context, c.Request.Header, s.Method, s.Path)
	if h.Admission != nil {
		h.Admission.Issue(&ctx.ticket, s.Class())
		defer ctx.ticket.End()
	}
	call := &ctx.call
	header := c.Writer.Header()
	header["X-Request-Id"] = []string{call.ID}
	header["X-Content-Type-Options"] = nosniff
	r := Result{Method: s.Method, Path: s.Path, Trace: trace.ID(ctx.Context)}
	broken := false
	header["Cache-Control"] = noStore // as long as nothing else is known
	if s.Shared() {
		header["Vary"] = varying(header["Vary"], s.vary)
	}
	var response answer
	response, r.Err = h.guarded(ctx, c, s)
	if h.RecordWrite != nil && call.Who != "" && (s.Method == http.MethodPost || s.Audit.Target != "") {
		h.RecordWrite(ctx, call.Who)
	}
	ctx.ticket.End() // a client that reads slowly takes no place
	switch {
	case r.Err == nil && s.raw != nil:
		r.Status = c.Writer.Status()
	case r.Err == nil && response.data != nil && s.Shared() && !h.hasCredentials(c.Request):
		r.Status = h.Envelope.WritePublic(c.Writer, c.Request, response.data, response.body)
	case r.Err == nil:
		r.Status = http.StatusOK
		h.Envelope.WriteSuccess(c.Writer, response.data)
	case c.Writer.Written(): // a Raw that failed while writing
		r.Status, r.Errno = c.Writer.Status(), errno.Of(r.Err).Num
		broken = s.raw != nil && s.raw.breaks
	default:
		r.Status, r.Errno = envelope.Status(r.Err), errno.Of(r.Err).Num
		if errors.Is(r.Err, errTooLarge) {
			r.Status = http.StatusRequestEntityTooLarge
			header.Set("Connection", "close") // the rest of the body is not read
		}
		if name := s.wrongMember(r.Err); name != "" {
			header.Set(FieldHeader, name)
		}
		h.Envelope.In(call.Language).WriteFailure(c.Writer, r.Status, r.Err)
	}
	r.Call, r.At = *call, h.Now()
	r.Took = r.At.Sub(start)
	span.Answer(r.Status, r.Errno)
	h.Done(r)
	if broken {
		panic(http.ErrAbortHandler)
	}
}

// The values of headers that are the same in every answer.
var (
	nosniff = []string{"nosniff"}
	noStore = []string{"no-store"}
)

// guarded turns a panic into an error with its stack, for the log.
func (h *Hooks) guarded(ctx *requestContext, c *gin.Context, s *Spec) (response answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			if abort, ok := p.(error); ok && errors.Is(abort, http.ErrAbortHandler) {
				panic(p)
			}
			response, err = answer{}, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return h.run(ctx, c, s)
}

// run checks in the order of the contract: size, token (reversed below GuardAll), permission, form.
func (h *Hooks) run(request *requestContext, c *gin.Context, s *Spec) (response answer, fails error) {
	ctx, call, ticket := context.Context(request), &request.call, &request.ticket
	declared := s.Path != unknown
	tooLarge := declared && c.Request.ContentLength > h.limit(s)
	guardFirst := h.GuardAll != "" && (s.Access.NeedsToken() || !declared && !s.anonymous && h.guards(c.Request.URL.Path))
	if !guardFirst && tooLarge {
		return answer{}, tooLong()
	}
	if s.Access.kind != public || guardFirst {
		signed, who, verify, err := h.authenticate(ctx, c.Request, s)
		if verify != nil {
			defer func() {
				if refused := verify(signed); refused != nil {
					response, fails, call.Who = answer{}, refused, ""
				}
			}()
		}
		switch {
		case err == nil:
			ctx, call.Who = signed, who
		case s.Access.kind != optional:
			return answer{}, err
		}
	}
	if tooLarge {
		return answer{}, tooLong()
	}
	if s.Access.kind == permitted {
		if err := h.Authorize(ctx, s.Access.Permission.Value); err != nil {
			return answer{}, err
		}
	}
	if h.Change != nil && (s.Method == http.MethodPost || s.Audit.Target != "") && s.Access.NeedsToken() {
		ctx = h.Change(ctx, s)
	}
	if s.allowStale && h.AllowStale != nil {
		ctx = h.AllowStale(ctx, call.Who)
	}
	if s.raw != nil {
		return answer{}, h.serveRaw(ctx, c, s)
	}
	if err := h.admit(ctx, c.Request, s, call); err != nil {
		return answer{}, err
	}
	if s.Method == http.MethodPost {
		ticket.Leave() // a client that writes slowly takes no place
	}
	in, ctx, err := h.read(ctx, c, s)
	if err != nil {
		return answer{}, err
	}
	if err := ticket.Begin(ctx); err != nil {
		return answer{}, err
	}
	return s.serve(ctx, in)
}

// authenticate identifies the caller of an operation, at once or up to what verify decides.
func (h *Hooks) authenticate(ctx context.Context, r *http.Request, s *Spec) (
	signed context.Context, who string, verify func(context.Context) error, err error,
) {
	if h.AuthenticateLater != nil && s.Access.kind == signedIn && s.Method == http.MethodGet && s.raw == nil {
		return h.AuthenticateLater(ctx, r)
	}
	signed, who, err = h.Authenticate(ctx, r)
	return signed, who, nil, err
}

// admit refuses a write that a page of another site may have sent, and one above a rate limit.
func (h *Hooks) admit(ctx context.Context, r *http.Request, s *Spec, call *Call) error {
	if s.Method != http.MethodPost {
		return nil
	}
	if call.Who == "" && s.upload == nil && isSimpleRequest(r) {
		return errno.Invalid.Because(wording.ContentType)
	}
	if h.Limit == nil || !s.limited() || s.Path == unknown {
		return nil
	}
	return h.Limit(ctx, s)
}

// isSimpleRequest reports whether a browser sends such a POST for any page without a preflight: the media types of
// forms, and none at all. Other clients send no Origin and are not restricted. A call with a token is never sent
// without a preflight, since the token is in a header.
func isSimpleRequest(r *http.Request) bool {
	if r.Header.Get("Origin") == "" {
		return false
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err != nil || kind != "application/json"
}

// guards reports whether a path is below GuardAll, in any spelling of case and slashes.
func (h *Hooks) guards(path string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(path, "/")), strings.Trim(h.GuardAll, "/"))
}

func (h *Hooks) serveRaw(ctx context.Context, c *gin.Context, s *Spec) error {
	r := c.Request.WithContext(ctx)
	r.Body = http.MaxBytesReader(c.Writer, r.Body, h.limit(s))
	for _, p := range c.Params {
		r.SetPathValue(p.Key, p.Value)
	}
	err := s.raw.serve(c.Writer, r)
	if err == nil || c.Writer.Status() != http.StatusOK {
		c.Writer.WriteHeaderNow() // the answer of the Raw stands, even with an error
	}
	return err
}

// limit is the maximum size of the operation's body.
func (h *Hooks) limit(s *Spec) int64 { return max(h.BodyLimit, s.bodyLimit) }
