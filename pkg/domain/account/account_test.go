package account

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/runtime/ratelimit"
	"shop.internal/pkg/domain/runtime/token"
)

const (
	linMobile = "13900000001"
	password  = "right-horse"
	home      = "10.0.0.1"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 123_456_789, time.UTC) }

// outbox is a Sender that stores its messages.
type outbox struct {
	mu    sync.Mutex
	texts []string
	fail  error
}

func (o *outbox) Sends(notify.Kind) bool { return true }

func (o *outbox) SMS(_ context.Context, m notify.SMS) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fail != nil {
		return o.fail
	}
	o.texts = append(o.texts, m.Mobile+" "+m.Text)
	return nil
}

func (o *outbox) Mail(context.Context, notify.Mail) error {
	return errors.New("no mail is expected")
}

// code returns the code of the latest message.
func (o *outbox) code(t *testing.T) string {
	t.Helper()
	require.NotEmpty(t, o.texts)
	return regexp.MustCompile(`\b[0-9]{6}\b`).FindString(o.texts[len(o.texts)-1])
}

// shop is the area with the dependencies that tests inspect.
type shop struct {
	*Service
	d      *db.DB
	rdb    *redis.Client
	tokens *token.Service
	sent   *outbox
}

func open(t *testing.T, change ...func(*Config)) *shop {
	t.Helper()
	cfg := Config{
		CodeSecret: []byte(strings.Repeat("s", 32)), BcryptCost: bcrypt.MinCost,
		LoginPerAccount: 10, LoginPerAddress: 100, DefaultAvatar: "https://shop.test/avatar.png",
	}
	for _, c := range change {
		c(&cfg)
	}
	d, rdb, sent := dbtest.Open(t), dbtest.Redis(t), &outbox{}
	tokens := token.New(rdb, token.Audience{Name: "shopper", Lifetime: 24 * time.Hour}, noon)
	texts, err := notify.NewTexts("zh", "")
	require.NoError(t, err)
	return &shop{New(d, rdb, ratelimit.New(rdb, nil, noon), tokens, notify.New(sent, texts, nil), nil, cfg, noon), d, rdb, tokens, sent}
}

// registered registers a shopper and returns the id.
func (s *shop) registered(t *testing.T, username, mobile string) int64 {
	t.Helper()
	e, err := s.Register(t.Context(), s.registration(t, username, mobile))
	require.NoError(t, err)
	return e.ID
}

// registration returns a registration with a valid code.
func (s *shop) registration(t *testing.T, username, mobile string) Registration {
	t.Helper()
	require.NoError(t, s.codes.save(t.Context(), mobile, "123456"))
	return Registration{Username: username, Password: password, Mobile: mobile, Code: "123456", Address: home}
}

func (s *shop) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	require.NoError(t, dbtest.Exec(t.Context(), s.d, statement, args...))
}

func (s *shop) int(t *testing.T, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, table.Scan(t.Context(), s.d, &n, query, args...))
	return n
}

func TestUsernameKey(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ typed, want string }{
		"case":        {"LinLin", "linlin"},
		"blanks":      {"\u3000 lin \t", "lin"},
		"full width":  {"ＬＩＮ１", "lin1"},
		"composition": {"e\u0301cole", "école"},
		"ligature":    {"ﬁn", "fin"},
		"ideographs":  {"林林", "林林"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, usernameKey(tt.typed)) })
	}
}

// An accepted key is not changed by normalization: a name can be used as it is displayed.
func TestUsernameKeyIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 20, -1).Draw(t, "name")
		key := usernameKey(name)
		require.Equal(t, strings.TrimSpace(key), key)
		require.Equal(t, key, usernameKey("  "+name+" "))
	})
}

func TestCheckUsername(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		username string
		ok       bool
	}{
		"plain":                      {"lin", true},
		"63 characters":              {strings.Repeat("林", 63), true},
		"64 characters":              {strings.Repeat("林", 64), false},
		"a key too long":             {strings.Repeat("\ufdfa", 63), false},
		"empty":                      {"", false},
		"control character":          {"l\x00in", false},
		"line break":                 {"l\nin", false},
		"like an app account":        {"#lin", false},
		"like one, full width":       {"＃lin", false},
		"own mobile":                 {linMobile, true},
		"another mobile":             {"13900000002", false},
		"another mobile, full width": {"１３９０００００００２", false},
		"only digits":                {"139000000021", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if err := new(Service).checkUsername(tt.username, linMobile); tt.ok {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, errno.Invalid)
			}
		})
	}
}

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		password string
		ok       bool
	}{
		"5 characters":  {"12345", false},
		"6 characters":  {"123456", true},
		"64 characters": {strings.Repeat("x", 64), true},
		"65 characters": {strings.Repeat("x", 65), false},
		"72 bytes":      {strings.Repeat("林", 24), true},
		"75 bytes":      {strings.Repeat("林", 25), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if err := checkPassword(tt.password); tt.ok {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, errno.Invalid)
			}
		})
	}
}

func TestActive(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		set  string
		want error
	}{
		"in use":         {"token_version = 4", nil},
		"disabled":       {"status = 1", errno.LoginRequired},
		"closed":         {"status = 2", errno.LoginRequired},
		"deleted":        {"deleted = 1, del_mark = id", errno.LoginRequired},
		"somebody other": {"id = id + 1", errno.LoginRequired},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			id := s.registered(t, "lin", linMobile)
			s.exec(t, "UPDATE user SET "+tt.set)
			ctx, statements := db.WithCounter(t.Context())
			version, err := s.Active(ctx, id)
			require.ErrorIs(t, err, tt.want)
			require.Equal(t, 1, statements.Count())
			if tt.want == nil {
				require.Equal(t, 4, version)
			}
			_, err = s.Info(t.Context(), id)
			require.ErrorIs(t, err, tt.want)
			require.ErrorIs(t, s.SaveProfile(t.Context(), id, Changes{Nickname: "x"}), tt.want)
		})
	}
}

// Columns that are not named are not written back.
func TestSaveProfileChangesOnlyWhatIsNamed(t *testing.T) {
	t.Parallel()
	two := 2
	before := Profile{
		ID: 1, Username: "lin", Nickname: "lin", Mobile: linMobile, Avatar: "https://shop.test/avatar.png",
	}
	tests := map[string]struct {
		changes Changes
		change  func(*Profile)
		want    error
	}{
		"nothing":        {Changes{}, func(*Profile) {}, nil},
		"nickname":       {Changes{Nickname: "<b>Lin</b>"}, func(p *Profile) { p.Nickname = "<b>Lin</b>" }, nil},
		"avatar":         {Changes{Avatar: "http://x.test/a"}, func(p *Profile) { p.Avatar = "http://x.test/a" }, nil},
		"gender":         {Changes{Gender: &two}, func(p *Profile) { p.Gender = 2 }, nil},
		"long nickname":  {Changes{Nickname: strings.Repeat("林", 64)}, func(*Profile) {}, errno.Invalid},
		"long avatar":    {Changes{Avatar: strings.Repeat("a", 256)}, func(*Profile) {}, errno.Invalid},
		"unknown gender": {Changes{Gender: new(3)}, func(*Profile) {}, errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			id := s.registered(t, "lin", linMobile)
			other := s.registered(t, "mei", "13900000002")
			require.ErrorIs(t, s.SaveProfile(t.Context(), id, tt.changes), tt.want)
			want := before
			tt.change(&want)
			got, err := s.Info(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, want, got)
			got, err = s.Info(t.Context(), other)
			require.NoError(t, err)
			require.Equal(t, "mei", got.Nickname)
		})
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	s := open(t)
	lin, mei := s.registered(t, "lin", linMobile), s.registered(t, "mei", "13900000002")
	ctx, statements := db.WithCounter(t.Context())
	got, err := s.People(ctx, s.d, []int64{lin, mei, 99})
	require.NoError(t, err)
	require.Equal(t, map[int64]Person{
		lin: {"lin", "https://shop.test/avatar.png"}, mei: {"mei", "https://shop.test/avatar.png"},
	}, got)
	require.Equal(t, 1, statements.Count())
	got, err = s.People(t.Context(), s.d, nil)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestLock(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	require.NoError(t, s.d.InTx(t.Context(), func(tx *db.Tx) error {
		require.NoError(t, s.Lock(t.Context(), tx, id))
		require.NoError(t, tx.Flush(t.Context()))
		var free []int64
		err := table.Scan(t.Context(), s.d, &free, "SELECT id FROM user WHERE id = ? FOR UPDATE NOWAIT", id)
		require.Error(t, err, "the row is locked")
		return nil
	}))
	require.ErrorIs(t, s.d.InTx(t.Context(), func(tx *db.Tx) error {
		return s.Lock(t.Context(), tx, 99)
	}), errno.LoginRequired)
}

func TestOpenID(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.registered(t, "lin", linMobile)
	_, err := s.OpenID(t.Context(), s.d, id)
	require.ErrorIs(t, err, errno.AuthOpenIDUnaccess)
	s.exec(t, "UPDATE user SET wx_openid = 'o-1' WHERE id = ?", id)
	got, err := s.OpenID(t.Context(), s.d, id)
	require.NoError(t, err)
	require.Equal(t, "o-1", got)
}
