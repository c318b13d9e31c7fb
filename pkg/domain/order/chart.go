package order

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/store/statemachine"
	"shop.internal/pkg/domain/settings"
)

// WriteLife writes the chart of the state machine as a page of the documentation.
func WriteLife(w io.Writer) error {
	err := statemachine.Chart[Status, Event]{
		Title:   "# The life of an order",
		Intro:   "Generated from the state machine in the code: any other transition is impossible.",
		Note:    "State 204 is read from imported data and never produced.",
		Starts:  []statemachine.Start[Status]{{To: Unpaid, What: "submit"}, {To: Paid, What: "submit with nothing to pay"}},
		Machine: moves, Languages: []string{"English", "Chinese"},
		Names: func(s Status) []string { return []string{s.Text("en"), s.Text("zh")} },
	}.Write(w)
	if err != nil {
		return err
	}
	return writeOffers(w)
}

// writeOffers writes what a shopper reads of an order and is offered, by its state and by how it is paid.
func writeOffers(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\n## What a shopper reads and is offered\n\n" +
		"Every channel leads through the same states. What is paid on delivery is in 201 from the choice of the channel\n" +
		"on, owes its money until staff record it, and counts as sold from then. Calling off is for staff: the parcel was\n" +
		"refused, or is not sent. Comments are offered until their period ends, and nothing is deleted with an open\n" +
		"after-sale case.\n\n" +
		"What is collected in the shop is ready there in 301, and has no parcel. Staff check it off by its code, in 201\n" +
		"or 301, once its money is recorded; time alone never moves it to 402. Until then its shopper may ask for the\n" +
		"money back, in 301 too, which a parcel on its way does not allow.\n\n" +
		"| State | Delivery | Money | English | Chinese | Tab | Offered |\n|---|---|---|---|---|---|---|\n")
	at := time.Unix(0, 0)
	for _, status := range moves.States() {
		o := Order{Status: status, Comments: 1, ConfirmTime: at}
		writeOffer(&b, o, "")
		if status == Shipped {
			o.Delivery = settings.Collect
			writeOffer(&b, o, "collected")
		}
		if o.PayChannel = "any"; slices.Contains(sold, status) {
			o.Delivery = settings.Parcel
			writeOffer(&b, o, "")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeOffer writes the row of an order.
func writeOffer(b *strings.Builder, o Order, delivery string) {
	money := ""
	if o.Owed() {
		money = "owed"
	}
	fmt.Fprintf(b, "| %d | %s | %s | %s | %s | %s | %s |\n", o.Status, cmp.Or(delivery, "–"), cmp.Or(money, "–"),
		o.Text("en"), o.Text("zh"), tabOf(o.Status), strings.Join(o.Options(o.ConfirmTime, time.Hour).names(), ", "))
}

// tabOf is the number of the tab of the shopper's list that shows a state.
func tabOf(s Status) string {
	for tab, states := range tabs {
		if slices.Contains(states, s) {
			return strconv.Itoa(int(tab))
		}
	}
	return "–"
}

// names are those of the operations that are offered.
func (o Options) names() []string {
	var names []string
	all := reflect.ValueOf(o)
	for i := range all.NumField() {
		if all.Field(i).Bool() {
			names = append(names, strings.ToLower(all.Type().Field(i).Name))
		}
	}
	return names
}
