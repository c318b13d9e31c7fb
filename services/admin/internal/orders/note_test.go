package orders_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/express"
	domainorder "shop.internal/pkg/domain/order"
)

// A remark and the mark of a printed slip stand in the order and in its row of the list, with who made them.
func TestNotes(t *testing.T) {
	t.Parallel()
	const remark, printed = "/admin/order/remark", "/admin/order/printed"
	w := withOrders(t)
	c := clerk(w)
	mei := w.Operator("mei", "admin:order:remark")
	mei.POST(remark, `{"orderId":2,"content":"wrap it as a present"}`).OK().Golden("remark")
	mei.POST(remark, `{"orderId":2,"content":" "}`).Fails(errno.Missing)
	mei.POST(remark, `{"orderId":99,"content":"x"}`).Fails(errno.Invalid)
	mei.POST(printed, `{"ids":[2]}`).Fails(errno.NoPermission)
	c.POST(remark, `{"orderId":2,"content":"x"}`).Fails(errno.NoPermission)
	c.POST(printed, `{"ids":[2,3]}`).OK().Golden("printed")
	c.POST(printed, `{"ids":[]}`).Fails(errno.Invalid)
	c.POST(printed, `{"ids":[2,2]}`).Fails(errno.Invalid)
	c.POST(printed, `{"ids":[2,99]}`).Fails(errno.Invalid)
	c.POST(printed, `{"ids":[`+strings.Repeat("2,", domainorder.MaxPrinted)+`2]}`).Fails(errno.Invalid)
	c.POST(ship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`).OK()
	w.Operator("packer", "admin:order:reship").POST("/admin/order/reship",
		`{"orderId":2,"shipChannel":"SF","shipSn":"9"}`).OK()
	c.GET(detail + "?id=2").OK().Golden("detail_noted")
	c.GET(list + "?sort=id").OK().Golden("list_noted")
	w.Shop.Agree()
}

// Of very many notes the newest are shown, and of several prints the last. A deleted order is not printed.
func TestTheNewestNotes(t *testing.T) {
	t.Parallel()
	const printed = "/admin/order/printed"
	w := withOrders(t)
	c := clerk(w)
	c.POST(printed, `{"ids":[2]}`).OK()
	w.Shop.Clock.Move(time.Hour)
	c.POST(printed, `{"ids":[2]}`).OK()
	w.Shop.Exec("INSERT INTO order_note (order_id, admin_id, kind, content, add_time) SELECT 2, 1, 1, "+
		"ROW_NUMBER() OVER (), ? FROM information_schema.columns LIMIT 250", w.Shop.Clock.Now())
	var rows struct {
		List []struct {
			ID, Remarks int64
			PrintTime   *string
		}
	}
	c.GET(list + "?sort=id&order=asc").Data(&rows)
	require.EqualValues(t, 250, rows.List[1].Remarks)
	require.Equal(t, "2030-01-02 17:00:00", *rows.List[1].PrintTime)
	require.Nil(t, rows.List[0].PrintTime)
	var one struct{ Notes []struct{ Content string } }
	c.GET(detail + "?id=2").Data(&one)
	require.Len(t, one.Notes, 200)
	require.Equal(t, []string{"51", "250"}, []string{one.Notes[0].Content, one.Notes[199].Content})
	w.Shop.Exec("UPDATE orders SET deleted = 1 WHERE id = 3")
	c.POST(printed, `{"ids":[2,3]}`).Fails(errno.Invalid)
}

// carrier knows one parcel.
type carrier struct{}

func (carrier) Track(_ context.Context, p express.Parcel) (express.Track, error) {
	return express.Track{Success: true, State: "2", Traces: []express.Trace{
		{Station: "at " + p.Number, Time: "2030-01-02 12:00:00"},
	}}, nil
}

// Staff see where a parcel is, as far as its carrier says.
func TestWhereAParcelIs(t *testing.T) {
	t.Parallel()
	const parcel = "/admin/order/parcel?id="
	w := withOrders(t)
	c := clerk(w)
	c.POST(ship, `{"orderId":2,"shipChannel":"ZTO","shipSn":"75001"}`).OK()
	c.GET(parcel + "2").OK().Golden("parcel_unknown")
	c = clerk(w.Tracking(carrier{}))
	c.GET(parcel + "2").OK().Golden("parcel")
	c.GET(parcel + "1").OK().Golden("parcel_unknown")
	c.GET(parcel + "99").Fails(errno.Invalid)
	w.Operator("other", "admin:order:list").GET(parcel + "2").Fails(errno.NoPermission)
}
