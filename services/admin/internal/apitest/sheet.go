package apitest

import (
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/domain/catalog"
)

// Sheet is a CSV file of goods with its header. A row is a line of SheetRow.
func Sheet(rows ...string) string {
	return strings.Join(catalog.CSVHeader(), ",") + "\n" + strings.Join(rows, "")
}

// SheetRow is a line of a CSV file of goods. Each cell is given as in "name: bowl"; the others are empty.
func SheetRow(cells ...string) string {
	header := catalog.CSVHeader()
	line := make([]string, len(header))
	for _, cell := range cells {
		name, value, _ := strings.Cut(cell, ": ")
		at := slices.Index(header, name)
		if at < 0 {
			panic(fmt.Sprintf("a file of goods has no column %s", name))
		}
		line[at] = value
	}
	return strings.Join(line, ",") + "\n"
}
