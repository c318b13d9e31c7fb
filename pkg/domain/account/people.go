package account

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// Nicknamed returns the ids of shoppers whose nickname contains a text, taken literally; at most limit of them.
func (s *Service) Nicknamed(ctx context.Context, text string, limit int) ([]int64, error) {
	var ids []int64
	err := s.db.G(ctx).
		Raw("SELECT id FROM user WHERE nickname LIKE ? ORDER BY nickname, id LIMIT ?", db.Contains(text), limit).
		Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for shoppers by nickname: %w", err)
	}
	return ids, nil
}

// WithNickname is a statement that finds the ids of shoppers whose nickname is like its one argument.
const WithNickname = "SELECT id FROM user WHERE nickname LIKE ?"

// NicknameOf is an expression for the nickname of the shopper whose id a column holds, for statements of other areas.
func NicknameOf(column string) string {
	return "(SELECT u.nickname FROM user u WHERE u.id = " + column + ")"
}

// Persons is People for the services, which hold no connection.
func (s *Service) Persons(ctx context.Context, ids []int64) (map[int64]Person, error) {
	return s.People(ctx, s.db, ids)
}
