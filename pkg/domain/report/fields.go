package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/form"
)

// plainWalks check tables by themselves and for the rows that they refer to: no orphans, no mark of another state, one
// default address.
func plainWalks() []walk {
	walks := []walk{
		{"address", "id", addressRules()},
		{"goods", "id", []rule{
			orphans("goods", "category_id", "category"),
			orphans("goods", "brand_id", "brand"),
			holds("goods", "name_key", "t.name_key",
				"IF(t.deleted = 0 AND t.name_key IS NOT NULL, SHA2(t.name, 256), NULL)"),
		}},
		{"goods_product", "id", []rule{
			orphans("goods_product", "goods_id", "goods"),
			versionMark("goods_product", "del_mark", "t.deleted = 0"),
		}},
		{"goods_attribute", "id", []rule{orphans("goods_attribute", "goods_id", "goods")}},
		{"goods_specification", "id", []rule{
			orphans("goods_specification", "goods_id", "goods"),
		}},
		{"category", "id", []rule{
			orphans("category", "pid", "category"),
		}},
		{"region", "id", []rule{orphans("region", "pid", "region")}},
		{"cart", "id", []rule{orphans("cart", "user_id", "user"), orphans("cart", "product_id", "goods_product")}},
		{"permission", "id", []rule{
			orphans("permission", "role_id", "role"), versionMark("permission", "del_mark", "t.deleted = 0"),
		}},
		{"comment", "id", []rule{{"order_goods_id", `
			SELECT t.id AS row_key, t.order_goods_id AS says, 'a line with this comment' AS should
			FROM comment t
			LEFT JOIN order_goods g ON g.id = t.order_goods_id
			WHERE t.id BETWEEN @lo AND @hi AND t.order_goods_id IS NOT NULL AND NOT (g.comment_id <=> t.id)`}}},
	}
	for _, table := range []string{"user", "admin", "role", "notice_admin", "storage", "system_config"} {
		walks = append(walks, walk{table, "id", []rule{versionMark(table, "del_mark", "t.deleted = 0")}})
	}
	return walks
}

func addressRules() []rule {
	return []rule{
		orphans("address", "user_id", "user"),
		{"is_default", `
			SELECT t.id AS row_key, 1 AS says, CONCAT('0: address ', MIN(d.id), ' is the default') AS should
			FROM address t
			JOIN address d ON d.user_id = t.user_id AND d.id < t.id AND d.is_default = 1 AND d.deleted = 0
			WHERE t.id BETWEEN @lo AND @hi AND t.is_default = 1 AND t.deleted = 0
			GROUP BY t.id`},
		holds("address", "default_slot", "t.default_slot", "IF(t.is_default = 1 AND t.deleted = 0, 1, NULL)"),
	}
}

// addresses reports stored web addresses that may not be entered as such; clients do not get them.
func (s *Service) addresses(ctx context.Context, found func(Disagreement) error) error {
	columns := addressed()
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		if err := s.walk(ctx, walk{table: "`" + table + "`", key: "id"}, s.span, func(lo, hi int64) error {
			rows, err := addressesIn(ctx, s.db, table, columns[table], lo, hi)
			for _, row := range rows {
				for _, address := range row.unusable() {
					err = errors.Join(err, found(Disagreement{
						Table: table, Key: fmt.Sprint(row.ID), What: row.Column, Found: address,
						Expected: "an address of the web or of the shop",
					}))
				}
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
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

// addressesIn reads the address columns of a table in a range of ids.
func addressesIn(ctx context.Context, q db.Querier, table string, columns []string, lo, hi int64) ([]reference, error) {
	var parts []string
	for _, c := range columns {
		parts = append(parts, "SELECT id, '"+c+"' AS `column`, "+c+" AS value FROM `"+table+
			"` WHERE id BETWEEN @lo AND @hi AND deleted = 0 AND "+c+" NOT IN ('', '[]')")
	}
	var rows []reference
	err := q.G(ctx).Raw(strings.Join(parts, " UNION ALL ")+" ORDER BY 1, 2", map[string]any{"lo": lo, "hi": hi}).
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read addresses of %s: %w", table, err)
	}
	return rows, nil
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
