package apitest

import (
	"context"

	"shop.internal/pkg/domain/domaintest"
)

// Listen passes the statements of the following calls to see, with their parameters filled in.
func (w *Env) Listen(see func(statement string)) {
	w.api.Count = func(ctx context.Context) (context.Context, func() int) { return domaintest.Listen(ctx, see) }
}
