package apitest

import (
	"context"

	"shop.internal/pkg/domain/domaintest"
)

// Listen has the statements of the calls that follow shown, their parameters in their places.
func (w *World) Listen(see func(statement string)) {
	w.api.Count = func(ctx context.Context) (context.Context, func() int) { return domaintest.Listen(ctx, see) }
}
