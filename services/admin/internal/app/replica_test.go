package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/errno"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/authz"
)

// three is three replicas of the service, at which the clerk has just been let in; one of them is about to take the
// permission away.
func three(t *testing.T) (replicas [3]*apitest.World, takeAway func()) {
	t.Helper()
	first := apitest.Open(t)
	first.Super()
	first.Operator("clerk", "admin:order:list")
	replicas = [3]*apitest.World{first, first.Replica(), first.Replica()}
	for _, w := range replicas {
		w.Operator("clerk").GET("/admin/order/list").OK()
	}
	return replicas, func() {
		replicas[0].Super().POST("/admin/role/permissions", `{"roleId":2,"permissions":[]}`).OK()
	}
}

// TestARevocationReachesEveryReplica is D-A8: it acts at once where it was made, and within a second everywhere else.
func TestARevocationReachesEveryReplica(t *testing.T) {
	replicas, takeAway := three(t)
	takeAway()
	replicas[0].Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	replicas[1].Operator("clerk").GET("/admin/order/list").OK() // the bound is not trivial: nobody has told it yet
	for _, w := range replicas[1:] {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
}

func TestARevocationReachesEveryReplicaOfAnEmptiedRedis(t *testing.T) {
	replicas, takeAway := three(t)
	takeAway()
	replicas[0].Shop.Forget("access:{version}")
	for _, w := range replicas[1:] {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
}

// A text that an emptied Redis has lost and a later change has written anew is never one that was seen before.
func TestAChangeAfterRedisWasEmptiedIsSeen(t *testing.T) {
	replicas, takeAway := three(t)
	replicas[0].Shop.Forget("access:{version}")
	for _, w := range replicas {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").OK()
	}
	takeAway()
	for _, w := range replicas {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
}

// Without Redis nobody is known by his token, so the service lets nobody in; the decisions alone follow within five
// seconds.
func TestARevocationReachesReplicasWithoutRedis(t *testing.T) {
	w := apitest.Open(t)
	w.Super()
	w.Operator("clerk", "admin:order:list")
	w.Operator("other", "admin:order:list")
	replicas := [3]*authz.Authority{}
	shops := [3]func(int64) error{}
	for i := range replicas {
		a, err := authz.New(w.Shop.WithoutRedis().Access, w.Shop.Clock.Now)
		require.NoError(t, err)
		replicas[i] = a
		shops[i] = func(operator int64) error { return a.Check(t.Context(), operator, "admin:order:list") }
		require.NoError(t, shops[i](2))
		require.NoError(t, shops[i](3))
	}
	d := w.Shop.WithoutRedis()
	require.NoError(t, d.Access.SetGranted(t.Context(), 1, 2, []string{}), "a change needs no Redis")
	w.Shop.Clock.Move(5 * time.Second)
	for _, check := range shops {
		require.ErrorIs(t, check(2), errno.NoPermission)
		require.NoError(t, check(3))
	}
	w.WithoutRedis().Operator("other").GET("/admin/order/list").Fails(errno.Internal)
}

func TestADeletedOperatorIsOutEverywhereAtOnce(t *testing.T) {
	replicas, _ := three(t)
	replicas[0].Super().POST("/admin/admin/delete", `{"id":2}`).OK()
	for _, w := range replicas {
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.LoginRequired)
		w.Operator("clerk").GET("/admin/auth/info").Fails(errno.LoginRequired)
	}
}

func TestARoleThatIsDisabledOrGivenReachesEveryReplica(t *testing.T) {
	replicas, _ := three(t)
	super := replicas[0].Super()
	super.POST("/admin/role/update", `{"id":2,"enabled":false}`).OK()
	for _, w := range replicas {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
	super.POST("/admin/role/update", `{"id":2,"enabled":true}`).OK()
	for _, w := range replicas {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").OK()
	}
	super.POST("/admin/admin/update", `{"id":2,"roleIds":[]}`).OK()
	for _, w := range replicas {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
}
