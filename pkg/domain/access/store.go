package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/token"
)

type operatorRow struct {
	ID            int64
	Username      string
	PasswordHash  string
	LastLoginIP   *string `gorm:"column:last_login_ip"`
	LastLoginTime *time.Time
	Avatar        *string
	Status        int
	TokenVersion  int
	AddTime       time.Time
	UpdateTime    time.Time
}

const operatorColumns = "id, username, password_hash, last_login_ip, last_login_time, avatar, status, token_version, " +
	"add_time, update_time"

func (r operatorRow) operator() Operator {
	o := Operator{
		ID: r.ID, Username: r.Username, Locked: r.Status != 0, TokenVersion: r.TokenVersion,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
	if r.Avatar != nil {
		o.Avatar = *r.Avatar
	}
	if r.LastLoginIP != nil {
		o.LastLoginAddress = *r.LastLoginIP
	}
	if r.LastLoginTime != nil {
		o.LastLogin = *r.LastLoginTime
	}
	return o
}

// findOperator reads one live operator by a condition written in this package.
func findOperator(ctx context.Context, q db.Querier, where string, arg any) (operatorRow, bool, error) {
	var rows []operatorRow
	err := q.G(ctx).Raw("SELECT "+operatorColumns+" FROM admin WHERE "+where+" AND del_mark = 0", arg).Scan(&rows).Error
	if err != nil {
		return operatorRow{}, false, fmt.Errorf("read operator: %w", err)
	}
	if len(rows) == 0 {
		return operatorRow{}, false, nil
	}
	return rows[0], true, nil
}

// lockOperator reads one live operator for a change. It fails with errno.UpdateFailed.
func lockOperator(ctx context.Context, tx *db.Tx, key string) (operatorRow, error) {
	var rows []operatorRow
	err := tx.G(ctx).Raw("SELECT "+operatorColumns+" FROM admin WHERE username_key = ? AND del_mark = 0 FOR UPDATE",
		key).Scan(&rows).Error
	if err != nil {
		return operatorRow{}, fmt.Errorf("lock operator: %w", err)
	}
	if len(rows) == 0 {
		return operatorRow{}, fmt.Errorf("lock operator: %w", errno.UpdateFailed)
	}
	return rows[0], nil
}

func anyOperator(ctx context.Context, q db.Querier) (bool, error) {
	var ids []int64
	if err := q.G(ctx).Raw("SELECT id FROM admin WHERE deleted = 0 LIMIT 1").Scan(&ids).Error; err != nil {
		return false, fmt.Errorf("look for an operator: %w", err)
	}
	return len(ids) > 0, nil
}

func insertOperator(
	ctx context.Context, tx *db.Tx, username, hash, avatar string, at time.Time,
) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO admin (username, username_key, password_hash, last_login_ip, "+
		"last_login_time, avatar, status, token_version, add_time, update_time, deleted, del_mark, version) "+
		"VALUES (?, ?, ?, '', NULL, ?, 0, ?, ?, ?, 0, 0, 0)", username, Key(username), hash, avatar, token.FirstVersion(),
		at, at)
	if db.Duplicate(err, "uk_admin_name") {
		return 0, fmt.Errorf("insert operator %s: %w", username, errno.AdminNameExists)
	}
	if err != nil {
		return 0, fmt.Errorf("insert operator: %w", err)
	}
	return id, nil
}

// setOperator writes what may be changed of an operator and nothing else. It fails with errno.AdminNameExists.
func setOperator(ctx context.Context, tx *db.Tx, o Operator, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET username = ?, username_key = ?, avatar = ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND deleted = 0", o.Username, Key(o.Username), o.Avatar, at, o.ID)
	if db.Duplicate(res.Error, "uk_admin_name") {
		return fmt.Errorf("rename operator %d: %w", o.ID, errno.AdminNameExists)
	}
	return changeOperator(res.RowsAffected, o.ID, res.Error)
}

// deleteOperator marks an operator deleted, shuts out all of its sessions, and takes its notices with it.
func deleteOperator(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET deleted = 1, del_mark = id, token_version = token_version + 1, "+
		"version = version + 1, update_time = ? WHERE id = ? AND deleted = 0", at, id)
	if err := changeOperator(res.RowsAffected, id, res.Error); err != nil {
		return err
	}
	err := tx.G(ctx).Exec("UPDATE notice_admin SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE admin_id = ? AND deleted = 0", at, id).Error
	if err != nil {
		return fmt.Errorf("delete the notices of operator %d: %w", id, err)
	}
	return nil
}

// listOperators lists the live operators whose name contains a text, without their roles.
func listOperators(ctx context.Context, q db.Querier, name string, w page.Query) (page.List[Operator], error) {
	const columns = "r.id, r.username, r.last_login_ip, r.last_login_time, r.avatar, r.status, r.token_version, " +
		"r.add_time, r.update_time"
	rows, err := listing.Fetch[operatorRow](ctx, q, listing.Of("admin", columns).Contains("username", name), w)
	return page.Map(rows, operatorRow.operator), err
}

// saveLogin notes a login. It writes these two columns and no other, so that a login never undoes a change.
func saveLogin(ctx context.Context, tx *db.Tx, id int64, address string, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE admin SET last_login_ip = ?, last_login_time = ? WHERE id = ?", address, at, id).Error
	if err != nil {
		return fmt.Errorf("save the login of operator %d: %w", id, err)
	}
	return nil
}

func setLocked(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET status = 1, token_version = token_version + 1, "+
		"version = version + 1, update_time = ? WHERE id = ? AND deleted = 0", at, id)
	return changeOperator(res.RowsAffected, id, res.Error)
}

func setPassword(ctx context.Context, tx *db.Tx, id int64, hash string, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET password_hash = ?, token_version = token_version + 1, "+
		"version = version + 1, update_time = ? WHERE id = ? AND deleted = 0", hash, at, id)
	return changeOperator(res.RowsAffected, id, res.Error)
}

func changeOperator(changed, id int64, err error) error {
	if err != nil {
		return fmt.Errorf("change operator %d: %w", id, err)
	}
	if changed != 1 {
		return fmt.Errorf("change operator %d: %w", id, errno.Stale)
	}
	return nil
}
