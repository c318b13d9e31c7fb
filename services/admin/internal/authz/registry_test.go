package authz_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/menu"
)

func cases() menu.Menu { return menu.Aftersales() }

// label is one with a text of the test's own, and without any for an empty one.
func label(slug, words string) menu.Label {
	if words == "" {
		return menu.Label{Slug: slug}
	}
	return menu.Label{Slug: slug, Text: text.Literal(words)}
}

func permit(path, value, button string) op.Op {
	return op.Read[op.None, op.None]{
		Path: path, Title: "Test", Access: op.Permit(value, cases(), label("", button)),
		Do: func(context.Context, op.None) (op.None, error) { return op.None{}, nil },
	}
}

// at is an operation at a place of the console.
func at(path, value string, page menu.Menu) op.Op {
	return op.Read[op.None, op.None]{
		Path: path, Title: "Test", Access: op.Permit(value, page, label("", "Any")),
		Do: func(context.Context, op.None) (op.None, error) { return op.None{}, nil },
	}
}

// known is an operation whose permission has an alias.
func known(path, value, button, alias string) op.Op {
	return op.Read[op.None, op.None]{
		Path: path, Title: "Test", Access: op.Permit(value, cases(), label("", button)).WithAlias(alias),
		Do: func(context.Context, op.None) (op.None, error) { return op.None{}, nil },
	}
}

func registry(t *testing.T) *authz.Registry {
	t.Helper()
	r, err := authz.NewRegistry(
		permit("/admin/goods/list", "admin:goods:list", "Query goods"),
		permit("/admin/aftersale/list", "admin:aftersale:list", "Query"),
		op.Read[op.None, op.None]{Path: "/admin/order/channel", Title: "Free", Access: op.SignedIn},
		op.Read[op.None, op.None]{
			Path: "/admin/goods/more", Title: "Shared", Access: op.SharedPermit("admin:goods:list"),
		},
		op.Write[op.None, op.None]{
			Path: "/admin/aftersale/batch-recept", Title: "Approve many",
			Access: op.Permit("admin:aftersale:batch-recept", cases(), label("", "Approve many")),
			Audit:  op.Audit{Target: "aftersale"},
		},
	)
	require.NoError(t, err)
	return r
}

// Undeclared values are skipped.
func TestShown(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ held, want []string }{
		"everything": {[]string{"admin:goods:list", "*"}, []string{"*"}},
		"in declaration order": {
			[]string{"admin:aftersale:list", "admin:goods:list"},
			[]string{"GET /admin/goods/list", "GET /admin/aftersale/list", "POST /admin/aftersale/detail"},
		},
		"held twice": {[]string{"admin:goods:list", "admin:goods:list"}, []string{"GET /admin/goods/list"}},
		"with an alias": {
			[]string{"admin:aftersale:batch-recept"},
			[]string{"POST /admin/aftersale/batch-recept", "GET /admin/aftersale/batch-recept"},
		},
		"nothing":           {nil, []string{"GET /admin/dashboard"}},
		"nothing declared":  {[]string{"admin:index:read", "admin:*", "admin:goods:*"}, []string{"GET /admin/dashboard"}},
		"another case":      {[]string{"ADMIN:GOODS:LIST"}, []string{"GET /admin/dashboard"}},
		"an alias not held": {[]string{"admin:goods:list"}, []string{"GET /admin/goods/list"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, registry(t).Shown(tt.held)) })
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	entries := registry(t).Entries()
	require.Len(t, entries, 3)
	require.Equal(t, "admin:goods:list", entries[0].Value)
	require.Equal(t, "GET /admin/goods/list", entries[0].Operation)
	require.Equal(t, "Mall / After-sale / Query goods", entries[0].Description())
}

func TestMistakesStopTheStart(t *testing.T) {
	t.Parallel()
	tests := map[string][]op.Op{
		"a value twice":             {permit("/a", "admin:goods:list", "A"), permit("/b", "admin:goods:list", "B")},
		"a path twice":              {permit("/a", "admin:goods:list", "A"), permit("/a", "admin:goods:read", "B")},
		"a button twice":            {permit("/a", "admin:goods:list", "A"), permit("/b", "admin:goods:read", "A")},
		"a malformed value":         {permit("/a", "goods:list", "A")},
		"a wildcard":                {permit("/a", "*", "A")},
		"no access":                 {op.Read[op.None, op.None]{Path: "/a", Title: "A"}},
		"open or not, nobody knows": {op.Read[op.None, op.None]{Path: "/a", Title: "A", Access: op.Optional}},
		"an area in capitals":       {permit("/a", "admin:Goods:list", "A")},
		"four parts":                {permit("/a", "admin:goods:list:all", "A")},
		"two parts":                 {permit("/a", "admin:goods", "A")},
		"a blank":                   {permit("/a", "admin:goods:list ", "A")},
		"no button":                 {permit("/a", "admin:goods:list", "")},
		"a malformed alias":         {known("/a", "admin:goods:list", "A", "*")},
		"an alias that is a value": {
			permit("/a", "admin:goods:list", "A"), known("/b", "admin:goods:read", "B", "admin:goods:list"),
		},
		"an alias twice": {
			known("/a", "admin:goods:list", "A", "admin:goods:x:y"), known("/b", "admin:goods:read", "B", "admin:goods:x:y"),
		},
		"a menu without a slug": {
			at("/a", "admin:goods:list", menu.Menu{Group: label("", "Mall"), Page: label("", "Goods")}),
		},
		"two menus of one slug": {
			permit("/a", "admin:goods:list", "A"),
			at("/b", "admin:goods:read", menu.Menu{Group: cases().Group, Page: label("aftersale", "Goods")}),
		},
		"a value that nobody declares": {
			op.Read[op.None, op.None]{Path: "/a", Title: "A", Access: op.SharedPermit("admin:goods:list")},
		},
	}
	for name, ops := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := authz.NewRegistry(ops...)
			require.Error(t, err)
		})
	}
}

func TestEveryChangeSaysWhatItsRecordIsAbout(t *testing.T) {
	t.Parallel()
	_, err := authz.NewRegistry(op.Write[op.None, op.None]{
		Path: "/admin/x", Title: "X", Access: op.Permit("admin:x:y", cases(), label("", "X")),
	})
	require.ErrorContains(t, err, "POST /admin/x")
}

func TestValuesGoByTheirAliasToo(t *testing.T) {
	t.Parallel()
	r, err := authz.NewRegistry(known("/a", "admin:goods:list", "A", "admin:goods:list:all"))
	require.NoError(t, err)
	for name, want := range map[string]string{
		"admin:goods:list": "admin:goods:list", "admin:goods:list:all": "admin:goods:list", "admin:goods:read": "", "*": "", "": "",
	} {
		got, found := r.Value(name)
		require.Equal(t, want, got, name)
		require.Equal(t, want != "", found, name)
	}
	require.Equal(t, []string{"admin:goods:list"}, r.Values())
	require.Equal(t, []string{"GET /admin/dashboard"}, r.Shown([]string{"admin:goods:list:all"}), "nothing is stored under it")
}

func TestTree(t *testing.T) {
	t.Parallel()
	tree := registry(t).Tree()
	require.Len(t, tree, 1)
	require.Equal(t, "menu:mall", tree[0].ID)
	require.Equal(t, "商场管理", tree[0].Label)
	require.Len(t, tree[0].Pages, 1)
	require.Equal(t, "menu:mall/aftersale", tree[0].Pages[0].ID)
	require.Equal(t, registry(t).Entries(), tree[0].Pages[0].Entries)
}

// Records say in the language of their reader what was done.
func TestAction(t *testing.T) {
	t.Parallel()
	password := op.Write[op.None, op.None]{
		Path: "/admin/profile/password", Title: "Change one's own password", Access: op.SignedIn,
		Audit: op.Audit{Target: "admin", Action: text.LogPassword},
	}
	r, err := authz.NewRegistry(password, op.Write[op.None, op.None]{
		Path: "/admin/brand/create", Title: "Add a brand", Access: op.Permit("admin:brand:create", cases(), menu.Add()),
		Audit: op.Audit{Target: "brand"},
	})
	require.NoError(t, err)
	for operation, want := range map[string][2]string{
		"POST /admin/profile/password": {"修改密码", "Change one's password"},
		"POST /admin/brand/create":     {"添加", "Add a brand"},
		"POST /admin/gone":             {"POST /admin/gone", "POST /admin/gone"},
	} {
		require.Equal(t, want, [2]string{r.Action(operation, text.Chinese), r.Action(operation, text.English)})
	}
	password.Audit.Action = nil
	_, err = authz.NewRegistry(password)
	require.ErrorContains(t, err, "neither an action nor a button")
}
