package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
)

// Remove deletes goods with everything that belongs to them, and takes the offer on them down, whose open groups end
// after the commit. Orders, comments, collections and footprints stay. Goods that are not there are deleted already.
func (s *Service) Remove(ctx context.Context, id int64) error {
	var offer int64
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if offer, err = s.holdOffer(ctx, tx, id); err != nil {
			return err
		}
		g, found, err := lockGoods(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("delete goods %d: %w", id, err)
		}
		if !found {
			offer = 0
			return audit.RecordOnly(ctx, tx, audit.Change{ID: id})
		}
		if offer != 0 {
			if err := s.offers.TakeDown(ctx, tx, offer); err != nil {
				return err
			}
		}
		if err := s.words.drop(ctx, tx, id); err != nil {
			return err
		}
		if err := deleteGoods(ctx, tx, id, edit.After(g.UpdateTime, s.clock())); err != nil {
			return err
		}
		s.touch(tx, id)
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: g, Result: g.Name})
	})
	if err != nil || offer == 0 {
		return err
	}
	s.offers.EndGroups(ctx, offer)
	return nil
}

// deleteGoods marks goods and what belongs to them as deleted; the stock's rows come last.
func deleteGoods(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	for _, statement := range []string{
		"UPDATE goods SET deleted = 1, name_key = NULL, update_time = ?, version = version + 1 WHERE id = ? AND deleted = 0",
		"UPDATE goods_attribute SET deleted = 1, update_time = ? WHERE goods_id = ? AND deleted = 0",
		"UPDATE goods_specification SET deleted = 1, update_time = ? WHERE goods_id = ? AND deleted = 0",
		"UPDATE goods_product SET deleted = 1, del_mark = id, update_time = ?, version = version + 1 " +
			"WHERE goods_id = ? AND deleted = 0 ORDER BY id",
	} {
		if err := tx.G(ctx).Exec(statement, at, id).Error; err != nil {
			return fmt.Errorf("delete goods %d: %w", id, err)
		}
	}
	return nil
}
