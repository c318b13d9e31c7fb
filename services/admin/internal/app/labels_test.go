package app_test

import (
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

func TestEveryMemberHasALabel(t *testing.T) { optest.Labelled(t, apitest.Open(t).Specs) }
