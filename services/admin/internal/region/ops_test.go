package region_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/region"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, region.Ops(region.Deps{})...)) }

const (
	list  = "/admin/region/list"
	below = "/admin/region/clist"
)

// A province and a city without children do not break the list; their lists are empty.
func TestList(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("norole") // regions require no permission
	c.GET(list).Empty()
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, '北京市', 1, 110000), " +
		"(2, 0, '浙江省', 1, 330000), (3, 2, '杭州市', 2, 330100), (4, 3, '西湖区', 3, 330106), (5, 3, '上城区', 3, 330102), " +
		"(6, 2, '宁波市', 2, 330200)")
	c.GET(list).OK().Golden("list")
	require.Zero(t, c.GET(list).Statements-c.GET(list+"?page=1&limit=1").Golden("list_page").Statements)
	c.GET(list + "?page=9&limit=1&sort=password&order=x").OK().Golden("list_beyond")
	c.GET(list + "?limit=0").OK().Golden("list")
	for _, q := range []string{"page=0", "page=x", "limit=-1", "limit=10001"} {
		c.GET(list + "?" + q).Fails(errno.Invalid)
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, '北京市', 1, 110000), " +
		"(2, 0, '浙江省', 1, 330000), (3, 2, '杭州市', 2, 330100)")
	c := w.Operator("norole")
	c.GET(below + "?id=0").OK().Golden("clist")
	c.GET(below + "?id=2").OK().Golden("clist_cities")
	c.GET(below + "?id=99").Empty()
	c.GET(below).Fails(errno.Missing)
	c.GET(below + "?id=").Fails(errno.Missing)
	for _, id := range []string{"x", "1.5", "1+or+1=1"} {
		c.GET(below + "?id=" + id).Fails(errno.Invalid)
	}
	w.Anonymous().GET(below + "?id=0").Fails(errno.LoginRequired)
}

// Regions are cached, and an import shows a minute later.
func TestTheyAreKept(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("norole")
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, '北京市', 1, 110000)")
	first := c.GET(list).OK()
	again := c.GET(list).OK().Within(first.Statements - 1)
	require.Equal(t, first.Body, again.Body)
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (2, 0, '浙江省', 1, 330000)")
	require.Equal(t, first.Body, c.GET(list).OK().Body)
	w.Shop.Clock.Move(time.Minute)
	var got struct{ Total int }
	c.GET(list).Data(&got)
	require.Equal(t, 2, got.Total)
}

// A region that is below itself does not make the list endless.
func TestACircle(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	w.Shop.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (1, 0, 'a', 1, 1), (2, 2, 'b', 2, 2), (3, 4, 'c', 2, 3), " +
		"(4, 3, 'd', 2, 4)")
	var got struct{ Total int }
	w.Operator("norole").GET(list).Data(&got)
	require.Equal(t, 1, got.Total)
}
