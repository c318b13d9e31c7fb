package contract

import (
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/kit/wire"
)

// Aftersale is the common part of an after-sale case; the time of handling and the stamps come last.
type Aftersale struct {
	ID          int64      `json:"id"`
	AftersaleSN string     `json:"aftersaleSn" doc:"The number that people read."`
	OrderID     int64      `json:"orderId" show:"of=order"`
	UserID      int64      `json:"userId" show:"of=user"`
	Type        int        `json:"type" show:"one=case-type"`
	Reason      string     `json:"reason" show:"long"`
	Amount      wire.Money `json:"amount"`
	Pictures    wire.Links `json:"pictures" show:"picture"`
	Comment     string     `json:"comment" show:"long"`
	Status      int        `json:"status" show:"one=case-state"`
	// What follows is empty for a case about the whole order that staff have only moved on.
	Lines       []AftersaleLine `json:"lines" doc:"What the case is about; none for the whole order."`
	Answer      string          `json:"decision" show:"long" doc:"What staff have written about their decision."`
	ShipChannel string          `json:"shipChannel" doc:"The carrier of the parcel with the goods that come back."`
	ShipSN      string          `json:"shipSn" doc:"Its number."`
	SentChannel string          `json:"sentChannel" doc:"The carrier of what was sent in exchange."`
	SentSN      string          `json:"sentSn" doc:"Its number."`
}

// AftersaleLine is a line of an order that a case is about.
type AftersaleLine struct {
	ID        int64      `json:"id" doc:"The line of the order."`
	Number    int        `json:"number" doc:"How many of its pieces."`
	Worth     wire.Money `json:"worth" doc:"What was paid for these pieces."`
	Amount    wire.Money `json:"amount" doc:"Their part of the amount of the case."`
	ProductID int64      `json:"productId" doc:"The product wanted in exchange, 0 for none."`
	SentID    int64      `json:"sentId" doc:"The line of what was sent in exchange, 0 until then."`
}

// AftersaleOf renders the common part of an after-sale case and its lines.
func AftersaleOf(c aftersale.Case, about []aftersale.Line) Aftersale {
	return Aftersale{
		ID: c.ID, AftersaleSN: c.SN, OrderID: c.OrderID, UserID: c.UserID, Type: int(c.Type), Reason: c.Reason,
		Amount: wire.Money(c.Amount), Pictures: wire.Links(c.Pictures), Comment: c.Comment, Status: int(c.Status),
		Lines: wire.Each(about, aftersaleLineOf), Answer: c.Answer, ShipChannel: c.Back.Channel, ShipSN: c.Back.SN,
		SentChannel: c.Sent.Channel, SentSN: c.Sent.SN,
	}
}

func aftersaleLineOf(l aftersale.Line) AftersaleLine {
	return AftersaleLine{
		ID: l.LineID, Number: l.Number, Worth: wire.Money(l.Worth), Amount: wire.Money(l.Amount), ProductID: l.ProductID,
		SentID: l.SentID,
	}
}
