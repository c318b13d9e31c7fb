package authz_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/test/bench/ratio"
	"shop.internal/services/admin/internal/authz"
)

func appoint(t *testing.T, s *domaintest.Shop, name string, values ...string) int64 {
	t.Helper()
	id, err := s.Access.Appoint(t.Context(), access.Appointment{
		Username: name, Password: domaintest.Password, Role: "role of " + name, Values: values,
	})
	require.NoError(t, err)
	return id
}

func TestCheck(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	clerk := appoint(t, s, "clerk", "admin:order:list", "role#1", "admin#1", "admin:*")
	super := appoint(t, s, "super", "*")
	a, err := authz.New(s.Access, s.Clock.Now)
	require.NoError(t, err)
	tests := map[string]struct {
		operator int64
		value    string
		want     error
	}{
		"held":                       {clerk, "admin:order:list", nil},
		"not held":                   {clerk, "admin:order:ship", errno.NoPermission},
		"another case":               {clerk, "admin:order:LIST", errno.NoPermission},
		"a prefix is no wildcard":    {clerk, "admin:goods:list", errno.NoPermission},
		"super, declared by nobody":  {super, "admin:any:thing", nil},
		"unknown operator":           {99, "admin:order:list", errno.NoPermission},
		"nobody":                     {0, "admin:order:list", errno.NoPermission},
		"the name of a role":         {super - 1, "role#2", errno.NoPermission},
		"a role stored as a value":   {clerk, "*", errno.NoPermission},
		"an operator, asked as such": {clerk, "", errno.NoPermission},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, a.Check(t.Context(), tt.operator, tt.value), tt.want)
		})
	}
}

func TestWithoutRedisChangesActWithinFiveSeconds(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	clerk := appoint(t, s, "clerk", "admin:order:list")
	d := s.WithoutRedis()
	a, err := authz.New(d.Access, s.Clock.Now)
	require.NoError(t, err)
	require.NoError(t, a.Check(t.Context(), clerk, "admin:order:list"))
	s.Exec("UPDATE permission SET deleted = 1, del_mark = id")
	s.Clock.Move(5 * time.Second)
	require.ErrorIs(t, a.Check(t.Context(), clerk, "admin:order:list"), errno.NoPermission)
}

func TestChecksRunBesideReloads(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	clerk := appoint(t, s, "clerk", "admin:order:list")
	a, err := authz.New(s.Access, s.Clock.Now)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if err := a.Check(t.Context(), clerk, "admin:order:list"); err != nil {
					t.Error(err)
				}
				s.Clock.Move(time.Second)
			}
		})
	}
	wg.Wait()
}

// While one caller reloads the grants and the database hangs, the others decide by those of the last check.
func TestNobodyWaitsForAnothersReload(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	clerk := appoint(t, s, "clerk", "admin:order:list")
	d, freeze := s.Freezable()
	a, err := authz.New(d.Access, s.Clock.Now)
	require.NoError(t, err)
	for range 20 { // the grants are loaded once and compared 19 times
		require.NoError(t, a.Check(t.Context(), clerk, "admin:order:list"))
		s.Clock.Move(200 * time.Millisecond)
	}
	thaw := freeze()
	results := make(chan error, 3)
	for range cap(results) {
		go func() { results <- a.Check(t.Context(), clerk, "admin:order:list") }()
	}
	require.NoError(t, <-results)
	require.NoError(t, <-results)
	require.Empty(t, results, "who reloads waits")
	thaw()
	require.NoError(t, <-results)
}

// TestNoVerdictOutlivesAReload grants and revokes a permission repeatedly while others check it: a check after a change
// sees that change and no older one.
func TestNoVerdictOutlivesAReload(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	super := appoint(t, s, "super", "*")
	clerk := appoint(t, s, "clerk")
	role, err := s.Access.Find(t.Context(), clerk)
	require.NoError(t, err)
	a, err := authz.New(s.Access, s.Clock.Now)
	require.NoError(t, err)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_ = a.Check(t.Context(), clerk, "admin:order:list")
				}
			}
		})
	}
	for i := range 20 {
		values, want := []string{}, errno.NoPermission
		if i%2 == 0 {
			values, want = []string{"admin:order:list"}, nil
		}
		require.NoError(t, s.Access.SetGranted(t.Context(), actor.Operator(super), role.Roles[0], values))
		err := a.Check(t.Context(), clerk, "admin:order:list")
		if want == nil {
			require.NoError(t, err, "change %d", i)
			continue
		}
		require.ErrorIs(t, err, want, "change %d", i)
	}
	close(stop)
	wg.Wait()
}

// crowd is a shop with 200 permissions, 50 roles with 40 of them each, and 100 operators with 5 roles each.
func crowd(b *testing.B) (s *domaintest.Shop, values []string) {
	b.Helper()
	s = domaintest.Open(b)
	var grants, holdings []string
	for role := range 50 {
		s.Exec("INSERT INTO role (name, add_time, update_time) VALUES (?, NOW(), NOW())", fmt.Sprint("role ", role))
		for i := range 20 {
			grants = append(grants, fmt.Sprintf("(%d, 'admin:area:action-%d', NOW(), NOW())", role+1, (role*4+i)%200))
		}
	}
	for operator := range 100 {
		s.Exec("INSERT INTO admin (username, username_key, password_hash, add_time, update_time) "+
			"VALUES (?, ?, '', NOW(), NOW())", fmt.Sprint("op ", operator), fmt.Sprint("op ", operator))
		for i := range 5 {
			holdings = append(holdings, fmt.Sprintf("(%d, %d, NOW())", operator+1, (operator+i*10)%50+1))
		}
	}
	s.Exec("INSERT INTO permission (role_id, permission, add_time, update_time) VALUES " + strings.Join(grants, ", "))
	s.Exec("INSERT INTO admin_role (admin_id, role_id, add_time) VALUES " + strings.Join(holdings, ", "))
	for i := range 200 {
		values = append(values, fmt.Sprintf("admin:area:action-%d", i))
	}
	return s, values
}

// BenchmarkDecision is a decision as the service makes it: every operator checks many permissions in turn, not for the
// first time.
func BenchmarkDecision(b *testing.B) {
	s, values := crowd(b)
	a, err := authz.New(s.Access, s.Clock.Now)
	require.NoError(b, err)
	allowed := 0
	check := func(i int) {
		if a.Check(b.Context(), int64(i%100)+1, values[i/100%20*10]) == nil {
			allowed++
		}
	}
	for i := range 2000 {
		check(i)
	}
	for i := 0; b.Loop(); i++ {
		check(i)
	}
	require.Positive(b, allowed)
	ratio.Figure(b, "permission decision", float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, 5, "µs")
}

// BenchmarkFirstCheck is the first decision after a change of the grants.
func BenchmarkFirstCheck(b *testing.B) {
	s, values := crowd(b)
	a, err := authz.New(s.Access, s.Clock.Now)
	require.NoError(b, err)
	require.Error(b, a.Check(b.Context(), 0, values[0]))
	for i := 0; b.Loop(); i++ {
		_, err := authz.Decide(a, int64(i%100)+1, values[i/100%200])
		require.NoError(b, err)
	}
}
