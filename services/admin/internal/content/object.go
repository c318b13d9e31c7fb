package content

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// MaxFile is the maximum size of an uploaded file.
const MaxFile = 20 << 20

type objectHandlers struct{ Deps }

// objectOps declares the operations on uploaded files.
func objectOps(d Deps) []op.Op {
	h := objectHandlers{d}
	return []op.Op{
		op.Read[ListObjects, wire.List[Object]]{
			Path: "/admin/storage/list", Title: "List files",
			Access: op.Permit("admin:storage:list", menu.Objects(), menu.Query()), Budget: 3, AllowStale: true,
			Columns: op.Columns{
				Names: []string{"url", "name", "type", "size", "key", "addTime"}, Opens: "name",
			},
			Do: h.list,
		},
		op.Upload[Object]{
			Path: "/admin/storage/create", Title: "Upload a picture, a film, a document or a text",
			Access: op.Permit("admin:storage:create", menu.Objects(), menu.Button("upload")),
			Fails:  []*errno.Code{errno.Stale},
			Part:   "file", Limit: MaxFile, IdempotencyScope: "admin.storage-create", Audit: op.Audit{Target: "storage"},
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
		op.Write[UpdateObject, Object]{
			Path: "/admin/storage/update", Title: "Rename a file",
			Access:           op.Permit("admin:storage:update", menu.Objects(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.Stale},
			IdempotencyScope: "admin.storage-update", Audit: op.Audit{Target: "storage"}, Budget: 4,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[DeleteObject, op.None]{
			Path: "/admin/storage/delete", Title: "Delete a file",
			Access: op.Permit("admin:storage:delete", menu.Objects(), menu.Delete()),
			Fails:  []*errno.Code{errno.Stale},
			Audit:  op.Audit{Target: "storage", Action: text.ForAction("storage-delete")}, Budget: 6, Do: h.delete,
		},
	}
}

// ListObjects is the query of /admin/storage/list.
type ListObjects struct {
	wire.Paging
	Key  string `json:"key" doc:"Only the file with exactly this key."`
	Name string `json:"name" doc:"Only files whose name contains these words, in any order."`
}

func (h objectHandlers) list(ctx context.Context, r ListObjects) (wire.List[Object], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[storage.Object], error) {
		return h.Objects.All(ctx, storage.Filter{Key: r.Key, Name: r.Name}, q)
	}, h.object)
}

func (h objectHandlers) create(ctx context.Context, f op.File) (Object, error) {
	if len(f.Data) == 0 {
		return Object{}, errno.Missing.About(text.FieldFile)
	}
	o, err := h.Objects.Put(ctx, storage.Owner{Kind: storage.Operator, ID: auth.Operator(ctx).ID}, f.Name, f.Data)
	return h.object(o), err
}

func (h objectHandlers) read(ctx context.Context, r wire.Ref) (Object, error) {
	o, err := h.Objects.Get(ctx, r.ID)
	return h.object(o), err
}

// UpdateObject renames a file. Other members of the row are ignored.
type UpdateObject struct {
	wire.Ref
	wire.Expected
	Name *string `json:"name" check:"maxLength=255,visible"`
}

func (h objectHandlers) update(ctx context.Context, r UpdateObject) (Object, error) {
	if r.Name != nil && *r.Name == "" {
		return Object{}, errno.Missing.About(text.FieldName)
	}
	o, err := h.Objects.Rename(ctx, r.ID, r.Name)
	return h.object(o), err
}

// DeleteObject names the file to delete by its key; the console sends the whole row.
type DeleteObject struct {
	Key string `json:"key" check:"required"`
}

func (h objectHandlers) delete(ctx context.Context, r DeleteObject) (op.None, error) {
	return op.None{}, h.Objects.Delete(ctx, r.Key)
}

// Object is a stored file.
type Object contract.Object

func (h objectHandlers) object(o storage.Object) Object { return Object(contract.ObjectOf(h.Zone, o)) }
