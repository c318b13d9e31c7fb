package page_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/golden"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

// open returns a shop with its pages, whose address is https://shop.test.
func open(t *testing.T, configure ...func(*app.Config)) *apitest.Shop {
	t.Helper()
	return apitest.OpenWith(t, append([]func(*app.Config){func(c *app.Config) {
		c.Web.Enabled, c.Payment.NotifyURL = true, "https://shop.test/wx/order/pay-notify"
	}}, configure...)...)
}

// get asks for a page with headers given as pairs.
func get(s *apitest.Shop, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.API.Handler.ServeHTTP(w, r)
	return w
}

var hash = regexp.MustCompile(`(/assets/\w+)-[\w-]{8}\.`)

// content is what the service has written into a page.
func contentOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	_, rest, found := strings.Cut(w.Body.String(), `<html`)
	require.True(t, found, w.Body.String())
	opening, rest, _ := strings.Cut(rest, ">")
	_, rest, _ = strings.Cut(rest, `content="width=device-width, initial-scale=1, viewport-fit=cover" />`)
	head, rest, _ := strings.Cut(rest, "</title>")
	_, rest, _ = strings.Cut(rest, `<div id="app">`)
	body, _, _ := strings.Cut(rest, `<p class="waiting">`)
	head = hash.ReplaceAllString(head, "$1.") // which changes with the sources of the script
	return "<html" + opening + ">" + head + "</title>\n" + body
}

// seed fills a shop with a piece of everything that pages show.
func seed(t *testing.T, s *apitest.Shop) (goods int64) {
	t.Helper()
	ctx, d := t.Context(), s.Domain
	home, err := d.Catalog.CreateCategory(ctx, catalog.Category{Name: "居家", Level: catalog.FirstLevel})
	require.NoError(t, err)
	tea, err := d.Catalog.CreateCategory(ctx, catalog.Category{
		Name: "茶", Desc: "喝茶的器具", Pid: home.ID, Level: catalog.SecondLevel,
	})
	require.NoError(t, err)
	brand, err := d.Catalog.CreateBrand(ctx, catalog.Brand{
		Name: "窑", Desc: "陶器", PicURL: "https://cdn.test/b.png", FloorPrice: 990,
	})
	require.NoError(t, err)
	goods, err = d.Catalog.Create(ctx, catalog.NewGoods{
		Goods: catalog.Goods{
			SN: "1001", Name: "茶壶", Brief: "手工陶壶", CategoryID: tea.ID, BrandID: brand.ID, OnSale: true, New: true,
			CounterPrice: 5000, PicURL: "https://cdn.test/g.png", Gallery: []string{"https://cdn.test/2.png"},
			Detail: `<p style="color:red">好<img src="https://cdn.test/d.png"></p>`,
		},
		Attributes: []catalog.Attribute{{Name: "材质", Value: "陶"}},
		Products:   []catalog.Product{{Specifications: []string{"标准"}, Price: 3650, Number: 5}},
	})
	require.NoError(t, err)
	_, err = d.Content.CreateTopic(ctx, content.Topic{
		TopicSummary: content.TopicSummary{Title: "喝茶", Subtitle: "慢", Price: 990, PicURL: "https://cdn.test/t.png"},
		Content:      "<p>慢慢喝。</p>", Goods: []int64{goods},
	})
	require.NoError(t, err)
	_, err = d.Content.CreateQuestion(ctx, content.Question{Question: "多久发货？", Answer: "当天。"})
	require.NoError(t, err)
	return goods
}

// comment adds a comment with stars.
func comment(t *testing.T, s *apitest.Shop, goods, shopper int64, stars int) {
	t.Helper()
	_, err := s.Domain.Reviews.Create(t.Context(), review.Comment{
		Kind: review.Goods, ValueID: goods, UserID: shopper, Content: "好", Star: stars,
	})
	require.NoError(t, err)
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := open(t)
	goods := seed(t, s)
	lin := s.Domain.Shopper("lin")
	comment(t, s, goods, lin, 5)
	comment(t, s, goods, lin, 4)
	for name, target := range map[string]string{
		"home": "/", "goods": "/goods/1", "categories": "/category", "category_first": "/category/1",
		"category": "/category/2", "brands": "/brands", "brand": "/brands/1", "topics": "/topics", "topic": "/topics/1",
		"help": "/help",
	} {
		w := get(s, "GET", target)
		require.Equal(t, http.StatusOK, w.Code, target)
		golden.Text(t, name+".html", []byte(contentOf(t, w)))
		w = get(s, "GET", strings.TrimSuffix("/en"+target, "/"))
		require.Equal(t, http.StatusOK, w.Code, target)
		golden.Text(t, name+"_en.html", []byte(contentOf(t, w)))
	}
}

// What was read once costs no statement more, and no page depends on its caller.
func TestAPageThatIsKept(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	token := s.Domain.Token(s.Domain.Shopper("lin"))
	for _, target := range []string{"/", "/goods/1", "/category/2", "/brands/1", "/topics/1", "/help", "/cart", "/nowhere"} {
		first := get(s, "GET", target)
		r := httptest.NewRequest("GET", target, nil)
		r.Header.Set("X-Shop-Token", token)
		r.Header.Set("X-Shop-Language", "en")
		r.Header.Set("Accept", "*/*")
		r.Header.Set("Accept-Language", "en")
		r.Host = "evil.test"
		ctx, count := domaintest.Count(r.Context())
		w := httptest.NewRecorder()
		s.API.Handler.ServeHTTP(w, r.WithContext(ctx))
		require.Equal(t, first.Body.String(), w.Body.String(), target)
		require.Equal(t, 0, count(), target)
		require.Equal(t, "public, max-age=0, s-maxage=1", w.Header().Get("Cache-Control"))
	}
}

// A change of the goods or of a setting is on the page as soon as it is in the answer.
func TestAPageThatChanges(t *testing.T) {
	t.Parallel()
	s := open(t)
	goods := seed(t, s)
	require.Contains(t, get(s, "GET", "/goods/1").Body.String(), "<title>茶壶 · 商城</title>")
	require.NoError(t, s.Domain.Settings.Save(t.Context(), "mall", map[string]string{
		"litemall_mall_name": "小店", "litemall_mall_color": "#00489e", "litemall_mall_logo": "https://cdn.test/logo.png",
	}))
	page := get(s, "GET", "/goods/1").Body.String()
	require.Contains(t, page, "<title>茶壶 · 小店</title>")
	require.Contains(t, page, `data-name="小店"`)
	require.Contains(t, page, `data-logo="https://cdn.test/logo.png"`)
	require.Contains(t, page, `<meta name="theme-color" content="#00489e" />`)
	require.Contains(t, page, `<link rel="stylesheet" href="/theme.css?00489e" />`)
	require.Contains(t, page, `<link rel="icon" href="https://cdn.test/logo.png" />`)
	s.Domain.Exec("UPDATE goods SET name = '紫砂壶' WHERE id = ?", goods)
	s.Domain.Clock.Move(2e9)
	require.Contains(t, get(s, "GET", "/goods/1").Body.String(), "<title>紫砂壶 · 小店</title>")
}

func TestWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	s := open(t)
	goods := seed(t, s)
	off, err := s.Domain.Catalog.Create(t.Context(), catalog.NewGoods{
		Goods:    catalog.Goods{Name: "旧茶壶", CategoryID: 2},
		Products: []catalog.Product{{Specifications: []string{"标准"}, Price: money.Yuan(9), Number: 5}},
	})
	require.NoError(t, err)
	require.Equal(t, goods+1, off)
	golden.Text(t, "goods_off.html", []byte(contentOf(t, get(s, "GET", "/goods/2"))))
	golden.Text(t, "missing.html", []byte(contentOf(t, get(s, "GET", "/goods/99"))))
	s.Domain.Exec("UPDATE goods SET deleted = 1 WHERE id = 1")
	s.Domain.Clock.Move(2e9)
	golden.Text(t, "gone_en.html", []byte(contentOf(t, get(s, "GET", "/en/goods/1"))))
	for target, status := range map[string]int{
		"/goods/1": 410, "/goods/2": 410, "/goods/99": 404, "/goods/x": 404, "/goods/0": 404, "/goods/1234567890123456789": 404,
		"/category/99": 404, "/brands/99": 404, "/topics/99": 404, "/nowhere": 404, "/en/nowhere/else": 404, "/en/wx/goods": 404,
		"/goods": 200, "/cart": 200, "/my/groups/7": 200, "/orders/7/review/8": 200, "/help/": 200, "/en/help/": 200,
	} {
		w := get(s, "GET", target)
		require.Equal(t, status, w.Code, target)
		require.Contains(t, w.Body.String(), `<div class="served">`, target)
		require.Equal(t, status == 200 && target != "/cart" && !strings.Contains(target, "/my") && !strings.Contains(target, "/orders"),
			!strings.Contains(w.Body.String(), `content="noindex"`), target)
	}
}

// Names of the shop's staff cannot leave their place in the markup or in the data of a page.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	const hostile = `</title></script><script>a()</script>"'><img src=x onerror=a()>`
	s.Domain.Exec("UPDATE goods SET name = ?, brief = ?, goods_sn = ?, pic_url = 'javascript:alert(1)'", hostile, hostile, hostile)
	s.Domain.Exec("UPDATE goods_content SET detail = ?", "<p>ok</p>"+hostile)
	s.Domain.Exec("UPDATE brand SET name = ?, description = ?", hostile, hostile)
	s.Domain.Exec("UPDATE category SET name = ?, description = ?", hostile, hostile)
	s.Domain.Exec("UPDATE topic SET title = ?, subtitle = ?, content = ?", hostile, hostile, "<p>ok</p>"+hostile)
	s.Domain.Exec("UPDATE issue SET question = ?, answer = ?", hostile, hostile)
	s.Domain.Exec("UPDATE system_config SET key_value = ? WHERE key_name = 'litemall_mall_name'", hostile[:63])
	s.Domain.Clock.Move(2e9)
	for _, target := range []string{"/", "/goods/1", "/category", "/category/2", "/brands/1", "/topics/1", "/help", "/nowhere"} {
		text := contentOf(t, get(s, "GET", target))
		text = strings.ReplaceAll(text, `<script type="application/ld+json">`, "")
		require.NotContains(t, text, "<script", target)
		require.NotContains(t, text, "<img src=x", target)
		require.NotContains(t, text, `src="javascript:`, target)
		require.Equal(t, 1, strings.Count(text, "</title>"), target)
	}
}
