package server

import (
	"bytes"
	"fmt"
	"net/http"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
)

// HandlerOptions are the properties of a service's handler.
type HandlerOptions struct {
	Engine EngineOptions
	Hooks  op.Hooks
	// Document are the options of the API document; it is served under /docs/ if Docs is set.
	Document openapi.Options
	Docs     bool
}

// Handler is the handler of a service, with its declarations.
type Handler struct {
	http.Handler
	Specs []op.Spec
	// Notes are for Options.Notes.
	Notes func() []string
}

// NewHandler mounts the operations on an engine of their own.
func NewHandler(o HandlerOptions, ops ...op.Op) (*Handler, error) {
	engine, proxies, err := engine(o.Engine)
	if err != nil {
		return nil, fmt.Errorf("make the engine: %w", err)
	}
	if err := op.Mount(engine, o.Hooks, ops...); err != nil {
		return nil, fmt.Errorf("mount the operations: %w", err)
	}
	specs, err := op.Specs(ops...)
	if err != nil {
		return nil, err
	}
	if o.Docs {
		var document bytes.Buffer
		if err := openapi.Write(&document, o.Document, specs); err != nil {
			return nil, fmt.Errorf("describe the operations: %w", err)
		}
		Docs(engine, o.Document.Title, document.Bytes())
	}
	return &Handler{Handler: engine, Specs: specs, Notes: proxies.notes}, nil
}
