package engagement_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/engagement"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, engagement.Ops(engagement.Deps{})...)) }

const (
	favourites   = "/wx/collect/list"
	toggle       = "/wx/collect/addordelete"
	footprints   = "/wx/footprint/list"
	dropFoot     = "/wx/footprint/delete"
	searchPage   = "/wx/search/index"
	helper       = "/wx/search/helper"
	clearHistory = "/wx/search/clearhistory"
	feedback     = "/wx/feedback/submit"
)

// seed creates the goods and the topics 1 to 3.
func seed(t *testing.T, s *apitest.Shop) {
	t.Helper()
	for i, name := range []string{"tea", "pot", "cup"} {
		s.Domain.Product(name, 4550, 3)
		_, err := s.Domain.Content.CreateTopic(t.Context(), content.Topic{TopicSummary: content.TopicSummary{
			Title: fmt.Sprint("topic ", i+1), Subtitle: "slowly", Price: 990, PicURL: "http://x/t.png",
		}})
		require.NoError(t, err)
	}
}

func thing(kind, id int) string { return fmt.Sprintf(`{"type":%d,"valueId":%d}`, kind, id) }

// Deleted goods and topics are omitted, and a topic has its own subtitle.
func TestFavourites(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin, wang := s.Shopper("lin"), s.Shopper("wang")
	lin.GET(favourites + "?type=0").Empty()
	for kind := range 2 {
		for id := 1; id <= 3; id++ {
			s.Domain.Clock.Move(time.Second)
			lin.POST(toggle, thing(kind, id)).OK().Golden("collect_add")
			wang.POST(toggle, thing(kind, id)).OK()
		}
	}
	lin.POST(toggle, `{"type":"0","valueId":"2"}`).OK().Golden("collect_delete")
	lin.GET(favourites + "?type=0").OK().Golden("collect_list_goods")
	lin.GET(favourites + "?type=1&limit=2&sort=id&order=asc").OK().Golden("collect_list_topics")

	s.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 1")
	s.Domain.Exec("UPDATE goods SET deleted = 1 WHERE id = 3")
	s.Domain.Exec("UPDATE topic SET deleted = 1 WHERE id = 2")
	lin.GET(favourites + "?type=0").OK().Golden("collect_list_goods_gone")
	lin.GET(favourites + "?type=1&limit=1&page=2").OK().Golden("collect_list_topics_gone")
	require.EqualValues(t, 6, s.Domain.Int("SELECT COUNT(*) FROM collect WHERE deleted = 0 AND user_id = 2"), "wang's stay")
}

func TestFavouritesBadInput(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin := s.Shopper("lin")
	for body, want := range map[string]*errno.Code{
		`{}`: errno.Missing, `{"type":0}`: errno.Missing, `{"valueId":1}`: errno.Missing, `{"type":2,"valueId":1}`: errno.Invalid,
		`{"type":0,"valueId":99}`: errno.Invalid, `{"type":1,"valueId":99}`: errno.Invalid, `{"type":0,"valueId":"x"}`: errno.Invalid,
		`{"type":0,"valueId":-1}`: errno.Invalid, `{"type":null,"valueId":1}`: errno.Missing,
	} {
		lin.POST(toggle, "%s", body).Fails(want)
	}
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM collect"))
	lin.GET(favourites).Fails(errno.Missing)
	for _, query := range []string{"type=2", "type=x", "type=0&page=0", "type=0&sort=name"} {
		lin.GET(favourites + "?" + query).Fails(errno.Invalid)
	}
	for _, path := range []string{favourites, footprints} {
		s.Guest().GET(path).Fails(errno.LoginRequired)
	}
	for _, path := range []string{toggle, dropFoot, clearHistory, feedback} {
		s.Guest().POST(path, `{`).Fails(errno.LoginRequired)
	}
}

// A call that is repeated with its key toggles the favourite once; one without a key toggles it again.
func TestARepeatedToggle(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin := s.Shopper("lin")
	for range 3 {
		lin.With("Idempotency-Key", "a").POST(toggle, thing(0, 1)).OK().Golden("collect_add")
	}
	lin.With("Idempotency-Key", "a").POST(toggle, thing(0, 2)).Fails(errno.Invalid)
	lin.POST(toggle, thing(0, 1)).OK().Golden("collect_delete")
}

// Footprints of another shopper are answered as if they did not exist.
func TestFootprints(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	seed(t, s)
	lin, wang := s.Shopper("lin"), s.Shopper("wang")
	lin.GET(footprints).Empty().Within(2)
	for _, id := range []int{1, 2, 3, 1, 99} {
		s.Domain.Clock.Move(time.Second)
		lin.GET("/wx/goods/detail?id=%d", id)
		wang.GET("/wx/goods/detail?id=%d", id)
	}
	lin.GET(footprints).OK().Golden("footprint_list")
	s.Domain.Exec("UPDATE goods SET deleted = 1 WHERE id = 3")
	lin.GET(footprints + "?limit=1&page=2").OK().Golden("footprint_list_gone")

	mine := s.Domain.Int("SELECT id FROM footprint WHERE user_id = 1 AND goods_id = 1")
	foreign := s.Domain.Int("SELECT id FROM footprint WHERE user_id = 2 AND goods_id = 1")
	for _, id := range []int64{foreign, 9999, 0, -1} {
		lin.POST(dropFoot, `{"id":%d}`, id).Fails(errno.Invalid)
	}
	lin.POST(dropFoot, `{}`).Fails(errno.Missing)
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM footprint WHERE deleted = 1"))
	lin.POST(dropFoot, `{"id":"%d"}`, mine).OK()
	lin.POST(dropFoot, `{"id":%d}`, mine).Fails(errno.Invalid)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM footprint WHERE deleted = 1"))
	s.Domain.Clock.Move(time.Second)
	lin.GET("/wx/goods/detail?id=1").OK()
	lin.GET(footprints).OK().Golden("footprint_list_back")
}
