package envelope_test

import (
	"fmt"
	"strings"
	"testing"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/golden"
)

// TestCodes compares number, name and texts of every failure with the reviewed table. The tests of each operation check
// what else its refusals say.
func TestCodes(t *testing.T) {
	var table strings.Builder
	for _, c := range errno.All() {
		fmt.Fprintf(&table, "%d\t%s\t%s\t%s\n", c.Num, c.Name, c.Text(text.Chinese), c.Text(text.English))
	}
	golden.Text(t, "codes.tsv", []byte(table.String()))
}
