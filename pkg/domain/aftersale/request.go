package aftersale

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/order"
)

// Wanted is pieces of an order line that a request is about. Product is what is wanted in exchange, 0 for money.
type Wanted struct {
	Line    int64
	Number  int
	Product int64
}

// Submission is the request of a shopper, about some lines of the order or, without any, about the whole order.
type Submission struct {
	OrderID         int64
	Type            Type
	Reason, Comment string
	// Amount is nil for all that was paid for the lines; a request about the whole order names it.
	Amount   *money.Amount
	Lines    []Wanted
	Pictures []string
}

// event is the event by which the request creates its case.
func (w Submission) event() Event {
	if len(w.Lines) > 0 {
		return RequestLines
	}
	return Request
}

// whole checks a request about the whole order and returns its amount.
func (w Submission) whole(o order.Order, in money.Currency) (money.Amount, error) {
	switch {
	case w.Type == Replacement:
		return 0, fmt.Errorf("exchange order %d: %w", o.ID, errno.Invalid.Because(text.CaseExchangeLines))
	case w.Amount == nil:
		return 0, errno.Missing.About(text.FieldAmount)
	case *w.Amount < 0 || *w.Amount > o.PaidForGoods():
		return 0, fmt.Errorf("%s back of order %d: %w", *w.Amount, o.ID,
			errno.AftersaleInvalidAmount.Because(text.CaseAmount, in.Text(o.PaidForGoods())))
	}
	return *w.Amount, nil
}

// byLines checks a request about lines and returns the lines of its case and its amount: that of the request, or as
// much as it may be.
func (s *Service) byLines(
	ctx context.Context, tx *db.Tx, o order.Order, h history, w Submission, in money.Currency,
) ([]Line, money.Amount, error) {
	if o.Owed() {
		return nil, 0, fmt.Errorf("order %d is not paid: %w", o.ID, errno.AftersaleNotAllowed.Because(text.CaseOwed))
	}
	bought, err := s.Orders.Lines(ctx, tx, o.ID)
	if err != nil {
		return nil, 0, err
	}
	held := h.holdings(o, bought, in)
	lines := make([]Line, len(w.Lines))
	seen := map[int64]bool{}
	most := money.Amount(0)
	for i, wanted := range w.Lines {
		of, known := find(held, wanted.Line)
		if !known || seen[wanted.Line] {
			return nil, 0, fmt.Errorf("line %d of order %d: %w", wanted.Line, o.ID, errno.NoSuch(text.FieldOrderLine))
		}
		seen[wanted.Line] = true
		if wanted.Number < 1 || wanted.Number > of.Left() {
			return nil, 0, fmt.Errorf("%d pieces of line %d: %w", wanted.Number, of.ID,
				errno.Invalid.Because(text.CasePieces, of.GoodsName, of.Left()))
		}
		lines[i] = Line{
			LineID: of.ID, Number: wanted.Number, Worth: of.part(wanted.Number, in), ProductID: wanted.Product,
		}
		most += lines[i].Worth
	}
	if w.Type == Replacement {
		return lines, 0, s.exchangeable(ctx, tx, held, w)
	}
	most = min(most, max(0, o.PaidForGoods()-h.refunded()))
	amount, err := w.amount(most, in)
	if err != nil {
		return nil, 0, fmt.Errorf("back of order %d: %w", o.ID, err)
	}
	share(lines, amount, in)
	return lines, amount, nil
}

// amount is the amount of a request about lines, at most a bound.
func (w Submission) amount(most money.Amount, in money.Currency) (money.Amount, error) {
	for _, l := range w.Lines {
		if l.Product != 0 {
			return 0, errno.Invalid.Because(text.CaseNoExchange)
		}
	}
	if w.Amount == nil {
		return most, nil
	}
	if *w.Amount < 0 || *w.Amount > most || !in.Fits(*w.Amount) && *w.Amount != most {
		return 0, fmt.Errorf("%s: %w", *w.Amount, errno.AftersaleInvalidAmount.Because(text.CaseAmount, in.Text(most)))
	}
	return *w.Amount, nil
}

// share splits the amount of a case among its lines by what was paid for them; no part exceeds that.
func share(lines []Line, amount money.Amount, in money.Currency) {
	worth := make([]int64, len(lines))
	for i, l := range lines {
		worth[i] = int64(l.Worth)
	}
	for i, part := range in.Split(amount, worth) {
		lines[i].Amount = part
	}
}

// exchangeable checks the products that a request wants in exchange: other ones of the same goods, on sale. Whether
// there are enough is decided when they are sent.
func (s *Service) exchangeable(ctx context.Context, tx *db.Tx, held []Holding, w Submission) error {
	if w.Amount != nil && *w.Amount != 0 {
		return errno.AftersaleInvalidAmount.Because(text.CaseAmount, "0")
	}
	products := make([]catalog.Wanted, len(w.Lines))
	for i, l := range w.Lines {
		of, _ := find(held, l.Line)
		if l.Product == 0 || l.Product == of.ProductID {
			return errno.Invalid.Because(text.CaseOtherProduct, of.GoodsName)
		}
		products[i] = catalog.Wanted{ProductID: l.Product, GoodsID: of.GoodsID}
	}
	found, err := catalog.ProductSnapshots(ctx, tx, products)
	if err != nil {
		return err
	}
	for _, p := range products {
		if err := found[p].Buyable(); err != nil {
			return fmt.Errorf("exchange for product %d: %w", p.ProductID, err)
		}
	}
	return nil
}
