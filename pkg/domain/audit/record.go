package audit

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// row is a record as it is stored.
type row struct {
	ID, AdminID, TargetID int64
	AdminName, IP         string
	Permission            string
	MethodPath            string
	TargetType            string
	BeforeJSON, AfterJSON *string
	Errno                 int
	RequestID             string
	AddTime               time.Time
	SealNo                int64
	SealPrev, SealHash    string
}

const columns = "id, admin_id, target_id, admin_name, ip, permission, method_path, target_type, before_json, " +
	"after_json, errno, request_id, add_time, COALESCE(seal_no, 0) AS seal_no, COALESCE(seal_prev, '') AS seal_prev, " +
	"COALESCE(seal_hash, '') AS seal_hash"

// Most is the most records that Find returns.
const Most = 1000

// Filter chooses records; the zero value of a field chooses all.
type Filter struct {
	// Operator is a username as it was at the time.
	Operator string
	Table    string
	// Row is an id, and only together with Table.
	Row   int64
	Limit int
}

// Stored is a record of what an operator changed, as it is kept.
type Stored struct {
	ID, Row             int64
	Operator, Address   string
	Operation, Table    string
	Before, After       string
	Request, Permission string
	At                  time.Time
}

// Find returns records, the newest first.
func (s *Service) Find(ctx context.Context, f Filter) ([]Stored, error) {
	where, args := []string{"1 = 1"}, []any{}
	if f.Operator != "" {
		where, args = append(where, "admin_name = ?"), append(args, f.Operator)
	}
	if f.Table != "" {
		where, args = append(where, "target_type = ?"), append(args, f.Table)
	}
	if f.Row != 0 {
		where, args = append(where, "target_id = ?"), append(args, f.Row)
	}
	var rows []row
	err := s.db.G(ctx).Raw("SELECT "+columns+" FROM audit_log WHERE "+strings.Join(where, " AND ")+
		" ORDER BY add_time DESC, id DESC LIMIT ?", append(args, min(f.Limit, Most))...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("find records of changes: %w", err)
	}
	found := make([]Stored, len(rows))
	for i, r := range rows {
		found[i] = Stored{
			ID: r.ID, Row: r.TargetID, Operator: r.AdminName, Address: r.IP, Operation: r.MethodPath, Table: r.TargetType,
			Before: orNothing(r.BeforeJSON), After: orNothing(r.AfterJSON), Request: r.RequestID, Permission: r.Permission,
			At: r.AddTime,
		}
	}
	return found, nil
}

// Newest returns the highest row of a table that a record names, 0 where none does.
func (s *Service) Newest(ctx context.Context, table string) (int64, error) {
	var newest int64
	err := s.db.G(ctx).Raw("SELECT COALESCE(MAX(target_id), 0) FROM audit_log WHERE target_type = ?", table).
		Scan(&newest).Error
	if err != nil {
		return 0, fmt.Errorf("find the newest recorded row of %s: %w", table, err)
	}
	return newest, nil
}

func orNothing(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}
