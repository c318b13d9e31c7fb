package order

import (
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// Record is an order as stored, for answers with other records.
type Record struct {
	contract.Order
	PayID         string      `json:"payId,omitempty"`
	PayTime       wire.Time   `json:"payTime,omitzero"`
	ShipSN        string      `json:"shipSn,omitempty"`
	ShipChannel   string      `json:"shipChannel,omitempty"`
	ShipTime      wire.Time   `json:"shipTime,omitzero"`
	RefundAmount  *wire.Money `json:"refundAmount,omitempty"`
	RefundType    string      `json:"refundType,omitempty"`
	RefundContent string      `json:"refundContent,omitempty"`
	RefundTime    wire.Time   `json:"refundTime,omitzero"`
	ConfirmTime   wire.Time   `json:"confirmTime,omitzero"`
	Comments      int         `json:"comments"`
	EndTime       wire.Time   `json:"endTime,omitzero"`
	wire.Stamps
}

// RecordOf renders an order as stored.
func RecordOf(z wire.Zone, o order.Order) Record {
	return Record{
		Order: contract.OrderOf(o), PayID: o.PayID, PayTime: z.At(o.PayTime), ShipSN: o.ShipSN, ShipChannel: o.ShipChannel,
		ShipTime: z.At(o.ShipTime), RefundAmount: contract.RefundAmountOf(o), RefundType: o.RefundType,
		RefundContent: o.RefundContent, RefundTime: z.At(o.RefundTime), ConfirmTime: z.At(o.ConfirmTime),
		Comments: o.Comments, EndTime: z.At(o.EndTime), Stamps: z.Stamps(o.AddTime, o.UpdateTime),
	}
}

// LineOf renders an order line as stored.
func LineOf(z wire.Zone, l order.Line) Line { return Line(contract.OrderLineOf(z, l)) }
