package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/admin/internal/apitest"
)

const (
	listRegions  = "/admin/region/list"
	listChildren = "/admin/region/clist"
)

// A province and a city without children do not break the list; their lists are empty.
func TestRegionList(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("norole") // regions require no permission
	c.GET(listRegions).Empty()
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, '北京市', 1, 110000), " +
		"(2, 0, '浙江省', 1, 330000), (3, 2, '杭州市', 2, 330100), (4, 3, '西湖区', 3, 330106), (5, 3, '上城区', 3, 330102), " +
		"(6, 2, '宁波市', 2, 330200)")
	c.GET(listRegions).OK().Golden("region/list")
	require.Zero(t, c.GET(listRegions).Statements-c.GET(listRegions+"?page=1&limit=1").Golden("region/list_page").Statements)
	c.GET(listRegions + "?page=9&limit=1&sort=password&order=x").OK().Golden("region/list_beyond")
	c.GET(listRegions + "?limit=0").OK().Golden("region/list")
	for _, q := range []string{"page=0", "page=x", "limit=-1", "limit=10001"} {
		c.GET(listRegions + "?" + q).Fails(errno.Invalid)
	}
}

func TestRegionsBelow(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, '北京市', 1, 110000), " +
		"(2, 0, '浙江省', 1, 330000), (3, 2, '杭州市', 2, 330100)")
	c := w.Operator("norole")
	c.GET(listChildren + "?id=0").OK().Golden("region/clist")
	c.GET(listChildren + "?id=2").OK().Golden("region/clist_cities")
	c.GET(listChildren + "?id=99").Empty()
	c.GET(listChildren).Fails(errno.Missing)
	c.GET(listChildren + "?id=").Fails(errno.Missing)
	for _, id := range []string{"x", "1.5", "1+or+1=1"} {
		c.GET(listChildren + "?id=" + id).Fails(errno.Invalid)
	}
	w.Nobody().GET(listChildren + "?id=0").Fails(errno.LoginRequired)
}

// Regions are cached, and an import shows a minute later.
func TestRegionsAreKept(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("norole")
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, '北京市', 1, 110000)")
	first := c.GET(listRegions).OK()
	again := c.GET(listRegions).OK().Within(first.Statements - 1)
	require.Equal(t, first.Body, again.Body)
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (2, 0, '浙江省', 1, 330000)")
	require.Equal(t, first.Body, c.GET(listRegions).OK().Body)
	w.Shop.Clock.Move(time.Minute)
	var got struct{ Total int }
	c.GET(listRegions).Data(&got)
	require.Equal(t, 2, got.Total)
}

// A region that is below itself does not make the list endless.
func TestACircleOfRegions(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, 'a', 1, 1), (2, 2, 'b', 2, 2), (3, 4, 'c', 2, 3), " +
		"(4, 3, 'd', 2, 4)")
	var got struct{ Total int }
	w.Operator("norole").GET(listRegions).Data(&got)
	require.Equal(t, 1, got.Total)
}
