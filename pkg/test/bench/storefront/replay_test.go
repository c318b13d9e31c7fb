package storefront

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// The statements of one submit of one item without a coupon, in order, as the service sends them: those of one text
// together.
const (
	selectVersion = "SELECT r.token_version FROM user r WHERE r.id = ? AND r.status = 0 AND r.deleted = 0"
	selectRow     = `
		START TRANSACTION;
		UPDATE user SET version = version + 1 WHERE id IN (?) AND status = ? AND deleted = 0 ORDER BY id;
		SELECT ROW_COUNT();
		SELECT r.id, r.user_id, r.name, r.tel, r.province, r.city, r.county, r.address_detail, r.area_code, r.postal_code,
			r.is_default, r.add_time, r.update_time
		FROM address r
		WHERE id IN (?) AND user_id IN (?) AND deleted = 0;
		SELECT o.user_id, COUNT(DISTINCT o.id) AS orders, CAST(COALESCE(SUM(l.number), 0) AS SIGNED) AS pieces
		FROM orders o
		JOIN order_goods l ON l.order_id = o.id
		WHERE o.user_id IN (?) AND o.order_status IN (?) AND o.deleted = 0
		GROUP BY o.user_id;
		SELECT r.id, r.user_id, r.goods_id, r.product_id, r.number, r.checked, r.add_time, r.update_time,
			g.category_id, COALESCE((SELECT c.pid FROM category c WHERE c.id = g.category_id), 0) AS parent_id, g.goods_sn, g.name AS goods_name, p.specifications, p.price, p.number AS stock, p.hot_mode,
			COALESCE(NULLIF(p.url, ?), g.pic_url) AS pic_url,
			COALESCE(g.is_on_sale = 1 AND g.deleted = 0, 0) AS on_sale, COALESCE(p.deleted = 0, 0) AS live
		FROM cart r
		LEFT JOIN goods g ON g.id = r.goods_id
		LEFT JOIN goods_product p ON p.id = r.product_id AND p.goods_id = r.goods_id
		WHERE r.id IN (?) AND r.user_id IN (?) AND r.deleted = 0`
	insertOrder = `
		INSERT INTO orders (user_id, order_sn, order_status, aftersale_status, consignee, mobile, address, message,
			goods_price, freight_price, coupon_price, integral_price, groupon_price, order_price, actual_price, coupon_user_id,
			pay_channel, pay_id, pay_time, ship_sn, ship_channel, ship_time, refund_amount, refund_type, refund_content,
			refund_time, confirm_time, comments, end_time, add_time, update_time, deleted, user_deleted, src_order_sn, version)
		VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, 0,
			NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, ?, ?, 0, 0, NULL, 0)`
	insertLine = `
		UPDATE cart SET deleted = 1, update_time = ? WHERE deleted = 0 AND id IN (?);
		INSERT INTO order_status_log (order_id, from_status, to_status, actor_type, actor_id, reason, amount, add_time)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?);
		INSERT INTO order_goods (order_id, goods_id, product_id, goods_name, goods_sn, number, price, discount_share,
			specifications, pic_url, comment_id, add_time, update_time, deleted)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 0)`
	takeStock = `
		INSERT INTO stock_log (product_id, order_id, order_goods_id, reason, delta, ref_key, operator_type, operator_id, add_time)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);
		UPDATE goods_product SET number = number - ?, update_time = ?
		WHERE id IN (?) AND deleted = 0 AND number >= ? AND price = ? AND ? =
			(SELECT category_id FROM goods WHERE goods.id = goods_product.goods_id AND is_on_sale = 1 AND goods.deleted = 0)
		ORDER BY id`
	commit = "COMMIT"
)

// replayed are the shapes of all of them.
func replayed() []string {
	all := []string{selectVersion, selectRow, insertOrder, insertLine, takeStock, commit}
	for i, s := range all {
		all[i] = shape(s)
	}
	return all
}

// sender sends statements to MySQL: those of one text together, or each alone.
type sender struct {
	conn  *sql.Conn
	apart bool
}

// parts returns what is sent at a time, with its arguments.
func (s sender) parts(text string, args []any) (texts []string, each [][]any) {
	if !s.apart {
		return []string{text}, [][]any{args}
	}
	for part := range strings.SplitSeq(text, ";") {
		n := strings.Count(part, "?")
		texts, each, args = append(texts, part), append(each, args[:n]), args[n:]
	}
	return texts, each
}

// exec sends statements and returns the result of the last one.
func (s sender) exec(ctx context.Context, text string, args ...any) (result sql.Result, err error) {
	texts, each := s.parts(text, args)
	for i, part := range texts {
		if result, err = s.conn.ExecContext(ctx, part, each[i]...); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// firsts sends statements and returns the columns of the first row of each result set, nil for none.
func (s sender) firsts(ctx context.Context, text string, args ...any) (sets [][]sql.NullString, err error) {
	texts, each := s.parts(text, args)
	for i, part := range texts {
		if verb := strings.Fields(part)[0]; s.apart && verb != "SELECT" {
			if _, err := s.conn.ExecContext(ctx, part, each[i]...); err != nil {
				return nil, err
			}
			continue
		}
		found, err := firsts(ctx, s.conn, part, each[i]...)
		if err != nil {
			return nil, err
		}
		sets = append(sets, found...)
	}
	return sets, nil
}

// replay sends the statements of a submit of the shopper's next row, with the values from MySQL's answers in the later
// statements, and does nothing else.
func (u *buyer) replay(ctx context.Context, c sender) error {
	if _, err := c.firsts(ctx, selectVersion, u.id); err != nil {
		return err
	}
	if err := u.place(ctx, c); err != nil {
		_, undo := c.exec(ctx, "ROLLBACK")
		return errors.Join(err, undo)
	}
	_, err := c.exec(ctx, commit)
	return err
}

func (u *buyer) place(ctx context.Context, c sender) error {
	now := time.Now().UTC().Truncate(time.Millisecond)
	sets, err := c.firsts(ctx, selectRow, u.id, 0, u.address, u.id, u.id, 101, "", u.next(), u.id)
	if err != nil {
		return err
	}
	to, row := sets[1], sets[3]
	if to == nil || row == nil {
		return errors.New("the address or the row of the cart is gone")
	}
	id, goods, product, number := row[0].String, row[2].String, row[3].String, row[4].String
	category, sn, name, specifications := row[8].String, row[10].String, row[11].String, row[12].String
	price, picture := row[13].String, row[16].String
	result, err := c.exec(ctx, insertOrder, u.id, now.Format("20060102")+fmt.Sprintf("%014d", rand.N(100_000_000_000_000)), 101,
		to[2].String, to[3].String, to[4].String+to[5].String+to[6].String+" "+to[7].String, "please ring twice",
		price, "0.00", "0.00", price, price, now, now)
	if err != nil {
		return err
	}
	order, err := result.LastInsertId()
	if err != nil {
		return err
	}
	result, err = c.exec(ctx, insertLine, now, whole(id), order, 0, 101, 1, u.id, "", price, now,
		order, whole(goods), whole(product), name, sn, whole(number), price, "0.00", specifications, picture, now, now)
	if err != nil {
		return err
	}
	line, err := result.LastInsertId()
	if err != nil {
		return err
	}
	result, err = c.exec(ctx, takeStock, whole(product), order, line, 1, -whole(number),
		fmt.Sprintf("line:%d:out", line), 1, u.id, now,
		whole(number), now, whole(product), whole(number), price, whole(category))
	if err != nil {
		return err
	}
	if taken, err := result.RowsAffected(); err != nil || taken != 1 {
		return errors.Join(err, fmt.Errorf("product %s was not taken", product))
	}
	return nil
}

// whole parses a number from MySQL.
func whole(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// firsts returns the columns of the first row of each result set, nil for none.
func firsts(ctx context.Context, q querier, query string, args ...any) (sets [][]sql.NullString, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for more := true; more; more = rows.NextResultSet() {
		columns, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		switch {
		case !rows.Next():
			sets = append(sets, nil)
		default:
			if err := rows.Scan(into...); err != nil {
				return nil, err
			}
			sets = append(sets, values)
		}
	}
	return sets, rows.Err()
}
