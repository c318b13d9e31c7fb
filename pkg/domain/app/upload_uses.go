package app

import (
	"context"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/review"
)

// usesOfUploads returns the texts that shoppers have written since a time and that may refer to their uploads.
func usesOfUploads(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) ([]string, error) {
	all, err := account.Avatars(ctx, q, shoppers)
	if err != nil {
		return nil, err
	}
	for _, lists := range []func(context.Context, db.Querier, []int64, time.Time) ([]string, error){
		review.PictureLists, engagement.PictureLists, aftersale.PictureLists,
	} {
		some, err := lists(ctx, q, shoppers, since)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}
