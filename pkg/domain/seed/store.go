package seed

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/token"
)

// batch is the number of rows that one statement inserts.
const batch = 500

// insert writes rows in batches; statement ends before the values.
func insert[T any](ctx context.Context, q db.Querier, statement string, rows []T, values func(T) []any) error {
	for len(rows) > 0 {
		part := rows[:min(batch, len(rows))]
		rows = rows[len(part):]
		var args []any
		for _, r := range part {
			args = append(args, values(r)...)
		}
		group := "(?" + strings.Repeat(", ?", len(args)/len(part)-1) + ")"
		_, err := db.Exec(ctx, q, statement+" VALUES "+group+strings.Repeat(", "+group, len(part)-1), args...)
		if err != nil {
			return err
		}
	}
	return nil
}

func present(ctx context.Context, q db.Querier) (Present, error) {
	var p Present
	var rows struct{ Goods, Users int64 }
	err := table.Scan(ctx, q, &rows, `SELECT (SELECT COUNT(*) FROM goods) AS goods,
		(SELECT COUNT(*) FROM user) AS users`)
	if err != nil {
		return p, err
	}
	p.Goods, p.Users = rows.Goods, rows.Users
	err = table.Scan(ctx, q, &p.Operators, "SELECT username FROM admin WHERE deleted = 0")
	return p, err
}

func ids(ctx context.Context, q db.Querier, t Table) ([]int64, error) {
	var all []int64
	err := table.Scan(ctx, q, &all, "SELECT id FROM "+string(t)+" ORDER BY id")
	return all, err
}

// predate gives each row a time between the registration of its shopper and now, which follows from its id.
func predate(ctx context.Context, q db.Querier, t Table, now time.Time) error {
	set := "t.add_time = @at, t.update_time = @at"
	if t == Footprints {
		set += ", t.view_time = @at"
	}
	const at = "u.add_time + INTERVAL FLOOR(TIMESTAMPDIFF(SECOND, u.add_time, @now) * (t.id * 37 % 100) / 100) SECOND"
	_, err := db.Exec(ctx, q, "UPDATE "+string(t)+" t JOIN user u ON u.id = t.user_id SET "+
		strings.ReplaceAll(set, "@at", at), map[string]any{"now": now})
	return err
}

func pictures(ctx context.Context, q db.Querier) (map[string]string, error) {
	rows, err := table.Select[struct{ Name, URL string }](ctx, q,
		"SELECT name, COALESCE(url, '') AS url FROM storage WHERE owner_type = ? AND deleted = 0", upload.Shop)
	all := make(map[string]string, len(rows))
	for _, r := range rows {
		all[r.Name] = r.URL
	}
	return all, err
}

func insertShoppers(ctx context.Context, tx *db.Tx, list []Shopper, hash string, at time.Time) error {
	return insert(ctx, tx, `INSERT IGNORE INTO user (username, username_key, password_hash, nickname, mobile, avatar,
			token_version, add_time, update_time)`, list, func(u Shopper) []any {
		joined := u.Joined
		if joined.IsZero() {
			joined = at
		}
		return []any{
			u.Username, u.Username, hash, u.Nickname, u.Mobile, tx.Files().Stored(u.Avatar), token.FirstVersion(),
			joined, joined,
		}
	})
}

// idsBy reads the ids of rows by the words that name them, with a statement that selects id and word.
func idsBy[T any](
	ctx context.Context, tx *db.Tx, statement string, list []T, word func(T) string,
) (map[string]int64, error) {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = word(v)
	}
	var rows []struct {
		ID   int64
		Word string
	}
	err := table.Scan(ctx, tx, &rows, statement, words)
	ids := make(map[string]int64, len(rows))
	for _, r := range rows {
		ids[r.Word] = r.ID
	}
	return ids, err
}

// insertAddresses adds a default address to the shoppers who have none.
func insertAddresses(ctx context.Context, tx *db.Tx, list []Shopper, at time.Time) error {
	byName, err := idsBy(ctx, tx, `SELECT id, username_key AS word
		FROM user
		WHERE username_key IN ?
			AND del_mark = 0
			AND NOT EXISTS (SELECT 1 FROM address WHERE address.user_id = user.id)`, list,
		func(u Shopper) string { return u.Username })
	if err != nil {
		return err
	}
	var homeless []Shopper
	for _, u := range list {
		if byName[u.Username] != 0 {
			homeless = append(homeless, u)
		}
	}
	return insert(ctx, tx, `INSERT INTO address (
			user_id, name, province, city, county, address_detail, area_code, tel, is_default, default_slot,
				add_time, update_time)`, homeless, func(u Shopper) []any {
		return []any{
			byName[u.Username], u.Recipient, u.Province, u.City, u.County, u.Detail, u.Code, u.Mobile, 1, 1, at, at,
		}
	})
}

func insertKeyword(ctx context.Context, q db.Querier, k Keyword, at time.Time) error {
	_, err := db.Exec(ctx, q, `INSERT INTO keyword (keyword, url, is_hot, is_default, add_time, update_time)
		VALUES (?, '', ?, ?, ?, ?)`, k.Word, k.Hot, k.Default, at, at)
	return err
}

// oldBase returns the part of the addresses of the shop's own objects before their keys, "" where none is stored.
func oldBase(ctx context.Context, q db.Querier) (string, error) {
	var found []struct{ URL, StorageKey string }
	err := table.Scan(ctx, q, &found, `SELECT url, storage_key
		FROM storage
		WHERE owner_type = ? AND deleted = 0 AND url LIKE CONCAT('_%', storage_key)
		ORDER BY id
		LIMIT 1`, upload.Shop)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return strings.TrimSuffix(found[0].URL, found[0].StorageKey), nil
}

// rebase replaces a base address in every column that shows pictures.
func rebase(ctx context.Context, tx *db.Tx, from, to string) error {
	for table, columns := range map[string][]string{
		"storage": {"url"}, "category": {"icon_url", "pic_url"}, "brand": {"pic_url"}, "goods": {"pic_url", "gallery"},
		"goods_content": {"detail"}, "goods_product": {"url"}, "goods_specification": {"pic_url"}, "ad": {"url"},
		"topic": {"pic_url", "content"}, "groupon_rules": {"pic_url"}, "comment": {"pic_urls"}, "user": {"avatar"},
		"cart": {"pic_url"}, "order_goods": {"pic_url"},
	} {
		for _, column := range columns {
			_, err := db.Exec(ctx, tx, "UPDATE "+table+" SET "+column+" = REPLACE("+column+", ?, ?) WHERE "+column+" LIKE ?",
				from, to, "%"+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(from)+"%")
			if err != nil {
				return err
			}
		}
	}
	return nil
}
