package main

import (
	"strings"
	"testing"
)

// Every shape must be readable: a name, a kind that value.is knows, no name twice.
func TestShapesAreReadable(t *testing.T) {
	shapes := []string{
		goodsInfo, productShape, specShape, attribute, issueShape, categoryShape, channelShape, brandFull, grouponGoods,
		grouponRule, couponShape, userCoupon, bannerShape, topicShape, floorShape, regionRow, addressShape, cartRow,
		cartTotals, checkoutShape, orderRow, orderRowGoods, orderInfo, orderLine, prepayShape, commentDetail,
		staffOrderRow, staffOrderGoods, staffOrder, staffGoods, loginShape, profileShape, detailMembers,
	}
	kinds := " int text bool money moneytext time texts list object "
	for _, shape := range shapes {
		seen := map[string]bool{}
		for entry := range strings.SplitSeq(shape, ",") {
			name, kind, ok := strings.Cut(strings.TrimSpace(entry), " ")
			kind = strings.TrimSuffix(strings.TrimSuffix(kind, "?"), "|null")
			if !ok || name == "" || seen[name] || !strings.Contains(kinds, " "+kind+" ") {
				t.Errorf("%q in the shape %q", entry, shape)
			}
			seen[name] = true
		}
	}
}
