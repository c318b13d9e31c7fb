package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// cents is an amount of money. Floats never hold money, not even here.
type cents int64

// The freight rule of the shop as it is delivered: freight is due strictly below the free amount.
const (
	freight     cents = 8_00
	freightFree cents = 88_00
)

var moneyLiteral = regexp.MustCompile(`^(0|[1-9][0-9]*)\.[0-9]{2}$`)

// parseMoney reads an amount exactly as the contract writes it: no sign, no exponent, two fraction digits.
func parseMoney(literal string) (cents, error) {
	if !moneyLiteral.MatchString(literal) {
		return 0, fmt.Errorf("%q is not an amount with exactly two fraction digits", literal)
	}
	n, err := strconv.ParseInt(strings.Replace(literal, ".", "", 1), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("reading the amount %q: %w", literal, err)
	}
	return cents(n), nil
}

// String writes the amount as the contract does.
func (c cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s%d.%02d", sign, c/100, c%100)
}

// piece is one line of goods to be paid: a unit price and how many.
type piece struct {
	price  cents
	number int64
}

// bill holds the amounts that follow from the lines and the coupon of a purchase.
type bill struct {
	goods, freight, coupon, actual cents
}

// reckon computes what a purchase costs: freight by the goods before the coupon, the coupon at most goods and freight.
func reckon(pieces []piece, coupon cents) bill {
	var b bill
	for _, p := range pieces {
		b.goods += p.price * cents(p.number)
	}
	if len(pieces) > 0 && b.goods < freightFree {
		b.freight = freight
	}
	b.coupon = min(coupon, b.goods+b.freight)
	b.actual = b.goods + b.freight - b.coupon
	return b
}

// lower takes an amount off the price of each piece, never below nothing.
func lower(pieces []piece, off cents) []piece {
	lowered := make([]piece, len(pieces))
	for i, p := range pieces {
		lowered[i] = piece{max(0, p.price-off), p.number}
	}
	return lowered
}

// piecesFor answers how many pieces at a price make up at least an amount, and at least one.
func piecesFor(amount, price cents) int64 {
	if price <= 0 {
		return 1
	}
	return max(1, int64((amount+price-1)/price))
}
