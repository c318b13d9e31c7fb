package page_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/golden"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

func TestRobots(t *testing.T) {
	t.Parallel()
	w := get(open(t), "GET", "/robots.txt")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	golden.Text(t, "robots.txt", w.Body.Bytes())
}

// The shop's name, colour and picture come from its settings.
func TestTheShopsLook(t *testing.T) {
	t.Parallel()
	s := open(t)
	golden.JSON(t, "manifest", get(s, "GET", "/manifest.webmanifest").Body.Bytes())
	require.Equal(t, http.StatusOK, get(s, "GET", "/theme.css").Code)
	require.Empty(t, get(s, "GET", "/theme.css").Body.String(), "the colours of the program")
	require.NoError(t, s.Domain.Settings.Save(t.Context(), "mall", map[string]string{
		"litemall_mall_name": "小店", "litemall_mall_color": "#00489E", "litemall_mall_logo": "/wx/storage/fetch/logo.png",
	}))
	golden.JSON(t, "manifest_own", get(s, "GET", "/manifest.webmanifest").Body.Bytes())
	w := get(s, "GET", "/theme.css?00489e")
	golden.Text(t, "theme.css", w.Body.Bytes())
	require.Equal(t, "text/css; charset=utf-8", w.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
	require.Equal(t, "no-cache", get(s, "GET", "/theme.css?b3331b").Header().Get("Cache-Control"), "a colour of before")
	w = get(s, "GET", "/favicon.ico")
	require.Equal(t, http.StatusFound, w.Code)
	require.Equal(t, "/wx/storage/fetch/logo.png", w.Header().Get("Location"))
}

// sitemap is what search engines read of a site map.
type sitemap struct {
	Parts []string `xml:"sitemap>loc"`
	Pages []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
		Links   []struct {
			Lang string `xml:"hreflang,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"url"`
}

func sitemapAt(t *testing.T, s *apitest.Shop, address string) (m sitemap) {
	t.Helper()
	w := get(s, "GET", strings.TrimPrefix(address, "https://shop.test"))
	require.Equal(t, http.StatusOK, w.Code, address)
	require.Equal(t, "application/xml; charset=utf-8", w.Header().Get("Content-Type"))
	require.NoError(t, xml.Unmarshal(w.Body.Bytes(), &m))
	return m
}

// A shop of any size has parts of a bounded size, which name every page once in every language.
func TestSitemap(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	s.Domain.Exec(`INSERT INTO goods (name, is_on_sale, add_time, update_time)
		WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 142)
		SELECT CONCAT(a.i, '-', b.i), a.i <> 100, '2030-01-01', '2030-01-02' FROM n a CROSS JOIN n b LIMIT 20003`)
	parts := sitemapAt(t, s, "/sitemap.xml").Parts
	require.Equal(t, []string{
		"https://shop.test/sitemap/pages.xml", "https://shop.test/sitemap/goods-1.xml", "https://shop.test/sitemap/goods-2.xml",
		"https://shop.test/sitemap/goods-3.xml", "https://shop.test/sitemap/goods-4.xml", "https://shop.test/sitemap/goods-5.xml",
	}, parts)
	found := map[string]bool{}
	for _, part := range parts {
		m := sitemapAt(t, s, part)
		require.LessOrEqual(t, len(m.Pages), 10_000, part)
		for _, u := range m.Pages {
			require.False(t, found[u.Loc], u.Loc)
			found[u.Loc] = true
			require.Len(t, u.Links, 2)
			require.Equal(t, "zh-CN en", u.Links[0].Lang+" "+u.Links[1].Lang)
			require.NotContains(t, u.Links[0].Href, "/en")
			require.Contains(t, u.Links[1].Href, "https://shop.test/en")
		}
	}
	sold := s.Domain.Int("SELECT COUNT(*) FROM goods WHERE is_on_sale = 1 AND deleted = 0")
	const others = 5 + 2 + 1 + 1 // fixed pages, categories, a brand, a topic
	require.Len(t, found, 2*(int(sold)+others))
	require.True(t, found["https://shop.test/goods/1"] && found["https://shop.test/en/goods/1"] && found["https://shop.test/"])
	require.NotEmpty(t, sitemapAt(t, s, parts[1]).Pages[0].LastMod)
	for _, missing := range []string{"/sitemap/goods-6.xml", "/sitemap/goods-0.xml", "/sitemap/goods-01.xml", "/sitemap/x.xml"} {
		require.Equal(t, http.StatusNotFound, get(s, "GET", missing).Code, missing)
	}
}

// Without a known address of the shop, no page names one, least of all that of the caller.
func TestAShopWithoutAnAddress(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *app.Config) { c.Payment.NotifyURL = "" })
	seed(t, s)
	page := get(s, "GET", "/goods/1", "Host", "evil.test", "X-Forwarded-Host", "evil.test")
	for _, absent := range []string{`rel="canonical"`, "hreflang=\"x-default\"", "og:url", "evil.test", "BreadcrumbList", `"url"`} {
		require.NotContains(t, page.Body.String(), absent)
	}
	require.Contains(t, page.Body.String(), `<meta property="og:image" content="https://cdn.test/g.png" />`)
	require.NotContains(t, get(s, "GET", "/robots.txt").Body.String(), "Sitemap")
	require.Equal(t, http.StatusNotFound, get(s, "GET", "/sitemap.xml").Code)
}

// A shop in English has the prefix for Chinese.
func TestAShopInEnglish(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *app.Config) { c.Shop.Language = "en" })
	seed(t, s)
	page := get(s, "GET", "/goods/1").Body.String()
	require.Contains(t, page, `lang="en">`)
	require.Contains(t, page, `<link rel="canonical" href="https://shop.test/goods/1" />`)
	require.Contains(t, page, `<link rel="alternate" hreflang="zh-CN" href="https://shop.test/zh/goods/1" />`)
	same := get(s, "GET", "/en/goods/1").Body.String()
	require.Equal(t, page, same, "the prefix of the shop's own language leads to the same page")
	require.Contains(t, get(s, "GET", "/zh/goods/1").Body.String(), "商品详情")
}

// Previews of links and programs ask for anything, some for the head alone; operations keep their envelopes.
func TestWhoeverAsks(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	page := get(s, "GET", "/goods/1", "Accept", "text/html")
	for _, accept := range []string{"*/*", "", "application/json", "image/png"} {
		w := get(s, "GET", "/goods/1", "Accept", accept, "User-Agent", "facebookexternalhit/1.1")
		require.Equal(t, page.Body.String(), w.Body.String(), accept)
		require.Equal(t, "Accept-Encoding", strings.Join(w.Header().Values("Vary"), ","), accept)
	}
	head := get(s, "HEAD", "/goods/1")
	require.Equal(t, http.StatusOK, head.Code)
	require.Equal(t, page.Header(), head.Header())
	require.Equal(t, http.StatusNotFound, get(s, "HEAD", "/goods/99").Code)
	again := get(s, "GET", "/goods/1", "If-None-Match", page.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, again.Code)
	for _, target := range []string{"/wx/nothing", "/wx", "/assets/none.js", "/docs/"} {
		w := get(s, "GET", target, "Accept", "text/html")
		require.Equal(t, http.StatusNotFound, w.Code, target)
		require.Contains(t, w.Body.String(), `"errno":404`, target)
	}
	require.Equal(t, http.StatusMethodNotAllowed, get(s, "HEAD", "/wx/goods/detail?id=1").Code)
	require.Equal(t, http.StatusNotFound, get(s, "POST", "/goods/1").Code)
}

// The content of a page needs no rule of the policy: its style is a file, and its data no script.
func TestThePolicy(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	w := get(s, "GET", "/goods/1")
	require.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; manifest-src 'self'; "+
		"worker-src 'self'; font-src 'self' data:; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; "+
		"frame-ancestors 'none'", w.Header().Get("Content-Security-Policy"))
	require.NotContains(t, w.Body.String(), "<style")
	require.NotContains(t, w.Body.String(), "style=")
}

// What schema.org and those who read it require of each kind of data.
func TestStructuredData(t *testing.T) {
	t.Parallel()
	s := open(t)
	goods := seed(t, s)
	things := func(target string) map[string]map[string]any {
		found := map[string]map[string]any{}
		for _, m := range regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).
			FindAllStringSubmatch(get(s, "GET", target).Body.String(), -1) {
			var thing map[string]any
			require.NoError(t, json.Unmarshal([]byte(m[1]), &thing))
			require.Equal(t, "https://schema.org", thing["@context"])
			found[thing["@type"].(string)] = thing
		}
		return found
	}
	product := things("/goods/1")["Product"]
	for _, member := range []string{"name", "image", "description", "sku", "brand", "offers", "url"} {
		require.NotEmpty(t, product[member], member)
	}
	require.Nil(t, product["aggregateRating"], "no comments")
	offer := product["offers"].(map[string]any)
	require.Equal(t, "36.50", offer["price"])
	require.Equal(t, "CNY", offer["priceCurrency"])
	require.Equal(t, "https://schema.org/InStock", offer["availability"])
	comment(t, s, goods, s.Domain.Shopper("lin"), 4)
	s.Domain.Exec("UPDATE goods_product SET number = 0")
	s.Domain.Clock.Move(2e9)
	product = things("/goods/1")["Product"]
	require.Equal(t, "https://schema.org/OutOfStock", product["offers"].(map[string]any)["availability"])
	require.Equal(t, map[string]any{
		"@type": "AggregateRating", "ratingValue": "4.0", "reviewCount": 1.0, "bestRating": 5.0, "worstRating": 1.0,
	}, product["aggregateRating"])
	trail := things("/category/2")["BreadcrumbList"]["itemListElement"].([]any)
	require.Len(t, trail, 3)
	for i, item := range trail {
		require.EqualValues(t, i+1, item.(map[string]any)["position"])
		require.NotEmpty(t, item.(map[string]any)["name"])
		require.Contains(t, item.(map[string]any)["item"], "https://shop.test/")
	}
	shop := things("/")["Organization"]
	require.Equal(t, "商城", shop["name"])
	require.Equal(t, "https://shop.test/", shop["url"])
	require.Equal(t, "https://shop.test/icons/shop-512.png", shop["logo"])
}

// While the database does not answer, a page that is not kept is served without content, and works.
func TestAPageWithoutItsContent(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	require.Contains(t, get(s, "GET", "/goods/1").Body.String(), "<h1>茶壶</h1>")
	s.Domain.Exec("RENAME TABLE brand TO brand_away")
	w := get(s, "GET", "/brands/1")
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), `<div id="app"></div>`)
	require.Contains(t, w.Body.String(), `data-name=""`)
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
	s.Domain.Exec("RENAME TABLE brand_away TO brand")
	require.Contains(t, get(s, "GET", "/brands/1").Body.String(), "<h1>窑</h1>")
}

// Every address of the router is a page here, with the same words for its numbers.
func TestThePagesOfTheRouter(t *testing.T) {
	t.Parallel()
	s := open(t)
	seed(t, s)
	files, err := filepath.Glob("../../web/src/pages/*/routes.ts")
	require.NoError(t, err)
	paths := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`path: '([^']+)'`).FindAllStringSubmatch(string(code), -1) {
			path := regexp.MustCompile(`/:id\(\\\\d\+\)\?`).ReplaceAllString(m[1], "")
			path = regexp.MustCompile(`:\w+\([^)]*\)`).ReplaceAllString(path, "1")
			require.Equal(t, http.StatusOK, get(s, "GET", path).Code, path)
			paths++
		}
	}
	require.Greater(t, paths, 30)
}
