package consistency

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// addresses are the parts that report stored web addresses that may not be entered as such; clients do not get them.
func (s *Service) addresses() []part {
	columns := addressed()
	var parts []part
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		parts = append(parts, part{name, []string{name}, s.ranged(name, "id",
			func(ctx context.Context, lo, hi int64) ([]Disagreement, error) {
				return addressesIn(ctx, s.db, name, columns[name], lo, hi)
			})})
	}
	return parts
}

// addressed are the columns with web addresses, or JSON lists of them, by table. A test compares it with the schema.
func addressed() map[string][]string {
	return map[string][]string{
		"ad": {"link", "url"}, "admin": {"avatar"}, "aftersale": {"pictures"}, "brand": {"pic_url"}, "cart": {"pic_url"},
		"category": {"icon_url", "pic_url"}, "comment": {"pic_urls"}, "feedback": {"pic_urls"},
		"goods": {"gallery", "pic_url", "share_url"}, "goods_product": {"url"}, "goods_specification": {"pic_url"},
		"groupon": {"share_url"}, "groupon_rules": {"pic_url"}, "keyword": {"url"}, "order_goods": {"pic_url"},
		"storage": {"url"}, "topic": {"pic_url"}, "user": {"avatar"},
	}
}

type reference struct {
	ID     int64
	Column string
	Value  string
}

// addressesIn returns the addresses of a range of rows that may not be served.
func addressesIn(
	ctx context.Context, q db.Querier, of string, columns []string, lo, hi int64,
) ([]Disagreement, error) {
	var parts []string
	for _, c := range columns {
		parts = append(parts, "SELECT id, '"+c+"' AS `column`, "+c+" AS value FROM `"+of+
			"` WHERE id BETWEEN @lo AND @hi AND deleted = 0 AND "+c+" NOT IN ('', '[]')")
	}
	var rows []reference
	err := table.Scan(ctx, q, &rows,
		strings.Join(parts, " UNION ALL ")+" ORDER BY 1, 2", map[string]any{"lo": lo, "hi": hi})
	if err != nil {
		return nil, fmt.Errorf("read addresses of %s: %w", of, err)
	}
	var found []Disagreement
	for _, row := range rows {
		for _, address := range row.unusable() {
			found = append(found, Disagreement{
				Table: of, Key: fmt.Sprint(row.ID), What: row.Column, Found: address,
				Expected: "an address of the web or of the shop",
			})
		}
	}
	return found, nil
}

// unusable returns the addresses that clients do not get: those stored by an earlier release, which accepted any text,
// or directly in the database.
func (h reference) unusable() []string {
	var list []string
	if !strings.HasPrefix(h.Value, "[") || json.Unmarshal([]byte(h.Value), &list) != nil {
		list = []string{h.Value}
	}
	var out []string
	for _, address := range list {
		if !form.Harmless(address) {
			out = append(out, address)
		}
	}
	return out
}
