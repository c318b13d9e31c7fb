package catalog_test

import (
	"os"
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/catalog"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, catalog.Ops(catalog.Deps{})...)) }
