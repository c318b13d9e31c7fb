package profile_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/profile"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, profile.Ops(profile.Deps{})...)) }

const (
	password = "/admin/profile/password"
	count    = "/admin/profile/nnotice"
	box      = "/admin/profile/lsnotice"
	open     = "/admin/profile/catnotice"
	markRead = "/admin/profile/bcatnotice"
	drop     = "/admin/profile/rmnotice"
	dropMany = "/admin/profile/brmnotice"
	info     = "/admin/auth/info"
)

// noted are the entries of the business log about passwords.
const noted = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('|', admin, ip, type, status, result) ORDER BY id), '') " +
	"FROM log WHERE action = '修改密码'"

func TestPassword(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("clerk", "admin:notice:list")
	login := func(password string) *optest.Answer {
		return w.Anonymous().POST("/admin/auth/login", `{"username":"clerk","password":%q}`, password)
	}
	var second struct{ Token string }
	login(apitest.Password).Data(&second)
	other := w.Anonymous().With(auth.Header, second.Token)
	for _, body := range []string{
		`{}`, `{"oldPassword":"x"}`, `{"newPassword":"123456"}`, `{"oldPassword":"","newPassword":"123456"}`,
	} {
		c.POST(password, "%s", body).Fails(errno.Missing)
	}
	c.POST(password, `{"oldPassword":"wrong","newPassword":"123456"}`).Fails(errno.AdminInvalidAccount)
	require.Equal(t, "clerk|192.0.2.1|1|0|密码错误", w.Shop.Text(noted))
	for _, weak := range []string{"12345", strings.Repeat("x", 65), strings.Repeat("长", 25)} {
		c.POST(password, `{"oldPassword":%q,"newPassword":%q}`, apitest.Password, weak).Fails(errno.AdminInvalidPassword).Says("管理员密码不符合规定：应为 6 到 64 个字，不超过 72 字节")
	}
	w.Conflict("UPDATE admin SET password_hash")
	c.POST(password, `{"oldPassword":%q,"newPassword":"123456"}`, apitest.Password).Fails(errno.Stale)
	w.Conflict("no statement")
	require.Equal(t, "clerk|192.0.2.1|1|0|密码错误", w.Shop.Text(noted), "what failed otherwise is not told of")

	const rest = "SELECT CONCAT_WS('|', username, last_login_ip, last_login_time, avatar, status, deleted, " +
		"(SELECT GROUP_CONCAT(role_id) FROM admin_role WHERE admin_id = admin.id)) FROM admin WHERE username = 'clerk'"
	before := w.Shop.Text(rest)
	other.GET(info).OK()
	c.POST(password, `{"oldPassword":%q,"newPassword":"123456","newPassword2":"x","roleIds":[1],"avatar":"x"}`,
		apitest.Password).OK().Golden("password")
	require.Equal(t, before, w.Shop.Text(rest), "nothing else is written")
	require.Equal(t, "clerk|192.0.2.1|1|0|密码错误,clerk|192.0.2.1|1|1|", w.Shop.Text(noted))
	c.GET(info).OK()
	other.GET(info).Fails(errno.LoginRequired)
	login(apitest.Password).Fails(errno.AdminInvalidAccount)
	login("123456").OK()
}

// A stolen session does not allow unlimited attempts at the password: failures count like those of the login.
func TestGuessesOfTheOldPassword(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("clerk")
	for range 5 { // the limit of the test shop
		c.POST(password, `{"oldPassword":"wrong","newPassword":"123456"}`).Fails(errno.AdminInvalidAccount)
	}
	c.POST(password, `{"oldPassword":%q,"newPassword":"123456"}`, apitest.Password).Fails(errno.AdminInvalidAccount)
	w.Anonymous().POST("/admin/auth/login", `{"username":"clerk","password":%q}`, apitest.Password).
		Fails(errno.AdminInvalidAccount)
	require.Contains(t, w.Shop.Text(noted), "clerk|192.0.2.1|1|0|登录失败次数过多")
	require.NotContains(t, w.Shop.Text(noted), "clerk|192.0.2.1|1|1|")
}

// Of two concurrent password changes one succeeds; the other is refused.
func TestTwoPasswordsAtOnce(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("clerk")
	answers := make(chan *optest.Answer)
	for range 4 {
		go func() { answers <- c.POST(password, `{"oldPassword":%q,"newPassword":"123456"}`, apitest.Password) }()
	}
	won := 0
	for range 4 {
		switch a := <-answers; a.Code() {
		case errno.OK:
			won++
		case errno.Stale, errno.AdminInvalidAccount, errno.LoginRequired:
		default:
			t.Errorf("%s", a.Body)
		}
	}
	require.Equal(t, 1, won)
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM log WHERE action = '修改密码' AND status = 1"))
}

// withNotices is a shop where the operators lin 1 and mei 2 have four notices: by lin, by the system, by a deleted
// operator, and one that was deleted.
func withNotices(t *testing.T) (w *apitest.Env, lin, mei *optest.Client) {
	t.Helper()
	w = apitest.Open(t)
	lin, mei = w.Operator("lin", "admin:notice:create", "admin:notice:delete"), w.Operator("mei")
	w.Shop.Exec("UPDATE admin SET avatar = 'http://shop.test/lin.png' WHERE username = 'lin'")
	gone := w.Operator("gone", "admin:notice:create")
	lin.POST("/admin/notice/create", `{"title":"五一","content":"<p>放假</p>"}`).OK()
	w.Shop.Clock.Move(time.Minute)
	require.NoError(t, w.Shop.Access.Notify(t.Context(), "退款失败", "订单 7"))
	w.Shop.Clock.Move(time.Minute)
	gone.POST("/admin/notice/create", `{"title":"再见"}`).OK()
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE username = 'gone'")
	lin.POST("/admin/notice/create", `{"title":"写错了"}`).OK()
	lin.POST("/admin/notice/delete", `{"id":4}`).OK()
	w.Shop.Exec("UPDATE notice_admin SET deleted = 1, del_mark = id WHERE admin_id = 3")
	return w, lin, mei
}

// state is an inbox, as notice:read.
const state = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS(':', notice_id, read_time IS NOT NULL) ORDER BY id), '') " +
	"FROM notice_admin WHERE deleted = 0 AND admin_id = ?"

func TestBox(t *testing.T) {
	t.Parallel()
	w, lin, mei := withNotices(t)
	mei.GET(count).Is("3")
	mei.GET(box).OK().Golden("box")
	mei.POST(open, `{"noticeId":2}`).OK().Golden("open_system")
	mei.GET(box + "?type=read").OK().Golden("box_read")
	mei.GET(box + "?title=nothing").Empty()
	for query, want := range map[string][]int64{
		"": {3, 2, 1}, "type=": {3, 2, 1}, "type=all": {3, 2, 1}, "type=unread": {3, 1}, "type=read": {2},
		"title=五": {1}, "title=%25": {}, "sort=id&order=asc&limit=2": {1, 2}, "title=败&type=unread": {},
	} {
		var got struct{ List []struct{ NoticeID int64 } }
		mei.GET(box + "?" + query).Data(&got)
		ids := []int64{}
		for _, r := range got.List {
			ids = append(ids, r.NoticeID)
		}
		require.Equal(t, want, ids, query)
	}
	for _, query := range []string{"type=x", "type=READ", "sort=title", "limit=x"} {
		mei.GET(box + "?" + query).Fails(errno.Invalid)
	}
	require.Equal(t, "1:0,2:0,3:0", w.Shop.Text(state, 1), "nobody else's box is touched")
	var n int64
	mei.GET(count).Data(&n)
	require.EqualValues(t, 2, n)
	lin.GET(count).Data(&n)
	require.EqualValues(t, 3, n)
}

func TestOpen(t *testing.T) {
	t.Parallel()
	w, _, mei := withNotices(t)
	mei.POST(open, `{"id":1,"noticeId":"1","noticeTitle":"x","readTime":null}`).OK().Golden("open")
	first := w.Shop.Text("SELECT read_time FROM notice_admin WHERE notice_id = 1 AND admin_id = 2")
	w.Shop.Clock.Move(time.Hour)
	mei.POST(open, `{"noticeId":1}`).OK()
	require.Equal(t, first, w.Shop.Text("SELECT read_time FROM notice_admin WHERE notice_id = 1 AND admin_id = 2"),
		"the time of the first reading stays")
	mei.POST(open, `{"noticeId":3}`).OK().Golden("open_author_gone")
	for _, body := range []string{`{}`, `{"noticeId":null}`, `{"noticeId":""}`, `{"id":1}`} {
		mei.POST(open, "%s", body).Fails(errno.Missing)
	}
	for _, body := range []string{`{"noticeId":4}`, `{"noticeId":99}`, `{"noticeId":"x"}`, `{"noticeId":0}`} {
		mei.POST(open, "%s", body).Fails(errno.Invalid)
	}
	w.Operator("new").POST(open, `{"noticeId":1}`).Fails(errno.Invalid)
}

func TestManyOfABox(t *testing.T) {
	t.Parallel()
	w, _, mei := withNotices(t)
	own := w.Shop.Int("SELECT id FROM notice_admin WHERE notice_id = 1 AND admin_id = 2")
	foreign := w.Shop.Int("SELECT id FROM notice_admin WHERE notice_id = 1 AND admin_id = 1")
	for _, path := range []string{markRead, dropMany} {
		for _, body := range []string{``, `{}`, `{"ids":[]}`, `{"ids":null}`} {
			mei.POST(path, "%s", body).Fails(errno.Missing)
		}
		for _, body := range []string{`{"ids":1}`, `{"ids":["x"]}`, `{"ids":[` + strings.Repeat("1,", 1000) + `1]}`} {
			mei.POST(path, "%s", body).Fails(errno.Invalid)
		}
	}
	mei.POST(markRead, `{"ids":[%d,%d,99]}`, own, foreign).OK()
	require.Equal(t, "1:1,2:0,3:0", w.Shop.Text(state, 2))
	require.Equal(t, "1:0,2:0,3:0", w.Shop.Text(state, 1))
	first := w.Shop.Text("SELECT read_time FROM notice_admin WHERE id = ?", own)
	w.Shop.Clock.Move(time.Hour)
	mei.POST(markRead, `{"ids":[%d]}`, own).OK()
	require.Equal(t, first, w.Shop.Text("SELECT read_time FROM notice_admin WHERE id = ?", own))
	mei.POST(drop, `{}`).Fails(errno.Missing)
	mei.POST(drop, `{"id":%d}`, foreign).OK()
	require.Equal(t, "1:0,2:0,3:0", w.Shop.Text(state, 1))
	mei.POST(drop, `{"id":%d}`, own).OK()
	mei.POST(drop, `{"id":%d}`, own).OK()
	require.Equal(t, "2:0,3:0", w.Shop.Text(state, 2))
	mei.POST(open, `{"noticeId":1}`).Fails(errno.Invalid)
	mei.POST(dropMany, `{"ids":[1,2,3,4,5,6,7,8,9]}`).OK()
	require.Empty(t, w.Shop.Text(state, 2))
	require.Equal(t, "1:0,2:0,3:0", w.Shop.Text(state, 1))
}

// An open console polls the numbers of notices and of orders; that does not extend the session.
func TestCountingExtendsNoSession(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("clerk", "admin:order:list")
	const sessions = "tok:{staff:*"
	w.Shop.Lives(sessions, time.Minute) // the idle time is nearly over
	c.GET(count).OK()
	c.GET("/admin/order/counts").OK()
	require.LessOrEqual(t, w.Shop.Lives(sessions, 0), time.Minute)
	c.GET(info).OK()
	require.Greater(t, w.Shop.Lives(sessions, 0), time.Hour, "any other call extends it")
}
