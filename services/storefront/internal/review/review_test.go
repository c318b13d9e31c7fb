package review_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	domainreview "shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/review"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, review.Ops(review.Deps{})...)) }

func seed(t *testing.T, s *apitest.Shop) {
	t.Helper()
	author := s.Domain.Shopper("wang")
	for i, c := range []domainreview.Comment{
		{ValueID: 1, UserID: author, Star: 5, Content: `<script>alert("x")</script>`},
		{ValueID: 1, UserID: 999, Star: 1, Content: "by nobody", Reply: "sorry"},
		{ValueID: 1, UserID: author, Star: 4, Content: "newest", Pictures: []string{"http://x/1.png", "http://x/2.png"}},
		{ValueID: 2, UserID: author, Star: 4, Content: "on another goods"},
		{ValueID: 1, UserID: author, Star: 4, Kind: domainreview.Topic, Content: "on the topic"},
	} {
		s.Domain.Clock.Move(time.Duration(i) * time.Second)
		_, err := s.Domain.Reviews.Create(t.Context(), c)
		require.NoError(t, err)
	}
}

// Past the end is an empty page; a deleted author has an empty name.
func TestContract(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	guest := s.Guest()
	guest.GET("/wx/comment/count?type=0&valueId=1").OK().Golden("comment_count")
	guest.GET("/wx/comment/list?type=0&valueId=1").OK().Golden("comment_list")
	guest.GET("/wx/comment/list?type=0&valueId=1&showType=1").OK().Golden("comment_list_pictures")
	guest.GET("/wx/comment/list?type=1&valueId=1").OK().Golden("comment_list_topic")
	guest.GET("/wx/comment/list?type=0&valueId=1&page=2").OK().Golden("comment_list_past_the_end")
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	for query, want := range map[string]*errno.Code{
		"":                               errno.Missing,
		"type=0":                         errno.Missing,
		"valueId=1":                      errno.Missing,
		"type=2&valueId=1":               errno.Invalid,
		"type=x&valueId=1":               errno.Invalid,
		"type=0&valueId=one":             errno.Invalid,
		"type=0&valueId=99":              errno.OK,
		"type=0&valueId=1&limit=5000":    errno.OK,
		"type=0&valueId=1&showType=":     errno.OK,
		"type=0&valueId=1&sort=ADD_TIME": errno.OK,
	} {
		t.Run(query, func(t *testing.T) {
			s.Guest().In(t).GET("/wx/comment/count?" + query).Fails(want)
			s.Guest().In(t).GET("/wx/comment/list?" + query).Fails(want)
		})
	}
	for _, query := range []string{"showType=2", "showType=x", "limit=-1", "page=0", "sort=password", "order=up"} {
		s.Guest().GET("/wx/comment/list?type=0&valueId=1&" + query).Fails(errno.Invalid)
	}
}

func TestListStatements(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	made := 0
	for _, rows := range []int{10, 300} {
		for ; made < rows; made++ {
			_, err := s.Domain.Reviews.Create(t.Context(), domainreview.Comment{ValueID: 1, UserID: 1, Star: 5, Content: fmt.Sprint(made)})
			require.NoError(t, err)
		}
		var page struct{ List []any }
		s.Guest().GET("/wx/comment/list?type=0&valueId=1&limit=1000").OK().Data(&page)
		require.Len(t, page.List, rows)
	}
}
