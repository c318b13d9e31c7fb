package address_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/internal/store/db"
)

func TestList(t *testing.T) {
	t.Parallel()
	s := open(t)
	for i := range 4 { // ids 1 to 4: 2 is the default, 3 and 4 have the same time
		a := of(lin)
		a.Default = i == 1
		s.save(t, a)
		if i < 2 {
			s.forward(time.Minute)
		}
	}
	s.save(t, of(mei))
	gone := s.save(t, of(lin))
	require.NoError(t, s.Delete(t.Context(), lin, gone))
	tests := map[string]struct {
		q    page.Query
		want []int64
	}{
		"default first": {
			page.Query{Page: 1, Limit: 1000, Sort: address.DefaultFirst, Desc: true}, []int64{2, 4, 3, 1},
		},
		"default first, ascending": {page.Query{Page: 1, Limit: 1000, Sort: address.DefaultFirst}, []int64{2, 1, 3, 4}},
		"by time":                  {page.Query{Page: 1, Limit: 1000, Sort: address.ByTime, Desc: true}, []int64{4, 3, 2, 1}},
		"by id, ascending":         {page.Query{Page: 1, Limit: 1000, Sort: address.ByID}, []int64{1, 2, 3, 4}},
		"second page":              {page.Query{Page: 2, Limit: 3, Sort: address.DefaultFirst, Desc: true}, []int64{1}},
		"past the end":             {page.Query{Page: 3, Limit: 3, Sort: address.DefaultFirst, Desc: true}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := s.List(t.Context(), lin, tt.q)
			require.NoError(t, err)
			require.EqualValues(t, 4, got.Total)
			var ids []int64
			for _, a := range got.Items {
				ids = append(ids, a.ID)
			}
			require.Equal(t, tt.want, ids)
		})
	}
	_, err := s.List(t.Context(), lin, page.Query{Page: 1, Limit: 10, Sort: "password"})
	require.Error(t, err)
}

func TestListCostsTwoStatements(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{1, 50} {
		s := open(t)
		for range rows {
			s.save(t, of(lin))
		}
		ctx, statements := db.WithCounter(t.Context())
		_, err := s.List(ctx, lin, page.Query{Page: 1, Limit: 1000, Sort: address.DefaultFirst})
		require.NoError(t, err)
		require.Equal(t, 2, statements.Count())
	}
}
