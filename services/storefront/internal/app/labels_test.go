package app_test

import (
	"testing"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
)

func TestEveryMemberHasALabel(t *testing.T) {
	t.Parallel()
	optest.Labelled(t, apitest.Open(t).API.Specs, text.FieldNamed)
}
