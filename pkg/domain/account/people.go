package account

import (
	"context"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
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

type usernameRow struct {
	ID       int64
	Username string
}

var usernames = table.Part[usernameRow](accounts)

// Usernames returns the login names of accounts, deleted ones included, in one statement; unknown ids are left out.
func (s *Service) Usernames(ctx context.Context, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	if len(ids) == 0 {
		return names, nil
	}
	found, err := usernames.Find(ctx, s.db, "r.id IN ?", ids)
	for _, u := range found {
		names[u.ID] = u.Username
	}
	return names, err
}

// Persons is People on the area's own connection, for the services.
func (s *Service) Persons(ctx context.Context, ids []int64) (map[int64]Person, error) {
	return s.People(ctx, s.db, ids)
}

// Nicknamed returns at most limit ids of shoppers whose nickname contains all words of a text.
func (s *Service) Nicknamed(ctx context.Context, text string, limit int) ([]int64, error) {
	matches, args := db.Matches(text, "r.nickname")
	return accounts.IDs(ctx, s.db, matches+" ORDER BY r.nickname, r.id LIMIT ?", append(args, limit)...)
}

// WithNickname is the statement that finds the ids of the shoppers of Nicknamed, with its arguments.
func WithNickname(text string) (statement string, args []any) {
	matches, args := db.Matches(text, "nickname")
	return "SELECT id FROM user WHERE " + matches, args
}

// OfNicknamed is the condition that the shopper whose id a column holds is one of Nicknamed, with its arguments, for
// statements of other areas. It looks the shopper up once.
func OfNicknamed(column, text string) (condition string, args []any) {
	matches, args := db.Matches(text, "u.nickname")
	return "(SELECT " + matches + " FROM user u WHERE u.id = " + column + ")", args
}

// Avatars returns the addresses of the pictures of accounts, as they are stored.
func Avatars(ctx context.Context, q db.Querier, shoppers []int64) (list []string, err error) {
	found, err := persons.Find(ctx, q, "r.id IN ? AND r.avatar <> ''", shoppers)
	for _, p := range found {
		list = append(list, p.Avatar)
	}
	return list, err
}
