package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

// buyer is a shopper with an address and one piece of a product in the cart.
type buyer struct {
	*optest.Client
	id, to, row int64
}

func newBuyer(t *testing.T, s *apitest.Shop, name string, w cart.AddRequest) *buyer {
	t.Helper()
	id := s.Domain.Shopper(name)
	row, err := s.Domain.Cart.Set(t.Context(), id, w)
	require.NoError(t, err)
	return &buyer{Client: s.As(id), id: id, to: s.Domain.Address(id), row: row}
}

func (b *buyer) submit(more string) *optest.Answer {
	return b.POST("/wx/order/submit", `{"cartId":%d,"addressId":%d,"couponId":0%s}`, b.row, b.to, more)
}

// Order numbers are unique; a taken one is generated again, unnoticed by the shopper.
func TestANumberThatIsTakenIsDrawnAgain(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	tea := s.Domain.Product("tea", 4550, 10)
	newBuyer(t, s, "lin", tea).submit("").OK()
	s.Domain.Exec("CREATE TRIGGER collide BEFORE INSERT ON orders FOR EACH ROW " +
		"SET NEW.order_sn = IF(@drawn IS NULL, (SELECT MIN(order_sn) FROM orders), NEW.order_sn), @drawn = 1")
	newBuyer(t, s, "mei", tea).submit("").OK()
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(DISTINCT order_sn) FROM orders"))
	s.Domain.Exec("DROP TRIGGER collide")
	s.Domain.Agree()
}

// An order number gives no access: operations take ids, and those of others are unknown.
func TestAnOrderNumberOpensNothing(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := newBuyer(t, s, "lin", s.Domain.Product("tea", 4550, 10))
	lin.submit("").OK()
	number := s.Domain.Text("SELECT order_sn FROM orders")
	mei := s.Shopper("mei")
	for _, c := range []*optest.Client{mei, lin.Client} {
		for _, path := range []string{"/wx/order/detail", "/wx/aftersale/detail"} {
			a := c.GET(path + "?orderId=" + number)
			require.Contains(t, []int{errno.Invalid.Num, errno.OrderUnknown.Num}, a.Code().Num)
			c.GET(path + "?orderSn=" + number).Fails(errno.Missing)
		}
		a := c.POST("/wx/order/cancel", `{"orderId":"%s"}`, number)
		require.Contains(t, []int{errno.Invalid.Num, errno.OrderUnknown.Num}, a.Code().Num)
	}
	require.EqualValues(t, 101, s.Domain.Int("SELECT order_status FROM orders"))
}

// The mail to operators contains the number and the amount of an order, and nothing about the shopper.
func TestMailsTellNumberAndAmountAlone(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := newBuyer(t, s, "lin", s.Domain.Product("tea", 4550, 10))
	lin.submit(`,"message":"ring twice"`).OK()
	s.Domain.Pay(lin.id, 1)
	lin.POST("/wx/order/refund", `{"orderId":1}`).OK()
	s.Domain.Clock.Move(time.Minute)
	_, err := s.Domain.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	_, err = s.Domain.Outbox.DeliverAside(t.Context())
	require.NoError(t, err)
	number, mails := s.Domain.Text("SELECT order_sn FROM orders"), 0
	for _, message := range s.Domain.Messages.All() {
		if !strings.HasPrefix(message, "mail ") {
			continue
		}
		mails++
		require.Contains(t, message, number)
		require.Contains(t, message, "53.50")
		for _, inside := range []string{"林一", "13900000001", "文三路", "ring twice", "tea", "lin"} {
			require.NotContains(t, message, inside)
		}
	}
	require.Equal(t, 2, mails, "of the payment, and of the wish for the money back")
}

// No lock on an order is held while the platform is called: a slow platform would otherwise block the shop.
func TestNothingIsLockedWhileThePlatformIsAsked(t *testing.T) {
	t.Parallel()
	s, platform := apitest.OpenWechat(t)
	lin := newBuyer(t, s, "lin", s.Domain.Product("tea", 4550, 10))
	lin.submit("").OK()
	asked := 0
	platform.Answer(func(*http.Request) (int, string, bool) {
		asked++
		for _, table := range []string{"orders", "payment", "goods_product", "user"} {
			s.Domain.Int("SELECT COUNT(*) FROM (SELECT id FROM " + table + " FOR UPDATE NOWAIT) x")
		}
		return 0, "", false
	})
	lin.POST("/wx/order/h5pay", `{"orderId":1}`).OK()
	require.Positive(t, asked)
}

// A concurrent change by an operator is kept: a change of state writes only the state.
func TestAChangeOfStateWritesNothingElse(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := newBuyer(t, s, "lin", s.Domain.Product("tea", 4550, 10))
	lin.submit("").OK()
	release := s.Domain.Hold("UPDATE orders SET consignee = 'changed meanwhile', message = 'too' WHERE id = 1")
	answered := make(chan *optest.Answer)
	go func() { answered <- lin.POST("/wx/order/cancel", `{"orderId":1}`) }()
	s.Domain.WaitForLock()
	release()
	(<-answered).OK()
	require.Equal(t, "102|changed meanwhile|too",
		s.Domain.Text("SELECT CONCAT_WS('|', order_status, consignee, message) FROM orders"))
}

// The opener of a group is known by their id, however large it is.
func TestOpenersWithLargeIDs(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, table := range []string{"user", "orders", "groupon"} {
		s.Domain.Exec("ALTER TABLE " + table + " AUTO_INCREMENT = 100128")
	}
	tea := s.Domain.Product("tea", 4550, 10)
	rule, err := s.Domain.Promotions.CreateGroupRule(t.Context(), promotion.GroupRule{
		GoodsID: tea.GoodsID, GoodsName: "tea", Discount: money.Yuan(20), Members: 3,
		ExpireTime: s.Domain.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	var placed struct{ OrderID, GrouponLinkID int64 }
	lin, mei := newBuyer(t, s, "lin", tea), newBuyer(t, s, "mei", tea)
	lin.submit(fmt.Sprintf(`,"grouponRulesId":%d`, rule)).OK().Data(&placed)
	s.Domain.Pay(lin.id, placed.OrderID)
	mei.submit(fmt.Sprintf(`,"grouponRulesId":%d,"grouponLinkId":%d`, rule, placed.GrouponLinkID)).OK().Data(&placed)
	s.Domain.Pay(mei.id, placed.OrderID)
	for show, c := range []*buyer{lin, mei} {
		var got struct{ List []struct{ IsCreator bool } }
		c.GET("/wx/groupon/my?showType=%d", show).Data(&got)
		require.Len(t, got.List, 1)
		require.Equal(t, c == lin, got.List[0].IsCreator)
	}
}

// A redemption code belongs to one coupon, so that redeeming it never finds two.
func TestACodeBelongsToOneCoupon(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	c := promotion.Coupon{Name: "coupon", Kind: promotion.Code, Code: "ABCDEFG1", Days: 1, PerShopper: 1}
	_, err := s.Domain.Promotions.Create(t.Context(), c)
	require.NoError(t, err)
	_, err = s.Domain.Promotions.Create(t.Context(), c)
	require.Error(t, err)
	s.Shopper("lin").POST("/wx/coupon/exchange", `{"code":"ABCDEFG1"}`).OK()
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM coupon_user"))
}

// CVE-2020-23448: no spelling of a path bypasses the token.
func TestOtherSpellingsOfAPath(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	newBuyer(t, s, "lin", s.Domain.Product("tea", 4550, 10)).submit("").OK()
	number := s.Domain.Text("SELECT order_sn FROM orders")
	for _, path := range []string{
		"/wx/auth/login/../../order/list", "/wx/auth/login;/../order/list", "//wx/order/list", "/wx/%6frder/list", "/WX/order/list",
		"/wx/order/list/", "/wx/order/list;a=b", "/wx/order/list.json", "/wx/goods/count/../../order/list", "/wx/./order/list",
		"/wx/..%2fwx%2forder/list", "/wx/../admin/order/list", "/admin/order/list",
	} {
		a := s.Guest().Send(http.MethodGet, path, nil)
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, a.Status, path)
		require.Contains(t, []int{errno.LoginRequired.Num, errno.UnknownPath.Num}, a.Code().Num, path)
		require.NotContains(t, string(a.Body), number)
	}
}

// A form of another page changes nothing, and markup is returned as text that no browser displays as a page.
func TestFormsAndMarkup(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	lin.With("Content-Type", "application/x-www-form-urlencoded").With("Origin", "https://evil.example").
		POST("/wx/auth/profile", "nickName=x").Fails(errno.Invalid)
	require.Equal(t, "lin", s.Domain.Text("SELECT username FROM user"))
	const markup = `<script>alert(1)</script>`
	lin.POST("/wx/address/save", `{"name":"%s","tel":"13900000001","province":"浙江省","city":"杭州市","county":"西湖区",`+
		`"areaCode":"330106","addressDetail":"%s","isDefault":true}`, markup, markup).OK()
	require.Equal(t, markup+markup, s.Domain.Text("SELECT CONCAT(name, address_detail) FROM address"))
	a := lin.GET("/wx/address/list").OK()
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Contains(t, a.Header.Get("Content-Type"), "application/json")
}

// The shipped file alone starts nothing: its secrets are missing, and published ones are refused.
func TestNoSecretIsShipped(t *testing.T) {
	const shipped = "../../../../deploy/storefront/config.yaml"
	t.Setenv("STOREFRONT_MYSQL_DSN", "shop:shop@tcp(127.0.0.1:3306)/shop")
	t.Setenv("STOREFRONT_REDIS_ADDR", "10.0.0.1:6379")
	for key, variable := range map[string]string{
		"secrets.codes": "STOREFRONT_SECRETS_CODES", "secrets.idempotency": "STOREFRONT_SECRETS_IDEMPOTENCY",
	} {
		_, err := app.LoadConfig(shipped)
		require.ErrorContains(t, err, key+": is missing")
		for _, secret := range []string{"short", strings.Repeat("a", 64), "change-me-change-me-change-me-change-me"} {
			t.Setenv(variable, secret)
			_, err = app.LoadConfig(shipped)
			require.ErrorContains(t, err, key)
			require.NotContains(t, err.Error(), secret)
		}
		t.Setenv(variable, "q8Vt3ZkYw1Hs6RbN0xLc5PjD7gUf2MeAiT9o")
	}
	t.Setenv("STOREFRONT_SMS_SENDER", "log")
	_, err := app.LoadConfig(shipped)
	require.ErrorContains(t, err, "sms.sender")
	require.ErrorContains(t, err, "storage.base-url: is missing")
	t.Setenv("STOREFRONT_SMS_SENDER", "none")
	t.Setenv("STOREFRONT_STORAGE_BASE_URL", "https://shop.test/wx/storage/fetch/")
	c, err := app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Equal(t, []string{"X-Litemall-Token"}, c.Token.Headers)
	t.Setenv("STOREFRONT_TOKEN_HEADERS", "")
	c, err = app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Empty(t, c.Token.Headers, "the aliases are switched off")
}

// Each of these would stop the service later, or make its pages unreachable.
func TestUnusableConfigurations(t *testing.T) {
	good := map[string]string{
		"MYSQL_DSN": "shop:hidden@tcp(127.0.0.1:3306)/shop", "REDIS_ADDR": "10.0.0.1:6379",
		"SECRETS_CODES": "q8Vt3ZkYw1Hs6RbN0xLc5PjD7gUf2MeAiT9o", "STORAGE_BASE_URL": "https://shop.test/wx/storage/fetch/",
		"SECRETS_IDEMPOTENCY": "q8Vt3ZkYw1Hs6RbN0xLc5PjD7gUf2MeAiT9o",
	}
	for name, tt := range map[string]struct{ key, value, want string }{
		"a malformed DSN":          {"MYSQL_DSN", "shop:hidden@127.0.0.1/shop", "mysql.dsn: is not of the form"},
		"a DSN without a database": {"MYSQL_DSN", "shop:hidden@tcp(127.0.0.1)/", "mysql.dsn: names no database"},
		"Redis without a port":     {"REDIS_ADDR", "10.0.0.1:6379,10.0.0.2", "redis.addr: is not of the form"},
		"Redis with a scheme":      {"REDIS_ADDR", "redis://:hidden@10.0.0.1:6379/0", "without redis:// before it"},
		"a port alone":             {"LISTEN", "8080", "listen: is no address"},
		"every proxy":              {"PROXIES_TRUSTED", "all", "proxies.trusted"},
		"an origin with a slash":   {"CORS_ORIGINS", "https://shop.test/", "cors.origins"},
		"an address of no files":   {"STORAGE_BASE_URL", "https://shop.test/", "storage.base-url"},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range good {
				t.Setenv("STOREFRONT_"+key, value)
			}
			t.Setenv("STOREFRONT_"+tt.key, tt.value)
			_, err := app.LoadConfig("")
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "hidden")
		})
	}
}
