package trace_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/trace"
)

func TestWork(t *testing.T) {
	require.Empty(t, trace.Of(t.Context()).Operation())
	require.Equal(t, "job purge", trace.Of(trace.With(t.Context(), "job", "purge")).Operation())
}

// Without a tracer nothing is recorded, nothing is carried, and nothing is allocated.
func TestWithoutATracerNothingHappens(t *testing.T) {
	var tracer *trace.Tracer
	header := http.Header{"Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}
	base := t.Context()
	allocated := testing.AllocsPerRun(100, func() {
		ctx, span := tracer.Request(base, header, "GET", "/x")
		if trace.On(ctx) || trace.ID(ctx) != "" || trace.Cause(ctx) != "" {
			t.Error("something is recorded")
		}
		span.Answer(200, 502)
		later, delivery := tracer.Later(ctx, "deliver", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
		delivery.End(context.Canceled)
		_, call := trace.Call(later, "payment platform", "prepay")
		call.End(nil)
	})
	require.Zero(t, allocated)
}
