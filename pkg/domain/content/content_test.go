package content_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
)

var noon = time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC)

func TestBanners(t *testing.T) {
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
			s := content.New(d, func() time.Time { return noon })
			tt.banner.Name = name
			id, err := s.CreateBanner(t.Context(), tt.banner)
			require.NoError(t, err)
			got, err := s.Banners(t.Context())
			require.NoError(t, err)
			if !tt.shown {
				require.Empty(t, got)
				return
			}
			tt.banner.ID, tt.banner.AddTime, tt.banner.UpdateTime = id, noon, noon
			require.Equal(t, []content.Banner{tt.banner}, got)
			require.NoError(t, d.G(t.Context()).Exec("UPDATE ad SET deleted = 1").Error)
			got, err = s.Banners(t.Context())
			require.NoError(t, err)
			require.Empty(t, got)
		})
	}
}

func TestTopicsAndQuestions(t *testing.T) {
	d := dbtest.Open(t)
	now := noon
	s := content.New(d, func() time.Time { return now })
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
	require.NoError(t, d.G(t.Context()).Exec("UPDATE topic SET deleted = 1 WHERE id = 6").Error)
	require.NoError(t, d.G(t.Context()).Exec("UPDATE issue SET deleted = 1 WHERE id = 1").Error)

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
