package promotion

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// Rule is a groupon offer: each of Members shoppers who buy the goods together pays Discount less a piece.
type Rule struct {
	ID, GoodsID         int64
	GoodsName, PicURL   string
	Discount            money.Amount
	Members             int
	ExpireTime          time.Time
	Status              int
	AddTime, UpdateTime time.Time
}

// LiveRules returns the offers that run now, newest first, at most limit.
func (s *Service) LiveRules(ctx context.Context, limit int) ([]Rule, error) {
	rules, err := liveRules(ctx, s.db, s.now(), limit)
	if err != nil {
		return nil, fmt.Errorf("list groupon offers: %w", err)
	}
	return rules, nil
}

// LiveRulesOf returns the offers on one goods that run now.
func (s *Service) LiveRulesOf(ctx context.Context, goods int64) ([]Rule, error) {
	rules, err := liveRulesOf(ctx, s.db, goods, s.now())
	if err != nil {
		return nil, fmt.Errorf("read the groupon offers of goods %d: %w", goods, err)
	}
	return rules, nil
}

// CreateRule stores an offer and returns its id. The rules of an offer are the caller's.
func (s *Service) CreateRule(ctx context.Context, r Rule) (int64, error) {
	id, err := insertRule(ctx, s.db, r, s.now())
	if err != nil {
		return 0, fmt.Errorf("create a groupon offer on goods %d: %w", r.GoodsID, err)
	}
	return id, nil
}

// InOpenGroup reports whether an order belongs to a group purchase that has not come about yet.
func (s *Service) InOpenGroup(ctx context.Context, q db.Querier, order int64) (bool, error) {
	n, err := openGroups(ctx, q, order)
	if err != nil {
		return false, fmt.Errorf("look for the group of order %d: %w", order, err)
	}
	return n > 0, nil
}

// InGroups tells which of some orders belong to a group purchase, however it went.
func (s *Service) InGroups(ctx context.Context, orders []int64) (map[int64]bool, error) {
	found, err := grouped(ctx, s.db, orders)
	if err != nil {
		return nil, fmt.Errorf("look for group purchases: %w", err)
	}
	in := make(map[int64]bool, len(found))
	for _, id := range found {
		in[id] = true
	}
	return in, nil
}
