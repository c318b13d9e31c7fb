package review_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/order"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

const post = "/wx/comment/post"

// withSubjects is a shop with the goods 1 and the topic 1.
func withSubjects(t *testing.T, configure ...func(*app.Config)) *apitest.Shop {
	t.Helper()
	s := apitest.OpenWith(t, configure...)
	s.Domain.Product("tea", 1000, 10)
	_, err := s.Domain.Content.CreateTopic(t.Context(), content.Topic{TopicSummary: content.TopicSummary{Title: "drinking tea"}})
	require.NoError(t, err)
	return s
}

func TestPost(t *testing.T) {
	t.Parallel()
	s := withSubjects(t)
	lin := s.Shopper("lin")
	lin.POST(post, `{"type":0,"valueId":1,"content":"<b>good</b> %s","star":5}`, "%_").OK().Golden("comment_post")
	s.Domain.Clock.Move(time.Minute)
	lin.POST(post, `{"type":"1","valueId":"1","content":" fine ","star":"1","hasPicture":true,`+
		`"picUrls":["http://x/1.png","https://x/2.png"]}`).OK().Golden("comment_post_topic").Within(3)
	mei, wang := s.Shopper("mei"), s.Shopper("wang")
	mei.POST(post, `{"type":0,"valueId":1,"content":"x","star":3,"hasPicture":true,"picUrls":[]}`).OK().Golden("comment_post_no_picture")
	wang.POST(post, `{"type":0,"valueId":1,"content":"x","star":3,"picUrls":["http://x/1.png"]}`).OK().Golden("comment_post_not_meant")
	lin.GET("/wx/comment/list?type=0&valueId=1").OK().Golden("comment_post_list")
}

// Members that the shop sets itself are never read from the body: no reply, author, id, time or state of a comment can
// be forged, and no other comment can be overwritten. CVE-2025-6702: the operator's reply cannot be forged.
func TestPostTakesOnlyWhatIsListed(t *testing.T) {
	t.Parallel()
	s := withSubjects(t)
	s.Shopper("wang").POST(post, `{"type":0,"valueId":1,"content":"mine","star":5}`).OK()
	s.Domain.Clock.Move(time.Minute)
	s.Shopper("lin").POST(post, `{"type":0,"valueId":1,"content":"x","star":1,"id":1,"userId":1,"adminContent":"thanks","reply":"thanks",`+
		`"addTime":"2000-01-01 00:00:00","updateTime":"2000-01-01 00:00:00","deleted":true,"version":9,"orderGoodsId":7,`+
		`"has_picture":true}`).OK().Golden("comment_post_forged")
	require.Equal(t, "1|1|mine||2030-01-02 04:00:00.000|0;2|2|x||2030-01-02 04:01:00.000|0",
		s.Domain.Text("SELECT GROUP_CONCAT(CONCAT_WS('|', id, user_id, content, admin_content, add_time, deleted) ORDER BY id SEPARATOR ';') FROM comment"))
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM comment WHERE order_goods_id IS NOT NULL"))
}

// Stars are 1 to 5.
func TestPostBadInput(t *testing.T) {
	t.Parallel()
	s := withSubjects(t)
	lin := s.Shopper("lin")
	gone := s.Domain.Product("gone", 100, 1)
	s.Domain.Exec("UPDATE goods SET deleted = 1 WHERE id = ?", gone.GoodsID)
	off := s.Domain.Product("off", 100, 1)
	s.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = ?", off.GoodsID)
	good := map[string]string{"type": "0", "valueId": "1", "content": `"x"`, "star": "5"}
	long := func(n int) string { return `"` + strings.Repeat("茶", n) + `"` }
	pictures := func(n int) string { return `["` + strings.Repeat(`http://x/1.png","`, n-1) + `http://x/1.png"]` }
	for _, tt := range []struct {
		member, value string
		want          *errno.Code
	}{
		{"type", "", errno.Missing},
		{"type", "2", errno.Invalid},
		{"type", "-1", errno.Invalid},
		{"type", `"x"`, errno.Invalid},
		{"valueId", "", errno.Missing},
		{"valueId", "99", errno.Invalid},
		{"valueId", "0", errno.Invalid},
		{"valueId", "-1", errno.Invalid},
		{"valueId", fmt.Sprint(gone.GoodsID), errno.Invalid},
		{"valueId", fmt.Sprint(off.GoodsID), errno.OK},
		{"content", "", errno.Missing},
		{"content", "null", errno.Missing},
		{"content", `"  "`, errno.Missing},
		{"content", long(1023), errno.OK},
		{"content", long(1024), errno.Invalid},
		{"star", "", errno.Missing},
		{"star", "0", errno.Invalid},
		{"star", "6", errno.Invalid},
		{"star", "1.5", errno.Invalid},
		{"picUrls", `["javascript:alert(1)"]`, errno.Invalid},
		{"picUrls", `["http://x/` + strings.Repeat("y", 256) + `"]`, errno.Invalid},
		{"picUrls", `"http://x/1.png"`, errno.Invalid},
		{"picUrls", pictures(9), errno.OK},
		{"picUrls", pictures(10), errno.Invalid},
		{"hasPicture", `"perhaps"`, errno.Invalid},
	} {
		t.Run(tt.member+" "+tt.value[:min(len(tt.value), 30)], func(t *testing.T) {
			body := []string{}
			for name, value := range good {
				if name != tt.member {
					body = append(body, fmt.Sprintf("%q:%s", name, value))
				}
			}
			if tt.value != "" {
				body = append(body, fmt.Sprintf("%q:%s", tt.member, tt.value))
			}
			before := s.Domain.Int("SELECT COUNT(*) FROM comment")
			lin.In(t).POST(post, "%s", "{"+strings.Join(body, ",")+"}").Fails(tt.want)
			if tt.want != errno.OK {
				require.Equal(t, before, s.Domain.Int("SELECT COUNT(*) FROM comment"))
			}
			s.Domain.Exec("DELETE FROM comment") // one a day
		})
	}
	s.Guest().POST(post, `{`).Fails(errno.LoginRequired)
}

// A shop may restrict comments to buyers.
func TestOnlyBuyersMayPost(t *testing.T) {
	t.Parallel()
	s := withSubjects(t, func(c *app.Config) { c.Comment.GoodsRequirePurchase = true })
	id := s.Domain.Shopper("lin")
	lin := s.As(id)
	const body = `{"type":0,"valueId":1,"content":"x","star":5}`
	lin.POST(post, body).Fails(errno.OrderInvalidOperation).Says("只有收到该商品的买家才能评论")
	lin.POST(post, `{"type":0,"valueId":99,"content":"x","star":5}`).Fails(errno.Invalid)
	lin.POST(post, `{"type":1,"valueId":1,"content":"x","star":5}`).OK()
	bought := s.Domain.Order(id, s.Domain.Product("pot", 100, 5))
	s.Domain.Exec("UPDATE orders SET order_status = ? WHERE id = ?", order.Received, bought)
	lin.POST(post, body).Fails(errno.OrderInvalidOperation)
	s.Domain.Exec("UPDATE order_goods SET goods_id = 1")
	lin.POST(post, body).OK().Within(4)
	lin.POST(post, body).OK() // buyers may, even twice a day
	s.Domain.Exec("UPDATE orders SET order_status = ?", order.Shipped)
	lin.POST(post, body).Fails(errno.OrderInvalidOperation)
}

// A shopper who need not have bought the goods comments on them once a day, however many concurrent attempts there are.
func TestOneCommentADay(t *testing.T) {
	t.Parallel()
	s := withSubjects(t)
	s.Domain.Product("pot", 100, 5)
	lin, wang := s.Shopper("lin"), s.Shopper("wang")
	body := func(kind, id int) string {
		return fmt.Sprintf(`{"type":%d,"valueId":%d,"content":"x","star":5}`, kind, id)
	}
	var wg sync.WaitGroup
	var posted, refused atomic.Int32
	for range 20 {
		wg.Go(func() {
			switch lin.POST(post, body(0, 1)).Code() {
			case errno.OK:
				posted.Add(1)
			case errno.Invalid:
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int32(1), posted.Load())
	require.Equal(t, int32(19), refused.Load())
	lin.POST(post, body(0, 2)).OK()
	wang.POST(post, body(0, 1)).OK()
	lin.POST(post, body(1, 1)).OK()
	lin.POST(post, body(1, 1)).OK()
	s.Domain.Clock.Move(24*time.Hour - time.Second)
	s.Domain.Exec("UPDATE comment SET deleted = 1") // a comment removed by an operator still counts
	require.Contains(t, string(s.As(1).POST(post, body(0, 1)).Fails(errno.Invalid).Body), text.CommentedToday.In(text.Chinese))
	s.Domain.Clock.Move(time.Second)
	s.As(1).POST(post, body(0, 1)).OK()
}

// Clicks with one key are one comment, however many are concurrent.
func TestDoubleClicks(t *testing.T) {
	t.Parallel()
	s := withSubjects(t)
	lin := s.Shopper("lin")
	const body = `{"type":0,"valueId":1,"content":"x","star":5}`
	another := s.Domain.Product("pot", 100, 5).GoodsID
	first := lin.With("Idempotency-Key", "a").POST(post, body).OK()
	s.Domain.Exec("UPDATE goods SET deleted = 1")
	again := lin.With("Idempotency-Key", "a").POST(post, body).OK()
	require.Equal(t, string(first.Body), string(again.Body), "the first answer, though the goods have gone")
	lin.With("Idempotency-Key", "a").POST(post, `{"type":0,"valueId":1,"content":"y","star":5}`).Fails(errno.Invalid)
	s.Domain.Exec("UPDATE goods SET deleted = 0")
	s.Shopper("wang").With("Idempotency-Key", "a").POST(post, body).OK()
	require.EqualValues(t, 2, s.Domain.Int("SELECT COUNT(*) FROM comment"))

	var wg sync.WaitGroup
	answers := make([]string, 20)
	for i := range answers {
		wg.Go(func() {
			answers[i] = string(lin.With("Idempotency-Key", "b").POST(post, `{"type":0,"valueId":%d,"content":"x","star":5}`, another).OK().Body)
		})
	}
	wg.Wait()
	for _, a := range answers {
		require.Equal(t, answers[0], a)
	}
	require.EqualValues(t, 3, s.Domain.Int("SELECT COUNT(*) FROM comment"))
}

// A new comment shows on the page of its goods at once, although that page is cached.
func TestThePageOfTheGoodsFollows(t *testing.T) {
	t.Parallel()
	s := withSubjects(t)
	lin := s.Shopper("lin")
	count := func() (n int) {
		var page struct{ Comment struct{ Count int } }
		s.Guest().GET("/wx/goods/detail?id=1").Data(&page)
		return page.Comment.Count
	}
	require.Zero(t, count())
	lin.POST(post, `{"type":0,"valueId":1,"content":"x","star":5}`).OK()
	require.Equal(t, 1, count())
}
