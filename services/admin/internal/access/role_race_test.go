package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

func TestTwoEditARole(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	got := apitest.AtOnce(
		func() *optest.Answer { return roleChief(w).POST(updateRole, `{"id":4,"name":"readers"}`) },
		func() *optest.Answer { return w.Super().POST(updateRole, `{"id":4,"desc":"new"}`) },
		func() *optest.Answer { return w.Super().POST(createRole, `{"name":"readers"}`) },
	)
	require.Equal(t, []int{0, 0, errno.RoleNameExists.Num}, got)
	require.Equal(t, "new", w.Shop.Text("SELECT description FROM role WHERE id = 4"), "no edit is lost")
}

func TestTwoGrantToARole(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	got := apitest.AtOnce(
		func() *optest.Answer {
			return roleChief(w).POST(rolePermissions, `{"roleId":4,"permissions":["admin:role:list","admin:role:read"]}`)
		},
		func() *optest.Answer {
			return w.Super().POST(rolePermissions, `{"roleId":4,"permissions":["admin:role:list","admin:role:create"]}`)
		},
	)
	require.Equal(t, []int{0, 0}, got)
	require.Contains(t, []string{"admin:role:list admin:role:read", "admin:role:create admin:role:list"}, granted(w, 4),
		"one set or the other, never a mixture")
}

func TestOneGrantsToWhatTheOtherDeletes(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	got := apitest.AtOnce(
		func() *optest.Answer { return roleChief(w).POST(removeRole, `{"id":4}`) },
		func() *optest.Answer { return w.Super().POST(removeRole, `{"id":4}`) },
		func() *optest.Answer {
			return w.Super().POST(rolePermissions, `{"roleId":4,"permissions":["admin:role:list"]}`)
		},
		func() *optest.Answer { return w.Super().POST(updateRole, `{"id":4,"name":"x"}`) },
	)
	require.Equal(t, []int{0, 0}, got[:2])
	require.Empty(t, granted(w, 4), "a deleted role grants nothing")
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM log WHERE action = '删除角色'"), "one has deleted it")
	for _, code := range got[2:] {
		require.Contains(t, []int{0, errno.Invalid.Num, errno.UpdateFailed.Num}, code)
	}
}

func TestSomebodyGrantsWhatHeIsJustLosing(t *testing.T) {
	t.Parallel()
	w := roleOffice(t)
	got := apitest.AtOnce(
		func() *optest.Answer {
			return w.Super().POST(rolePermissions, `{"roleId":2,"permissions":["admin:role:permission-update"]}`)
		},
		func() *optest.Answer {
			return roleChief(w).POST(rolePermissions, `{"roleId":4,"permissions":["admin:order:list","admin:role:list"]}`)
		},
	)
	require.Equal(t, 0, got[0])
	require.Contains(t, []int{0, errno.NoPermission.Num}, got[1])
}
