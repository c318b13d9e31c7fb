package content_test

import (
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	domaincontent "shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/content"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, content.Ops(content.Deps{})...)) }

func TestQuestions(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	guest := s.Guest()
	guest.GET("/wx/issue/list").Empty()
	for i, text := range []string{"运费怎么算？", "多久发货？", "100% cotton?", "how to pay?"} {
		s.Domain.Clock.Move(time.Duration(i) * time.Second)
		_, err := s.Domain.Content.CreateQuestion(t.Context(), domaincontent.Question{Question: text, Answer: "<b>so</b>"})
		require.NoError(t, err)
	}
	guest.GET("/wx/issue/list").OK().Golden("issue_list")
	guest.GET("/wx/issue/list?question=%s", url.QueryEscape("发货")).OK().Golden("issue_list_found")
	guest.GET("/wx/issue/list?size=1&page=2").OK().Golden("issue_list_size")
	for query, want := range map[string]int{
		"": 4, "question=": 4, "question=%25": 1, "question=_": 0, "question=HOW": 1, "question=nothing": 0, "size=2": 2, "size=3&limit=2": 2,
		"limit=&size=3": 3, "size=0": 4, "size=5000": 4,
	} {
		var page struct{ List []any }
		guest.GET("/wx/issue/list?%s", query).Data(&page)
		require.Len(t, page.List, want, query)
	}
	for _, query := range []string{"size=-1", "size=x", "limit=-1&size=1", "page=0", "sort=question"} {
		guest.GET("/wx/issue/list?" + query).Fails(errno.Invalid)
	}
}
