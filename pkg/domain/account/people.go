package account

import (
	"context"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// Person is what other shoppers may see of an account.
type Person struct{ Nickname, Avatar string }

type personRow struct {
	ID int64
	Person
}

var persons = table.Part[personRow](accounts)

// People returns what shoppers may see of each other, for many accounts in one statement; unknown ids are left out.
func (s *Service) People(ctx context.Context, q db.Querier, ids []int64) (map[int64]Person, error) {
	if len(ids) == 0 {
		return map[int64]Person{}, nil
	}
	found, err := persons.All(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	people := make(map[int64]Person, len(found))
	for _, p := range found {
		p.Avatar = s.avatars.Shown(p.Avatar)
		people[p.ID] = p.Person
	}
	return people, nil
}

// Persons is People on the area's own connection, for the services.
func (s *Service) Persons(ctx context.Context, ids []int64) (map[int64]Person, error) {
	return s.People(ctx, s.db, ids)
}

// Nicknamed returns at most limit ids of shoppers whose nickname contains a literal text.
func (s *Service) Nicknamed(ctx context.Context, text string, limit int) ([]int64, error) {
	return accounts.IDs(ctx, s.db, "r.nickname LIKE ? ORDER BY r.nickname, r.id LIMIT ?", db.Contains(text), limit)
}

// WithNickname is a statement that finds the ids of shoppers whose nickname is like its one argument.
const WithNickname = "SELECT id FROM user WHERE nickname LIKE ?"

// NicknameOf is an expression for the nickname of the shopper whose id a column holds, for statements of other areas.
func NicknameOf(column string) string {
	return "(SELECT u.nickname FROM user u WHERE u.id = " + column + ")"
}

// Avatars returns the addresses of the pictures of accounts, as they are stored.
func Avatars(ctx context.Context, q db.Querier, shoppers []int64) (list []string, err error) {
	found, err := persons.Find(ctx, q, "r.id IN ? AND r.avatar <> ''", shoppers)
	for _, p := range found {
		list = append(list, p.Avatar)
	}
	return list, err
}
