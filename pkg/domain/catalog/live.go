package catalog

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// LiveGoods returns those of some ids that are goods, on sale or not.
func LiveGoods(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	return live(ctx, q, "goods", ids)
}

// LiveCategories returns those of some ids that are categories.
func LiveCategories(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	return live(ctx, q, "category", ids)
}

func live(ctx context.Context, q db.Querier, table string, ids []int64) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var found []int64
	err := q.G(ctx).Raw("SELECT id FROM "+table+" WHERE id IN ? AND deleted = 0", ids).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("look for %d rows of %s: %w", len(ids), table, err)
	}
	return found, nil
}

// LiveCards selects live goods with what lists of other areas show of them, for joins by their id.
const LiveCards = `SELECT id, name, brief, COALESCE(pic_url, '') AS pic_url, retail_price AS price
	FROM goods WHERE deleted = 0`

// LiveSummary returns goods as lists show them, on sale or not. It reports false for goods that are not there.
func LiveSummary(ctx context.Context, q db.Querier, id int64) (Summary, bool, error) {
	var rows []summaryRow
	err := q.G(ctx).Raw("SELECT "+summaryColumns+" FROM goods s WHERE s.id = ? AND s.deleted = 0", id).Scan(&rows).Error
	if err != nil {
		return Summary{}, false, fmt.Errorf("read goods %d: %w", id, err)
	}
	if len(rows) == 0 {
		return Summary{}, false, nil
	}
	return rows[0].summary(), true, nil
}

// LockPrice locks goods until the transaction ends and returns their lowest price. It reports false for goods that are
// not there.
func LockPrice(ctx context.Context, tx *db.Tx, id int64) (money.Amount, bool, error) {
	if found, err := hold(ctx, tx, "goods", id); err != nil || !found {
		return 0, false, err
	}
	var prices []money.Amount
	err := tx.G(ctx).Raw("SELECT retail_price FROM goods WHERE id = ? AND deleted = 0", id).Scan(&prices).Error
	if err != nil {
		return 0, false, fmt.Errorf("lock goods %d: %w", id, err)
	}
	if len(prices) == 0 {
		return 0, false, nil
	}
	return prices[0], true, nil
}

// Remembered is goods that may have been deleted since.
type Remembered struct {
	Goods
	Deleted bool
}

// Remembered returns the goods of ids, deleted ones too, by id: for what refers to goods as they once were.
func (s *Service) Remembered(ctx context.Context, ids []int64) (map[int64]Remembered, error) {
	byID := make(map[int64]Remembered, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	var rows []struct {
		Goods   goodsRow `gorm:"embedded"`
		Deleted bool
	}
	err := s.db.G(ctx).Raw("SELECT "+goodsColumns+", r.deleted"+wholeGoods+"r.id IN ?", ids).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read %d goods: %w", len(ids), err)
	}
	for _, r := range rows {
		g, err := r.Goods.goods()
		if err != nil {
			return nil, err
		}
		byID[g.ID] = Remembered{g, r.Deleted}
	}
	return byID, nil
}
