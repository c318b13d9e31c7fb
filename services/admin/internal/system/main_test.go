package system_test

import (
	"os"
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/system"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, system.Ops(system.Deps{})...)) }
