package access

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	kv "shop.internal/pkg/domain/internal/redis"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/hashing"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/ratelimit"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/platform/token"
)

const password = "orchid-7"

func noon() time.Time { return time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC) }

type fixture struct {
	*Service
	sessions *Sessions
	tokens   *token.Service
	db       *db.DB
}

func open(t *testing.T, perName, perAddress int) fixture {
	t.Helper()
	d, rdb := dbtest.Open(t), dbtest.Redis(t)
	s := New(d, kv.Of(rdb), idempotency.New(d, dbtest.Secret, noon), hashing.New(bcrypt.MinCost, noon), noon, text.Chinese)
	tokens := token.New(kv.Of(rdb), token.Audience{Name: "staff", Lifetime: 24 * time.Hour, Idle: 6 * time.Hour}, noon)
	return fixture{s, NewSessions(s, tokens, ratelimit.NewAttempts(ratelimit.New(kv.Of(rdb), nil, noon), "staff", perName, perAddress)), tokens, d}
}

func (f fixture) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	require.NoError(t, f.db.G(t.Context()).Exec(statement, args...).Error)
}

func (f fixture) texts(t *testing.T, query string, args ...any) []string {
	t.Helper()
	var all []string
	require.NoError(t, f.db.G(t.Context()).Raw(query, args...).Scan(&all).Error)
	return all
}

func TestCreate(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		username, password string
		want               error
	}{
		"good":                            {"Ada_Lovelace", password, nil},
		"Chinese":                         {"店铺管理员小林", password, nil},
		"name too short":                  {"abcde", password, errno.AdminInvalidName},
		"name too long":                   {strings.Repeat("a", 21), password, errno.AdminInvalidName},
		"name ends in an underscore":      {"abcdef_", password, errno.AdminInvalidName},
		"name with a blank":               {"abc def", password, errno.AdminInvalidName},
		"name beyond the Chinese block":   {"abcdef\u9fa6", password, errno.AdminInvalidName},
		"password too short":              {"abcdef", "12345", errno.AdminInvalidPassword},
		"password too long in characters": {"abcdef", strings.Repeat("a", 65), errno.AdminInvalidPassword},
		"password too long in bytes":      {"abcdef", strings.Repeat("密", 25), errno.AdminInvalidPassword},
		"name taken, in another case":     {"GRACE_HOPPER", password, errno.AdminNameExists},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, 0, 0)
			_, err := s.Create(t.Context(), "grace_hopper", password)
			require.NoError(t, err)
			id, err := s.Create(t.Context(), tt.username, tt.password)
			require.ErrorIs(t, err, tt.want)
			if tt.want != nil {
				require.Len(t, s.texts(t, "SELECT username FROM admin"), 1, "nothing half done")
				return
			}
			held, err := s.AuthorityOf(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, Authority{Roles: []string{"超级管理员"}, Values: []string{Super}}, held)
			o, err := s.FindByName(t.Context(), " "+strings.ToUpper(tt.username)+" ")
			require.NoError(t, err)
			require.Equal(t, Operator{
				ID: id, Username: tt.username, TokenVersion: o.TokenVersion, Roles: []int64{1}, AddTime: noon(),
				UpdateTime: noon(),
			}, o)
			require.Len(t, s.texts(t, "SELECT name FROM role"), 1, "the super role is made once")
		})
	}
}

// The role has its name in the language of the shop, and is the same one after a change of the language.
func TestTheFirstRoleInTheLanguageOfTheShop(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{text.Chinese: "超级管理员", text.English: "Super administrator"} {
		s := open(t, 0, 0)
		for i, speaks := range []string{language, text.Chinese, text.English} {
			s.language = speaks
			_, err := s.Create(t.Context(), fmt.Sprintf("grace_hopper%d", i), password)
			require.NoError(t, err)
		}
		require.Equal(t, []string{want}, s.texts(t, "SELECT name FROM role"))
	}
}

func TestFirst(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	var wg sync.WaitGroup
	made := make([]string, 8)
	for i := range made {
		wg.Go(func() {
			name, secret, err := s.First(t.Context())
			if err == nil && name != "" {
				made[i] = name + " " + secret
			}
		})
	}
	wg.Wait()
	all := strings.TrimSpace(strings.Join(made, ""))
	require.Equal(t, 1, strings.Count(all, FirstName), "eight replicas start, one makes the operator")
	name, secret, _ := strings.Cut(all, " ")
	require.GreaterOrEqual(t, len(secret), 26)
	_, _, err := s.sessions.LogIn(t.Context(), Credentials{Username: name, Password: secret})
	require.NoError(t, err)
	name, _, err = s.First(t.Context())
	require.NoError(t, err)
	require.Empty(t, name)
}

// Every change of operators, roles and grants writes to the row that serializes them: on a cluster a lock is visible on
// one server only, and the last two super operators could disable each other concurrently.
func TestAChangeWritesToTheQueue(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	ctx := t.Context()
	first, err := s.Create(ctx, "first_one", password)
	require.NoError(t, err)
	version := func() string { return s.texts(t, "SELECT version FROM role ORDER BY id LIMIT 1")[0] }
	for name, change := range []func() error{
		func() error { _, err := s.Create(ctx, "second_one", password); return err },
		func() error { _, err := s.Disable(ctx, "second_one"); return err },
		func() error { _, err := s.SetPassword(ctx, "first_one", password); return err },
		func() error {
			_, err := s.CreateRole(ctx, actor.Operator(first), Role{Name: "clerks", Enabled: true})
			return err
		},
	} {
		before := version()
		require.NoError(t, change(), name)
		require.NotEqual(t, before, version(), name)
	}
}

func TestDisable(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	ctx := t.Context()
	first, err := s.Create(ctx, "first_one", password)
	require.NoError(t, err)
	_, err = s.Disable(ctx, "first_one")
	require.ErrorIs(t, err, errno.AdminAlterNotAllowed, "the last super operator stays")
	_, err = s.Disable(ctx, "unknown_operator")
	require.ErrorIs(t, err, errno.UpdateFailed)
	_, err = s.Create(ctx, "second_one", password)
	require.NoError(t, err)
	_, tok, err := s.sessions.LogIn(ctx, Credentials{Username: "first_one", Password: password})
	require.NoError(t, err)
	id, err := s.Disable(ctx, "FIRST_one")
	require.NoError(t, err)
	require.Equal(t, first, id)
	_, err = s.sessions.Find(ctx, tok, true)
	require.ErrorIs(t, err, errno.LoginRequired)
	_, _, err = s.sessions.LogIn(ctx, Credentials{Username: "first_one", Password: password})
	require.ErrorIs(t, err, errno.AdminInvalidAccount)
	grants, err := s.Grants(ctx)
	require.NoError(t, err)
	require.Len(t, grants.Assignments, 1, "a locked operator holds nothing")
}

func TestTwoDisableEachOther(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	for _, name := range []string{"first_one", "second_one"} {
		_, err := s.Create(t.Context(), name, password)
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	for _, name := range []string{"first_one", "second_one"} {
		wg.Go(func() { _, _ = s.Disable(t.Context(), name) })
	}
	wg.Wait()
	require.Len(t, s.texts(t, "SELECT username FROM admin WHERE status = 0"), 1)
}

func TestSetPassword(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	ctx := t.Context()
	_, err := s.Create(ctx, "first_one", password)
	require.NoError(t, err)
	_, tok, err := s.sessions.LogIn(ctx, Credentials{Username: "first_one", Password: password})
	require.NoError(t, err)
	_, err = s.SetPassword(ctx, "first_one", "12345")
	require.ErrorIs(t, err, errno.AdminInvalidPassword)
	_, err = s.SetPassword(ctx, "first_one", "tulip-88")
	require.NoError(t, err)
	_, err = s.sessions.Find(ctx, tok, true)
	require.ErrorIs(t, err, errno.LoginRequired, "the token carries an older version")
	_, _, err = s.sessions.LogIn(ctx, Credentials{Username: "first_one", Password: password})
	require.ErrorIs(t, err, errno.AdminInvalidAccount)
	_, _, err = s.sessions.LogIn(ctx, Credentials{Username: "first_one", Password: "tulip-88"})
	require.NoError(t, err)
}

// Roles that are disabled or deleted grant nothing.
func TestWhatCounts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		damage string
		roles  []string
		values []string
	}{
		"all is well":     {"", []string{"clerks"}, []string{"admin:goods:list", "admin:order:list"}},
		"role disabled":   {"UPDATE role SET enabled = 0", nil, nil},
		"role deleted":    {"UPDATE role SET deleted = 1, del_mark = id", nil, nil},
		"role taken away": {"DELETE FROM admin_role", nil, nil},
		"role is missing": {"DELETE FROM role", nil, nil},
		"one value erased": {
			"UPDATE permission SET deleted = 1, del_mark = id WHERE permission = 'admin:goods:list'",
			[]string{"clerks"},
			[]string{"admin:order:list"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, 0, 0)
			id, err := s.Appoint(t.Context(), Appointment{
				Username: "clerk", Password: password, Role: "clerks", Values: []string{"admin:order:list", "admin:goods:list"},
			})
			require.NoError(t, err)
			if tt.damage != "" {
				s.exec(t, tt.damage)
			}
			held, err := s.AuthorityOf(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, tt.roles, held.Roles)
			require.Equal(t, tt.values, held.Values)
			grants, err := s.Grants(t.Context())
			require.NoError(t, err)
			if tt.roles == nil {
				require.Empty(t, grants.Assignments)
				return
			}
			require.Equal(t, []RoleAssignment{{Operator: id, Role: 1}}, grants.Assignments)
			require.Len(t, grants.Values, len(tt.values))
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	s := open(t, 0, 0)
	before, err := s.Version(t.Context())
	require.NoError(t, err)
	require.Empty(t, before)
	_, err = s.Create(t.Context(), "first_one", password)
	require.NoError(t, err)
	first, err := s.Version(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, first)
	require.EqualValues(t, 1, s.Generation())
	_, err = s.Create(t.Context(), "first_one", password)
	require.Error(t, err)
	same, err := s.Version(t.Context())
	require.NoError(t, err)
	require.Equal(t, first, same, "a change that failed is none")
}
