// Package crud declares the operations on records that operators list, create, read, update and delete, each record in
// one value.
package crud

import (
	"context"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Resource is a record with five operations. The path /admin/brand implies the paths /admin/brand/list,
// /admin/brand/create, /admin/brand/read, /admin/brand/update and /admin/brand/delete, the permissions admin:brand:list
// and so on, the scopes of idempotency keys admin.brand-create and so on, and the table brand of the audit records.
type Resource struct {
	Path string
	Menu menu.Menu
	// One and Many name the record in the titles of the operations, as in "a brand" and "brands".
	One, Many                          string
	List, Create, Read, Update, Delete Action
	// Columns are those of the list on its page.
	Columns op.Columns
}

// Action is one of the operations of a Resource.
type Action struct {
	title   string
	fails   []*errno.Code
	declare func(declaration) op.Op
}

// declaration is the Resource's part of an Action.
type declaration struct {
	path, title, scope string
	access             op.Access
	audit              op.Audit
	fails              []*errno.Code
	columns            op.Columns
}

// Titled returns the action with a title of its own.
func (a Action) Titled(title string) Action {
	a.title = title
	return a
}

// Fails returns the action with further codes that its own rules may answer.
func (a Action) Fails(codes ...*errno.Code) Action {
	a.fails = append(a.fails[:len(a.fails):len(a.fails)], codes...)
	return a
}

// Ops returns the declarations of the five operations.
func (r Resource) Ops() []op.Op {
	return []op.Op{
		r.declare(r.List, "list", "List "+r.Many, menu.Query()),
		r.declare(r.Create, "create", "Add "+r.One, menu.Add()),
		r.declare(r.Read, "read", "Show "+r.One, menu.Detail()),
		r.declare(r.Update, "update", "Change "+r.One, menu.Edit()),
		r.declare(r.Delete, "delete", "Delete "+r.One, menu.Delete()),
	}
}

func (r Resource) declare(a Action, verb, title string, button menu.Label) op.Op {
	area := strings.TrimPrefix(r.Path, "/admin/")
	if a.title != "" {
		title = a.title
	}
	var columns op.Columns
	if verb == "list" {
		columns = r.Columns
	}
	return a.declare(declaration{
		path: r.Path + "/" + verb, title: title, scope: "admin." + area + "-" + verb,
		access: op.Permit("admin:"+area+":"+verb, r.Menu, button), audit: op.Audit{Target: area}, fails: a.fails,
		columns: columns,
	})
}

// Answer is a list or a single record in a form of its own.
func Answer[Req, Resp any](budget int, do func(context.Context, Req) (Resp, error)) Action {
	return answer(budget, false, do)
}

func answer[Req, Resp any](budget int, allowStale bool, do func(context.Context, Req) (Resp, error)) Action {
	return Action{title: "", fails: nil, declare: func(d declaration) op.Op {
		return op.Read[Req, Resp]{
			Path: d.path, Title: d.title, Access: d.access, Fails: d.fails, Private: false, Budget: budget,
			AllowStale: allowStale, Columns: d.columns, Do: do,
		}
	}}
}

// query is the request of a list: it embeds wire.Paging.
type query interface {
	wire.Listed
	Requested() wire.Paging
}

// List is a page of the records that find returns, each rendered by view.
func List[Req query, T, V any](
	budget int, view func(T) V, find func(context.Context, Req, page.Query) (page.List[T], error),
) Action {
	return answer(budget, true, func(ctx context.Context, r Req) (wire.List[V], error) {
		return paging.PageOf(r.Requested(), r.Listing(), func(q page.Query) (page.List[T], error) {
			return find(ctx, r, q)
		}, view)
	})
}

// Read returns the record with an id.
func Read[T, V any](budget int, view func(T) V, get func(ctx context.Context, id int64) (T, error)) Action {
	return Answer(budget, func(ctx context.Context, r wire.Ref) (V, error) {
		t, err := get(ctx, r.ID)
		return view(t), err
	})
}

// Create adds a record and returns it as stored.
func Create[Req, T, V any](budget int, view func(T) V, create func(context.Context, Req) (T, error)) Action {
	return write(budget, func(ctx context.Context, r Req) (V, error) {
		t, err := create(ctx, r)
		return view(t), err
	})
}

// Update changes the record with an id and returns it as stored.
func Update[Req, T, V any](budget int, view func(T) V, update func(context.Context, Req) (T, error)) Action {
	return Create(budget, view, update).Fails(errno.UpdateFailed)
}

// Delete deletes the record with an id.
func Delete(budget int, remove func(ctx context.Context, id int64) error) Action {
	return write(budget, func(ctx context.Context, r wire.Ref) (op.None, error) {
		return op.None{}, remove(ctx, r.ID)
	})
}

func write[Req, Resp any](budget int, do func(context.Context, Req) (Resp, error)) Action {
	return Action{title: "", fails: nil, declare: func(d declaration) op.Op {
		return op.Write[Req, Resp]{
			Path: d.path, Title: d.title, Access: d.access, Fails: d.fails, IdempotencyScope: d.scope, Audit: d.audit,
			Query: false, Rate: "", Budget: budget, Do: do,
		}
	}}
}
