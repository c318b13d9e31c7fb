package app

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"

	"github.com/go-sql-driver/mysql"

	"shop.internal/migrations"
)

// CheckStart fails if a service must not use its servers: the database is unreachable, older than the program, of a
// shop in another country, or, unless this is a demo, has accounts with a published password; or Redis is a cluster,
// but not configured as one.
// Without Redis a service may start, since it serves public pages.
func (d *Domain) CheckStart(ctx context.Context, demo bool) error {
	err := d.CheckSchema(ctx)
	if err == nil {
		err = d.Settings.CheckCountry(ctx)
	}
	err = errors.Join(err, d.checkRedisMode(ctx))
	if err != nil || demo {
		return err
	}
	open, err := d.DemoAccounts(ctx)
	if err != nil {
		return fmt.Errorf("find accounts of a demo shop: %w", err)
	}
	if !open.None() {
		return fmt.Errorf("%d shoppers, operators %q: %w", len(open.Shoppers), open.Operators, ErrDemoAccounts)
	}
	return nil
}

// CheckSchema fails if the database is unusable or older than the program, with the reason. It also finds out whether
// the shop was upgraded lately, for what it stores of addresses.
func (d *Domain) CheckSchema(ctx context.Context) error {
	if err := migrations.Check(ctx, d.db.SQL()); err != nil {
		return explained(err)
	}
	return explained(d.Storage.KeepAddresses(ctx, d.keepAddresses))
}

// remedies explain MySQL's error numbers to the person who starts a program.
var remedies = map[uint16]string{
	1040: "the database server has no connection left",
	1044: "the user in mysql.dsn has no rights on the database",
	1045: "the database server refuses the user or the password in mysql.dsn",
	1049: "there is no database of the name in mysql.dsn; create it first",
	1129: "the database server takes no login from this machine",
	1130: "the database server takes no login from this machine",
	1142: "the user in mysql.dsn has no rights on the tables",
	1698: "the database server refuses the user or the password in mysql.dsn",
}

// explained adds to an error of the database what can be done about it.
func explained(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok {
		if remedy, known := remedies[refused.Number]; known {
			return fmt.Errorf("%s: %w", remedy, err)
		}
		return err
	}
	_, network := errors.AsType[net.Error](err)
	if network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) {
		return fmt.Errorf("no database server answers at the address in mysql.dsn: %w", err)
	}
	return err
}
