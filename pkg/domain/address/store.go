package address

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

type row struct {
	ID            int64
	UserID        int64
	Name          string
	Province      string
	City          string
	County        string
	AddressDetail string
	AreaCode      sql.NullString
	PostalCode    sql.NullString
	Tel           string
	IsDefault     bool
	AddTime       time.Time
	UpdateTime    time.Time
}

func (r row) address() Address {
	return Address{
		ID: r.ID, Shopper: r.UserID, Name: r.Name, Tel: r.Tel, Province: r.Province, City: r.City, County: r.County,
		Detail: r.AddressDetail, AreaCode: r.AreaCode.String, PostalCode: r.PostalCode.String, Default: r.IsDefault,
		Added: r.AddTime, Changed: r.UpdateTime,
	}
}

const selectAddress = "SELECT id, user_id, name, province, city, county, address_detail, area_code, postal_code, " +
	"tel, is_default, add_time, update_time FROM address "

// orders maps a sort word and a direction to SQL; text from a client never gets there.
var orders = map[string]map[bool]string{
	DefaultFirst: {false: "is_default DESC, add_time ASC, id ASC", true: "is_default DESC, add_time DESC, id DESC"},
	ByTime:       {false: "add_time ASC, id ASC", true: "add_time DESC, id DESC"},
	ByID:         {false: "id ASC", true: "id DESC"},
}

func count(ctx context.Context, q db.Querier, shopper int64) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM address WHERE user_id = ? AND deleted = 0", shopper).Scan(&n).Error
	return n, err
}

// counts returns how many addresses of a shopper are live, and how many deleted.
func counts(ctx context.Context, q db.Querier, shopper int64) (live, deleted int64, err error) {
	var n struct{ Live, Deleted int64 }
	err = q.G(ctx).Raw("SELECT COALESCE(SUM(deleted = 0), 0) AS live, COALESCE(SUM(deleted), 0) AS deleted "+
		"FROM address WHERE user_id = ?", shopper).Scan(&n).Error
	return n.Live, n.Deleted, err
}

// forget removes a shopper's deleted addresses but the latest ones.
func forget(ctx context.Context, tx *db.Tx, shopper int64, keep int) error {
	var ids []int64
	err := tx.G(ctx).Raw("SELECT id FROM address WHERE user_id = ? AND deleted = 1 ORDER BY update_time DESC, id DESC "+
		"LIMIT 1000 OFFSET ?", shopper, keep).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return err
	}
	return tx.G(ctx).Exec("DELETE FROM address WHERE id IN ? AND deleted = 1", ids).Error
}

func list(ctx context.Context, q db.Querier, shopper int64, w page.Query) ([]Address, error) {
	order, ok := orders[w.Sort][w.Desc]
	if !ok {
		return nil, errors.New("no such order of addresses")
	}
	return scan(q.G(ctx).Raw(selectAddress+"WHERE user_id = ? AND deleted = 0 ORDER BY "+order+" LIMIT ? OFFSET ?",
		shopper, w.Limit, w.Offset()))
}

func find(ctx context.Context, q db.Querier, shopper, id int64) (Address, bool, error) {
	return first(scan(q.G(ctx).Raw(selectAddress+"WHERE id = ? AND user_id = ? AND deleted = 0", id, shopper)))
}

func findDefault(ctx context.Context, q db.Querier, shopper int64) (Address, bool, error) {
	return first(scan(q.G(ctx).Raw(selectAddress+"WHERE user_id = ? AND default_slot = 1 AND deleted = 0", shopper)))
}

func scan(g *gorm.DB) ([]Address, error) {
	var rows []row
	if err := g.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Address, len(rows))
	for i, r := range rows {
		all[i] = r.address()
	}
	return all, nil
}

func first(all []Address, err error) (Address, bool, error) {
	if err != nil || len(all) == 0 {
		return Address{}, false, err
	}
	return all[0], true, nil
}

// clearDefault takes the default from the shopper's other address where a is to have it: before a gets it, since the
// unique key allows one at any moment.
func clearDefault(ctx context.Context, tx *db.Tx, a Address, at time.Time) error {
	if !a.Default {
		return nil
	}
	return tx.G(ctx).Exec("UPDATE address SET is_default = 0, default_slot = NULL, update_time = ? "+
		"WHERE user_id = ? AND default_slot = 1 AND id <> ?", at, a.Shopper, a.ID).Error
}

// update changes an address that its caller has found under the lock of its owner, so the number of changed rows, 0
// where nothing differs, says nothing.
func update(ctx context.Context, tx *db.Tx, a Address, at time.Time) error {
	return tx.G(ctx).Exec("UPDATE address SET name = ?, province = ?, city = ?, county = ?, address_detail = ?, "+
		"area_code = ?, postal_code = ?, tel = ?, is_default = ?, default_slot = ?, update_time = ? "+
		"WHERE id = ? AND user_id = ? AND deleted = 0",
		a.Name, a.Province, a.City, a.County, a.Detail, a.AreaCode, orNull(a.PostalCode), a.Tel, a.Default,
		slot(a.Default), at, a.ID, a.Shopper).Error
}

func insert(ctx context.Context, tx *db.Tx, a Address, at time.Time) (int64, error) {
	result := gorm.WithResult()
	err := tx.G(ctx).Clauses(result).Exec("INSERT INTO address (user_id, name, province, city, county, address_detail, "+
		"area_code, postal_code, tel, is_default, default_slot, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		a.Shopper, a.Name, a.Province, a.City, a.County, a.Detail, a.AreaCode, orNull(a.PostalCode), a.Tel, a.Default,
		slot(a.Default), at, at).Error
	if err != nil {
		return 0, err
	}
	return result.Result.LastInsertId()
}

// slot is the mark of the default address: 1 on it, NULL on all others.
func slot(isDefault bool) sql.NullInt64 { return sql.NullInt64{Int64: 1, Valid: isDefault} }

func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

func remove(ctx context.Context, tx *db.Tx, shopper, id int64, at time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE address SET deleted = 1, is_default = 0, default_slot = NULL, update_time = ? "+
		"WHERE id = ? AND user_id = ? AND deleted = 0", at, id, shopper)
	return res.RowsAffected == 1, res.Error
}
