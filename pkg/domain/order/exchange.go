package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
)

// Swap is pieces of a line that come back by an after-sale case, for as many of another product of the same goods.
type Swap struct {
	Back   Line
	Number int
	To     catalog.ProductSnapshot
	// Sent is the line of the other product, once AddSent has written it.
	Sent Line
}

// AddSent adds the lines of what is sent in exchange to an order, which must be locked: they cost nothing, and are not
// commented on.
func (s *Service) AddSent(ctx context.Context, tx *db.Tx, o Order, swaps []Swap) error {
	for i, w := range swaps {
		l := Line{
			OrderID: o.ID, GoodsID: w.To.GoodsID, ProductID: w.To.ProductID, GoodsName: w.To.GoodsName, GoodsSN: w.To.GoodsSN,
			Number: w.Number, Specifications: w.To.Specifications, PicURL: w.To.PicURL, CommentID: tooLate,
			AddTime: s.Now(), UpdateTime: s.Now(),
		}
		var err error
		if l.ID, err = orderLines.Insert(ctx, tx, l); err != nil {
			return fmt.Errorf("add what is sent in exchange for line %d: %w", w.Back.ID, err)
		}
		swaps[i].Sent = l
	}
	return nil
}

// Exchanged sets the state of the case on an order, which must be locked, and exchanges the stock. It fails with
// errno.GoodsNoStock, GoodsUnshelved or GoodsInvalid for a product that cannot be sent, and with errno.Stale if one was
// modified concurrently.
func (s *Service) Exchanged(
	ctx context.Context, tx *db.Tx, o *Order, by actor.Actor, status int, caseID int64, swaps []Swap,
) error {
	if err := s.mark(ctx, tx, o, status, nil); err != nil {
		return err
	}
	back, out := make([]catalog.StockLine, len(swaps)), make([]catalog.StockLine, len(swaps))
	for i, w := range swaps {
		back[i] = pieceOf(w.Back)
		back[i].Number, back[i].CaseID = w.Number, caseID
		out[i] = pieceOf(w.Sent)
		out[i].Price, out[i].CategoryID = w.To.Price, w.To.CategoryID
	}
	return s.Stock.Swap(ctx, tx, by, back, out)
}
