package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/platform/bound"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/richtext"
	"shop.internal/pkg/domain/platform/text"
)

// NewGoods is the input of Create. Create assigns the times, the ids and the retail price, which is the lowest price of
// the products. Goods.Detail is HTML that is stored unchanged, so it must come from the shop itself.
type NewGoods struct {
	Goods          Goods
	Attributes     []Attribute
	Specifications []Specification
	Products       []Product
}

// Create adds goods with all their children, their search terms and the opening balance of each product in one
// transaction, and returns their id. It fails with errno.GoodsNameExists if goods of that name exist, and with
// errno.Invalid for goods without products or with two equal products.
func (s *Service) Create(ctx context.Context, n NewGoods) (int64, error) {
	if len(n.Products) == 0 {
		return 0, fmt.Errorf("create goods: %w", errno.Invalid.Because(text.ValidationMinItems, text.FieldProducts, 1))
	}
	n.Goods.RetailPrice = cheapest(n.Products)
	var id int64
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		ids, err := s.insert(ctx, tx, []NewGoods{n})
		if err != nil {
			return err
		}
		id = ids[0]
		return s.touch(ctx, tx, id)
	})
	return id, err
}

// Add adds goods entered by an operator, once for a repeated request, and returns their id. Unlike Create it validates
// them: it fails with errno.Missing or errno.Invalid for goods with Problems and for an unknown category or brand, and
// it sanitizes the rich text. It fails with errno.GoodsNameExists like Create.
func (s *Service) Add(ctx context.Context, n NewGoods) (int64, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (int64, error) {
		if wrong := n.Problems(); len(wrong) > 0 {
			return 0, fmt.Errorf("add goods: %w", wrong[0].Err)
		}
		if err := holdParents(ctx, tx, n.Goods.CategoryID, n.Goods.BrandID); err != nil {
			return 0, err
		}
		if err := takesGoods(ctx, tx, n.Goods.CategoryID); err != nil {
			return 0, err
		}
		ids, err := s.insert(ctx, tx, []NewGoods{n.cleaned()})
		if err != nil {
			return 0, err
		}
		if err := recordAdded(ctx, tx, ids[0]); err != nil {
			return 0, err
		}
		return ids[0], s.touch(ctx, tx, ids[0])
	})
}

// cleaned returns the goods as stored: with sanitized HTML and the lowest price of their products.
func (n NewGoods) cleaned() NewGoods {
	n.Goods.Detail = richtext.Clean(n.Goods.Detail)
	n.Goods.ShareURL = ""
	n.Goods.RetailPrice = cheapest(n.Products)
	return n
}

// insert stores goods with all their children, their search terms and the opening balances, and requests their share
// images. The number of statements does not depend on the number of children.
func (s *Service) insert(ctx context.Context, tx *db.Tx, list []NewGoods) ([]int64, error) {
	ids, err := insertGoods(ctx, tx, list, s.clock())
	if err != nil {
		return nil, err
	}
	if err := insertContents(ctx, tx, ids, list, s.clock()); err != nil {
		return nil, err
	}
	if err := insertChildren(ctx, tx, ids, list, s.clock()); err != nil {
		return nil, err
	}
	if err := logOpenings(ctx, tx, ids, s.clock()); err != nil {
		return nil, err
	}
	if err := s.draw(ctx, tx, ids...); err != nil {
		return nil, err
	}
	texts := make([][]string, len(list))
	for i, n := range list {
		texts[i] = []string{n.Goods.Name, n.Goods.Keywords}
	}
	if err := s.words.add(ctx, tx, ids, texts); err != nil {
		return nil, err
	}
	return ids, upload.Use(ctx, tx, list)
}

// insertGoods stores the rows of goods and returns their ids in the order of the list. Their names must differ. It
// fails with errno.GoodsNameExists.
func insertGoods(ctx context.Context, tx *db.Tx, list []NewGoods, at time.Time) ([]int64, error) {
	rows := make([]goodsRow, len(list))
	keys := make([]string, len(list))
	for i, n := range list {
		if err := priced(text.FieldCounterPrice, n.Goods.CounterPrice); err != nil {
			return nil, err
		}
		keys[i] = nameKey(n.Goods.Name)
		rows[i] = goodsRow{n.Goods, keys[i]}
		rows[i].AddTime, rows[i].UpdateTime, rows[i].Version = at, at, 0
	}
	ids, err := insertRows(ctx, tx, rows, keys)
	if db.Duplicate(err, "uk_goods_name") {
		return nil, fmt.Errorf("create goods: %w: %w", errno.GoodsNameExists, err)
	}
	return ids, err
}

// insertRows stores rows of goods and returns their ids. The server tells the id of a single row; those of several are
// read back by their names, because a cluster does not number the rows of a statement one after the other.
func insertRows(ctx context.Context, tx *db.Tx, rows []goodsRow, keys []string) ([]int64, error) {
	if len(rows) == 1 {
		id, err := goodsRows.Insert(ctx, tx, rows[0])
		return []int64{id}, err
	}
	err := goodsRows.InsertAll(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	byKey, err := owners(ctx, tx, keys)
	ids := make([]int64, len(keys))
	for i, key := range keys {
		ids[i] = byKey[key]
	}
	return ids, err
}

// insertContents stores rich texts. They are long, so a statement contains as many as fit into a packet of the server.
func insertContents(ctx context.Context, tx *db.Tx, ids []int64, list []NewGoods, at time.Time) error {
	var rows []content
	size := 0
	for i, n := range list {
		rows = append(rows, content{ids[i], n.Goods.Detail, at})
		if size += len(n.Goods.Detail); size < maxDetail && i+1 < len(list) {
			continue
		}
		if err := contents.InsertAll(ctx, tx, rows); err != nil {
			return err
		}
		rows, size = nil, 0
	}
	return nil
}

// recorded is goods with their children, as audit records contain them.
type recorded struct {
	Goods

	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
}

// recordAdded writes the audit record of new goods.
func recordAdded(ctx context.Context, tx *db.Tx, id int64) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	d, err := detailOf(ctx, tx, id)
	if err != nil {
		return err
	}
	after := recorded{d.Goods, d.Specifications, d.Products, d.Attributes}
	return audit.Record(ctx, tx, audit.Change{ID: id, Before: nil, After: after, Result: d.Goods.Name})
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// priced refuses amounts out of range; field is the price concerned.
func priced(field *text.Field, a money.Amount) error {
	if !bound.Price.Contains(int64(a)) {
		return errno.Invalid.Because(text.ValidationRange, field,
			money.Amount(bound.Price.Min), money.Amount(bound.Price.Max))
	}
	return nil
}

// Problem is one reason why new goods are refused.
type Problem struct {
	Field *text.Field
	// Err carries errno.Missing or errno.Invalid with the reason.
	Err error
	// Product is the index of the product with the problem, or a negative number for a problem of the goods as a whole.
	Product int
}

// whole is the Product of a problem of the goods as a whole.
const whole = -1

// The maximum lengths of texts in characters and the maximum number of children of one goods. The detail and the
// specifications of a product are limited in bytes by their columns.
const (
	maxSN       = 63
	maxName     = 127
	maxText     = 255
	maxUnit     = 31
	maxGallery  = 20
	maxChildren = 1000
	maxDetail   = 1 << 20
	maxSpecs    = 1<<16 - 1
)

// MaxStock is the maximum stock of a product.
var MaxStock = int(bound.Stock.Max)

// problems collects the problems of new goods.
type problems []Problem

func (p *problems) add(field *text.Field, err error, product int) {
	*p = append(*p, Problem{field, err, product})
}

func (p *problems) refuse(field *text.Field, product int, why *text.Text, args ...any) {
	p.add(field, errno.Invalid.Because(why, append([]any{field}, args...)...), product)
}

// filled requires a text that is not blank.
func (p *problems) filled(field *text.Field, t string, longest int) {
	if strings.TrimSpace(t) == "" {
		p.add(field, errno.Missing.About(field), whole)
		return
	}
	p.atMost(field, t, longest, whole)
}

func (p *problems) atMost(field *text.Field, t string, longest, product int) {
	if utf8.RuneCountInString(t) > longest {
		p.refuse(field, product, text.ValidationMaxLength, longest)
	}
}

// name requires a visible text, so that names that look alike are equal.
func (p *problems) name(field *text.Field, t string, longest int) {
	p.filled(field, t, longest)
	p.visible(field, t)
}

func (p *problems) visible(field *text.Field, t string) {
	if !form.Visible(t) {
		p.refuse(field, whole, text.ValidationPrintable)
	}
}

// link requires the address of a picture.
func (p *problems) link(field *text.Field, address string, product int) {
	p.atMost(field, address, maxText, product)
	if !form.Link(address) {
		p.refuse(field, product, text.ValidationURLOrPath)
	}
}

func (p *problems) within(field *text.Field, n int, r bound.Range, product int) {
	if !r.Contains(int64(n)) {
		p.refuse(field, product, text.ValidationRange, r.Min, r.Max)
	}
}

func (p *problems) priced(field *text.Field, a money.Amount, product int) {
	if err := priced(field, a); err != nil {
		p.add(field, err, product)
	}
}

// Problems returns all problems of new goods that can be found without the database, those of missing values first.
func (n NewGoods) Problems() []Problem {
	var p problems
	n.Goods.problems(&p)
	if len(n.Specifications) == 0 {
		p.add(text.FieldSpecifications, errno.Missing.About(text.FieldSpecifications), whole)
	}
	if len(n.Products) == 0 {
		p.add(text.FieldProducts, errno.Missing.About(text.FieldProducts), whole)
	}
	for field, count := range map[*text.Field]int{
		text.FieldSpecifications: len(n.Specifications), text.FieldProducts: len(n.Products),
		text.FieldAttributes: len(n.Attributes),
	} {
		if count > maxChildren {
			p.refuse(field, whole, text.ValidationMaxItems, maxChildren)
		}
	}
	for _, a := range n.Attributes {
		p.name(text.FieldAttributes, a.Name, maxText)
		p.name(text.FieldAttributes, a.Value, maxText)
	}
	for _, v := range n.Specifications {
		p.name(text.FieldSpecifications, v.Group, maxText)
		p.name(text.FieldSpecifications, v.Value, maxText)
		p.link(text.FieldSpecifications, v.PicURL, whole)
	}
	if v, ok := twice(n.Specifications); ok {
		p.add(text.FieldSpecifications, errno.Invalid.Because(text.SpecificationTwice, v.Group, v.Value), whole)
	}
	n.products(&p)
	slices.SortStableFunc(p, func(a, b Problem) int { return errno.Of(a.Err).Num - errno.Of(b.Err).Num })
	return p
}

func (g Goods) problems(p *problems) {
	p.name(text.FieldGoodsNumber, g.SN, maxSN)
	p.name(text.FieldName, g.Name, maxName)
	p.atMost(text.FieldKeywords, g.Keywords, maxText, whole)
	p.visible(text.FieldKeywords, g.Keywords)
	p.atMost(text.FieldBrief, g.Brief, maxText, whole)
	p.link(text.FieldPicture, g.PicURL, whole)
	p.atMost(text.FieldUnit, g.Unit, maxUnit, whole)
	p.visible(text.FieldUnit, g.Unit)
	p.priced(text.FieldCounterPrice, g.CounterPrice, whole)
	for _, c := range columns {
		if c.check != nil {
			c.check(g, p)
		}
	}
	if len(g.Gallery) > maxGallery {
		p.refuse(text.FieldGallery, whole, text.ValidationMaxItems, maxGallery)
	}
	for _, url := range g.Gallery {
		p.link(text.FieldGallery, url, whole)
	}
	if len(g.Detail) > maxDetail {
		p.refuse(text.FieldDetail, whole, text.ValidationMaxBytes, maxDetail)
	}
}

// products requires that each product has one value of each specification group, in the order of the groups, and that
// no two products are equal.
func (n NewGoods) products(p *problems) {
	groups, values := grouped(n.Specifications)
	seen := map[string]bool{}
	for i, v := range n.Products {
		p.priced(text.FieldPrice, v.Price, i)
		p.within(text.FieldNumber, v.Number, bound.Stock, i)
		p.link(text.FieldURL, v.URL, i)
		column, err := textsColumn(v.Specifications)
		fits := err == nil && len(column) <= maxSpecs && len(v.Specifications) == len(groups) && !seen[column]
		for k, value := range v.Specifications {
			fits = fits && values[Specification{Group: groups[k], Value: value}]
		}
		if !fits {
			p.add(text.FieldSpecifications, errno.Invalid.Because(text.ProductMismatch), i)
		}
		seen[column] = true
	}
}

// grouped returns the names of the groups in the order of their first values, and the set of values.
func grouped(list []Specification) (groups []string, values map[Specification]bool) {
	values = make(map[Specification]bool, len(list))
	for _, v := range list {
		if !slices.Contains(groups, v.Group) {
			groups = append(groups, v.Group)
		}
		values[Specification{Group: v.Group, Value: v.Value}] = true
	}
	return groups, values
}

// twice finds a value that is repeated within its group.
func twice(list []Specification) (Specification, bool) {
	seen := make(map[[2]string]bool, len(list))
	for _, v := range list {
		key := [2]string{v.Group, v.Value}
		if seen[key] {
			return v, true
		}
		seen[key] = true
	}
	return Specification{}, false
}
