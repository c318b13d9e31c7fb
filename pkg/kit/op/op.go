// Package op turns the declaration of an operation into its route, its checks, its binding, its envelope, its
// permission and its entry in the API document. It knows no path, header, permission or area of the shop.
package op

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/envelope"
)

// Op is one operation of a service: a Read, a Write, an Upload, a Stream, a Raw or a Refused.
type Op interface{ spec() Spec }

// PerItem is the Budget of an operation whose statements grow with its items: ids, lines of a file, the rows of an
// export.
const PerItem = -1

// None is the request or the answer of an operation without one.
type None struct{}

// Read is a GET that binds its request from the query string.
type Read[Req, Resp any] struct {
	Path   string
	Title  string
	Access Access
	// Fails are the codes of the operation's own rules; those that follow from access and fields are added automatically.
	Fails []*errno.Code
	// Private says that no cache may keep the answer of a public operation, since it depends on more than the query.
	Private bool
	// AllowStale says that the answer may come from a read replica of the database, unless the caller has just changed
	// something: it decides about nothing, least of all about money.
	AllowStale bool
	// Budget is the number of SQL statements of the most expensive call, including its authentication, for any number of
	// rows. Only tests check it; they add what the reload of permissions and an Idempotency-Key cost. 0 is an operation
	// without statements, PerItem one without a bound.
	Budget int
	// Columns are those of a list that has a page.
	Columns Columns
	Do      func(context.Context, Req) (Resp, error)
}

// Write is a POST that binds its request from a JSON body.
type Write[Req, Resp any] struct {
	Path   string
	Title  string
	Access Access
	Fails  []*errno.Code
	// IdempotencyScope is the scope of the Idempotency-Key, such as "order.submit"; empty for operations that are
	// idempotent by nature.
	IdempotencyScope string
	// Audit describes the audit record of this change, for operations with a permission.
	Audit Audit
	// Members are the names that are known of Scalars. Others are bound too, but no header names them.
	Members []string
	// Query allows single values that the body lacks in the query string.
	Query bool
	// Rate names a class of rate limits in addition to those of every write; usually empty.
	Rate string
	// Passwords says that a call checks or hashes a password, which is expensive.
	Passwords bool
	// Budget is the maximum number of SQL statements of a call, as in Read.
	Budget int
	Do     func(context.Context, Req) (Resp, error)
}

// Raw is an operation without the envelope, for files and answers to machines. Serve reads the parts of the path by
// PathValue and writes the whole answer.
type Raw struct {
	Method, Path, Title string
	Access              Access
	// Head says that a GET answers HEAD as well, as files do.
	Head bool
	// BodyLimit is the maximum size of its body if that is larger than the service's limit; reading more fails with
	// *http.MaxBytesError.
	BodyLimit int64
	// Statuses are its HTTP statuses with their meanings; nil is success only.
	Statuses map[int]string
	// Budget is the maximum number of SQL statements of a call, as in Read.
	Budget int
	// Serve answers; its error is only logged.
	Serve func(http.ResponseWriter, *http.Request) error
}

// Audit is how a change is recorded, for the hook Change.
type Audit struct {
	// Target is what is changed; empty where nothing is recorded.
	Target string
	// Kind and Action are those of the entry in the business log; without an action there is none.
	Kind   logkind.Kind
	Action *wording.Text
	// Each says that a call leaves a record of each row that it changes.
	Each bool
}

// Spec is a declaration without its types. Only the kinds of operations make one, so that no declaration can combine
// what belongs to different kinds.
type Spec struct {
	Method, Path, Title string
	Access              Access
	Fails               []*errno.Code
	IdempotencyScope    string
	Audit               Audit
	Rate                string
	Budget              int
	// Req and Resp are nil for a Raw, Req also for an Upload.
	Req, Resp reflect.Type
	// Columns are a list's.
	Columns Columns

	plan  *plan
	serve func(ctx context.Context, in *input) (answer, error)
	// raw is how a Raw or a Stream answers, upload the file of an Upload; both are nil for other kinds.
	raw    *rawAnswer
	upload *filePart
	// anonymous marks the refusal of a method at a path without a token, also below GuardAll.
	anonymous bool
	bodyLimit int64
	// shared says that anonymous callers get the same answer.
	shared bool
	// vary are the headers that a shared answer depends on.
	vary []string
	// query and passwords are a Write's, refused a Refused's.
	query, passwords, refused bool
	// timeout is the operation's own.
	timeout time.Duration
	// allowStale is that of a Read or a Stream.
	allowStale bool
}

// rawAnswer is an answer that the operation writes itself.
type rawAnswer struct {
	serve    func(http.ResponseWriter, *http.Request) error
	statuses map[int]string
	// breaks says that a failure while writing breaks the connection, head that a GET answers HEAD as well.
	breaks, head bool
}

// filePart is the part of a form with the file.
type filePart struct {
	name  string
	limit int64
	// label is what people call the part; it is known once the operation is mounted.
	label *wording.Text
}

// Key is the method and the path, as in "GET /wx/goods/list".
func (s Spec) Key() string { return s.Method + " " + s.Path }

// Codes returns every code of the operation: its own, and those that follow from its access and fields.
func (s Spec) Codes() []*errno.Code {
	codes := []*errno.Code{errno.OK}
	if s.plan.reads() {
		if s.plan.required {
			codes = append(codes, errno.Missing)
		}
		codes = append(codes, errno.Invalid)
	}
	if s.upload != nil {
		codes = append(codes, errno.Missing)
	}
	if s.Method == http.MethodPost && !s.plan.reads() {
		codes = append(codes, errno.Invalid) // no JSON object, or too large
	}
	if s.Access.kind == signedIn || s.Access.kind == permitted {
		codes = append(codes, errno.LoginRequired)
	}
	if s.Access.kind == permitted {
		codes = append(codes, errno.NoPermission)
	}
	codes = append(codes, errno.Internal)
	// A transaction gives up when it has lost every attempt to a concurrent one.
	if s.Method == http.MethodPost && s.raw == nil && s.Budget != 0 && !slices.Contains(s.Fails, errno.Stale) {
		codes = append(codes, errno.Stale)
	}
	return append(codes, s.Fails...)
}

// Class is the class of work of the operation. It follows from the declaration.
func (s Spec) Class() admission.Class {
	switch {
	case s.passwords:
		return admission.Login
	case s.raw != nil && s.raw.breaks:
		return admission.Export
	case s.Method == http.MethodPost:
		return admission.Write
	default:
		return admission.Read
	}
}

// limited reports whether calls count against rate limits: all POSTs except a Raw.
func (s Spec) limited() bool { return s.Method == http.MethodPost && s.raw == nil }

func (o Read[Req, Resp]) spec() Spec {
	s := Spec{
		Method: http.MethodGet, Path: o.Path, Title: o.Title, Access: o.Access, Fails: o.Fails, shared: !o.Private,
		Budget: o.Budget, allowStale: o.AllowStale, Columns: o.Columns,
	}
	return typed(s, o.Do)
}

func (o Write[Req, Resp]) spec() Spec {
	s := Spec{
		Method: http.MethodPost, Path: o.Path, Title: o.Title, Access: o.Access, Fails: o.Fails,
		IdempotencyScope: o.IdempotencyScope, Audit: o.Audit,
		query: o.Query, Rate: o.Rate, passwords: o.Passwords, Budget: o.Budget,
	}
	s = typed(s, o.Do)
	s.plan.known = o.Members
	return s
}

func (o Raw) spec() Spec {
	return Spec{
		Method: o.Method, Path: o.Path, Title: o.Title, Access: o.Access, Budget: o.Budget, bodyLimit: o.BodyLimit,
		raw: &rawAnswer{serve: o.Serve, statuses: o.Statuses, breaks: false, head: o.Head},
	}
}

func typed[Req, Resp any](s Spec, do func(context.Context, Req) (Resp, error)) Spec {
	s.Req, s.Resp = reflect.TypeFor[Req](), reflect.TypeFor[Resp]()
	p := planOf(s.Req)
	if p.free && s.Method != http.MethodPost {
		panic(fmt.Sprintf("%s: only a body may have any members", s.Path))
	}
	s.plan = p
	s.serve = func(ctx context.Context, in *input) (answer, error) {
		var r Req
		if err := p.bind(reflect.ValueOf(&r).Elem(), in); err != nil {
			return answer{}, err
		}
		result, err := do(ctx, r)
		if err != nil {
			return answer{}, err
		}
		return encoded(result)
	}
	return s
}

// MayBeNone is an answer that has no data, as None, while it has nothing to say.
type MayBeNone interface{ None() bool }

// answer is the data of an answer: JSON, nil for none, and its body if it is cached.
type answer struct {
	data []byte
	body *envelope.Body
}

// encoded converts an operation's result to its answer.
func encoded(result any) (answer, error) {
	switch result := result.(type) {
	case None:
		return answer{}, nil
	case MayBeNone:
		if result.None() {
			return answer{}, nil
		}
	case interface{ Body() *envelope.Body }:
		if b := result.Body(); b != nil {
			return answer{b.Data(), b}, nil
		}
	}
	data, err := envelope.Encode(result)
	return answer{data: data}, err
}
