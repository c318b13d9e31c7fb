package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"shop.internal/pkg/domain/catalog/index"
	"shop.internal/pkg/domain/internal/db"
)

// load reads all goods into an index. What it needs beside the index is bounded: the goods have their place from the
// beginning, and the garbage of reading them is collected every few statements, since Go would let it grow as large as
// everything that stays.
func (s *Service) load(ctx context.Context) (*index.Index, error) {
	all, err := s.place(ctx)
	if err != nil {
		return nil, err
	}
	for last, n := int64(0), 1; ; n++ {
		before := len(all)
		all, err = func() ([]index.Goods, error) {
			ctx, cancel := context.WithTimeout(ctx, followTimeout)
			defer cancel()
			return indexed(ctx, s.db, all, "id > ? AND deleted = 0 ORDER BY id LIMIT ?", last, goodsPerLoad)
		}()
		if err != nil {
			return nil, err
		}
		if len(all)-before < goodsPerLoad {
			break
		}
		last = all[len(all)-1].ID
		if n%collectEvery == 0 {
			runtime.GC()
		}
	}
	many := len(all) > goodsPerLoad
	if many {
		runtime.GC()
	}
	x := index.New(all)
	if many {
		debug.FreeOSMemory()
	}
	return x, nil
}

// place returns room for all goods, and for a few that are added meanwhile.
func (s *Service) place(ctx context.Context) ([]index.Goods, error) {
	ctx, cancel := context.WithTimeout(ctx, followTimeout)
	defer cancel()
	var n int64
	if err := s.db.G(ctx).Raw("SELECT COUNT(*) FROM goods WHERE deleted = 0").Scan(&n).Error; err != nil {
		return nil, fmt.Errorf("count the goods for the index: %w", err)
	}
	return make([]index.Goods, 0, n+n/100), nil
}

// indexed appends goods as the index knows them, with the lower case and the order of names that the database computes.
// Blanks at the end do not count in that order.
func indexed(
	ctx context.Context, q db.Querier, all []index.Goods, where string, args ...any,
) (_ []index.Goods, err error) {
	rows, err := q.G(ctx).Raw(`SELECT id, category_id, brand_id, LOWER(name), LOWER(keywords),
		WEIGHT_STRING(TRIM(TRAILING ' ' FROM name)), CAST(retail_price * 100 AS SIGNED),
		TIMESTAMPDIFF(MICROSECOND, '1970-01-01', add_time) DIV 1000, is_on_sale, is_new, is_hot
		FROM goods WHERE `+where, args...).Rows()
	if err != nil {
		return nil, fmt.Errorf("read goods for the index: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var name, keywords, key sql.RawBytes
	var texts []byte
	for rows.Next() {
		var g index.Goods
		err := rows.Scan(&g.ID, &g.CategoryID, &g.BrandID, &name, &keywords, &key, &g.Price, &g.Added, &g.OnSale,
			&g.New, &g.Hot)
		if err != nil {
			return nil, fmt.Errorf("read goods for the index: %w", err)
		}
		// One piece of memory for the three takes less than three.
		texts = append(append(append(texts[:0], name...), keywords...), key...)
		one, rest := string(texts), len(name)+len(keywords)
		g.Name, g.Keywords, g.NameKey = one[:len(name)], one[len(name):rest], one[rest:]
		all = append(all, g)
	}
	return all, rows.Err()
}
