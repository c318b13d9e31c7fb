package authz_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/errno"
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

func BenchmarkCheck(b *testing.B) {
	s := domaintest.Open(b)
	id, err := s.Access.Appoint(b.Context(), access.Appointment{
		Username: "clerk", Password: domaintest.Password, Role: "clerks", Values: []string{"admin:order:list"},
	})
	require.NoError(b, err)
	a, err := authz.New(s.Access, s.Clock.Now)
	require.NoError(b, err)
	for b.Loop() {
		if err := a.Check(b.Context(), id, "admin:order:list"); err != nil {
			b.Fatal(err)
		}
	}
}
