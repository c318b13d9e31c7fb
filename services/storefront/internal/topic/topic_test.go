package topic_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/topic"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, topic.Ops(topic.Deps{})...)) }

// seed creates the goods 1 to 4, of which 2 is not on sale and 3 is deleted, and six topics; the first recommends
// all goods and an unknown id, the fourth is deleted.
func seed(t *testing.T, s *apitest.Shop) {
	t.Helper()
	for _, name := range []string{"tea", "pot", "cup", "bowl"} {
		s.Domain.Product(name, 4550, 3)
	}
	s.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 2")
	s.Domain.Exec("UPDATE goods SET deleted = 1 WHERE id = 3")
	for i := range 6 {
		s.Domain.Clock.Move(time.Second)
		made := content.Topic{
			TopicSummary: content.TopicSummary{
				Title: fmt.Sprint("topic ", i+1), Subtitle: "sub", Price: 990, ReadCount: "1k", PicURL: "http://x/t.png",
			},
			SortOrder: i, Content: "<p>text</p>",
		}
		_, err := s.Domain.Content.CreateTopic(t.Context(), made)
		require.NoError(t, err)
	}
	s.Domain.Exec("UPDATE topic SET deleted = 1 WHERE id = 4")
	s.Domain.Exec("UPDATE topic SET goods = '[4,3,99,2,1]' WHERE id = 1") // goods may be deleted after the topic was written
}

func TestContract(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET("/wx/topic/list").Empty()
	seed(t, s)
	guest := s.Guest()
	guest.GET("/wx/topic/list").OK().Golden("list")
	guest.GET("/wx/topic/list?page=2&limit=2&sort=ID&order=asc").OK().Golden("list_second_page")
	guest.GET("/wx/topic/list?page=3&limit=3").OK().Golden("list_past_the_end")
	guest.GET("/wx/topic/detail?id=1").OK().Golden("detail").Within(2)
	guest.GET("/wx/topic/detail?id=2").OK().Golden("detail_no_goods").Within(1)
	guest.GET("/wx/topic/related?id=6").OK().Golden("related")
	guest.GET("/wx/topic/related?id=99&limit=2").OK().Golden("related_unknown")
	guest.GET("/wx/topic/related?id=1&limit=1&page=4").OK().Golden("related_last_page")
}

// An unknown topic is an invalid value.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	for query, want := range map[string]*errno.Code{
		"": errno.Missing, "id=": errno.Missing, "id=x": errno.Invalid, "id=99": errno.Invalid, "id=4": errno.Invalid,
		"id=-1": errno.Invalid, "id=1'": errno.Invalid, "id=1": errno.OK,
	} {
		s.Guest().GET("/wx/topic/detail?" + query).Fails(want)
	}
	s.Guest().GET("/wx/topic/related").Fails(errno.Missing)
	s.Guest().GET("/wx/topic/related?id=x").Fails(errno.Invalid)
	s.Guest().GET("/wx/topic/list?sort=title").Fails(errno.Invalid)
}

func TestCollectedTopics(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	id := s.Domain.Shopper("lin")
	lin := s.As(id)
	collected := func(c *optest.Client) (n int) {
		var page struct{ UserHasCollect int }
		c.GET("/wx/topic/detail?id=1").OK().Data(&page)
		return page.UserHasCollect
	}
	require.Zero(t, collected(lin))
	_, err := s.Domain.Engagement.Toggle(t.Context(), id, engagement.Goods, 1)
	require.NoError(t, err)
	require.Zero(t, collected(lin), "goods of the same number")
	_, err = s.Domain.Engagement.Toggle(t.Context(), id, engagement.Topic, 1)
	require.NoError(t, err)
	require.Equal(t, 1, collected(lin))
	require.Zero(t, collected(s.Shopper("wang")))
	require.Zero(t, collected(s.Guest()))
}
