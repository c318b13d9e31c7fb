package content_test

import (
	"os"
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/content"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, content.Ops(content.Deps{})...)) }
