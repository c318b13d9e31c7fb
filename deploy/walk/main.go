// Walk plays purchases, cancellations, refunds, groups, after-sale cases and the work of staff over HTTP against a
// running demo shop, as an outsider who knows only the two addresses and the demo accounts, and checks every envelope,
// amount, state text and offered operation. It imports nothing of the shop. It prints one line for each step and ends
// with 1 where something came out differently.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// options is what the walk is told on its command line.
type options struct {
	storefront, admin, messages, shopper, password, operator string
	verbose                                                  bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parse(os.Args[1:], os.Stderr)
	if err != nil {
		os.Exit(2)
	}
	if !play(ctx, o, os.Stdout) {
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string, errs io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("walk", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&o.storefront, "storefront", "http://127.0.0.1:8080", "base address of the storefront")
	f.StringVar(&o.admin, "admin", "http://127.0.0.1:8081", "base address of the administration")
	f.StringVar(&o.messages, "messages", "", "file of the log sender; without it registration is not walked")
	f.StringVar(&o.shopper, "shopper", "", "demo shopper who buys (a new or a random one where empty)")
	f.StringVar(&o.password, "password", "demo-shop-1", "password of the demo accounts")
	f.StringVar(&o.operator, "operator", "super", "operator who may do everything")
	f.BoolVar(&o.verbose, "v", false, "print every exchange")
	if err := f.Parse(args); err != nil {
		return o, fmt.Errorf("reading the command line: %w", err)
	}
	o.storefront = strings.TrimRight(o.storefront, "/")
	o.admin = strings.TrimRight(o.admin, "/")
	return o, nil
}

// walk is one run against one shop.
type walk struct {
	report
	options options
	ctx     context.Context // ends the run: every request takes its deadline from it
	http    *http.Client
	success string // the text of a success, learned from the first one
	party
	market
	tour     tour
	covered  covered
	offs     map[int64]cents // by order, what its group takes off each piece
	uploaded string          // address of the picture that the walk has uploaded
}

// play runs all chapters and tells whether everything came as expected.
func play(ctx context.Context, o options, out io.Writer) bool {
	w := &walk{report: report{out: out, verbose: o.verbose}, options: o, ctx: ctx, http: client(), offs: map[int64]cents{}}
	w.meet()
	chapters := []func(*chapter){
		w.register, w.window, w.texts, w.goodsLists, w.goodsPages, w.signIn, w.addresses, w.carts, w.uploads, w.search,
		w.traces, w.purchase, w.cancellation, w.refund, w.browserPay, w.couponCode, w.group, w.brokenGroup, w.aftersale,
		w.permissions, w.deputy, w.shelf, w.board, w.counter, w.rounds, w.clear, w.badInput, w.platform, w.foreignIDs,
		w.leave, w.everything,
	}
	for _, tell := range chapters {
		if ctx.Err() != nil {
			w.printf("stopped\n")
			break
		}
		tell(&chapter{w: w})
	}
	return w.close() && ctx.Err() == nil
}

// client makes the client of the walk: no proxy, and a redirect is an answer like any other.
func client() *http.Client {
	return &http.Client{
		Timeout:       requestLimit,
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 4},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
