package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
)

// three is three replicas of the service, at which the clerk has just logged in; one of them is about to revoke the
// permission.
func three(t *testing.T) (replicas [3]*apitest.Env, takeAway func()) {
	t.Helper()
	first := apitest.Open(t)
	first.Super()
	first.Operator("clerk", "admin:order:list")
	replicas = [3]*apitest.Env{first, first.Replica(), first.Replica()}
	for _, w := range replicas {
		w.Operator("clerk").GET("/admin/order/list").OK()
	}
	return replicas, func() {
		replicas[0].Super().POST("/admin/role/permissions", `{"roleId":2,"permissions":[]}`).OK()
	}
}

// A revocation takes effect at once on its replica, and within a second on all others.
func TestARevocationReachesEveryReplica(t *testing.T) {
	t.Parallel()
	replicas, takeAway := three(t)
	takeAway()
	replicas[0].Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	replicas[1].Operator("clerk").GET("/admin/order/list").OK() // the bound is not trivial: the other replica does not know yet
	for _, w := range replicas[1:] {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
}

func TestARevocationReachesEveryReplicaOfAnEmptiedRedis(t *testing.T) {
	t.Parallel()
	replicas, takeAway := three(t)
	takeAway()
	replicas[0].Shop.Forget("access:{version}")
	for _, w := range replicas[1:] {
		w.Wait(time.Second)
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.NoPermission)
	}
}

// A version that was lost with Redis, and a later change has written anew, is never one that was seen before.
func TestAChangeAfterRedisWasEmptiedIsSeen(t *testing.T) {
	t.Parallel()
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

// Bodies of /admin/role/permissions: the clerk may read the orders, and then not.
const (
	mayRead    = `{"roleId":2,"permissions":["admin:order:list"]}`
	mayNothing = `{"roleId":2,"permissions":[]}`
)

// loginAgain logs an operator in at a replica.
func loginAgain(w *apitest.Env, name string) *optest.Client {
	var got struct{ Token string }
	w.Anonymous().POST("/admin/auth/login", `{"username":%q,"password":%q}`, name, apitest.Password).Data(&got)
	return w.Anonymous().With(auth.Header, got.Token)
}

// Losing all data of Redis ends every session, which is reported as such and not as a failure, and restores nothing
// that was revoked just before or after.
func TestARevocationOutlivesWhatRedisKnew(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]string{
		"taken away before": "-!", "taken away after": "!-", "emptied twice": "!-!", "taken away twice": "-!-",
	} {
		t.Run(name, func(t *testing.T) {
			replicas, _ := three(t)
			replicas[0].Operator("other", "admin:order:list").GET("/admin/order/list").OK()
			for _, step := range order {
				if step == '-' {
					loginAgain(replicas[0], "super").POST("/admin/role/permissions", mayNothing).OK()
					continue
				}
				replicas[0].Shop.ForgetAll()
			}
			for _, w := range replicas {
				w.Operator("clerk").GET("/admin/order/list").Fails(errno.LoginRequired)
				w.Super().GET("/admin/auth/info").Fails(errno.LoginRequired)
				w.Wait(time.Second)
				loginAgain(w, "clerk").GET("/admin/order/list").Fails(errno.NoPermission)
				loginAgain(w, "other").GET("/admin/order/list").OK()
			}
		})
	}
}

// After each loss the same number of changes is made, so a counter would have the same value as before, and replicas
// that compare it would miss the change.
func TestNoVersionComesBackWithAnEmptiedRedis(t *testing.T) {
	t.Parallel()
	replicas, _ := three(t)
	for i := range 4 {
		body, want := mayNothing, errno.NoPermission
		if i%2 == 1 {
			body, want = mayRead, errno.OK
		}
		replicas[0].Shop.ForgetAll()
		loginAgain(replicas[0], "super").POST("/admin/role/permissions", body).OK()
		for _, w := range replicas {
			w.Wait(time.Second)
			a := loginAgain(w, "clerk").GET("/admin/order/list")
			require.Equal(t, want, a.Code(), "round %d: %s", i, a.Body)
		}
	}
}

// Without Redis no token is known, so nobody is let in; the decisions alone follow within five seconds.
func TestARevocationReachesReplicasWithoutRedis(t *testing.T) {
	t.Parallel()
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
	require.NoError(t, d.Access.SetGranted(t.Context(), actor.Operator(1), 2, []string{}), "a change needs no Redis")
	w.Shop.Clock.Move(5 * time.Second)
	for _, check := range shops {
		require.ErrorIs(t, check(2), errno.NoPermission)
		require.NoError(t, check(3))
	}
	w.WithoutRedis().Operator("other").GET("/admin/order/list").Fails(errno.Internal)
}

func TestADeletedOperatorIsOutEverywhereAtOnce(t *testing.T) {
	t.Parallel()
	replicas, _ := three(t)
	replicas[0].Super().POST("/admin/admin/delete", `{"id":2}`).OK()
	for _, w := range replicas {
		w.Operator("clerk").GET("/admin/order/list").Fails(errno.LoginRequired)
		w.Operator("clerk").GET("/admin/auth/info").Fails(errno.LoginRequired)
	}
}

func TestARoleThatIsDisabledOrGivenReachesEveryReplica(t *testing.T) {
	t.Parallel()
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
