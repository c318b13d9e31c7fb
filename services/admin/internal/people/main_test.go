package people_test

import (
	"os"
	"testing"

	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/people"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, people.Ops(people.Deps{})...)) }
