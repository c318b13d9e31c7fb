package wire

import (
	"context"

	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
)

// Expected is embedded in the request of a change that somebody may make who has read an older state of the record.
// What older clients send back as updateTime is not read: they keep their own row over several edits.
type Expected struct {
	ExpectedUpdateTime string `json:"expectedUpdateTime" doc:"updateTime as read: 504 if changed since." show:"time"`
}

// Expects returns the time that the request names, empty for none.
func (e Expected) Expects() string { return e.ExpectedUpdateTime }

// Expecting returns an operation that fails with errno.Stale if the record was changed after the time that its request
// names, as the texts of this zone say it.
func Expecting[Req interface{ Expects() string }, Resp any](
	z Zone, do func(context.Context, Req) (Resp, error),
) func(context.Context, Req) (Resp, error) {
	return func(ctx context.Context, r Req) (Resp, error) {
		at, err := z.Moment(text.FieldUpdateTime, r.Expects())
		if err != nil {
			var none Resp
			return none, err
		}
		return do(seen.With(ctx, at), r)
	}
}
