package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/app"
)

func TestEveryMemberHasALabel(t *testing.T) {
	t.Parallel()
	specs, err := app.Specs()
	require.NoError(t, err)
	optest.Labelled(t, specs, contract.Field)
}
