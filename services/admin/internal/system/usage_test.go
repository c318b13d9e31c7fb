package system_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/notify"
	"shop.internal/services/admin/internal/apitest"
)

const (
	usage   = "/admin/usage/read"
	sends   = "/admin/message/read"
	trial   = "/admin/message/test"
	byPhone = `{"channel":"sms","recipient":"13900000001"}`
)

// What the settings did is counted from the orders of thirty days.
func TestUsage(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s := w.Shop
	lin := s.Shopper("lin")
	tea, pot := s.Product("tea", money.Yuan(30), 99), s.Product("pot", money.Yuan(100), 99)
	tea.Number, pot.Number = 1, 1
	old := s.Order(lin, pot)
	s.Clock.Move(31 * 24 * time.Hour)
	s.Pay(lin, s.Order(lin, tea))
	s.Order(lin, pot)
	s.Order(lin, tea)
	s.Exec("UPDATE orders SET order_status = 103 WHERE id = ?", old)
	s.Exec("UPDATE orders SET order_status = 103 WHERE id = ?", old+3)
	s.Exec("UPDATE goods SET is_new = 1")
	s.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = 2")
	w.Operator("owner", "admin:usage:read").GET(usage).OK().Golden("setting/usage")
}

// A test message is sent as the services do, recorded, and not sent too often.
func TestTestMessage(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("owner", "admin:message:read", "admin:message:test")
	c.GET(sends).OK().Golden("setting/sends")
	c.POST(trial, byPhone).OK().Golden("setting/trial")
	c.POST(trial, `{"channel":"mail","recipient":"lin@example.com"}`).OK()
	require.Equal(t, 1, w.Shop.Messages.Tried(notify.ByPhone))
	require.Equal(t, 1, w.Shop.Messages.Tried(notify.ByMail))
	for body, code := range map[string]*errno.Code{
		`{"channel":"sms"}`: errno.Missing, `{"recipient":"1"}`: errno.Missing,
		`{"channel":"fax","recipient":"13900000001"}`:     errno.Invalid,
		`{"channel":"sms","recipient":"x"}`:               errno.Invalid,
		`{"channel":"mail","recipient":"13900000001"}`:    errno.Invalid,
		`{"channel":"sms","recipient":"lin@example.com"}`: errno.Invalid,
	} {
		c.POST(trial, "%s", body).Fails(code)
	}
	w.Shop.Messages.FailBy(notify.ByMail, notify.ErrUnsupported)
	c.GET(sends).OK().Golden("setting/sends_no_mail")
	c.POST(trial, `{"channel":"mail","recipient":"lin@example.com"}`).Fails(errno.NotSupported)
	w.Shop.Messages.FailBy(notify.ByPhone, errors.New("refused"))
	c.POST(trial, byPhone).Fails(errno.Invalid)
	w.Shop.Messages.FailBy(notify.ByPhone, nil)
	c.POST(trial, byPhone).OK()
	c.POST(trial, byPhone).Fails(errno.Invalid) // the sixth that was tried
	w.Operator("another", "admin:message:test").POST(trial, byPhone).OK()
	require.EqualValues(t, 4, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE permission = 'admin:message:test'"))
	w.Shop.Clock.Move(time.Hour)
	third := w.Operator("third", "admin:message:test")
	w.Conflict("INSERT INTO audit_log")
	third.POST(trial, byPhone).Fails(errno.Stale)
}
