package promotion_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/audit"
)

// What a shopper has received keeps its terms when staff edits or deletes the coupon, also if it was received before
// terms were kept.
func TestReceivedCouponsKeepTheirTerms(t *testing.T) {
	t.Parallel()
	for name, received := range map[string]string{
		"with its terms":         "",
		"before terms were kept": "UPDATE coupon_user SET name = NULL, discount = NULL, min_amount = NULL, goods_value = NULL",
	} {
		for change, act := range map[string]func(s *domaintest.Shop, id int64) error{
			"edited": func(s *domaintest.Shop, id int64) error {
				other, least, title := money.Yuan(1), money.Yuan(9999), "worse"
				_, err := s.Promotions.EditCoupon(byStaff(t, s), id, promotion.CouponChange{
					Name: &title, Discount: &other, Min: &least,
				})
				return err
			},
			"deleted": func(s *domaintest.Shop, id int64) error { return s.Promotions.DropCoupon(byStaff(t, s), id) },
		} {
			t.Run(name+", "+change, func(t *testing.T) {
				t.Parallel()
				s := domaintest.Open(t)
				lin := s.Shopper("lin")
				tea := s.Product("tea", money.Yuan(60), 9)
				id, held := s.Coupon(lin, money.Yuan(30), money.Yuan(50))
				if received != "" {
					s.Exec(received)
				}
				require.NoError(t, act(s, id))

				mine, err := s.Promotions.Mine(t.Context(), lin, nil, page.Query{Page: 1, Limit: 10, Sort: "add_time"})
				require.NoError(t, err)
				require.Len(t, mine.Items, 1)
				require.Equal(t, "满50.00减30.00", mine.Items[0].Coupon.Name)
				require.Equal(t, money.Yuan(30), mine.Items[0].Coupon.Discount)
				require.Equal(t, money.Yuan(50), mine.Items[0].Coupon.Min)

				row, err := s.Cart.Set(t.Context(), lin, tea)
				require.NoError(t, err)
				placed, err := s.Orders.Submit(t.Context(), lin, order.Submission{
					Choice: order.Choice{Cart: row, Address: s.Address(lin), Coupon: id, UserCoupon: held},
				})
				require.NoError(t, err)
				require.Equal(t, "30.00", s.Text("SELECT coupon_price FROM orders WHERE id = ?", placed.OrderID))
				s.Agree()
			})
		}
	}
}

// byStaff is the context of an operator's call about coupons.
func byStaff(t *testing.T, s *domaintest.Shop) context.Context {
	t.Helper()
	return audit.With(t.Context(), audit.Call{
		By: actor.Actor{Kind: actor.KindOperator, ID: 1}, Name: "editor", Operation: "POST /admin/coupon/update",
		Target: "coupon", At: s.Clock.Now(),
	})
}

// Who receives a coupon after an edit gets the new terms, and a withdrawn one is not accepted whatever its terms.
func TestTermsFollowTheDefinitionUntilTheReceipt(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	tea := s.Product("tea", money.Yuan(60), 9)
	id, held := s.Coupon(lin, money.Yuan(30), 0)
	five, withdrawn := money.Yuan(5), promotion.Withdrawn
	_, err := s.Promotions.EditCoupon(byStaff(t, s), id, promotion.CouponChange{Discount: &five})
	require.NoError(t, err)
	require.NoError(t, s.Promotions.Receive(t.Context(), mei, id))
	mine, err := s.Promotions.Mine(t.Context(), mei, nil, page.Query{Page: 1, Limit: 10, Sort: "add_time"})
	require.NoError(t, err)
	require.Equal(t, five, mine.Items[0].Coupon.Discount)

	_, err = s.Promotions.EditCoupon(byStaff(t, s), id, promotion.CouponChange{Status: &withdrawn})
	require.NoError(t, err)
	row, err := s.Cart.Set(t.Context(), lin, tea)
	require.NoError(t, err)
	_, err = s.Orders.Submit(t.Context(), lin, order.Submission{
		Choice: order.Choice{Cart: row, Address: s.Address(lin), Coupon: id, UserCoupon: held},
	})
	require.ErrorIs(t, err, errno.Invalid)
	s.Agree()
}
