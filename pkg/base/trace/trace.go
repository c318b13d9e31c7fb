// Package trace tells what a piece of work belongs to: the operation and the request, for logs, and the spans of
// OpenTelemetry where a trace is recorded. Attributes are names, numbers and templates, never a value of a person: an
// error is exported by its code, a statement without its parameters, a command without its key.
package trace

import (
	"context"
	"net/http"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"shop.internal/pkg/base/errno"
)

// Work is what something belongs to.
type Work struct {
	// Kind and Name are the declared method and path of a request, or "job" and the name of a job.
	Kind, Name string
	// Request is the id of a request.
	Request string
}

// Operation names the work, "" for none.
func (w Work) Operation() string {
	if w.Kind == "" {
		return ""
	}
	return w.Kind + " " + w.Name
}

// Key is the key of the *Work of a context.
type Key struct{}

// Of returns the work of a context, an empty one for none.
func Of(ctx context.Context) Work {
	if w, ok := ctx.Value(Key{}).(*Work); ok {
		return *w
	}
	return Work{}
}

// With returns a context for work that is no request.
func With(ctx context.Context, kind, name string) context.Context {
	return context.WithValue(ctx, Key{}, &Work{Kind: kind, Name: name, Request: ""})
}

// Tracer begins traces. A nil Tracer begins none.
type Tracer struct {
	tracer trace.Tracer
	// follow says that the caller of a request decides whether its trace is recorded.
	follow bool
}

// name is the instrumentation scope of all spans.
const name = "shop"

// New returns a tracer on a provider. With follow, requests continue the traces of their callers, who decide whether
// these are recorded.
func New(p trace.TracerProvider, follow bool) *Tracer { return &Tracer{p.Tracer(name), follow} }

// Span is a part of a trace. The zero Span records nothing.
type Span struct{ span trace.Span }

// w3c reads and writes the headers traceparent and tracestate.
var w3c propagation.TraceContext

// Request begins the span of a request.
func (t *Tracer) Request(ctx context.Context, header http.Header, method, path string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if t.follow {
		ctx = w3c.Extract(ctx, propagation.HeaderCarrier(header))
	}
	ctx, span := t.tracer.Start(ctx, method+" "+path,
		trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", path)))
	return ctx, Span{span}
}

// Later begins the span of work that was caused elsewhere and earlier: a trace of its own, linked to the cause.
func (t *Tracer) Later(ctx context.Context, operation, cause string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	options := []trace.SpanStartOption{trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindConsumer)}
	carried := w3c.Extract(context.Background(), propagation.MapCarrier{"traceparent": cause})
	if from := trace.SpanContextFromContext(carried); from.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: from}))
	}
	ctx, span := t.tracer.Start(ctx, operation, options...)
	return ctx, Span{span}
}

// Cause returns what Later needs to link to the span of ctx, "" if none is recorded.
func Cause(ctx context.Context) string {
	if !On(ctx) {
		return ""
	}
	carrier := propagation.MapCarrier{}
	w3c.Inject(ctx, carrier)
	return carrier.Get("traceparent")
}

// On reports whether the trace of ctx is recorded.
func On(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// ID returns the id of the trace of ctx, "" if none is recorded.
func ID(ctx context.Context) string {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		return span.SpanContext().TraceID().String()
	}
	return ""
}

// Call begins the span of a call to a server, such as the database, within a recorded trace. system is what it is;
// what the call says of itself are pairs of names and values.
func Call(ctx context.Context, system, operation string, pairs ...string) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	attributes := make([]attribute.KeyValue, 0, 2+len(pairs)/2)
	attributes = append(attributes, attribute.String("peer.service", system))
	for i := 0; i+1 < len(pairs); i += 2 {
		attributes = append(attributes, attribute.String(pairs[i], pairs[i+1]))
	}
	ctx, span := parent.TracerProvider().Tracer(name).Start(ctx, system+" "+operation,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	return ctx, Span{span}
}

// End ends a span. Messages of errors are not exported, only their codes.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, errno.Of(err).Name)
	}
	s.span.End()
}

// Answer ends the span of a request. A refusal by a rule of the shop is no fault.
func (s Span) Answer(status, number int) {
	if s.span == nil {
		return
	}
	s.span.SetAttributes(
		attribute.Int("http.response.status_code", status), attribute.String("shop.errno", strconv.Itoa(number)))
	if number == errno.Internal.Num {
		s.span.SetStatus(codes.Error, errno.Internal.Name)
	}
	s.span.End()
}
