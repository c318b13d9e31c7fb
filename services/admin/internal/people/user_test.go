package people_test

import (
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

const (
	listUsers  = "/admin/user/list"
	userDetail = "/admin/user/detail"
	updateUser = "/admin/user/update"
)

// withShoppers is a shop with three shoppers: the first has complete data, the third registered through the app.
func withShoppers(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	for i, name := range []string{"lin_100%", "Mei", `back\slash`} {
		require.EqualValues(t, i+1, w.Shop.Shopper(name))
		w.Shop.Clock.Move(time.Minute)
	}
	w.Shop.Exec("UPDATE user SET gender = 1, birthday = '1990-02-28', last_login_time = ?, last_login_ip = '192.0.2.7', "+
		"user_level = 2, mobile = '13900000001', avatar = 'https://shop.test/a.png' WHERE id = 1", w.Shop.Clock.Now())
	w.Shop.Exec("UPDATE user SET mobile = '13900000002' WHERE id = 2")
	w.Shop.Exec("UPDATE user SET wx_openid = 'the-identity', wx_session_key = 'the-key', password_hash = 'the-hash', " +
		"status = 1 WHERE id = 3")
	return w
}

func userClerk(w *apitest.Env) *optest.Client {
	return w.Operator("clerk", "admin:user:list", "admin:user:read", "admin:user:update")
}

func TestUserList(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	userClerk(w).GET(listUsers).OK().Golden("user/list")
	userClerk(w).GET(listUsers + "?limit=0&username=&mobile=&timeArray=").OK().Golden("user/list_all")
	userClerk(w).GET(listUsers + "?mobile=13").Empty()
}

func TestUserFilters(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	w.Shop.Exec("INSERT INTO user (username, username_key, mobile, add_time, update_time, deleted, del_mark) " +
		"SELECT 'lin_gone', 'lin_gone', '13900000001', add_time, update_time, 1, 4 FROM user WHERE id = 1")
	for name, tt := range map[string]struct {
		query url.Values
		want  []int64
	}{
		"all":                  {url.Values{}, []int64{3, 2, 1}},
		"oldest first":         {url.Values{"order": {"asc"}}, []int64{1, 2, 3}},
		"by id":                {url.Values{"order": {"asc"}, "sort": {"id"}}, []int64{1, 2, 3}},
		"beyond the last page": {url.Values{"page": {"7"}, "limit": {"2"}}, []int64{1}},
		"part of the name":     {url.Values{"username": {"ME"}}, []int64{2}},
		"percent is a percent": {url.Values{"username": {"%"}}, []int64{1}},
		"underscore is itself": {url.Values{"username": {"_"}}, []int64{1}},
		"backslash is itself":  {url.Values{"username": {`\`}}, []int64{3}},
		"always true":          {url.Values{"username": {"x' or '1'='1"}}, []int64{}},
		"sleeping":             {url.Values{"username": {"x%' or sleep(5) -- "}}, []int64{}},
		"mobile":               {url.Values{"mobile": {"13900000001"}}, []int64{1}},
		"a mobile as pasted":   {url.Values{"mobile": {"+86 139-0000-0001"}}, []int64{1}},
		"part of a mobile":     {url.Values{"mobile": {"1390000"}}, []int64{}},
		"mobile, always true":  {url.Values{"mobile": {"x' or '1'='1"}}, []int64{}},
		"both must hold":       {url.Values{"mobile": {"13900000001"}, "username": {"mei"}}, []int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, userClerk(w).In(t).GET(listUsers+"?"+tt.query.Encode()).IDs())
		})
	}
}

func TestUserBadQueries(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	for _, q := range []string{
		"sort=password_hash", "sort=username", "sort=add_time,(select+sleep(5))", "order=DESC", "order=desc+limit+1,1",
		"page=0", "page=x", "limit=-1", "limit=10001",
	} {
		userClerk(w).GET(listUsers + "?" + q).Fails(errno.Invalid)
	}
}

func TestDetail(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	userClerk(w).GET(userDetail + "?id=1").OK().Golden("user/detail")
	userClerk(w).GET(userDetail).Fails(errno.Missing)
	w.Shop.Exec("UPDATE user SET deleted = 1, del_mark = id WHERE id = 2")
	for _, id := range []string{"2", "99", "0", "-1", "1.5", "1%20or%201=1", "9007199254740993"} {
		userClerk(w).GET(userDetail + "?id=" + id).Fails(errno.Invalid)
	}
}

// Hash, session key and identity at the app platform are never sent.
func TestNoSecretIsSent(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	for _, path := range []string{listUsers, userDetail + "?id=3"} {
		a := userClerk(w).GET(path).OK()
		for _, secret := range []string{"the-identity", "the-key", "the-hash", "password", "session", "openid", "token"} {
			require.NotContains(t, string(a.Body), secret, path)
		}
	}
}

const userRow = "SELECT CONCAT_WS('/', username, username_key, nickname, COALESCE(mobile, '-'), gender, user_level, status, " +
	"avatar, COALESCE(wx_openid, '-'), COALESCE(wx_session_key, '-'), add_time, deleted, token_version) FROM user WHERE id = ?"

func TestUpdate(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	userClerk(w).POST(updateUser, `{"id":1,"nickname":"林","mobile":"13900000009","gender":"2","userLevel":1,"status":0}`).
		Is("1").Golden("user/update")
	require.Equal(t, "lin_100%/lin_100%/林/13900000009/2/1/0/https://shop.test/a.png/-//2030-01-02 04:00:00.000/0/0",
		w.Shop.Text(userRow, 1))
	require.Equal(t, "2030-01-02T04:03:00Z", w.Shop.Text("SELECT update_time FROM user WHERE id = 1"))
	userClerk(w).POST(updateUser, `{"id":1}`).Is("1").Golden("user/update_nothing")
	userClerk(w).POST(updateUser, `{"id":1,"nickname":"","mobile":""}`).Is("1").Golden("user/update_cleared")
	require.Equal(t, "lin_100%/lin_100%//-/2/1/0/https://shop.test/a.png/-//2030-01-02 04:00:00.000/0/0",
		w.Shop.Text(userRow, 1))
	userClerk(w).POST(updateUser, `{"id":2,"mobile":null,"gender":null,"nickname":null}`).OK()
	require.Equal(t, "13900000002", w.Shop.Text("SELECT mobile FROM user WHERE id = 2"))
}

// An update changes five columns and no other, and its permission is not that of the list.
func TestOnlyFiveMembersAreWritten(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	before, hash := w.Shop.Text(userRow, 1), w.Shop.Text("SELECT password_hash FROM user WHERE id = 1")
	const forged = `{"id":1,"username":"root","usernameKey":"root","password":"123456","passwordHash":"x",` +
		`"sessionKey":"x","wxSessionKey":"x","weixinOpenid":"x","wxOpenid":"x","avatar":"http://evil.example/x",` +
		`"addTime":"2001-01-01 00:00:00","updateTime":"2001-01-01 00:00:00","deleted":true,"tokenVersion":9,` +
		`"lastLoginIp":"1.1.1.1","birthday":"2001-01-01"}`
	w.Operator("reader", "admin:user:list", "admin:user:read").POST(updateUser, forged).Fails(errno.NoPermission)
	userClerk(w).POST(updateUser, forged).OK()
	require.Equal(t, before, w.Shop.Text(userRow, 1))
	require.Equal(t, hash, w.Shop.Text("SELECT password_hash FROM user WHERE id = 1"))
	require.Equal(t, "192.0.2.7 1990-02-28", w.Shop.Text("SELECT CONCAT(last_login_ip, ' ', birthday) FROM user WHERE id = 1"))
}

func TestUpdateRefuses(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	before := w.Shop.Texts("SELECT CONCAT_WS('/', nickname, mobile, gender, user_level, status, version) FROM user")
	c := userClerk(w)
	c.POST(updateUser, `{"gender":1}`).Fails(errno.Missing)
	for _, body := range []string{
		`{"id":1,"gender":3}`, `{"id":1,"gender":-1}`, `{"id":1,"userLevel":3}`, `{"id":1,"status":3}`, `{"id":1,"status":"x"}`,
		`{"id":1,"nickname":"` + fmt.Sprintf("%064d", 1) + `"}`, `{"id":"x"}`, `{"id":99,"gender":3}`, `[]`,
	} {
		c.POST(updateUser, body).Fails(errno.Invalid)
	}
	for _, mobile := range []string{"1390000000", "139000000012", "23900000001", "1390000000x", "+4413900000003"} {
		c.POST(updateUser, `{"id":1,"mobile":"%s"}`, mobile).Fails(errno.UserInvalidMobile)
	}
	c.POST(updateUser, `{"id":1,"mobile":"13900000002","nickname":"x"}`).Fails(errno.UserMobileExists)
	c.POST(updateUser, `{"id":99,"mobile":"x"}`).Fails(errno.UpdateFailed)
	w.Conflict("UPDATE user")
	c.POST(updateUser, `{"id":1,"nickname":"x"}`).Fails(errno.Stale)
	require.Equal(t, before, w.Shop.Texts("SELECT CONCAT_WS('/', nickname, mobile, gender, user_level, status, version) FROM user"))
	w.Shop.Exec("UPDATE user SET deleted = 1, del_mark = id WHERE id = 2")
	c.POST(updateUser, `{"id":2,"gender":1}`).Fails(errno.UpdateFailed)
}

// An invalid number stays unchanged if a form sends it back, and one of a deleted account is free.
func TestMobilesThatStay(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	w.Shop.Exec("UPDATE user SET mobile = '0571-1234' WHERE id = 1")
	userClerk(w).POST(updateUser, `{"id":1,"mobile":"0571-1234","gender":1}`).OK()
	userClerk(w).POST(updateUser, `{"id":1,"mobile":"0571-1235"}`).Fails(errno.UserInvalidMobile)
	w.Shop.Exec("UPDATE user SET deleted = 1, del_mark = id WHERE id = 2")
	userClerk(w).POST(updateUser, `{"id":1,"mobile":"13900000002"}`).OK()
	require.Equal(t, "13900000002", w.Shop.Text("SELECT mobile FROM user WHERE id = 1"))
}

// A shopper who is disabled or closed loses every session at once, and none of them comes back with the account.
func TestDisablingEndsSessions(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	alive := func(token string) bool {
		session, err := w.Shop.Tokens.Find(t.Context(), token, false)
		if err != nil {
			return false
		}
		version, err := w.Shop.Accounts.Active(t.Context(), session.Subject)
		return err == nil && version == session.Version
	}
	for _, status := range []int{1, 2} {
		one, two, other := w.Shop.Token(1), w.Shop.Token(1), w.Shop.Token(2)
		userClerk(w).POST(updateUser, `{"id":1,"status":0}`).OK()
		require.True(t, alive(one))
		userClerk(w).POST(updateUser, `{"id":1,"status":%d}`, status).Is("1").Golden("user/" + fmt.Sprintf("update_status_%d", status))
		require.False(t, alive(one))
		require.False(t, alive(two))
		require.True(t, alive(other))
		_, err := w.Shop.Tokens.Find(t.Context(), one, false)
		require.Error(t, err, "Redis has forgotten it")
		userClerk(w).POST(updateUser, `{"id":1,"status":0}`).OK()
		require.False(t, alive(one))
		require.True(t, alive(w.Shop.Token(1)))
	}
	require.EqualValues(t, 2, w.Shop.Int("SELECT token_version FROM user WHERE id = 1"))
	// A token that Redis cannot delete is refused nevertheless, and the change stands.
	kept, two := w.Shop.Token(1), account.Closed
	require.NoError(t, w.Shop.WithoutRedis().Accounts.ChangeMember(t.Context(), 1, account.MemberChange{Status: &two}))
	_, err := w.Shop.Tokens.Find(t.Context(), kept, false)
	require.NoError(t, err)
	userClerk(w).POST(updateUser, `{"id":1,"status":0}`).OK()
	require.False(t, alive(kept))
}

// Two operators set one mobile for two shoppers: one of them gets it, the other is refused.
func TestOneMobileForTwo(t *testing.T) {
	t.Parallel()
	w := withShoppers(t)
	c := userClerk(w)
	for round := range 5 {
		mobile := fmt.Sprintf("1380000000%d", round)
		codes := make([]*errno.Code, 2)
		var wg sync.WaitGroup
		for i := range codes {
			wg.Go(func() { codes[i] = c.POST(updateUser, `{"id":%d,"mobile":"%s"}`, i+1, mobile).Code() })
		}
		wg.Wait()
		require.ElementsMatch(t, []*errno.Code{errno.OK, errno.UserMobileExists}, codes)
		require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM user WHERE mobile = ?", mobile))
	}
}
