package promotion

import (
	"context"
	"net/http"

	"shop.internal/pkg/domain/promotion"
	"shop.internal/services/admin/internal/export"
)

// ExportHolders is the query of /admin/coupon/export, with the filter of the list of user coupons.
type ExportHolders struct{ HolderFilter }

func (h handlers) exportHolders(ctx context.Context, r ExportHolders, w http.ResponseWriter) error {
	file, err := export.Open(ctx, w, export.List{
		Audit: h.Audit, Filter: r.HolderFilter, Name: "coupon-holders", Currency: "",
		Header: []string{
			"id", "userId", "couponId", "status", "usedTime", "startTime",
			"endTime", "orderId", "addTime",
		},
	})
	if err != nil {
		return err
	}
	err = h.Promotions.EachUserCoupon(ctx, r.filter(), func(list []promotion.UserCoupon) error {
		for _, v := range list {
			order := ""
			if v.OrderID != 0 {
				order = export.Int(v.OrderID)
			}
			err := file.Row(export.Int(v.ID), export.Int(v.UserID), export.Int(v.CouponID), export.Int(v.Status),
				export.Moment(h.Zone, v.UsedTime), export.Moment(h.Zone, v.Start), export.Moment(h.Zone, v.End), order,
				export.Moment(h.Zone, v.AddTime))
			if err != nil {
				return err
			}
		}
		return file.Flush()
	})
	return file.End(ctx, err)
}
