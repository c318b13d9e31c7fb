package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/services/admin/internal/apitest"
)

// ended waits for the end of a service and reports whether it ended normally.
func (o *owner) ended(c *exec.Cmd) bool {
	o.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		return err == nil
	case <-time.After(time.Minute):
		require.Fail(o, "the service goes on", "%s: %s", c.Path, o.logOf(c))
		return false
	}
}

// warnings are the messages of a log with the level WARN.
func warnings(t *testing.T, log string) (messages []string) {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(log))
	for lines.Scan() {
		var line struct{ Level, Msg string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Level == "WARN" {
			messages = append(messages, line.Msg)
		}
	}
	require.NoError(t, lines.Err())
	return messages
}

// The start says what a shop without senders cannot do.
const (
	shoppersLack = "messages: sms.sender is none: no verification code can be sent, so nobody can register, set a new " +
		"password by a code, or change a mobile number (errno 701)"
	staffLacks = "messages: sms.sender is none: shoppers get no text message when an order is paid, shipped or " +
		"refunded; mail.sender is none: operators get no mail about new orders, refunds and bad payments"
)

// A former demo database lets in everybody who knows the published password. With demo: false both services refuse to
// start on it until these accounts are disabled, and name the command for that. Then they start, and warn about what
// does not work without senders.
func TestARealShopOnTheDatabaseOfADemo(t *testing.T) {
	database(t)
	o := &owner{T: t, bin: apitest.Programs(t), shop: freeAddress(t), staff: freeAddress(t)}
	o.configure(nil)
	shop := o.environment
	o.environment = append(slices.Clone(shop), "ADMIN_DEMO=true")
	o.run("", "shopctl", "setup", "--demo")
	o.environment = shop

	for _, name := range []string{"storefront", "admin"} {
		c := o.start(name)
		require.False(t, o.ended(c), "%s serves the accounts of the demo", name)
		require.Contains(t, o.logOf(c), "200 shoppers, operators [\"super\" \"goods\" \"clerk\"]")
		require.Contains(t, o.logOf(c), "`shopctl demo remove` disables them")
	}
	o.run("a-good-password\n", "shopctl", "admin", "create", "owner_one", "--password-stdin")
	o.run("", "shopctl", "demo", "remove")
	for _, s := range []struct{ name, address, lacks string }{
		{"storefront", o.shop + "/wx/home/index", shoppersLack},
		{"admin", o.staff + "/admin/auth/kaptcha", staffLacks},
	} {
		c := o.start(s.name)
		o.ready(s.address, c)
		require.NoError(t, c.Process.Signal(syscall.SIGTERM))
		require.True(t, o.ended(c))
		require.Equal(t, []string{s.lacks}, warnings(t, o.logOf(c)), s.name)
	}
	require.Equal(t, []string{staffLacks}, warnings(t, o.run("", "shopctl", "jobs", "run", "--once")))
}

// With all senders there is no warning.
func TestNoWarningWithSenders(t *testing.T) {
	database(t)
	out, err := shopctl(t, "migrate")
	require.NoError(t, err, out)
	log, err := shopctl(t, "jobs", "run", "checkCouponExpired")
	require.NoError(t, err)
	require.Equal(t, []string{staffLacks}, warnings(t, log))
	dsn, redis, number := os.Getenv("ADMIN_MYSQL_DSN"), os.Getenv("ADMIN_REDIS_ADDR"), os.Getenv("ADMIN_REDIS_DB")
	mailServer(t)
	t.Setenv("ADMIN_MYSQL_DSN", dsn)
	t.Setenv("ADMIN_REDIS_ADDR", redis)
	t.Setenv("ADMIN_REDIS_DB", number)
	t.Setenv("ADMIN_MAIL_TO", "lin@example.com")
	log, err = shopctl(t, "jobs", "run", "checkCouponExpired")
	require.NoError(t, err)
	require.Empty(t, warnings(t, log))
}
