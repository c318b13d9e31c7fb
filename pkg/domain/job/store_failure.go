package job

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
)

// ready is the condition of a query that leaves out the rows that are set aside.
func ready(job, key string, now time.Time) clause.Expr {
	return gorm.Expr("NOT EXISTS (SELECT 1 FROM job_failure aside WHERE aside.job = ? AND aside.row_id = "+key+
		" AND aside.retry_time > ?)", job, now)
}

func failuresOf(ctx context.Context, q db.Querier, job string, ids []int64) (map[int64]Failure, error) {
	var found []Failure
	err := q.G(ctx).Raw(`SELECT job, row_id, tries, retry_time, last_error, add_time FROM job_failure
		WHERE job = ? AND row_id IN ?`, job, ids).Scan(&found).Error
	byID := make(map[int64]Failure, len(found))
	for _, f := range found {
		byID[f.RowID] = f
	}
	return byID, err
}

func failures(ctx context.Context, q db.Querier, limit int) ([]Failure, error) {
	var found []Failure
	err := q.G(ctx).Raw(`SELECT job, row_id, tries, retry_time, last_error, add_time FROM job_failure
		ORDER BY add_time, job, row_id LIMIT ?`, limit).Scan(&found).Error
	return found, err
}

func saveFailure(ctx context.Context, tx *db.Tx, f Failure) error {
	return tx.G(ctx).Exec(`INSERT INTO job_failure (job, row_id, tries, retry_time, last_error, add_time)
		VALUES (?, ?, ?, ?, ?, ?)
		ON DUPLICATE KEY UPDATE tries = VALUES(tries), retry_time = VALUES(retry_time), last_error = VALUES(last_error)`,
		f.Job, f.RowID, f.Tries, f.RetryTime, f.LastError, f.AddTime).Error
}

func forget(ctx context.Context, q db.Querier, job string, ids []int64) (int64, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	res := q.G(ctx).Exec("DELETE FROM job_failure WHERE job = ? AND row_id IN ?", job, ids)
	return res.RowsAffected, res.Error
}

func forgetBefore(ctx context.Context, q db.Querier, due time.Time, limit int) (int, error) {
	res := q.G(ctx).Exec("DELETE FROM job_failure WHERE retry_time < ? ORDER BY retry_time LIMIT ?", due, limit)
	return int(res.RowsAffected), res.Error
}
