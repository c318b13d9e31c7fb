package app_test

import (
	"fmt"
	"testing"

	"shop.internal/pkg/kit/optest"
)

// families are the defects that the shop must not have, by their kind, with how many each kind counts.
var families = map[string]int{
	"D-S": 22, // security
	"D-M": 22, // money and orders
	"D-K": 16, // concurrency
	"D-C": 34, // correctness and robustness
}

// attacks are what the storefront must withstand, each with what it is.
var attacks = map[string]string{
	"CVE-2018-18434":  "any file is readable through the storage",
	"CVE-2025-6702":   "the operator's reply to a comment is forged",
	"CVE-2025-8764":   "anything is uploaded by anybody and served as sent",
	"CVE-2025-8974":   "tokens are made outside the shop",
	"CVE-2025-10291":  "cancelling a case changes its amount",
	"CVE-2026-109407": "one coupon pays for several orders at once",
	"CVE-2020-23448":  "another spelling of a path leads past the token",
	"A-1":             "sort words and keywords reach the database",
	"A-2":             "a coupon is taken more often than it may be",
	"A-3":             "bodies that are deep, large, doubled, of another kind or with the names of types",
	"A-4":             "ids of other shoppers' records",
	"A-5":             "a repeated notice sets an order back",
	"A-6":             "order numbers collide",
	"A-7":             "documents and consoles are public",
	"A-8":             "forged notices pay for orders",
	"A-9":             "the amount of a payment is taken from the request",
	"A-10":            "numbers below 0, broken or beyond 32 bits in the cart",
	"A-12":            "a coupon above the price",
	"A-13":            "the code is in the answer",
	"A-14":            "secrets of the sample configuration work",
	"A-15":            "sort and order of every list",
	"A-17":            "reading changes something; forms of other pages are taken",
	"A-18":            "foreign origins get credentials",
	"A-19":            "markup is answered as a page",
	"A-20":            "an order number that was guessed opens an order",
	"A-21":            "two payments of one order are both kept",
	"A-22":            "a failure in the middle leaves half of the work",
}

// TestEveryRowHasItsTest fails where a defect or an attack is named by no test of the repository.
func TestEveryRowHasItsTest(t *testing.T) {
	named := optest.Named(t, `\b(D-[SMKC]\d+|A-\d+|CVE-\d+-\d+)\b`, "rows_test.go", "services/storefront", "pkg")
	var rows []string
	for family, n := range families {
		for i := range n {
			rows = append(rows, fmt.Sprint(family, i+1))
		}
	}
	for id := range attacks {
		rows = append(rows, id)
	}
	for _, id := range rows {
		if !named[id] {
			t.Errorf("no test names %s: %s", id, attacks[id])
		}
	}
}
