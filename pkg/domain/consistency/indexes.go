package consistency

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/terms"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/statistics"
)

// indexes are the parts that no statement compares: search terms, which the program computes, and the statistics of
// days, whose days are those of the shop's time zone.
func (s *Service) indexes() []part {
	return []part{
		{"goods_term", []string{"goods", "goods_term"}, s.ranged("goods", "id", s.goodsTerms)},
		{"order_recipient", []string{"orders", "order_recipient", "list_counter"}, s.ranged("orders", "id", s.recipients)},
		{"order_recipient", []string{"order_recipient"}, s.recipientTerms},
		{"stat_day", []string{"stat_day", "stat_goods_day", "orders", "order_goods", "user"}, s.statistics},
	}
}

// goodsTerms compares the search terms of goods with their names and keywords; deleted goods have none.
func (s *Service) goodsTerms(ctx context.Context, lo, hi int64) ([]Disagreement, error) {
	rows, err := table.Select[struct {
		ID             int64
		Name, Keywords string
		Deleted        bool
	}](ctx, s.db, "SELECT g.id, g.name, g.keywords, g.deleted FROM goods g WHERE g.id BETWEEN ? AND ?", lo, hi)
	if err != nil {
		return nil, fmt.Errorf("read the names of goods: %w", err)
	}
	stored, err := table.Select[struct {
		GoodsID int64
		Term    string
	}](ctx, s.db, "SELECT w.goods_id, w.term FROM goods_term w WHERE w.goods_id BETWEEN ? AND ?", lo, hi)
	if err != nil {
		return nil, fmt.Errorf("read the terms of goods: %w", err)
	}
	have := make(map[int64]map[string]bool, len(rows))
	for _, w := range stored {
		if have[w.GoodsID] == nil {
			have[w.GoodsID] = map[string]bool{}
		}
		have[w.GoodsID][w.Term] = true
	}
	var found []Disagreement
	for _, r := range rows {
		want := map[string]bool{}
		if !r.Deleted {
			for _, t := range terms.Of(r.Name, r.Keywords) {
				want[t] = true
			}
		}
		if d, wrong := differ("goods_term", fmt.Sprint(r.ID), want, have[r.ID]); wrong {
			d.repair = s.reindexing(d.Key)
			found = append(found, d)
		}
	}
	return found, nil
}

// differ compares two sets and names an element that only one has.
func differ(name, key string, want, have map[string]bool) (Disagreement, bool) {
	for _, t := range slices.Sorted(maps.Keys(want)) {
		if !have[t] {
			return Disagreement{name, key, "term", "nothing", fmt.Sprintf("%q", t), nil}, true
		}
	}
	for _, t := range slices.Sorted(maps.Keys(have)) {
		if !want[t] {
			return Disagreement{name, key, "term", fmt.Sprintf("%q", t), "nothing", nil}, true
		}
	}
	return Disagreement{}, false
}

// recipients checks that the recipients of orders are in the index of names, as far as the job has come.
func (s *Service) recipients(ctx context.Context, lo, hi int64) ([]Disagreement, error) {
	last, err := counter.Stored(ctx, s.db, order.ScopeRecipients)
	if err != nil || last < lo {
		return nil, err
	}
	rows, err := table.Select[struct {
		ID        int64
		Consignee string
		N         int
	}](ctx, s.db, `SELECT MIN(o.id) AS id, o.consignee, (SELECT COUNT(*) FROM order_recipient r
				WHERE r.name = CAST(o.consignee AS CHAR) COLLATE utf8mb4_bin) AS n
			FROM orders o WHERE o.id BETWEEN ? AND ? GROUP BY CAST(o.consignee AS CHAR) COLLATE utf8mb4_bin, o.consignee`,
		lo, min(hi, last))
	if err != nil {
		return nil, fmt.Errorf("read the recipients of orders: %w", err)
	}
	var found []Disagreement
	for _, r := range rows {
		if want := len(terms.Of(r.Consignee)); r.N != want {
			found = append(found, Disagreement{
				"order_recipient", r.Consignee, "number of terms", fmt.Sprint(r.N), fmt.Sprint(want), naming(r.Consignee),
			})
		}
	}
	return found, nil
}

// recipientTerms checks that each term of the index is one of its name.
func (s *Service) recipientTerms(ctx context.Context, found Found, _ func(int64)) error {
	rows, err := db.Query(ctx, s.db, "SELECT name, term FROM order_recipient ORDER BY name, term")
	if err != nil {
		return fmt.Errorf("read the index of recipients: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err reports its failures
	name, of := "", []string(nil)
	for rows.Next() {
		var n, t string
		if err := rows.Scan(&n, &t); err != nil {
			return fmt.Errorf("read the index of recipients: %w", err)
		}
		if of == nil || n != name {
			name, of = n, terms.Of(n)
		}
		if !slices.Contains(of, t) {
			wrong := Disagreement{"order_recipient", n, "term", fmt.Sprintf("%q", t), "a part of the name", naming(n)}
			if err := found(wrong); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// statistics adds up each day again. A day that has changed since it was added up is due, and says nothing.
func (s *Service) statistics(ctx context.Context, found Found, progress func(int64)) error {
	known, err := statistics.StoredDays.From(ctx, s.db, "stat_day r ORDER BY r.day")
	if err != nil {
		return err
	}
	for i, r := range known {
		list, err := s.recheck(ctx, func() ([]Disagreement, error) { return s.dayAgain(ctx, r) })
		if err != nil {
			return err
		}
		for _, d := range list {
			if err := found(d); err != nil {
				return err
			}
		}
		progress(int64(i + 1))
	}
	return nil
}

func (s *Service) dayAgain(ctx context.Context, r statistics.StoredDay) ([]Disagreement, error) {
	begin, end := statistics.Bounds(r.Date, s.zone)
	if r.RefreshTime.Before(end.Add(statistics.GracePeriod)) || !r.Whole() {
		return nil, nil // it is marked as changed, or it was not over
	}
	sums, err := statistics.AddUp(ctx, s.db, begin, end)
	if err != nil {
		return nil, fmt.Errorf("add up %s: %w", r.Name(), err)
	}
	sums.Date = r.Date
	wrong, err := s.sellersAgain(ctx, r.Date, begin, end)
	if err != nil {
		return nil, err
	}
	if sums != r.Day {
		wrong = append(wrong, Disagreement{
			"stat_day", r.Name(), "sums", fmt.Sprintf("%+v", r.Day), fmt.Sprintf("%+v", sums), addingUp(r.Date),
		})
	}
	if len(wrong) == 0 {
		return nil, nil
	}
	payloads, err := statistics.PendingPayloads(ctx, s.db, order.TopicStatistics)
	if err != nil {
		return nil, fmt.Errorf("find changes of days: %w", err)
	}
	for _, p := range payloads {
		var t order.StatisticsChanged
		if json.Unmarshal([]byte(p), &t) == nil && !t.At.Before(begin) && t.At.Before(end) {
			return nil, nil
		}
	}
	now, there, err := statistics.StoredDays.One(ctx, s.db, "r.day = ?", r.Date)
	if err != nil || there && now.RefreshTime != r.RefreshTime {
		return nil, err // it was added up in the meantime
	}
	return wrong, nil
}

// sellersAgain compares what was sold of each goods of a day with its orders.
func (s *Service) sellersAgain(ctx context.Context, date, begin, end time.Time) ([]Disagreement, error) {
	should, err := statistics.SellersOf(ctx, s.db, date, begin, end)
	if err != nil {
		return nil, err
	}
	stored, err := statistics.StoredSellers(ctx, s.db, date)
	if err != nil {
		return nil, err
	}
	rows := map[int64][2]string{}
	for i, list := range [][]statistics.GoodsDay{stored, should} {
		for _, g := range list {
			row := rows[g.GoodsID]
			row[i] = fmt.Sprintf("%d in %d orders for %s", g.Pieces, g.Orders, g.Amount)
			rows[g.GoodsID] = row
		}
	}
	var wrong []Disagreement
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if row := rows[id]; row[0] != row[1] {
			key := fmt.Sprintf("%s/%d", date.Format(time.DateOnly), id)
			wrong = append(wrong, Disagreement{"stat_goods_day", key, "sums", row[0], row[1], addingUp(date)})
		}
	}
	return wrong, nil
}
