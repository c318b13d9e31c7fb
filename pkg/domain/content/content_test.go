package content_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/idempotency"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

// desk returns the service on a database.
func desk(d *db.DB, now func() time.Time) *content.Service {
	return content.New(d, idempotency.New(d, dbtest.Secret, now), now)
}

// Banners are shown from their start to their end.
func TestBanners(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		banner content.Banner
		shown  bool
	}{
		"without dates":    {content.Banner{Position: 1, Enabled: true}, true},
		"switched off":     {content.Banner{Position: 1}, false},
		"another position": {content.Banner{Position: 2, Enabled: true}, false},
		"begins now":       {content.Banner{Position: 1, Enabled: true, StartTime: noon}, true},
		"not yet":          {content.Banner{Position: 1, Enabled: true, StartTime: noon.Add(time.Second)}, false},
		"no longer":        {content.Banner{Position: 1, Enabled: true, EndTime: noon.Add(-time.Second)}, false},
		"between": {
			content.Banner{Position: 1, Enabled: true, StartTime: noon.Add(-time.Hour), EndTime: noon.Add(time.Hour)}, true,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := dbtest.Open(t)
			s := desk(d, func() time.Time { return noon })
			tt.banner.Name = name
			made, err := s.CreateBanner(t.Context(), tt.banner)
			require.NoError(t, err)
			got, err := s.Banners(t.Context())
			require.NoError(t, err)
			if !tt.shown {
				require.Empty(t, got)
				return
			}
			tt.banner.ID, tt.banner.AddTime, tt.banner.UpdateTime = made.ID, noon, noon
			require.Equal(t, []content.Banner{tt.banner}, got)
			require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE ad SET deleted = 1"))
			got, err = s.Banners(t.Context())
			require.NoError(t, err)
			require.Empty(t, got)
		})
	}
}

func TestTopicsAndQuestions(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	now := noon
	s := desk(d, func() time.Time { return now })
	for i := range 6 {
		now = now.Add(time.Second)
		_, err := s.CreateTopic(t.Context(), content.Topic{
			TopicSummary: content.TopicSummary{Title: fmt.Sprint("topic ", i), Subtitle: "sub", Price: 990, ReadCount: "1k"},
			Goods:        []int64{1, 2},
		})
		require.NoError(t, err)
		_, err = s.CreateQuestion(t.Context(), content.Question{Question: fmt.Sprint("question ", i), Answer: "yes"})
		require.NoError(t, err)
	}
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE topic SET deleted = 1 WHERE id = 6"))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE issue SET deleted = 1 WHERE id = 1"))

	ctx, counter := db.WithCounter(t.Context())
	topics, err := s.Topics(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, []content.TopicSummary{
		{ID: 5, Title: "topic 4", Subtitle: "sub", Price: 990, ReadCount: "1k"},
		{ID: 4, Title: "topic 3", Subtitle: "sub", Price: 990, ReadCount: "1k"},
	}, topics)
	questions, err := s.Questions(ctx, 4)
	require.NoError(t, err)
	require.Len(t, questions, 4)
	require.Equal(t, "question 1", questions[0].Question)
	require.Equal(t, 2, counter.Count())

	topics, err = s.Topics(t.Context(), 0)
	require.NoError(t, err)
	require.Empty(t, topics)
	_, err = s.CreateTopic(t.Context(), content.Topic{TopicSummary: content.TopicSummary{Price: -1}})
	require.ErrorIs(t, err, errno.Invalid)
}

func TestTopicPages(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	now := noon
	s := desk(d, func() time.Time { return now })
	for range 7 {
		require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO goods (add_time, update_time) VALUES (?, ?)", noon, noon))
	}
	for i := range 7 {
		now = noon.Add(time.Duration(i/2) * time.Second)
		_, err := s.CreateTopic(t.Context(), content.Topic{
			TopicSummary: content.TopicSummary{Title: fmt.Sprint("topic ", i+1)}, Content: "<p>x</p>", Goods: []int64{int64(i)},
		})
		require.NoError(t, err)
	}
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE topic SET deleted = 1 WHERE id = 6"))
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE topic SET goods = NULL, content = NULL, subtitle = NULL, pic_url = NULL WHERE id = 1"))
	newest := page.Query{Page: 1, Limit: 3, Sort: "add_time", Desc: true}
	list, err := s.ListTopics(t.Context(), newest)
	require.NoError(t, err)
	require.EqualValues(t, 6, list.Total)
	require.Equal(t, []int64{7, 5, 4}, []int64{list.Items[0].ID, list.Items[1].ID, list.Items[2].ID})
	newest.Page = 2
	list, err = s.ListTopics(t.Context(), newest)
	require.NoError(t, err)
	require.Equal(t, []int64{3, 2, 1}, []int64{list.Items[0].ID, list.Items[1].ID, list.Items[2].ID})

	others, err := s.OtherTopics(t.Context(), 5, page.Query{Page: 1, Limit: 3, Sort: "id"})
	require.NoError(t, err)
	require.EqualValues(t, 5, others.Total)
	require.Equal(t, []int64{1, 2, 3}, []int64{others.Items[0].ID, others.Items[1].ID, others.Items[2].ID})
	require.Empty(t, others.Items[0].Goods)
	require.Equal(t, []int64{1}, others.Items[1].Goods)
	require.Equal(t, "<p>x</p>", others.Items[1].Content)

	_, err = s.Topic(t.Context(), 6)
	require.ErrorIs(t, err, errno.Invalid)
	for id, want := range map[int64]bool{5: true, 6: false, 99: false} {
		there, err := content.TopicExists(t.Context(), d, id)
		require.NoError(t, err)
		require.Equal(t, want, there)
	}
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE topic SET goods = 'no list' WHERE id = 5"))
	_, err = s.Topic(t.Context(), 5)
	require.ErrorContains(t, err, "list in column goods")
}

func TestFindQuestions(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := desk(d, func() time.Time { return noon })
	for _, text := range []string{"How much?", "100% cotton?", "HOW long?", `a_b\c?`} {
		_, err := s.CreateQuestion(t.Context(), content.Question{Question: text, Answer: "how"})
		require.NoError(t, err)
	}
	require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO issue (question, answer, add_time, update_time, deleted) VALUES "+
		"(NULL, NULL, ?, ?, 0), ('how gone', '', ?, ?, 1)", noon, noon, noon, noon))
	for text, want := range map[string][]int64{
		"": {1, 2, 3, 4, 5}, "how": {1, 3}, "%": {2}, "_": {4}, `\`: {4}, "cotton": {2}, "x' OR '1'='1": nil,
	} {
		found, err := s.FindQuestions(t.Context(), text, page.Query{Page: 1, Limit: 10, Sort: "id"})
		require.NoError(t, err)
		var ids []int64
		for _, q := range found.Items {
			ids = append(ids, q.ID)
		}
		require.Equal(t, want, ids, text)
		require.EqualValues(t, len(want), found.Total, text)
	}
}

func TestKeywords(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := desk(d, func() time.Time { return noon })
	for i, k := range []struct {
		word                  string
		hot, isDefault, order int
		deleted               bool
	}{
		{"tea", 1, 0, 5, false},
		{"Teapot", 0, 1, 3, false},
		{"tea", 0, 0, 1, false},
		{"100% cotton", 0, 0, 2, false},
		{"a_b", 1, 0, 4, false},
		{"gone tea", 1, 1, 0, true},
		{"pot tea", 0, 0, 9, false},
	} {
		require.NoError(t, dbtest.Exec(t.Context(), d, "INSERT INTO keyword (id, keyword, url, is_hot, is_default, sort_order, deleted, "+
			"add_time, update_time) VALUES (?, ?, '', ?, ?, ?, ?, ?, ?)", i+1, k.word, k.hot, k.isDefault, k.order, k.deleted, noon,
			noon))
	}
	proposed, err := s.ProposedKeywords(t.Context())
	require.NoError(t, err)
	require.Len(t, proposed, 3)
	require.Equal(t, content.Keyword{ID: 2, Word: "Teapot", Default: true, SortOrder: 3, AddTime: noon, UpdateTime: noon}, proposed[0])
	require.Equal(t, []string{"a_b", "tea"}, []string{proposed[1].Word, proposed[2].Word})
	for text, want := range map[string][]string{
		"tea": {"tea", "Teapot", "pot tea"}, "TEA": {"tea", "Teapot", "pot tea"}, "pot": {"pot tea", "Teapot"}, "%": {"100% cotton"}, "_": {"a_b"}, `\`: nil, "nothing": nil,
		"' OR 1=1 -- ": nil,
	} {
		words, err := s.KeywordsLike(t.Context(), text, page.Query{Page: 1, Limit: 10})
		require.NoError(t, err)
		require.Equal(t, want, words, text)
	}
	for _, word := range []string{"🍺 pot", "🍣 pot", "POT TEA"} {
		_, err := s.CreateKeyword(t.Context(), content.Keyword{Word: word, SortOrder: 9})
		require.NoError(t, err)
	}
	for text, want := range map[string][]string{
		"🍺": {"🍺 pot"}, "🍣": {"🍣 pot"}, "tea pot": {"Teapot", "pot tea"}, "pot": {"pot tea", "Teapot", "🍺 pot", "🍣 pot"},
	} {
		words, err := s.KeywordsLike(t.Context(), text, page.Query{Page: 1, Limit: 10})
		require.NoError(t, err)
		require.Equal(t, want, words, text)
	}
	words, err := s.KeywordsLike(t.Context(), "tea", page.Query{Page: 2, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, []string{"Teapot"}, words)
}
