package access_test

import (
	"os"
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/access"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, access.Ops(access.Deps{})...)) }
