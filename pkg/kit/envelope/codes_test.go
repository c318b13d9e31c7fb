package envelope_test

import (
	"fmt"
	"strings"
	"testing"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/golden"
)

// TestCodes holds number, name and texts of every failure to the table under review. What else a refusal says, the tests
// of its operation hold.
func TestCodes(t *testing.T) {
	var table strings.Builder
	for _, c := range errno.All() {
		fmt.Fprintf(&table, "%d\t%s\t%s\t%s\n", c.Num, c.Name, c.Text(text.Chinese), c.Text(text.English))
	}
	golden.Text(t, "codes.tsv", []byte(table.String()))
}
