package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// Goods is what a page of the shop shows. Its products are what is sold, each at its price.
type Goods struct {
	ID                  int64
	SN                  string `gorm:"column:goods_sn"`
	Name                string
	CategoryID, BrandID int64
	Gallery             []string `gorm:"serializer:list"`
	Keywords, Brief     string
	OnSale              bool `gorm:"column:is_on_sale"`
	SortOrder           int
	PicURL, ShareURL    string `table:"null"`
	New                 bool   `gorm:"column:is_new"`
	Hot                 bool   `gorm:"column:is_hot"`
	Unit                string
	// Weight is that of a piece in grams, 0 if unknown. FreightID is the template by which delivery is charged, 0 for
	// none.
	Weight                    int
	FreightID                 int64
	CounterPrice, RetailPrice money.Amount
	Detail                    string `table:"joined" holds:"html"` // goods_content
	AddTime, UpdateTime       time.Time
	Version                   int
}

// goodsRow is goods as stored. NameKey makes the name of live goods unique; it is NULL for deleted ones.
type goodsRow struct {
	Goods

	NameKey string `table:"null"`
}

// content is the rich text of goods.
type content struct {
	GoodsID    int64  `gorm:"primaryKey;autoIncrement:false"`
	Detail     string `holds:"html"`
	UpdateTime time.Time
}

// Summary is goods as shown in lists.
type Summary struct {
	ID                        int64
	Name, Brief, PicURL       string
	New                       bool `gorm:"column:is_new"`
	Hot                       bool `gorm:"column:is_hot"`
	CounterPrice, RetailPrice money.Amount
}

var (
	goodsRows = table.Of[goodsRow]("goods",
		table.MayRefer("category_id", "category"),
		table.MayRefer("brand_id", "brand"),
		table.MayRefer("freight_id", "freight"),
	)
	contents = table.Of[content]("goods_content",
		table.Refers("goods_id", "goods"),
	)
	goods     = table.Part[Goods](goodsRows)
	summaries = table.Part[Summary](goodsRows)
)

// findGoods reads goods with their rich text; the condition is on goods r.
func findGoods(ctx context.Context, q db.Querier, where string, args ...any) ([]Goods, error) {
	list, err := table.Select[Goods](ctx, q, "SELECT "+goods.Columns("r")+`, COALESCE(c.detail, '') AS detail
		FROM goods r LEFT JOIN goods_content c ON c.goods_id = r.id
		WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read goods: %w", err)
	}
	return list, nil
}

// Goods returns one goods with its rich text, on sale or not. It fails with errno.GoodsUnknown.
func (s *Service) Goods(ctx context.Context, id int64) (Goods, error) {
	return liveGoods(ctx, s.db, id)
}

const isLive = "r.id = ? AND r.deleted = 0"

func liveGoods(ctx context.Context, q db.Querier, id int64) (Goods, error) {
	list, err := findGoods(ctx, q, isLive, id)
	if err != nil {
		return Goods{}, err
	}
	if len(list) == 0 {
		return Goods{}, noGoods(id)
	}
	return list[0], nil
}

func noGoods(id int64) error { return fmt.Errorf("read goods %d: %w", id, errno.GoodsUnknown) }

// lockGoods locks live goods until the transaction ends.
func lockGoods(ctx context.Context, tx *db.Tx, id int64) (Goods, bool, error) {
	list, err := findGoods(ctx, tx, isLive+" FOR UPDATE", id)
	if err != nil || len(list) == 0 {
		return Goods{}, false, err
	}
	return list[0], true, nil
}

// saveGoods stores locked goods. It fails with errno.GoodsNameExists.
func saveGoods(ctx context.Context, tx *db.Tx, before, g Goods) error {
	err := goodsRows.Save(ctx, tx, goodsRow{g, nameKey(g.Name)})
	if db.Duplicate(err, "uk_goods_name") {
		return fmt.Errorf("rename goods %d: %w: %w", g.ID, errno.GoodsNameExists, err)
	}
	if err != nil || g.Detail == before.Detail {
		return err
	}
	_, err = contents.Upsert(ctx, tx, content{g.ID, g.Detail, g.UpdateTime},
		"detail = VALUES(detail), update_time = VALUES(update_time)")
	return err
}

// nameKey makes the name of live goods unique. It is a hash because the collation of the name's column treats some
// different names as equal.
func nameKey(name string) string { return digest([]byte(name)) }

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// rowsPerStatement is the maximum number of rows that one statement looks up.
const rowsPerStatement = 1000

// owners returns the live goods that own names, by the key of the name.
func owners(ctx context.Context, q db.Querier, keys []string) (map[string]int64, error) {
	byKey := make(map[string]int64, len(keys))
	for part := range slices.Chunk(keys, rowsPerStatement) {
		rows, err := goodsRows.Find(ctx, q, "name_key IN ?", part)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			byKey[r.NameKey] = r.ID
		}
	}
	return byKey, nil
}

// forSale is the condition for goods that shoppers can buy.
const forSale = " AND r.is_on_sale = 1"

type goodsNameRow struct {
	ID   int64
	Name string
}

var goodsNames = table.Part[goodsNameRow](goodsRows)

// GoodsNames returns the names of goods, deleted ones included, in one statement; unknown ids are left out.
func (s *Service) GoodsNames(ctx context.Context, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	if len(ids) == 0 {
		return names, nil
	}
	found, err := goodsNames.Find(ctx, s.db, "r.id IN ?", ids)
	for _, g := range found {
		names[g.ID] = g.Name
	}
	return names, err
}

// Summaries returns those of the goods that are on sale, by id.
func (s *Service) Summaries(ctx context.Context, ids []int64) (map[int64]Summary, error) {
	return summariesOf(ctx, s.db, ids, forSale)
}

// LiveSummaries returns those of the goods that exist, on sale or not, by id.
func (s *Service) LiveSummaries(ctx context.Context, ids []int64) (map[int64]Summary, error) {
	return summariesOf(ctx, s.db, ids, "")
}

// summariesOf returns those of the goods that are live and satisfy a condition on goods r, by id.
func summariesOf(ctx context.Context, q db.Querier, ids []int64, further string) (map[int64]Summary, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := summaries.Find(ctx, q, "r.id IN ? AND r.deleted = 0"+further, ids)
	byID := make(map[int64]Summary, len(list))
	for _, g := range list {
		byID[g.ID] = g
	}
	return byID, err
}

// LiveSummary returns the summary of goods, on sale or not. It reports false for unknown goods.
func LiveSummary(ctx context.Context, q db.Querier, id int64) (Summary, bool, error) {
	return summaries.Live(ctx, q, id)
}

// LiveCards selects live goods with the columns that lists of other areas show, for joins by their id.
const LiveCards = `SELECT id, name, brief, COALESCE(pic_url, '') AS pic_url, retail_price AS price
	FROM goods WHERE deleted = 0`

// Exists reports whether goods exist, on sale or not.
func Exists(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return goods.Exists(ctx, q, "id = ? AND deleted = 0", id)
}

// LiveGoods returns the ids that are those of goods, on sale or not.
func LiveGoods(ctx context.Context, q db.Querier, ids []int64) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return goods.IDs(ctx, q, "id IN ? AND deleted = 0", ids)
}

// LockPrice locks goods until the transaction ends and returns their lowest price. It reports false for unknown goods.
func LockPrice(ctx context.Context, tx *db.Tx, id int64) (money.Amount, bool, error) {
	if found, err := goodsRows.Hold(ctx, tx, id); err != nil || !found {
		return 0, false, err
	}
	g, found, err := summaries.Live(ctx, tx, id)
	return g.RetailPrice, found, err
}

// Remembered is goods that may have been deleted since.
type Remembered struct {
	Goods
	Deleted bool
}

// Remembered returns goods by id, including deleted ones, for records that refer to former goods.
func (s *Service) Remembered(ctx context.Context, ids []int64) (map[int64]Remembered, error) {
	byID := make(map[int64]Remembered, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	list, err := table.Select[Remembered](ctx, s.db, "SELECT "+goods.Columns("r")+`, r.deleted,
			COALESCE(c.detail, '') AS detail
		FROM goods r LEFT JOIN goods_content c ON c.goods_id = r.id
		WHERE r.id IN ?`, ids)
	if err != nil {
		return nil, fmt.Errorf("read %d goods: %w", len(ids), err)
	}
	for _, g := range list {
		byID[g.ID] = g
	}
	return byID, nil
}

// SetShareURL replaces the address of the share image of goods, unless it is no longer from or the goods are deleted;
// it reports whether it did. It is not an edit: update time and version stay.
func (s *Service) SetShareURL(ctx context.Context, tx *db.Tx, id int64, from, to string) (bool, error) {
	files := tx.Files()
	res, err := db.Exec(ctx, tx, `UPDATE goods SET share_url = ?
		WHERE id = ? AND COALESCE(share_url, '') IN ? AND deleted = 0`, files.Stored(to), id, files.Forms(from))
	if err != nil {
		return false, fmt.Errorf("set the share picture of goods %d: %w", id, err)
	}
	tx.OnCommit(func() { s.Changed(id) })
	return res.Affected == 1, nil
}

// Remove deletes goods with all their children and closes their group-buy rule, whose open groups end after the commit.
// Orders, comments, favourites and footprints stay. Unknown goods are ignored.
func (s *Service) Remove(ctx context.Context, id int64) error {
	var rule int64
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if rule, err = s.lockGroupRule(ctx, tx, id); err != nil {
			return err
		}
		g, found, err := lockGoods(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("delete goods %d: %w", id, err)
		}
		if !found {
			rule = 0
			return audit.RecordOnly(ctx, tx, audit.Change{ID: id})
		}
		if rule != 0 {
			if err := s.groupRules.TakeDown(ctx, tx, rule); err != nil {
				return err
			}
		}
		if err := words.drop(ctx, tx, id); err != nil {
			return err
		}
		if err := deleteGoods(ctx, tx, seen.After(g.UpdateTime, s.clock()), id); err != nil {
			return err
		}
		if err := s.touch(ctx, tx, id); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: g, Result: g.Name})
	})
	if err != nil || rule == 0 {
		return err
	}
	s.groupRules.EndGroups(ctx, rule)
	return nil
}

// deleteGoods soft-deletes goods and their children, the rows with stock last.
func deleteGoods(ctx context.Context, tx *db.Tx, at time.Time, ids ...int64) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE goods g
		LEFT JOIN goods_attribute a ON a.goods_id = g.id AND a.deleted = 0
		LEFT JOIN goods_specification s ON s.goods_id = g.id AND s.deleted = 0
		SET g.deleted = 1, g.version = g.version + 1, g.name_key = NULL, g.update_time = ?,
			a.deleted = 1, a.update_time = ?, s.deleted = 1, s.update_time = ?
		WHERE g.id IN ? AND g.deleted = 0`, at, at, at, ids)
	if err != nil {
		return fmt.Errorf("delete goods %v: %w", ids, err)
	}
	_, err = products.Remove(ctx, tx, table.Set{"update_time": at}, "goods_id IN ? ORDER BY id", ids)
	return err
}

// OnSale is what lists of other areas show of goods on sale.
type OnSale struct {
	Name, Brief, PicURL       string
	CounterPrice, RetailPrice money.Amount
}

// OnSale returns what lists of other areas show of the goods.
func (g Summary) OnSale() OnSale {
	return OnSale{
		Name: g.Name, Brief: g.Brief, PicURL: g.PicURL, CounterPrice: g.CounterPrice, RetailPrice: g.RetailPrice,
	}
}

// OnSaleColumns are the columns of OnSale for a statement with JoinOnSale, each with the prefix on_sale_.
const OnSaleColumns = `g.name AS on_sale_name, g.brief AS on_sale_brief, g.pic_url AS on_sale_pic_url,
	g.counter_price AS on_sale_counter_price, g.retail_price AS on_sale_retail_price`

// JoinOnSale joins the goods that a column of another area's statement names, and so drops rows whose goods are not on
// sale.
func JoinOnSale(column string) string {
	return "JOIN goods g ON g.id = " + column + " AND g.is_on_sale = 1 AND g.deleted = 0"
}
