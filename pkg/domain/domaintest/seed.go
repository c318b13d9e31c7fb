package domaintest

import (
	"fmt"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/report"
	"shop.internal/pkg/domain/storage"
)

// Password is the password of every test account.
const Password = "test-password-1"

// Shopper creates an account with an address and returns its id.
func (s *Shop) Shopper(name string) int64 {
	s.t.Helper()
	hash, err := passwordHash()
	require.NoError(s.t, err)
	now := s.Clock.Now()
	s.Exec(`INSERT INTO user (username, username_key, password_hash, nickname, avatar, add_time, update_time)
		VALUES (?, ?, ?, ?, '', ?, ?)`, name, strings.ToLower(name), string(hash), name, now, now)
	return s.Int("SELECT id FROM user WHERE username = ?", name)
}

// passwordHash is the hash of Password, made once a process, since that is slow.
var passwordHash = sync.OnceValues(func() ([]byte, error) {
	return bcrypt.GenerateFromPassword([]byte(Password), bcrypt.MinCost)
})

// Token logs a shopper in.
func (s *Shop) Token(shopper int64) string {
	s.t.Helper()
	token, err := s.Tokens.Issue(s.t.Context(), shopper, int(s.Int("SELECT token_version FROM user WHERE id = ?",
		shopper)),
		"192.0.2.1")
	require.NoError(s.t, err)
	return token
}

// Address creates a default address of a shopper and returns its id.
func (s *Shop) Address(shopper int64) int64 {
	s.t.Helper()
	id, err := s.Addresses.Save(s.t.Context(), shopper, 0, func(a *address.Address) {
		*a = address.Address{
			Name: "林一", Tel: "13900000001", Province: "浙江省", City: "杭州市", County: "西湖区", Detail: "文三路 1 号",
			AreaCode: "330106", Default: true,
		}
	})
	require.NoError(s.t, err)
	return id
}

// Product creates goods with one product and returns the request that adds it to a cart.
func (s *Shop) Product(name string, price money.Amount, stock int) cart.AddRequest {
	s.t.Helper()
	goods, err := s.Catalog.Create(s.t.Context(), catalog.NewGoods{
		Goods: catalog.Goods{
			SN: "SN-" + name, Name: name, Unit: "件", OnSale: true, PicURL: "http://shop.test/" + name + ".png",
			CounterPrice: price,
		},
		Specifications: []catalog.Specification{{Group: "规格", Value: "标准"}},
		Products:       []catalog.Product{{Specifications: []string{"标准"}, Price: price, Number: stock}},
	})
	require.NoError(s.t, err)
	return cart.AddRequest{
		GoodsID: goods, ProductID: s.Int("SELECT id FROM goods_product WHERE goods_id = ?", goods), Number: 1,
	}
}

// Stock is the free stock of a product.
func (s *Shop) Stock(w cart.AddRequest) int {
	s.t.Helper()
	return int(s.Int("SELECT number FROM goods_product WHERE id = ?", w.ProductID))
}

// Coupon creates a common coupon for all goods and gives it to a shopper; it returns the coupon and the user coupon.
func (s *Shop) Coupon(shopper int64, discount, least money.Amount) (coupon, held int64) {
	s.t.Helper()
	coupon, err := s.Promotions.Create(s.t.Context(), promotion.Coupon{
		Name: fmt.Sprintf("满%s减%s", least, discount), Discount: discount, Min: least, Days: 30, PerShopper: 1,
	})
	require.NoError(s.t, err)
	require.NoError(s.t, s.Promotions.Receive(s.t.Context(), shopper, coupon))
	return coupon, s.Int("SELECT id FROM coupon_user WHERE user_id = ? AND coupon_id = ?", shopper, coupon)
}

// Order lets a shopper order a product to their default address, which is created if needed.
func (s *Shop) Order(shopper int64, w cart.AddRequest) int64 {
	s.t.Helper()
	to, ok := s.addressOf(shopper)
	if !ok {
		to = s.Address(shopper)
	}
	row, err := s.Cart.Set(s.t.Context(), shopper, w)
	require.NoError(s.t, err)
	placed, err := s.Orders.Submit(s.t.Context(), shopper, order.Submission{Choice: order.Choice{Cart: row, Address: to}})
	require.NoError(s.t, err)
	return placed.OrderID
}

func (s *Shop) addressOf(shopper int64) (int64, bool) {
	s.t.Helper()
	id := s.Int("SELECT COALESCE(MAX(id), 0) FROM address WHERE user_id = ? AND deleted = 0", shopper)
	return id, id != 0
}

// Notification returns the notification of the platform that an order has been paid; prepay must have been called.
func (s *Shop) Notification(order int64) payment.Notification {
	s.t.Helper()
	number := s.Text("SELECT out_trade_no FROM payment WHERE order_id = ? ORDER BY id DESC LIMIT 1", order)
	amount, err := money.Parse(s.Text("SELECT amount FROM payment WHERE out_trade_no = ?", number))
	require.NoError(s.t, err)
	return payment.Notification{
		OutTradeNo: number, TransactionID: "42" + number, Amount: amount, Currency: "CNY", Time: s.Clock.Now(),
	}
}

// Deliver sends a notification as the platform would.
func (s *Shop) Deliver(n payment.Notification) error {
	header, body, err := s.Sandbox.Compose(s.t.Context(), n)
	if err != nil {
		return err
	}
	return s.Orders.HandleNotification(s.t.Context(), header.Get, body)
}

// Pay lets a shopper pay an order.
func (s *Shop) Pay(shopper, order int64) {
	s.t.Helper()
	_, err := s.Orders.Prepay(s.t.Context(), shopper, order, "192.0.2.1")
	require.NoError(s.t, err)
	require.NoError(s.t, s.Deliver(s.Notification(order)))
}

// Operator creates an operator with a role that has the permissions and returns a token; "*" makes a super operator.
func (s *Shop) Operator(name string, permissions ...string) string {
	s.t.Helper()
	id, err := s.Access.Appoint(s.t.Context(), access.Appointment{
		Username: name, Password: Password, Role: "role of " + name, Values: permissions,
	})
	require.NoError(s.t, err)
	s.appointed = append(s.appointed, id)
	_, token, err := s.Sessions.LogIn(s.t.Context(), access.Credentials{
		Username: name, Password: Password,
		Address: "192.0.2.1",
	})
	require.NoError(s.t, err)
	return token
}

// employ makes the operators whom tests only name by their ids. They are deleted, so that they may do nothing.
func (s *Shop) employ() {
	for _, named := range []string{
		"SELECT actor_id AS id FROM order_status_log WHERE actor_type = @operator",
		"SELECT operator_id AS id FROM stock_log WHERE operator_type = @operator",
		"SELECT operator_id AS id FROM refund", "SELECT handler_id AS id FROM aftersale",
		"SELECT admin_id AS id FROM audit_log",
		"SELECT owner_id AS id FROM storage WHERE owner_type = @owner", "SELECT admin_id AS id FROM notice",
	} {
		s.Exec(`INSERT INTO admin (id, username, username_key, password_hash, deleted, del_mark, add_time, update_time)
			SELECT n.id, CONCAT('named', n.id), CONCAT('named', n.id), REPEAT('x', 60), 1, n.id, @now, @now
			FROM (SELECT DISTINCT m.id FROM (`+named+`) m) n
			WHERE n.id <> 0 AND NOT EXISTS (SELECT 1 FROM admin a WHERE a.id = n.id)`, map[string]any{
			"now": s.Clock.Now(), "operator": actor.KindOperator, "owner": storage.Operator,
		})
	}
}

// backdate makes the operators of Operator, whom nobody has recorded, as old as the first role.
func (s *Shop) backdate() {
	first := s.Text("SELECT COALESCE(MIN(add_time), '2020-01-01') FROM role")
	for _, made := range []string{
		`UPDATE role SET add_time = @ago WHERE id IN (SELECT role_id FROM admin_role WHERE admin_id IN @ids)`,
		`UPDATE permission SET add_time = @ago, update_time = @ago
			WHERE deleted = 0 AND role_id IN (SELECT role_id FROM admin_role WHERE admin_id IN @ids)`,
		`UPDATE admin_role SET add_time = @ago WHERE admin_id IN @ids`,
		`UPDATE admin SET add_time = @ago WHERE id IN @ids`,
	} {
		s.Exec(made, map[string]any{"ids": append([]int64{0}, s.appointed...), "ago": first})
	}
}

// Agree fails the test if the books disagree.
func (s *Shop) Agree() {
	s.t.Helper()
	for _, d := range s.Disagreements() {
		s.t.Errorf("the books disagree: %+v", d)
	}
}

// StillAgree is Agree after an attempt that probably has changed nothing, as one that was rolled back: it verifies the
// books where a row of any table has changed since it last did, and not where only the clock has moved.
func (s *Shop) StillAgree() {
	s.t.Helper()
	if s.sums() == s.agreed {
		return
	}
	s.Agree()
	s.agreed = s.sums()
}

// sums are the checksum of each table.
func (s *Shop) sums() string {
	s.t.Helper()
	tables := s.Texts(`SELECT table_name FROM information_schema.tables
		WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`)
	var sums []struct{ Table, Checksum string }
	require.NoError(s.t, s.db.G(s.t.Context()).Raw("CHECKSUM TABLE "+strings.Join(tables, ", ")).Scan(&sums).Error)
	return fmt.Sprint(sums)
}

// Disagreements are what verify finds, for tests that report it in their own way.
func (s *Shop) Disagreements() (found []report.Disagreement) {
	s.t.Helper()
	s.employ()
	s.backdate()
	require.NoError(s.t, s.Report.Verify(s.t.Context(), func(d report.Disagreement) error {
		found = append(found, d)
		return nil
	}, nil))
	return found
}

// Code is the number of an error's code, for comparing outcomes of races.
func Code(err error) int { return errno.Of(err).Num }

// Usable returns the shopper's coupons for a purchase of anything.
func (s *Shop) Usable(shopper int64) []promotion.UserCoupon {
	s.t.Helper()
	usable, err := s.Promotions.Usable(s.t.Context(), s.db, shopper, nil)
	require.NoError(s.t, err)
	return usable
}
