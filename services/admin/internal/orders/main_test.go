package orders_test

import (
	"os"
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/orders"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, orders.Ops(orders.Deps{})...)) }
