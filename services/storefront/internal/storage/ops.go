// Package storage serves /wx/storage: uploads of pictures, and the bytes of stored objects.
package storage

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/rate"
)

// Deps are the dependencies of the operations. A zero Deps can only be used to list operations.
type Deps struct {
	Objects *storage.Service
	Zone    wire.Zone
	// Limit is the maximum size of an uploaded file; 0 means the default.
	Limit int64
	// Open allows uploads without a token, for old clients.
	Open bool
}

// usualLimit is the default maximum size of an uploaded file.
const usualLimit = 10 << 20

type handlers struct{ Deps }

// Ops declares the operations on objects.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	mayUpload := op.SignedIn
	if d.Open {
		mayUpload = op.Optional
	}
	return []op.Op{
		op.Upload[Object]{
			Path: "/wx/storage/upload", Title: "Upload a picture", Access: mayUpload,
			Part: "file", Limit: cmp.Or(d.Limit, usualLimit),
			IdempotencyScope: "storage.upload", Rate: rate.Upload, Budget: 2, Do: h.upload,
		},
		op.Raw{
			Method: http.MethodGet, Path: "/wx/storage/fetch/{key}", Title: "Show an object", Access: op.Public,
			Head: true, Statuses: fileStatuses(), Budget: 1, Serve: h.fetch,
		},
		op.Raw{
			Method: http.MethodGet, Path: "/wx/storage/download/{key}", Title: "Download an object", Access: op.Public,
			Head: true, Statuses: fileStatuses(), Budget: 1, Serve: h.download,
		},
	}
}

func fileStatuses() map[int]string {
	return map[int]string{
		http.StatusOK:                           "The bytes.",
		http.StatusPartialContent:               "The part of the bytes that the header Range asks for.",
		http.StatusNotModified:                  "What the caller has is still right.",
		http.StatusNotFound:                     "There is no such object.",
		http.StatusPreconditionFailed:           "A condition of the request does not hold.",
		http.StatusRequestedRangeNotSatisfiable: "The object has no such part.",
		http.StatusBadGateway:                   "The object store does not answer.",
		http.StatusServiceUnavailable:           "The shop is busy; try again.",
	}
}

// Object is a stored file.
type Object contract.Object

func (h handlers) upload(ctx context.Context, f op.File) (Object, error) {
	o, err := h.Objects.Put(ctx, storage.Owner{Kind: storage.Shopper, ID: auth.ID(ctx)}, f.Name, f.Data)
	return Object(contract.ObjectOf(h.Zone, o)), err
}

// policy prevents browsers from executing anything in a file: a drawing may contain scripts.
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

func (h handlers) fetch(w http.ResponseWriter, r *http.Request) error { return h.serve(w, r, false) }

func (h handlers) download(w http.ResponseWriter, r *http.Request) error { return h.serve(w, r, true) }

// serve sends the bytes of the object in the path. Any other path is an unknown key.
func (h handlers) serve(w http.ResponseWriter, r *http.Request, attach bool) error {
	object, data, err := h.Objects.Open(r.Context(), r.PathValue("key"))
	switch {
	case errors.Is(err, storage.ErrUnknown):
		w.WriteHeader(http.StatusNotFound)
		return nil
	case errors.Is(err, errno.ErrBusy):
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		return err
	case err != nil:
		w.WriteHeader(http.StatusBadGateway)
		_, _ = w.Write(nil) // this is the answer, and not an envelope that a browser would take for the picture
		return err
	}
	defer func() { _ = data.Close() }() // only read
	admission.Leave(r.Context())
	header := w.Header()
	header.Set("Content-Type", object.Type)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	header.Set("Cache-Control", "public, max-age=31536000, immutable") // other bytes get another key
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if object.SHA256 != "" {
		header.Set("ETag", `"`+object.SHA256+`"`)
	}
	if attach || !object.Image() {
		header.Set("Content-Disposition", `attachment; filename="`+object.Key+`"`) // a key needs no quoting
	}
	http.ServeContent(w, r, "", object.AddTime, data)
	return nil
}
