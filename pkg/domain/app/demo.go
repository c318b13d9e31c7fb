package app

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/account"
)

// DemoPassword is the password of every account of the demo shop.
const DemoPassword = "demo-shop-1" // it is published; what it opens must not exist in a real shop

// DemoShoppers is the number of shoppers of the demo shop.
const DemoShoppers = 200

// The operators of the demo shop. Their names are shorter than the rules allow.
const (
	DemoSuper = "super"
	DemoGoods = "goods"
	DemoClerk = "clerk"
)

// DemoShopper returns the login name and the mobile of the n-th shopper of the demo shop, from 1 on.
func DemoShopper(n int) account.KnownAccount {
	return account.KnownAccount{Username: fmt.Sprintf("demo%d", n), Mobile: fmt.Sprintf("139%08d", n)}
}

// DemoAccounts are accounts of a demo shop that still have the published password.
type DemoAccounts struct {
	Shoppers  []int64
	Operators []string
}

// None reports whether there are no such accounts.
func (a DemoAccounts) None() bool { return len(a.Shoppers)+len(a.Operators) == 0 }

// ErrDemoAccounts says that a database was a demo shop and still has accounts with its published password.
var ErrDemoAccounts = errors.New("accounts of the demo shop are still open to everybody who knows their published " +
	"password: `shopctl demo remove` disables them (or set demo: true where this is a demo)")

// ErrLastSuper says that the demo's super operator is the only one.
var ErrLastSuper = errors.New("super is the only operator who may do everything: make your own first, by " +
	"`shopctl admin create NAME`")

// DemoAccounts returns the accounts of a demo shop that still have the published password.
func (d *Domain) DemoAccounts(ctx context.Context) (DemoAccounts, error) {
	list := make([]account.KnownAccount, DemoShoppers)
	for i := range list {
		list[i] = DemoShopper(i + 1)
	}
	shoppers, err := d.Accounts.OpenTo(ctx, list, DemoPassword)
	if err != nil {
		return DemoAccounts{}, err
	}
	operators, err := d.Access.OpenTo(ctx, []string{DemoSuper, DemoGoods, DemoClerk}, DemoPassword)
	return DemoAccounts{Shoppers: shoppers, Operators: operators}, err
}

// RemoveDemoAccounts disables these accounts, ends their sessions, and returns them. Their orders stay. If it fails
// with ErrLastSuper, nothing was changed.
func (d *Domain) RemoveDemoAccounts(ctx context.Context) (DemoAccounts, error) {
	open, err := d.DemoAccounts(ctx)
	if err != nil {
		return DemoAccounts{}, err
	}
	for _, name := range open.Operators { // super is the first
		id, err := d.Access.Disable(ctx, name)
		if errors.Is(err, errno.AdminAlterNotAllowed) {
			return DemoAccounts{}, ErrLastSuper
		}
		if err != nil {
			return DemoAccounts{}, err
		}
		if err := d.Sessions.End(ctx, id); err != nil {
			return DemoAccounts{}, err
		}
	}
	return open, d.Accounts.DisableAll(ctx, open.Shoppers)
}
