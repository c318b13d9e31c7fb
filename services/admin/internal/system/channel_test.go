package system_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/admin/internal/apitest"
)

// Staff choose which channels shoppers see, and in which order; the storefront follows within a second.
func TestChannels(t *testing.T) {
	t.Parallel()
	c := apitest.Open(t).Offering("sandbox", "transfer").Super()
	const read, update = "/admin/channel/read", "/admin/channel/update"
	c.GET(read).OK().Golden("channel/all")
	c.POST(update, `{"channels":["transfer"]}`).OK().Golden("channel/chosen")
	var shown struct {
		Channels []struct {
			Code string
			On   bool
		}
	}
	c.GET(read).Data(&shown)
	require.Equal(t, "transfer", shown.Channels[0].Code)
	require.Equal(t, []bool{true, false}, []bool{shown.Channels[0].On, shown.Channels[1].On})
	c.POST(update, `{"channels":[]}`).Fails(errno.Missing)
	c.POST(update, `{"channels":["transfer","stripe"]}`).Fails(errno.Invalid).Says("本店没有配置收款方式“stripe”")
	c.POST(update, `{"channels":["transfer","transfer"]}`).Fails(errno.Invalid).Says("设置 收款方式 的值不正确")
}
