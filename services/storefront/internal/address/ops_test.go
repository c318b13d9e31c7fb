package address_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/address"
	"shop.internal/services/storefront/internal/apitest"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, address.Ops(address.Deps{})...)) }

// body is a valid address; members given later in the text replace earlier ones.
const body = `{"name":"林一","tel":"13900000001","province":"浙江省","city":"杭州市","county":"西湖区",` +
	`"areaCode":"330106","addressDetail":"文三路 1 号","isDefault":false`

func save(t *testing.T, c *optest.Client, more string) int64 {
	t.Helper()
	var id int64
	c.POST("/wx/address/save", "%s", body+more+"}").Data(&id)
	require.NotZero(t, id)
	return id
}

func TestContract(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	lin.GET("/wx/address/list").Empty()
	lin.POST("/wx/address/save", "%s", body+`,"id":0,"postalCode":"310012","isDefault":true}`).
		Is("1")
	s.Domain.Clock.Move(time.Minute)
	save(t, lin, `,"id":null,"isDefault":"0","areaCode":330106`)
	lin.GET("/wx/address/list").OK().Golden("address_list")
	lin.GET("/wx/address/detail?id=2").OK().Golden("address_detail")
	require.EqualValues(t, 2, save(t, lin, `,"id":"2","isDefault":1`))
	lin.GET("/wx/address/list").OK().Golden("address_list_default_moved")
	lin.POST("/wx/address/delete", `{"id":2}`).OK()
	lin.POST("/wx/address/delete", `{"id":2}`).Fails(errno.Invalid)
	lin.GET("/wx/address/detail?id=2").Fails(errno.Invalid)
}

// A client that does not know the postal code sends all others.
func TestSaveLeavesThePostalCode(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	id := save(t, lin, `,"postalCode":"310012"`)
	for more, want := range map[string]string{``: "310012", `,"postalCode":null`: "310012", `,"postalCode":""`: ""} {
		t.Run(more, func(t *testing.T) {
			s.Domain.Exec("UPDATE address SET postal_code = '310012'")
			save(t, lin, fmt.Sprintf(`,"id":%d%s`, id, more))
			require.Equal(t, want, s.Domain.Text("SELECT COALESCE(postal_code, '') FROM address"))
		})
	}
}

func TestSaveRefused(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	save(t, lin, "")
	const snapshot = "SELECT CONCAT_WS('|', name, tel, province, is_default, update_time) FROM address"
	before := s.Domain.Text(snapshot)
	s.Domain.Clock.Move(time.Minute)
	tests := map[string]struct {
		more string
		want *errno.Code
	}{
		"blank name":               {`,"name":" "`, errno.Missing},
		"null tel":                 {`,"tel":null`, errno.Missing},
		"blank province":           {`,"province":""`, errno.Missing},
		"blank city":               {`,"city":""`, errno.Missing},
		"blank county":             {`,"county":""`, errno.Missing},
		"blank area code":          {`,"areaCode":""`, errno.Missing},
		"blank detail":             {`,"addressDetail":"\t"`, errno.Missing},
		"no word on the default":   {`,"isDefault":null`, errno.Missing},
		"missing before malformed": {`,"tel":"x","addressDetail":null`, errno.Missing},
		"malformed tel":            {`,"tel":"1390000000"`, errno.Invalid},
		"long name":                {`,"name":"` + strings.Repeat("林", 64) + `"`, errno.Invalid},
		"long province":            {`,"province":"` + strings.Repeat("林", 64) + `"`, errno.Invalid},
		"long city":                {`,"city":"` + strings.Repeat("林", 64) + `"`, errno.Invalid},
		"long county":              {`,"county":"` + strings.Repeat("林", 64) + `"`, errno.Invalid},
		"long detail":              {`,"addressDetail":"` + strings.Repeat("林", 128) + `"`, errno.Invalid},
		"letters as area code":     {`,"areaCode":"33010x"`, errno.Invalid},
		"long area code":           {`,"areaCode":"3301066"`, errno.Invalid},
		"long postal code":         {`,"postalCode":"3100122"`, errno.Invalid},
		"text as default":          {`,"isDefault":"yes"`, errno.Invalid},
		"object as name":           {`,"name":{}`, errno.Invalid},
		"text as id":               {`,"id":"one"`, errno.Invalid},
		"negative id":              {`,"id":-1`, errno.Invalid},
		"id beyond all ids":        {`,"id":9007199254740993`, errno.Invalid},
		"half an id":               {`,"id":1.5`, errno.Invalid},
		"an unknown id":            {`,"id":99`, errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			lin.In(t).POST("/wx/address/save", "%s", body+tt.more+"}").Fails(tt.want)
		})
	}
	require.Equal(t, before, s.Domain.Text(snapshot))
}

// Only declared members are read: no body sets an id, an owner, a time or a flag.
func TestSaveReadsOnlyItsMembers(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	mei := s.Domain.Shopper("mei")
	id := save(t, lin, fmt.Sprintf(`,"userId":%d,"user_id":%d,"deleted":true,"addTime":"2001-01-01 00:00:00","x":{"y":[]}`,
		mei, mei))
	var got struct {
		UserID  int64 `json:"userId"`
		Deleted bool  `json:"deleted"`
	}
	lin.GET("/wx/address/detail?id=%d", id).Data(&got)
	require.NotEqual(t, mei, got.UserID)
	require.False(t, got.Deleted)
	require.EqualValues(t, 1,
		s.Domain.Int("SELECT COUNT(*) FROM address WHERE deleted = 0 AND add_time = ?", s.Domain.Clock.Now()))
}

// Another shopper's address is answered like one that does not exist, and does not change.
func TestAnothersAddress(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	hers := save(t, mei, `,"isDefault":true`)
	const snapshot = "SELECT CONCAT_WS('|', user_id, name, is_default, default_slot, deleted, update_time) FROM address"
	before := s.Domain.Text(snapshot)
	s.Domain.Clock.Move(time.Minute)
	const unknown = 99
	for _, call := range []func(id int64) *optest.Answer{
		func(id int64) *optest.Answer { return lin.GET("/wx/address/detail?id=%d", id) },
		func(id int64) *optest.Answer { return lin.POST("/wx/address/delete", `{"id":%d}`, id) },
		func(id int64) *optest.Answer {
			return lin.POST("/wx/address/save", "%s", body+fmt.Sprintf(`,"isDefault":true,"id":%d}`, id))
		},
	} {
		require.Equal(t, string(call(unknown).Fails(errno.Invalid).Body), string(call(hers).Fails(errno.Invalid).Body))
		require.Equal(t, before, s.Domain.Text(snapshot))
	}
	var list wire.List[struct{}]
	lin.GET("/wx/address/list").Data(&list)
	require.Zero(t, list.Total)
}

func TestNamingAnAddress(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	for query, want := range map[string]*errno.Code{
		"":                      errno.Missing,
		"?id=":                  errno.Missing,
		"?id=0":                 errno.Invalid,
		"?id=-1":                errno.Invalid,
		"?id=abc":               errno.Invalid,
		"?id=undefined":         errno.Invalid,
		"?id=1.5":               errno.Invalid,
		"?id=9007199254740992":  errno.Invalid,
		"?id=1+or+1%3D1":        errno.Invalid,
		"?id=99999999999999999": errno.Invalid,
	} {
		lin.GET("/wx/address/detail" + query).Fails(want)
	}
	for body, want := range map[string]*errno.Code{
		``:               errno.Missing,
		`{"id":null}`:    errno.Missing,
		`{"id":" "}`:     errno.Missing,
		`{"id":[1]}`:     errno.Invalid,
		`{"id":"x"}`:     errno.Invalid,
		`{"id":1e300}`:   errno.Invalid,
		`[{"id":1}]`:     errno.Invalid,
		`{"id":0}`:       errno.Invalid,
		`{"id":1,"id":2`: errno.Invalid,
	} {
		lin.POST("/wx/address/delete", "%s", body).Fails(want)
	}
}

func TestListPaging(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	save(t, lin, `,"isDefault":true`)
	save(t, lin, "")
	save(t, lin, "")
	tests := map[string]struct {
		ids   []int64
		limit int
	}{
		"":                         {[]int64{1, 3, 2}, 1000},
		"order=asc":                {[]int64{1, 2, 3}, 1000},
		"sort=id":                  {[]int64{3, 2, 1}, 1000},
		"sort=ADD_TIME&order=desc": {[]int64{3, 2, 1}, 1000},
		"page=2&limit=2":           {[]int64{2}, 2},
		"page=9&limit=2":           {[]int64{}, 2},
		"limit=0":                  {[]int64{1, 3, 2}, 1000},
		"limit=5000":               {[]int64{1, 3, 2}, 1000},
		"page=undefined&limit=NaN": {[]int64{1, 3, 2}, 1000},
	}
	for query, tt := range tests {
		t.Run(query, func(t *testing.T) {
			var got wire.List[struct {
				ID int64 `json:"id"`
			}]
			lin.In(t).GET("/wx/address/list?" + query).Data(&got)
			ids := []int64{}
			for _, a := range got.List {
				ids = append(ids, a.ID)
			}
			require.Equal(t, tt.ids, ids)
			require.EqualValues(t, 3, got.Total)
			require.Equal(t, tt.limit, got.Limit)
		})
	}
	for _, query := range []string{
		"limit=-1", "limit=x", "page=0", "page=-1", "page=1.5", "sort=password", "sort=default_first", "sort=id,name",
		"sort=id%20desc", "order=DESC", "order=desc,id", "order=desc%20limit%201", "page=2147483648",
	} {
		t.Run(query, func(t *testing.T) { lin.In(t).GET("/wx/address/list?" + query).Fails(errno.Invalid) })
	}
}

func TestKeyedSave(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin").With("Idempotency-Key", "key-1")
	first := save(t, lin, "")
	require.Equal(t, first, save(t, lin, ""), "the first answer again")
	lin.POST("/wx/address/save", "%s", body+`,"name":"other"}`).Fails(errno.Invalid)
	require.EqualValues(t, 1, s.Domain.Int("SELECT COUNT(*) FROM address"))
	require.NotEqual(t, int64(1), save(t, s.Shopper("mei").With("Idempotency-Key", "key-1"), ""), "a key is its sender's")
}

func TestNeedsALogin(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET("/wx/address/list?limit=-1").Fails(errno.LoginRequired)
	s.Guest().GET("/wx/address/detail").Fails(errno.LoginRequired)
	s.Guest().POST("/wx/address/save", `{`).Fails(errno.LoginRequired)
	s.Guest().POST("/wx/address/delete", `{`).Fails(errno.LoginRequired)
}

func TestRegions(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET("/wx/region/list").Is("[]")
	s.Domain.Exec("INSERT INTO region (id, pid, name, type, code) VALUES (2, 0, '浙江省', 1, 330000), " +
		"(1, 0, '北京市', 1, 110000), (3, 2, '杭州市', 2, 330100), (4, 3, '西湖区', 3, 330106)")
	s.Guest().GET("/wx/region/list").OK().Golden("region_list")
	s.Guest().GET("/wx/region/list?pid=3").OK().Golden("region_list_counties").Within(0)
	s.Guest().GET("/wx/region/list?pid=99").Is("[]")
	s.Guest().GET("/wx/region/list?pid=undefined").OK().Golden("region_list")
	for _, pid := range []string{"x", "1.5", "9007199254740992", "1%20or%201"} {
		s.Guest().GET("/wx/region/list?pid=" + pid).Fails(errno.Invalid)
	}
}
