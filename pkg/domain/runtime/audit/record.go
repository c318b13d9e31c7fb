package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/store/table"
)

// row is an audit record as stored. The number and the seal are empty until it is sealed.
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
	SealNo                int64  `table:"null"`
	SealPrev              string `table:"null"`
	SealHash              string `table:"null"`
}

var records = table.Of[row]("audit_log",
	table.MayRefer("admin_id", "admin"),
	table.RefersToNone("target_id", "the row that was changed, which may have been purged since"),
	table.RefersToNone("request_id", "the request log's number"),
)

// MaxRecords is the maximum number of records that Find returns.
const MaxRecords = 1000

// Filter filters records; zero fields are ignored.
type Filter struct {
	// Operator is a username as it was at the time.
	Operator string
	Table    string
	// Row is an id, used only together with Table.
	Row   int64
	Limit int
}

// Stored is an audit record.
type Stored struct {
	ID, Row, OperatorID int64
	// Operator is the username at that time.
	Operator, Address string
	Operation, Table  string
	// Before and After are JSON objects of the members that differ, "-" for no row.
	Before, After       string
	Request, Permission string
	At                  time.Time
	Sealed              bool
}

// Find returns records, the newest first.
func (s *Service) Find(ctx context.Context, f Filter) ([]Stored, error) {
	where, args := []string{"1 = 1"}, []any{}
	if f.Operator != "" {
		where, args = append(where, "r.admin_name = ?"), append(args, f.Operator)
	}
	if f.Table != "" {
		where, args = append(where, "r.target_type = ?"), append(args, f.Table)
	}
	if f.Row != 0 {
		where, args = append(where, "r.target_id = ?"), append(args, f.Row)
	}
	rows, err := records.Find(ctx, s.db, strings.Join(where, " AND ")+`
		ORDER BY r.add_time DESC, r.id DESC
		LIMIT ?`, append(args, min(f.Limit, MaxRecords))...)
	if err != nil {
		return nil, err
	}
	found := make([]Stored, len(rows))
	for i, r := range rows {
		found[i] = r.stored()
	}
	return found, nil
}

func (r row) stored() Stored {
	return Stored{
		ID: r.ID, Row: r.TargetID, OperatorID: r.AdminID, Operator: r.AdminName, Address: r.IP, Operation: r.MethodPath,
		Table: r.TargetType, Before: jsonOrNil(r.BeforeJSON), After: jsonOrNil(r.AfterJSON), Request: r.RequestID,
		Permission: r.Permission, At: r.AddTime, Sealed: r.SealNo != 0,
	}
}

// Newest returns the highest row id of a table that any record names, 0 if none does.
func (s *Service) Newest(ctx context.Context, target string) (int64, error) {
	var newest int64
	err := table.Scan(ctx, s.db, &newest, `SELECT COALESCE(MAX(target_id), 0)
		FROM audit_log
		WHERE target_type = ?`, target)
	if err != nil {
		return 0, fmt.Errorf("find the newest recorded row of %s: %w", target, err)
	}
	return newest, nil
}

func jsonOrNil(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}
