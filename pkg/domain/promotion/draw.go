package promotion

import (
	"io"

	"shop.internal/pkg/domain/internal/life"
)

// WritePartLife draws the life of a part in a group purchase as a section of the documentation.
func WritePartLife(w io.Writer) error {
	names := map[PartStatus]string{
		PartUnpaid: "Unpaid", PartRunning: "Gathering", PartSucceeded: "Succeeded", PartFailed: "Failed",
	}
	return life.Chart[PartStatus, PartEvent]{
		Title: "## The life of a part in a group purchase",
		Intro: "Each order that opens or joins a group is one part of it. To pay late is to pay when the group is no " +
			"longer open;\nthe money goes back. A group dissolves when its opener asks for their money, or when the offer ends.",
		Starts:  []life.Start[PartStatus]{{To: PartUnpaid, What: "submit"}},
		Machine: partMoves, Languages: []string{"English"},
		Names: func(s PartStatus) []string { return []string{names[s]} },
	}.Write(w)
}

// WriteHeldLife draws the life of a coupon in a shopper's hand as a section of the documentation.
func WriteHeldLife(w io.Writer) error {
	names := map[UserCouponStatus]string{Unused: "Unused", Used: "Used", PastDue: "Expired", TakenBack: "Withdrawn"}
	return life.Chart[UserCouponStatus, UserCouponEvent]{
		Title: "## The life of a coupon in a shopper's hand",
		Intro: "An order uses a coupon and, when it ends without a sale, gives it back: late where the coupon's time is " +
			"over by then.",
		Note:    "State 3 is read from imported data and never produced.",
		Starts:  []life.Start[UserCouponStatus]{{To: Unused, What: "receive, redeem or be given"}},
		Machine: heldMoves, Languages: []string{"English"},
		Names: func(s UserCouponStatus) []string { return []string{names[s]} },
	}.Write(w)
}
