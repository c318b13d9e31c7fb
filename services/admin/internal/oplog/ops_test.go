package oplog_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/oplog"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, oplog.Ops(oplog.Deps{})...)) }

const list = "/admin/log/list"

// All events of section 9 of the contract are logged.
func TestList(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("clerk", "admin:log:list", "admin:notice:create", "admin:config:mall-update")
	w.Shop.Exec("DELETE FROM log")
	c.GET(list).Empty()
	c.POST("/admin/notice/create", `{"title":"五一"}`).OK()
	c.POST("/admin/config/mall", `{"litemall_mall_name":"五金"}`).OK()
	w.Anonymous().POST("/admin/auth/login", `{"username":"100%%","password":"x"}`).Fails(errno.AdminInvalidAccount)
	w.Shop.Exec("INSERT INTO log (add_time, update_time) VALUES (?, ?)", w.Shop.Clock.Now(), w.Shop.Clock.Now())
	c.GET(list + "?limit=3&page=2").OK()
	c.GET(list).OK().Golden("list")
	for query, want := range map[string]int{
		"name=cler": 2, "name=CLERK": 2, "name=%25": 0, "name=_": 0, "name=": 4, "name=匿名": 1, "limit=0": 4,
	} {
		var got struct{ Total int }
		c.GET(list + "?" + query).Data(&got)
		require.Equal(t, want, got.Total, query)
	}
	for _, query := range []string{"sort=admin", "order=x", "limit=-1"} {
		c.GET(list + "?" + query).Fails(errno.Invalid)
	}
	w.Operator("other", "admin:notice:list").GET(list).Fails(errno.NoPermission)
}
