package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// most is how many tests of one run may pass at a repetition: more of them are no chance.
const most = 5

// lateTest is a test, without the name of a subtest, in which a time limit has passed.
type lateTest struct {
	testName
	reason string
}

var (
	message = regexp.MustCompile(`(?m)^ +\S+\.go:\d+: `)
	blanks  = regexp.MustCompile(`\s+`)
	// tooLate is what a passed time limit is called by Go, by testify, and by MySQL and MariaDB.
	tooLate = regexp.MustCompile(`context deadline exceeded|i/o timeout|Client\.Timeout exceeded|` +
		`maximum statement execution time exceeded|max_statement_time exceeded`)
	// asserted is how testify begins; what follows says what was expected.
	asserted = regexp.MustCompile(`Error Trace:`)
	waited   = regexp.MustCompile(`Error: +\t(Condition never satisfied|Received unexpected error:)`)
)

// late returns the tests that failed, if in each a time limit has passed and nothing else failed; otherwise nothing,
// and nothing for too many.
func (p *printer) late() []lateTest {
	if p.broken {
		return nil
	}
	reasons := map[testName]string{}
	for _, name := range slices.SortedFunc(maps.Keys(p.failed), compare) {
		reason, other := limit(string(p.failed[name]))
		if other {
			return nil
		}
		root, _, _ := strings.Cut(name.test, "/")
		top := testName{name.pkg, root}
		if reasons[top] == "" {
			reasons[top] = reason
		}
	}
	var tests []lateTest
	for _, name := range slices.SortedFunc(maps.Keys(reasons), compare) {
		if reasons[name] == "" {
			return nil
		}
		tests = append(tests, lateTest{name, reasons[name]})
	}
	if len(tests) > most {
		return nil
	}
	return tests
}

// limit finds in the output of a failed test the message of a time limit that has passed. other says that there is
// something else, which may be the reason: go test does not tell what a test logs from what it fails by, so a test that
// logs is not repeated.
func limit(output string) (reason string, other bool) {
	if strings.Contains(output, "DATA RACE") || strings.Contains(output, "panic: ") {
		return "", true
	}
	at := message.FindAllStringIndex(output, -1)
	for i, from := range at {
		end := len(output)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		text, _, _ := strings.Cut(output[from[0]:end], "--- FAIL: ")
		found := tooLate.FindString(text)
		if asserted.MatchString(text) {
			how := waited.FindStringSubmatch(text)
			switch {
			case how == nil:
				found = ""
			case how[1] == "Condition never satisfied":
				found = how[1]
			}
		}
		if found == "" {
			return "", true
		}
		reason = strings.TrimSpace(output[from[0]:from[1]]) + " " + found
	}
	return blanks.ReplaceAllString(reason, " "), false
}
