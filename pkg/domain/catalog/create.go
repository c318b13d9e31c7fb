package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/bound"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/text"
)

// NewGoods is what Create puts on the shelf. Times, ids and the retail price (the lowest price of the products) are not
// the caller's. Goods.Detail is HTML that is stored as it stands, so it must come from the shop itself.
type NewGoods struct {
	Goods          Goods
	Attributes     []Attribute
	Specifications []Specification
	Products       []Product
}

// Create adds goods with everything that belongs to them, the words to find them by and the opening balance of each
// product, in one transaction, and returns their id. It fails with errno.GoodsNameExists where goods of that name are
// there already, and with errno.Invalid for goods without a product, or with products that do not differ.
func (s *Service) Create(ctx context.Context, n NewGoods) (int64, error) {
	if len(n.Products) == 0 {
		return 0, fmt.Errorf("create goods: %w", errno.Invalid.Because(text.MemberFew, text.Member("products"), 1))
	}
	n.Goods.RetailPrice = cheapest(n.Products)
	var id int64
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		ids, err := s.insert(ctx, tx, []NewGoods{n})
		if err != nil {
			return err
		}
		id = ids[0]
		s.touch(tx, id)
		return nil
	})
	return id, err
}

// cheapest is the lowest price of some products, of which there is one at least.
func cheapest(list []Product) money.Amount {
	return slices.MinFunc(list, func(a, b Product) int { return cmp.Compare(a.Price, b.Price) }).Price
}

// nameKey is what makes the name of live goods unique. It is a hash because the column of the name compares by a
// collation that takes different names for equal.
func nameKey(name string) string { return digest([]byte(name)) }

// specHash is what makes the combination of specification values unique among the products of one goods.
func specHash(column string) string { return digest([]byte(column)) }

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// textsColumn writes a list of texts as the JSON array that a column holds; it is also the canonical form for specHash.
func textsColumn(list []string) (string, error) {
	if list == nil {
		list = []string{}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("write a list of texts: %w", err)
	}
	return string(b), nil
}

// optional is NULL for a text that is empty.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// priced is a guard against amounts that are out of range; member is the price that it is about.
func priced(member string, a money.Amount) error {
	if !bound.Price.Holds(int64(a)) {
		return errno.Invalid.Because(text.MemberBetween, text.Member(member),
			money.Amount(bound.Price.Min), money.Amount(bound.Price.Max))
	}
	return nil
}
