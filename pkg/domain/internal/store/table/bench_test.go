package table_test

import (
	"context"
	"database/sql"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
)

// sale is a row as wide as those of orders.
type sale struct {
	ID, UserID          int64
	SN, Consignee       string
	Mobile, Address     string
	Message             string
	Status, Aftersale   int
	Goods, Freight      int64
	Coupon, Grouped     int64
	Total, Paid         int64
	Channel, Reference  string
	Comments            int
	Deleted             bool
	AddTime, UpdateTime time.Time
}

var sales = table.Of[sale]("sale")

func (sale) TableName() string { return "sale" }

type benched struct {
	d   *db.DB
	g   *gorm.DB
	sql *sql.DB
}

func bench(b *testing.B) benched {
	b.Helper()
	s := benched{d: dbtest.Open(b)}
	s.sql = s.d.SQL()
	var err error
	s.g, err = gorm.Open(mysql.New(mysql.Config{Conn: s.sql, SkipInitializeWithVersion: true}), &gorm.Config{
		Logger: logger.Discard, SkipDefaultTransaction: true, DisableAutomaticPing: true,
	})
	require.NoError(b, err)
	drop := func() { _, _ = s.sql.ExecContext(context.Background(), "DROP TABLE IF EXISTS sale") }
	drop()
	b.Cleanup(drop)
	_, err = s.sql.ExecContext(b.Context(), `CREATE TABLE sale (id BIGINT AUTO_INCREMENT PRIMARY KEY, user_id BIGINT NOT NULL,
		sn VARCHAR(32) NOT NULL, consignee VARCHAR(64) NOT NULL, mobile VARCHAR(20) NOT NULL, address VARCHAR(200) NOT NULL,
		message VARCHAR(200) NOT NULL, status INT NOT NULL, aftersale INT NOT NULL, goods BIGINT NOT NULL, freight BIGINT NOT NULL,
		coupon BIGINT NOT NULL, grouped BIGINT NOT NULL, total BIGINT NOT NULL, paid BIGINT NOT NULL, channel VARCHAR(20) NOT NULL,
		reference VARCHAR(64) NOT NULL, comments INT NOT NULL, deleted TINYINT(1) NOT NULL, add_time DATETIME(3) NOT NULL,
		update_time DATETIME(3) NOT NULL, KEY (user_id))`)
	require.NoError(b, err)
	var rows []sale
	for i := range 1000 {
		rows = append(rows, sale{
			UserID: int64(i % 50), SN: fmt.Sprint("20300102", i), Consignee: "山间明月", Mobile: "13900000000",
			Address: "浙江省杭州市西湖区龙井路1号", Status: 201, Goods: 12000, Total: 12000, Paid: 12000, Channel: "wechat",
			Reference: "4200001", AddTime: noon, UpdateTime: noon,
		})
	}
	require.NoError(b, s.g.Create(&rows).Error)
	return s
}

// BenchmarkStatements compares the ways to MySQL: this package, GORM's builder and scanner, and database/sql by hand.
func BenchmarkStatements(b *testing.B) {
	s := bench(b)
	const columns = "id, user_id, sn, consignee, mobile, address, message, status, aftersale, goods, freight, coupon, " +
		"grouped, total, paid, channel, reference, comments, deleted, add_time, update_time"
	scan := func(rows *sql.Rows, r *sale) error {
		return rows.Scan(&r.ID, &r.UserID, &r.SN, &r.Consignee, &r.Mobile, &r.Address, &r.Message, &r.Status, &r.Aftersale,
			&r.Goods, &r.Freight, &r.Coupon, &r.Grouped, &r.Total, &r.Paid, &r.Channel, &r.Reference, &r.Comments, &r.Deleted,
			&r.AddTime, &r.UpdateTime)
	}
	ctx := context.Background()
	byHand := func(text string, args ...any) (all []sale, err error) {
		rows, err := s.sql.QueryContext(ctx, text, args...)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var r sale
			if err := scan(rows, &r); err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		return all, rows.Err()
	}
	row := sale{UserID: 99, SN: "1", Consignee: "x", Mobile: "1", Address: "y", Channel: "wechat", AddTime: noon, UpdateTime: noon}
	type way struct {
		name string
		do   func(i int) error
	}
	for _, c := range []struct {
		name string
		ways []way
	}{
		{"20 rows", []way{
			{"table", func(i int) error {
				_, err := sales.Find(ctx, s.d, "r.user_id = ? ORDER BY r.id DESC LIMIT 20", i%50)
				return err
			}},
			{"gorm", func(i int) error {
				_, err := gorm.G[sale](s.g).Where("user_id = ?", i%50).Order("id DESC").Limit(20).Find(ctx)
				return err
			}},
			{"sql", func(i int) error {
				_, err := byHand("SELECT "+columns+" FROM sale WHERE user_id = ? ORDER BY id DESC LIMIT 20", i%50)
				return err
			}},
		}},
		{"one row", []way{
			{"table", func(i int) error { _, _, err := sales.Get(ctx, s.d, int64(i%1000+1)); return err }},
			{"gorm", func(i int) error { _, err := gorm.G[sale](s.g).Where("id = ?", i%1000+1).Find(ctx); return err }},
			{"sql", func(i int) error { _, err := byHand("SELECT "+columns+" FROM sale WHERE id = ?", i%1000+1); return err }},
		}},
		{"insert", []way{
			{"table", func(int) error { _, err := sales.Insert(ctx, s.d, row); return err }},
			{"gorm", func(int) error { r := row; return gorm.G[sale](s.g).Create(ctx, &r) }},
			{"sql", func(int) error {
				_, err := s.sql.ExecContext(ctx, "INSERT INTO sale ("+columns[4:]+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
					row.UserID, row.SN, row.Consignee, row.Mobile, row.Address, row.Message, row.Status, row.Aftersale, row.Goods,
					row.Freight, row.Coupon, row.Grouped, row.Total, row.Paid, row.Channel, row.Reference, row.Comments, row.Deleted,
					row.AddTime, row.UpdateTime)
				return err
			}},
		}},
		{"update", []way{
			{"table", func(i int) error {
				_, err := sales.Update(ctx, s.d, table.Set{"status": i, "paid": 1}, "id = ? AND deleted = ?", i%1000+1, false)
				return err
			}},
			{"gorm", func(i int) error {
				_, err := gorm.G[sale](s.g).Where("id = ? AND deleted = ?", i%1000+1, false).
					Set(clause.Assignment{Column: clause.Column{Name: "status"}, Value: i}, clause.Assignment{Column: clause.Column{Name: "paid"}, Value: 1}).Update(ctx)
				return err
			}},
			{"sql", func(i int) error {
				_, err := s.sql.ExecContext(ctx, "UPDATE sale SET status = ?, paid = ? WHERE id = ? AND deleted = ?", i, 1, i%1000+1, false)
				return err
			}},
		}},
	} {
		for _, w := range c.ways {
			b.Run(c.name+"/"+w.name, func(b *testing.B) {
				b.ReportAllocs()
				began := processor(b)
				for i := 0; b.Loop(); i++ {
					require.NoError(b, w.do(i))
				}
				b.ReportMetric(float64((processor(b)-began).Nanoseconds())/float64(b.N), "cpu-ns/op")
			})
		}
	}
}

// processor is the processor time that this process has used.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
