package address_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/internal/store/db"
)

func TestRegions(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx, statements := db.WithCounter(t.Context())
	got, err := s.Regions(ctx, 0)
	require.NoError(t, err)
	require.Empty(t, got, "nothing has been loaded")

	s.exec(t, "INSERT INTO region (id, pid, name, type, code) VALUES (2, 0, '浙江省', 1, 330000), "+
		"(1, 0, '北京市', 1, 110000), (3, 2, '杭州市', 2, 330100)")
	got, err = s.Regions(ctx, 0)
	require.NoError(t, err)
	require.Equal(t, []address.Region{
		{ID: 1, Name: "北京市", Type: 1, Code: 110000}, {ID: 2, Name: "浙江省", Type: 1, Code: 330000},
	}, got, "an empty table is not remembered")
	before := statements.Count()
	got, err = s.Regions(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, []address.Region{{ID: 3, Parent: 2, Name: "杭州市", Type: 2, Code: 330100}}, got)
	got, err = s.Regions(ctx, 99)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Equal(t, before, statements.Count(), "served from memory")

	s.exec(t, "INSERT INTO region (id, pid, name, type, code) VALUES (4, 2, '宁波市', 2, 330200)")
	s.forward(time.Minute)
	got, err = s.Regions(ctx, 2)
	require.NoError(t, err)
	require.Len(t, got, 2, "looked at again after a minute")
}

func TestLoadRegions(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx := t.Context()
	// Rows of an older list: one unchanged, one renamed since, one moved since, one withdrawn, one duplicated.
	s.exec(t, "INSERT INTO region (id, pid, name, type, code) VALUES (7, 0, '浙江省', 1, 330000), (8, 7, '杭州', 2, 330100), "+
		"(9, 7, '西湖区', 3, 330106), (10, 8, '下城区', 3, 330103), (11, 8, '西湖区', 3, 330106)")
	before, err := s.Regions(ctx, 7)
	require.NoError(t, err)
	require.Len(t, before, 2)

	done, err := s.LoadRegions(ctx)
	require.NoError(t, err)
	require.Equal(t, 2, done.Renamed)
	require.Equal(t, 2, done.Retired)
	require.Greater(t, done.Added, 3500)
	require.Equal(t, done.Added+5, s.int(t, "SELECT COUNT(*) FROM region"), "no row is taken away")
	cities, err := s.Regions(ctx, 7)
	require.NoError(t, err)
	require.Equal(t, address.Region{ID: 8, Parent: 7, Name: "杭州市", Type: 2, Code: 330100}, cities[0])
	require.Len(t, cities, 11)
	counties, err := s.Regions(ctx, 8)
	require.NoError(t, err)
	require.Contains(t, counties, address.Region{ID: 9, Parent: 8, Name: "西湖区", Type: 3, Code: 330106})
	for _, c := range counties {
		require.NotContains(t, []int64{10, 11}, c.ID)
	}
	provinces, err := s.Regions(ctx, 0)
	require.NoError(t, err)
	require.Len(t, provinces, 34)
	require.Zero(t, s.int(t, "SELECT COUNT(*) FROM region r WHERE retired = 0 AND pid > 0 AND "+
		"NOT EXISTS (SELECT 1 FROM region p WHERE p.id = r.pid AND p.type = r.type - 1 AND p.retired = 0)"))

	again, err := s.LoadRegions(ctx)
	require.NoError(t, err)
	require.Zero(t, again.Total(), "a second time changes nothing")
	s.exec(t, "UPDATE region SET retired = 1 WHERE id = 9")
	again, err = s.LoadRegions(ctx)
	require.NoError(t, err)
	require.Equal(t, address.RegionsChanged{Renamed: 1}, again, "what comes back has its id again")
}
