// Package tracing exports traces by OTLP over HTTP. It alone knows the SDK of OpenTelemetry, which is large.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"shop.internal/pkg/base/trace"
)

// Config are the keys of traces.
type Config struct {
	// Endpoint is the address of the collector, such as http://collector:4318; empty traces nothing.
	Endpoint string `key:"endpoint" validate:"omitempty,url"`
	// Ratio is the part of the requests that are traced, of those whose caller has not decided.
	Ratio float64 `key:"ratio" validate:"min=0,max=1" default:"0.01"`
	// Parent says whether the header traceparent of a caller decides.
	Parent string `key:"parent" validate:"oneof=follow ignore" default:"follow"`
	// Authorization is the value of that header for the collector; empty sends none.
	Authorization string `key:"authorization"`
}

// ValidationErrors checks the rules that span keys; it returns a sentence for each violation, without any value.
func (c *Config) ValidationErrors() []string {
	if c.Endpoint == "" {
		return nil
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return []string{"trace.endpoint: is an address such as http://collector:4318, without an account and parameters"}
	}
	return nil
}

const (
	// queue bounds the spans that wait for the collector; more are dropped.
	queue = 4096
	// exportTime is the timeout of sending them, and of sending the last ones at the end.
	exportTime = 5 * time.Second
	// maxText bounds the characters of an attribute.
	maxText = 1200
)

// Tracing is where a process sends its traces. The zero Tracing sends none.
type Tracing struct {
	// Tracer is nil if nothing is traced.
	Tracer   *trace.Tracer
	provider *sdk.TracerProvider
}

// Open starts to export traces of a service, unless the configuration names no collector. It does not connect; spans
// that cannot be sent are dropped, and the log says so.
func Open(ctx context.Context, c Config, service, version string, log *slog.Logger) (*Tracing, error) {
	if c.Endpoint == "" {
		return &Tracing{}, nil
	}
	options := []otlptracehttp.Option{
		otlptracehttp.WithEndpointURL(strings.TrimSuffix(c.Endpoint, "/") + "/v1/traces"),
		otlptracehttp.WithTimeout(exportTime), otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
		otlptracehttp.WithHeaders(headers(c)),
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("trace.endpoint: %w", err)
	}
	limits := sdk.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxText
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("traces were not sent", "err", withoutAddress(err).Error())
	}))
	provider := sdk.NewTracerProvider(
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(c.Ratio))), sdk.WithRawSpanLimits(limits),
		sdk.WithBatcher(exporter, sdk.WithMaxQueueSize(queue), sdk.WithExportTimeout(exportTime)),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", service), attribute.String("service.version", version),
		)),
	)
	return &Tracing{trace.New(provider, c.Parent == "follow"), provider}, nil
}

func headers(c Config) map[string]string {
	if c.Authorization == "" {
		return nil
	}
	return map[string]string{"Authorization": c.Authorization}
}

// withoutAddress removes the address from an error of net/http.
func withoutAddress(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// Close sends the last spans, even if ctx has ended.
func (t *Tracing) Close(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), exportTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", withoutAddress(err))
	}
	return nil
}
