package engagement_test

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/storefront/internal/apitest"
)

// words creates keywords, each a word with its flags: h for hot, d for default, x for deleted.
func words(s *apitest.Shop, all ...string) {
	for i, line := range all {
		word, marks, _ := strings.Cut(line, "|")
		s.Domain.Exec("INSERT INTO keyword (keyword, url, is_hot, is_default, deleted, sort_order, add_time, update_time) "+
			"VALUES (?, 'http://x/k', ?, ?, ?, ?, '2030-01-01', '2030-01-01')", word, strings.Contains(marks, "h"),
			strings.Contains(marks, "d"), strings.Contains(marks, "x"), 100-i)
	}
}

// There is always a default keyword.
func TestSearchPage(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET(searchPage).OK().Golden("search_index_nothing").Within(1)
	words(s, "春茶|h", "台灯|d", "露营|hd", "围巾", "旧的|hdx")
	s.Guest().GET(searchPage).OK().Golden("search_index").Within(1)
	lin, wang := s.Shopper("lin"), s.Shopper("wang")
	for _, word := range []string{"tea", "pot", "tea", strings.Repeat("x", 64)} {
		s.Domain.Clock.Move(time.Second)
		lin.GET("/wx/search/result?keyword=" + word).OK()
		wang.GET("/wx/goods/list?keyword=" + word).OK()
	}
	lin.GET("/wx/search/goods?keyword=typing").OK() // is no search yet
	lin.GET(searchPage).OK().Golden("search_index_mine")
	for i := range 25 {
		s.Domain.Clock.Move(time.Second)
		lin.GET("/wx/goods/list?keyword=word%d", i).OK()
	}
	var page struct{ HistoryKeywordList []struct{ Keyword string } }
	lin.GET(searchPage).Data(&page)
	require.Len(t, page.HistoryKeywordList, 20)
	require.Equal(t, "word24", page.HistoryKeywordList[0].Keyword)

	for range 2 {
		lin.POST(clearHistory, `{"keyword":"x"}`).OK()
	}
	lin.POST(clearHistory, ``).OK()
	lin.GET(searchPage).OK().Golden("search_index")
	wang.GET(searchPage).Data(&page)
	require.Len(t, page.HistoryKeywordList, 2, "somebody else's stay")
	s.Guest().With("X-Shop-Token", "unknown").GET(searchPage).OK().Golden("search_index")
}

func TestHelper(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	words(s, "100% cotton", "a_b", `c\d`, "Tea", "teapot|h", "tea", "teacup|x")
	s.Guest().GET(helper + "?keyword=TEA").OK().Golden("search_helper")
	s.Guest().GET(helper + "?keyword=nothing").Is("[]")
	for query, want := range map[string][]string{
		"keyword=%25": {"100% cotton"}, "keyword=_": {"a_b"}, "keyword=%5C": {`c\d`}, "keyword=tea&limit=1": {"tea"},
		"keyword=tea&limit=1&page=2": {"teapot"}, "keyword=tea&page=2": {}, "keyword=+tea+": {"tea", "teapot"},
		"keyword=" + url.QueryEscape(`' OR 1=1 -- `): {}, "keyword=" + strings.Repeat("x", 500): {},
	} {
		var got []string
		s.Guest().GET(helper + "?" + query).Data(&got)
		require.Len(t, got, len(want), query)
		for i := range want {
			require.True(t, strings.EqualFold(want[i], got[i]), query)
		}
	}
	for _, query := range []string{"", "keyword=", "keyword=%20%20"} {
		s.Guest().GET(helper + "?" + query).Fails(errno.Missing)
	}
	for _, query := range []string{"page=0", "limit=-1", "limit=x"} {
		s.Guest().GET(helper + "?keyword=x&" + query).Fails(errno.Invalid)
	}
}

const stored = "SELECT GROUP_CONCAT(CONCAT_WS('|', user_id, username, mobile, feed_type, content, status, has_picture, pic_urls, " +
	"deleted) ORDER BY id SEPARATOR ';') FROM feedback"

// Markup is stored as text.
func TestFeedback(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	lin.POST(feedback, `{"feedType":"bug","content":"<b>it</b> fails","mobile":"13900000001"}`).OK()
	lin.POST(feedback, `{"feedType":"bug","content":"x","mobile":"13900000001","hasPicture":true,"picUrls":["http://x/1.png"],`+
		`"userId":99,"username":"boss","status":2,"id":1}`).OK()
	require.Equal(t, `1|lin|13900000001|bug|<b>it</b> fails|0|0|[]|0;1|lin|13900000001|bug|x|0|1|["http://x/1.png"]|0`, s.Domain.Text(stored))
	good := map[string]string{"feedType": `"bug"`, "content": `"x"`, "mobile": `"13900000001"`}
	for _, tt := range []struct {
		member, value string
		want          *errno.Code
	}{
		{"feedType", "", errno.Missing},
		{"feedType", `" "`, errno.Missing},
		{"feedType", `"` + strings.Repeat("茶", 64) + `"`, errno.Invalid},
		{"content", "", errno.Missing},
		{"content", `" "`, errno.Missing},
		{"content", `"` + strings.Repeat("茶", 1024) + `"`, errno.Invalid},
		{"mobile", "", errno.Missing},
		{"mobile", `"123"`, errno.Invalid},
		{"mobile", `"23900000001"`, errno.Invalid},
		{"picUrls", `["ftp://x/1.png"]`, errno.Invalid},
		{"picUrls", `["http://x/1.png"` + strings.Repeat(`,"http://x/1.png"`, 9) + `]`, errno.Invalid},
		{"hasPicture", `"x"`, errno.Invalid},
	} {
		body := []string{}
		for name, value := range good {
			if name != tt.member {
				body = append(body, fmt.Sprintf("%q:%s", name, value))
			}
		}
		if tt.value != "" {
			body = append(body, fmt.Sprintf("%q:%s", tt.member, tt.value))
		}
		lin.POST(feedback, "%s", "{"+strings.Join(body, ",")+"}").Fails(tt.want)
	}
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(*) FROM feedback"))
}

// Twenty clicks with one key are one feedback.
func TestDoubleClicksOnFeedback(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin").With("Idempotency-Key", "a")
	const body = `{"feedType":"bug","content":"x","mobile":"13900000001"}`
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { lin.POST(feedback, body).OK() })
	}
	wg.Wait()
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM feedback"))
	lin.POST(feedback, `{"feedType":"bug","content":"y","mobile":"13900000001"}`).Fails(errno.Invalid)
}
