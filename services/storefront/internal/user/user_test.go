package user_test

import (
	"os"
	"testing"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/user"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, user.Ops(user.Deps{})...)) }

func TestIndex(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	id := s.Domain.Shopper("lin")
	s.As(id).GET("/wx/user/index").OK().Golden("index_nothing")
	tea := s.Domain.Product("tea", 1000, 100)
	for status, n := range map[order.Status]int{order.Unpaid: 4, order.Paid: 3, order.Shipped: 2, order.AutoReceived: 1} {
		for range n {
			s.Domain.Exec("UPDATE orders SET order_status = ?, confirm_time = ?, comments = 5 WHERE id = ?", status, s.Domain.Clock.Now(),
				s.Domain.Order(id, tea))
		}
	}
	s.As(id).GET("/wx/user/index").OK().Golden("index").Within(3)
	s.Shopper("wang").GET("/wx/user/index").OK().Golden("index_nothing")
	s.Guest().GET("/wx/user/index").Fails(errno.LoginRequired)
}
