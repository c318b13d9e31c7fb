// Package storage serves /wx/storage: the bytes of uploaded objects.
package storage

import (
	"errors"
	"net/http"

	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/op"
)

type handlers struct{ objects *storage.Service }

// Ops declares the operations on objects.
func Ops(objects *storage.Service) []op.Op {
	h := handlers{objects}
	return []op.Op{
		op.Bare{
			Method: http.MethodGet, Path: "/wx/storage/fetch/{key}", Title: "Show an object", Access: op.Public,
			Serve: h.fetch,
		},
		op.Bare{
			Method: http.MethodGet, Path: "/wx/storage/download/{key}", Title: "Download an object", Access: op.Public,
			Serve: h.download,
		},
	}
}

// policy keeps whatever a browser makes of the bytes from running anything: a drawing may carry a program.
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

func (h handlers) fetch(w http.ResponseWriter, r *http.Request) error { return h.serve(w, r, false) }

func (h handlers) download(w http.ResponseWriter, r *http.Request) error { return h.serve(w, r, true) }

// serve sends the bytes of the object that the path names. Whatever else the path holds is an unknown key.
func (h handlers) serve(w http.ResponseWriter, r *http.Request, attach bool) error {
	object, data, err := h.objects.Open(r.Context(), r.PathValue("key"))
	switch {
	case errors.Is(err, storage.ErrUnknown):
		w.WriteHeader(http.StatusNotFound)
		return nil
	case err != nil:
		w.WriteHeader(http.StatusBadGateway)
		_, _ = w.Write(nil) // this is the answer, and not an envelope that a browser would take for the picture
		return err
	}
	defer func() { _ = data.Close() }() // only read from
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
