package access_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// supers is a service with the super operators 1 and 2.
func supers(t *testing.T) (w *apitest.Env, one, two *optest.Client) {
	t.Helper()
	w = apitest.Open(t)
	one, two = w.Super(), w.Operator("second", "*")
	w.Operator("clerk", "admin:order:list")
	return w, one, two
}

const supersLeft = "SELECT COUNT(DISTINCT a.id) FROM admin a JOIN admin_role h ON h.admin_id = a.id " +
	"JOIN permission p ON p.role_id = h.role_id WHERE p.permission = '*' AND a.deleted = 0"

func TestTwoSuperOperatorsDemoteEachOther(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w, one, two := supers(t)
			got := apitest.AtOnce(
				func() *optest.Answer { return one.POST(updateStaff, `{"id":2,"roleIds":[3]}`) },
				func() *optest.Answer { return two.POST(updateStaff, `{"id":1,"roleIds":[3]}`) },
			)
			require.Equal(t, []int{0, errno.NoPermission.Num}, got, "the second has lost what let them in")
			require.EqualValues(t, 1, w.Shop.Int(supersLeft))
		})
	}
}

func TestTwoSuperOperatorsStepDown(t *testing.T) {
	t.Parallel()
	w, one, two := supers(t)
	got := apitest.AtOnce(
		func() *optest.Answer { return one.POST(updateStaff, `{"id":1,"roleIds":[3]}`) },
		func() *optest.Answer { return two.POST(updateStaff, `{"id":2,"roleIds":[3]}`) },
	)
	require.Equal(t, []int{0, errno.AdminAlterNotAllowed.Num}, got)
	require.EqualValues(t, 1, w.Shop.Int(supersLeft))
}

func TestTwoSuperOperatorsDeleteEachOther(t *testing.T) {
	t.Parallel()
	w, one, two := supers(t)
	got := apitest.AtOnce(
		func() *optest.Answer { return one.POST(removeStaff, `{"id":2}`) },
		func() *optest.Answer { return two.POST(removeStaff, `{"id":1}`) },
	)
	// The second request is refused at authentication, or between authentication and the lock, or by its missing
	// permissions.
	require.Contains(t, [][]int{{0, errno.LoginRequired.Num}, {0, errno.NoPermission.Num}}, got)
	require.EqualValues(t, 1, w.Shop.Int(supersLeft))
}

func TestOneDemotesWhomTheOtherDeletes(t *testing.T) {
	t.Parallel()
	w, one, two := supers(t)
	got := apitest.AtOnce(
		func() *optest.Answer { return one.POST(removeStaff, `{"id":2}`) },
		func() *optest.Answer { return two.POST(updateStaff, `{"id":1,"roleIds":[]}`) },
	)
	require.Contains(t, [][]int{{0, errno.LoginRequired.Num}, {0, errno.NoPermission.Num}}, got)
	require.EqualValues(t, 1, w.Shop.Int(supersLeft))
}

func TestOneNameForTwoOperators(t *testing.T) {
	t.Parallel()
	w, one, two := supers(t)
	body := `{"username":"same_name","password":"secret-1"}`
	got := apitest.AtOnce(
		func() *optest.Answer { return one.POST(createStaff, "%s", body) },
		func() *optest.Answer { return two.POST(createStaff, "%s", body) },
		func() *optest.Answer { return one.POST(updateStaff, `{"id":3,"username":"Same_Name"}`) },
	)
	require.Equal(t, []int{0, errno.AdminNameExists.Num, errno.AdminNameExists.Num}, got)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM admin WHERE username_key = 'same_name'"))
}

func TestTwoEditAndDeleteAnOperator(t *testing.T) {
	t.Parallel()
	w, one, two := supers(t)
	got := apitest.AtOnce(
		func() *optest.Answer { return one.POST(updateStaff, `{"id":3,"avatar":"one"}`) },
		func() *optest.Answer { return two.POST(updateStaff, `{"id":3,"roleIds":[3,1]}`) },
	)
	require.Equal(t, []int{0, 0}, got)
	require.Equal(t, "one/3,1", w.Shop.Text("SELECT avatar FROM admin WHERE id = 3")+"/"+roles(w, 3), "no edit is lost")
	got = apitest.AtOnce(
		func() *optest.Answer { return one.POST(removeStaff, `{"id":3}`) },
		func() *optest.Answer { return two.POST(removeStaff, `{"id":3}`) },
		func() *optest.Answer { return one.POST(updateStaff, `{"id":3,"avatar":"two"}`) },
	)
	require.Contains(t, [][]int{{0, 0, 0}, {0, 0, errno.UpdateFailed.Num}}, got)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM log WHERE action = '删除管理员'"), "one has deleted them")
}

func TestARoleIsGivenWhileItIsDeleted(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w, one, two := supers(t)
			one.POST("/admin/role/create", `{"name":"spare"}`).OK()
			got := apitest.AtOnce(
				func() *optest.Answer { return one.POST("/admin/role/delete", `{"id":4}`) },
				func() *optest.Answer { return two.POST(updateStaff, `{"id":3,"roleIds":[3,4]}`) },
			)
			held := roles(w, 3) == "3,4"
			deleted := w.Shop.Int("SELECT deleted FROM role WHERE id = 4") == 1
			require.NotEqual(t, held, deleted, "%v", got)
		})
	}
}
