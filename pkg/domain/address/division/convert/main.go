// Command convert makes the list of divisions from the data of the npm package @vant/area-data:
//
//	npm pack @vant/area-data
//	tar -xOf vant-area-data-*.tgz package/dist/index.js | go run ./pkg/domain/address/division/convert -version 2.1.0 \
//		> pkg/domain/address/division/data/divisions.txt
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
)

func main() {
	version := flag.String("version", "", "the version of the package, for the head of the list")
	flag.Parse()
	if err := convert(os.Stdin, os.Stdout, *version); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

// entry is one division in the package's source: 330106: "\u897F\u6E56\u533A".
var entry = regexp.MustCompile(`(?m)^\s*"?(\d{6})"?:\s*("(?:[^"\\]|\\.)*")`)

// convert writes a line per division in the order of their codes, so that each follows its parent.
func convert(from io.Reader, to io.Writer, version string) error {
	source, err := io.ReadAll(from)
	if err != nil {
		return fmt.Errorf("read the package: %w", err)
	}
	var lines []string
	for _, found := range entry.FindAllSubmatch(source, -1) {
		name, err := strconv.Unquote(string(found[2]))
		if err != nil {
			return fmt.Errorf("read the name of %s: %w", found[1], err)
		}
		lines = append(lines, string(found[1])+" "+name)
	}
	if len(lines) == 0 {
		return errors.New("the input names no division")
	}
	slices.Sort(lines)
	w := bufio.NewWriter(to)
	_, _ = fmt.Fprintf(w, "# Provinces, cities and counties: a code and a name a line, made by ../convert from "+
		"@vant/area-data %s\n# (MIT, see LICENSE beside this file).\n", version)
	for _, line := range slices.Compact(lines) {
		_, _ = fmt.Fprintln(w, line) // Flush reports the error
	}
	return w.Flush()
}
