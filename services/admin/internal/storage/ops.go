// Package storage serves operators the uploaded files. The storefront serves their bytes.
package storage

import (
	"context"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// MaxFile is the maximum size of an uploaded file.
const MaxFile = 20 << 20

// Deps are what the operations need.
type Deps struct {
	Objects *storage.Service
	Zone    wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on uploaded files.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Object]]{
			Path: "/admin/storage/list", Title: "List files",
			Access: op.Permit("admin:storage:list", menu.Objects(), menu.Query()), Budget: 3, MayLag: true,
			Columns: op.Columns{
				Names: []string{"url", "name", "type", "size", "key", "addTime"}, Opens: "name",
			},
			Do: h.list,
		},
		op.Upload[Object]{
			Path: "/admin/storage/create", Title: "Upload a picture, a film, a document or a text",
			Access: op.Permit("admin:storage:create", menu.Objects(), menu.Button("Upload", "上传")),
			Fails:  []*errno.Code{errno.Stale},
			Part:   "file", Limit: MaxFile, IdempotencyScope: "admin.storage-create", Audit: audit(""),
			Budget: 3, Do: h.create,
		},
		op.Read[wire.Ref, Object]{
			Path: "/admin/storage/read", Title: "Show a file's record",
			Access: op.Permit("admin:storage:read", menu.Objects(), menu.Detail()), Budget: 2, Do: h.read,
		},
		op.Write[wire.Ref, Object]{
			Path: "/admin/storage/read", Title: "Show a file's record, for old clients",
			Access: op.SharedPermit("admin:storage:read"), Query: true, Budget: 2, Do: h.read,
		},
		op.Write[Update, Object]{
			Path: "/admin/storage/update", Title: "Rename a file",
			Access:           op.Permit("admin:storage:update", menu.Objects(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.Stale},
			IdempotencyScope: "admin.storage-update", Audit: audit(""), Budget: 4,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[Delete, op.None]{
			Path: "/admin/storage/delete", Title: "Delete a file",
			Access: op.Permit("admin:storage:delete", menu.Objects(), menu.Delete()),
			Fails:  []*errno.Code{errno.Stale}, Audit: audit("删除文件"), Budget: 6, Do: h.delete,
		},
	}
}

func audit(action string) op.Audit { return op.Audit{Target: "storage", Kind: 0, Action: action} }

// List is the query of /admin/storage/list.
type List struct {
	wire.Paging
	Key  string `json:"key" doc:"Only the file with exactly this key."`
	Name string `json:"name" doc:"Only files whose name contains these words, in any order."`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Object], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[storage.Object], error) {
		return h.Objects.All(ctx, storage.Filter{Key: r.Key, Name: r.Name}, q)
	}, h.object)
}

func (h handlers) create(ctx context.Context, f op.File) (Object, error) {
	if len(f.Data) == 0 {
		return Object{}, errno.Missing.About(text.FieldFile)
	}
	o, err := h.Objects.Put(ctx, storage.Owner{Kind: storage.Operator, ID: auth.Operator(ctx).ID}, f.Name, f.Data)
	return h.object(o), err
}

func (h handlers) read(ctx context.Context, r wire.Ref) (Object, error) {
	o, err := h.Objects.Get(ctx, r.ID)
	return h.object(o), err
}

// Update renames a file. Other members of the row are ignored.
type Update struct {
	wire.Ref
	wire.Expected
	Name *string `json:"name" check:"maxLength=255,visible"`
}

func (h handlers) update(ctx context.Context, r Update) (Object, error) {
	if r.Name != nil && *r.Name == "" {
		return Object{}, errno.Missing.About(text.FieldName)
	}
	o, err := h.Objects.Rename(ctx, r.ID, r.Name)
	return h.object(o), err
}

// Delete names the file to delete by its key; the console sends the whole row.
type Delete struct {
	Key string `json:"key" check:"required"`
}

func (h handlers) delete(ctx context.Context, r Delete) (op.None, error) {
	return op.None{}, h.Objects.Delete(ctx, r.Key)
}

// Object is a stored file.
type Object contract.Object

func (h handlers) object(o storage.Object) Object { return Object(contract.ObjectOf(h.Zone, o)) }
