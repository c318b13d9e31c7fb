package authz_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/menu"
)

func TestThePageOfPermissions(t *testing.T) {
	t.Parallel()
	page := menu.Goods()
	do := func(context.Context, op.None) (op.None, error) { return op.None{}, nil }
	specs, err := op.Specs(
		op.Write[op.None, op.None]{
			Path: "/wx/goods/save", Title: "Save goods", Do: do,
			Access: op.Permit("admin:goods:save", page, menu.Edit()).WithAlias("admin:goods:keep"),
		},
		op.Read[op.None, op.None]{
			Path: "/wx/goods/tree", Title: "Tree", Do: do, Access: op.SharedPermit("admin:goods:save"),
		},
	)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, authz.Write(&b, specs))
	golden.Text(t, "permissions.md", b.Bytes())
}
