package orders

import (
	"cmp"
	"context"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

// noteOps are the operations on what staff note about orders, and on where their parcels are.
func noteOps(h orderHandlers) []op.Op {
	about := func(action string) op.Audit {
		return op.Audit{Target: "order_note", Kind: logkind.Ordering, Action: text.ForAction(action)}
	}
	return []op.Op{
		op.Write[Remark, op.None]{
			Path: "/admin/order/remark", Title: "Add a remark to an order, for colleagues",
			Access:           op.Permit("admin:order:remark", menu.Orders(), menu.Button("remark")),
			IdempotencyScope: "admin.order-remark", Audit: about("order-remark"), Budget: 6, Do: h.remark,
		},
		op.Write[Printed, op.None]{
			Path: "/admin/order/printed", Title: "Note that the packing slips of orders were printed",
			Access:           op.SharedPermit("admin:order:ship"),
			IdempotencyScope: "admin.order-printed", Audit: about("order-print"), Budget: 6, Do: h.printed,
		},
		op.Read[wire.Ref, Parcel]{
			Path: "/admin/order/parcel", Title: "Ask where the parcel of an order is",
			Access: op.SharedPermit("admin:order:read"), Budget: 3, Do: h.parcel,
		},
	}
}

// Remark is the body of /admin/order/remark.
type Remark struct {
	OrderID int64  `json:"orderId" check:"required" show:"of=order"`
	Content string `json:"content" check:"required,maxLength=511,visible" show:"long"`
}

func (h orderHandlers) remark(ctx context.Context, r Remark) (op.None, error) {
	return op.None{}, h.Orders.Remark(ctx, auth.Actor(ctx), r.OrderID, r.Content)
}

// Printed is the body of /admin/order/printed.
type Printed struct {
	IDs []int64 `json:"ids" check:"required,maxItems=500" doc:"Orders, each once."`
}

func (h orderHandlers) printed(ctx context.Context, r Printed) (op.None, error) {
	return op.None{}, h.Orders.MarkPrinted(ctx, auth.Actor(ctx), r.IDs)
}

// Parcel is where a parcel is, as its carrier says. Without a tracking service nothing is known.
type Parcel struct {
	Known    bool      `json:"known" doc:"Whether the carrier knows the parcel."`
	Reason   string    `json:"reason" doc:"Why not, as far as the carrier says."`
	State    string    `json:"state" doc:"The carrier's name of the state."`
	Stations []Station `json:"stations"`
}

// Station is a station of a parcel, as the carrier writes it.
type Station struct {
	Place string `json:"place"`
	Time  string `json:"time"`
}

func (h orderHandlers) parcel(ctx context.Context, r wire.Ref) (Parcel, error) {
	d, err := h.Orders.AdminFind(ctx, r.ID)
	if err != nil {
		return Parcel{}, err
	}
	return parcelOf(h.Parcels.Track(ctx, express.Parcel{Channel: d.ShipChannel, Number: d.ShipSN})), nil
}

func parcelOf(t express.Track) Parcel {
	return Parcel{
		Known: t.Success, Reason: t.Reason, State: t.State,
		Stations: wire.Each(t.Traces, func(s express.Trace) Station { return Station{Place: s.Station, Time: s.Time} }),
	}
}

// Step is what has moved an order, or corrected its parcel, where both states are equal.
type Step struct {
	FromStatus int       `json:"fromStatus" show:"one=order-state" doc:"0 for the step that placed the order."`
	ToStatus   int       `json:"toStatus" show:"one=order-state"`
	Actor      string    `json:"actor" doc:"operator, shopper, platform, import or system."`
	Name       string    `json:"name" doc:"The operator's or the shopper's name."`
	Event      string    `json:"event" doc:"What happened, such as ship; empty for the step that placed the order."`
	Parcel     string    `json:"parcel" doc:"The carrier and the number before, of a corrected parcel."`
	AddTime    wire.Time `json:"addTime"`
}

// Note is what an operator or the shopper noted about an order.
type Note struct {
	Kind    string    `json:"kind" doc:"remark, printed, reminded or readdressed, whose content is the recipient before."`
	Name    string    `json:"name" doc:"The operator or the shopper."`
	Content string    `json:"content" show:"long"`
	AddTime wire.Time `json:"addTime"`
}

// noteKinds name what notes are about.
var noteKinds = map[order.NoteKind]string{
	order.Remarked: "remark", order.Printed: "printed", order.Reminded: "reminded", order.Readdressed: "readdressed",
}

// actors name who moves orders.
var actors = map[actor.Kind]string{
	actor.KindSystem: "system", actor.KindShopper: "shopper", actor.KindOperator: "operator",
	actor.KindPlatform: "platform", actor.KindImport: "import",
}

// history returns what happened to an order of a shopper, with the names of those who did it.
func (h orderHandlers) history(ctx context.Context, id int64, shopper string) ([]Step, []Note, error) {
	steps, notes, err := h.Orders.History(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	var staff []int64
	for _, s := range steps {
		if s.By.Kind == actor.KindOperator {
			staff = append(staff, s.By.ID)
		}
	}
	for _, n := range notes {
		staff = append(staff, n.AdminID)
	}
	names, err := h.Staff.Usernames(ctx, staff)
	step := func(s order.Step) Step {
		v := Step{
			FromStatus: int(s.From), ToStatus: int(s.To), Actor: actors[s.By.Kind], Name: "", Event: s.Event,
			Parcel: s.Parcel, AddTime: h.Zone.At(s.At),
		}
		switch s.By.Kind {
		case actor.KindOperator:
			v.Name = names[s.By.ID]
		case actor.KindShopper:
			v.Name = shopper
		case actor.KindSystem, actor.KindPlatform, actor.KindImport:
		}
		return v
	}
	note := func(n order.Note) Note {
		return Note{
			Kind: noteKinds[n.Kind], Name: cmp.Or(names[n.AdminID], shopper), Content: n.Content,
			AddTime: h.Zone.At(n.AddTime),
		}
	}
	return wire.Each(steps, step), wire.Each(notes, note), err
}
