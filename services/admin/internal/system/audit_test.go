package system_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/system"
)

const records = "/admin/audit/records?"

// page is what the tests read of a page of records.
type page struct {
	List []struct {
		ID      int64
		Action  string
		Changes []system.Change
		Omitted int
	}
	More bool
}

// office is a service with an auditor (2) and a clerk (3) who has added the role and changed the two brands in turn.
func office(t *testing.T) *apitest.Env {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	w.Operator("auditor", "admin:audit:list")
	clerk := w.Operator("clerk", "admin:brand:create", "admin:brand:update", "admin:brand:delete")
	clerk.POST("/admin/brand/create", `{"name":"first","desc":"b","floorPrice":1}`).OK()
	w.Super().POST("/admin/brand/create", `{"name":"second","desc":"b","floorPrice":2}`).OK()
	clerk.POST("/admin/brand/update", `{"id":1,"name":"renamed","floorPrice":12.5}`).OK()
	clerk.POST("/admin/brand/delete", `{"id":2}`).OK()
	w.Super().POST("/admin/role/permissions", `{"roleId":2,"permissions":["admin:audit:list","admin:ad:list"]}`).OK()
	w.Shop.Exec("UPDATE audit_log SET request_id = CONCAT('request-', id)") // which are random
	return w
}

func TestRecords(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := w.Operator("auditor")
	c.GET("%s", records).OK().Golden("audit/records")
	c.With(op.LanguageHeader, "en").GET("%s", records+"target=brand&id=1&limit=1").OK().Golden("audit/records_english")
	for query, want := range map[string][]int64{
		"":                                {5, 4, 3, 2, 1},
		"limit=2":                         {5, 4},
		"limit=2&before=4":                {3, 2},
		"limit=2&before=2":                {1},
		"before=1":                        {},
		"before=99":                       {},
		"adminId=3":                       {4, 3, 1},
		"adminId=3&before=4&limit=1":      {3},
		"target=brand":                    {4, 3, 2, 1},
		"target=brand&adminId=1":          {2},
		"target=brand&id=1":               {3, 1},
		"target=brand&id=2&adminId=3":     {4},
		"target=nothing":                  {},
		"start=2031-01-01 00:00:00":       {},
		"end=2030-01-02 12:00:00":         {},
		"start=2030-01-02 12:00:00":       {5, 4, 3, 2, 1},
		"end=2031-01-01 00:00:00&limit=1": {5},
	} {
		var got page
		c.GET("%s", records+strings.ReplaceAll(query, " ", "%20")).Data(&got)
		ids := []int64{}
		for _, r := range got.List {
			ids = append(ids, r.ID)
		}
		require.Equal(t, want, ids, query)
		require.Equal(t, query == "limit=2" || query == "limit=2&before=4" || strings.HasSuffix(query, "limit=1"), got.More, query)
	}
	for _, query := range []string{"limit=0", "limit=101", "start=yesterday", "end=x", "adminId=x"} {
		c.GET("%s", records+query).Fails(errno.Invalid)
	}
}

// A record of many and long values is shown in part.
func TestALargeRecord(t *testing.T) {
	t.Parallel()
	w := office(t)
	members := make([]string, 70)
	for i := range members {
		members[i] = `"m` + string(rune('A'+i%26)) + string(rune('a'+i/26)) + `":[1, {"a": "` + strings.Repeat("x", 600) + `"}]`
	}
	w.Shop.Exec("UPDATE audit_log SET before_json = NULL, after_json = ? WHERE id = 5", "{"+strings.Join(members, ",")+"}")
	var got page
	w.Operator("auditor").GET("%s", records+"limit=1").Data(&got)
	require.Len(t, got.List[0].Changes, 60)
	require.Equal(t, 10, got.List[0].Omitted)
	require.Len(t, got.List[0].Changes[0].After, 500)
	require.True(t, strings.HasPrefix(got.List[0].Changes[0].After, `[1,{"a":"x`))
	w.Shop.Exec("UPDATE audit_log SET after_json = 'no json', method_path = 'shopctl jobs run', target_type = '' WHERE id = 5")
	w.Operator("auditor").GET("%s", records+"limit=1").Data(&got)
	require.Empty(t, got.List[0].Changes)
	require.Equal(t, "shopctl jobs run", got.List[0].Action)
}

// state is what the tests read of the state of the chain.
type state struct {
	Head         int64           `json:"head"`
	Seal         string          `json:"seal"`
	First        *string         `json:"first"`
	Last         *string         `json:"last"`
	Waiting      int64           `json:"waiting"`
	WaitingSince *string         `json:"waitingSince"`
	Verified     *string         `json:"verified"`
	Faults       int             `json:"faults"`
	Targets      []system.Target `json:"targets"`
}

func TestState(t *testing.T) {
	t.Parallel()
	w := office(t)
	c := w.Operator("auditor")
	var s state
	a := c.GET("/admin/audit/state").Data(&s)
	require.Contains(t, s.Targets, system.Target{Target: "brand", Area: "brand"})
	require.Contains(t, s.Targets, system.Target{Target: "orders", Area: "order"})
	s.Targets = s.Targets[:2] // there are more with every operation
	var err error
	a.Body, err = json.Marshal(map[string]any{"errno": 0, "errmsg": "成功", "data": s})
	require.NoError(t, err)
	a.Golden("audit/state")
	_, err = w.Shop.Audit.Seal(t.Context())
	require.NoError(t, err)
	c.GET("/admin/audit/state").Data(&s)
	require.EqualValues(t, 5, s.Head)
	require.Zero(t, s.Waiting)
	require.Len(t, s.Seal, 64)
	require.Nil(t, s.WaitingSince)
	require.Nil(t, s.Verified)
	require.NotNil(t, s.First)
	require.Equal(t, s.First, s.Last)

	// The check of the books says whether it is whole.
	verify := func() {
		t.Helper()
		w.Super().POST("/admin/books/check", `{}`).OK()
		for _, j := range w.Shop.Jobs() {
			for n := 1; j.Name == "verifyAsked" && n > 0; {
				n, err = j.Run(t.Context())
				require.NoError(t, err)
			}
		}
	}
	verify()
	c.GET("/admin/audit/state").Data(&s)
	require.NotNil(t, s.Verified)
	require.Zero(t, s.Faults)
	w.Shop.Exec("UPDATE audit_log SET admin_name = 'nobody' WHERE id = 2")
	w.Shop.Clock.Move(time.Hour)
	verify()
	w.Shop.Exec("UPDATE book_check SET failure = 'broke off', findings = NULL, found = 0 WHERE id = 1")
	c = w.Operator("auditor")
	c.GET("/admin/audit/state").Data(&s)
	require.Positive(t, s.Faults)
	w.Shop.Exec("UPDATE book_check SET found = 999 WHERE id = 2") // more than it has told
	c.GET("/admin/audit/state").Data(&s)
	require.Positive(t, s.Faults)
	w.Shop.Exec("UPDATE book_check SET findings = NULL")
	c.GET("/admin/audit/state").Data(&s)
	require.Nil(t, s.Verified)
	require.Zero(t, s.Faults)
}
