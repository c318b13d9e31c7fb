package notify_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/notify/notifytest"
)

// account is the shop's account at a test mail server.
func account(s *notifytest.SMTP) notify.SMTPOptions {
	return notify.SMTPOptions{
		Host: s.Host, Port: s.Port, Username: notifytest.Username, Password: notifytest.Password,
		From: "Shop <shop@example.com>", CAFile: s.CAFile, To: []string{"Lin <lin@example.com>", "wang@example.com"},
	}
}

func mailer(t *testing.T, o notify.SMTPOptions) *notify.SMTP {
	t.Helper()
	s, err := notify.NewSMTP(o)
	require.NoError(t, err)
	return s
}

func TestSMTP(t *testing.T) {
	for name, implicit := range map[string]bool{"STARTTLS": false, "implicit TLS": true} {
		t.Run(name, func(t *testing.T) {
			server := notifytest.OpenSMTP(t, notifytest.Behaviour{Implicit: implicit})
			o := account(server)
			o.Implicit = implicit
			s := mailer(t, o)
			require.True(t, s.Sends(notify.ByMail))
			require.False(t, s.Sends(notify.ByPhone))
			for range 2 { // the second time as a retry
				require.NoError(t, s.Mail(t.Context(), notify.Mail{ID: "mail:1", Subject: "新订单\r\nBcc: a@b.c", Text: "订单 1"}))
			}
			require.NoError(t, s.Mail(t.Context(), notify.Mail{ID: "2", To: []string{"zhao@example.com"}, Subject: "x"}))
			got := server.Mails()
			require.Len(t, got, 3)
			require.True(t, got[0].Safe)
			require.Equal(t, "shop@example.com", got[0].From)
			require.Equal(t, []string{"lin@example.com", "wang@example.com"}, got[0].To, "and nobody of the subject")
			require.Equal(t, "订单 1", got[0].Text)
			require.Empty(t, got[0].UserAgent, "no library is named to readers")
			require.Equal(t, got[0].MessageID, got[1].MessageID, "of one mail")
			require.NotEqual(t, got[0].MessageID, got[2].MessageID)
			require.Equal(t, []string{"zhao@example.com"}, got[2].To)
		})
	}
}

func TestGateway(t *testing.T) {
	server := notifytest.OpenSMTP(t, notifytest.Behaviour{})
	o := account(server)
	o.To = nil
	s, err := notify.NewGateway(mailer(t, o), "{mobile}@sms.example.com")
	require.NoError(t, err)
	require.True(t, s.Sends(notify.ByPhone))
	require.False(t, s.Sends(notify.ByMail))
	require.ErrorIs(t, s.Mail(t.Context(), notify.Mail{}), notify.ErrUnsupported)
	require.NoError(t, s.SMS(t.Context(), notify.SMS{ID: "1", Mobile: "13900000001", Text: "您的验证码是 123456"}))
	require.Equal(t, []string{"13900000001@sms.example.com"}, server.Mails()[0].To)
	require.Equal(t, "您的验证码是 123456", server.Mails()[0].Text)
	require.ErrorIs(t, mailer(t, o).Mail(t.Context(), notify.Mail{}), notify.ErrUnsupported, "nobody is to get mails")
}

// Every failure of a mail server ends within the deadline, and no error contains a password or an address.
func TestSMTPFailures(t *testing.T) {
	tests := map[string]struct {
		behave notifytest.Behaviour
		change func(*notify.SMTPOptions)
		want   string
	}{
		"without TLS": {notifytest.Behaviour{Plain: true}, nil, "no TLS"},
		"plain where implicit TLS is expected": {
			notifytest.Behaviour{Plain: true}, func(o *notify.SMTPOptions) { o.Implicit = true }, "mail server",
		},
		"a certificate that nobody knows": {
			notifytest.Behaviour{}, func(o *notify.SMTPOptions) { o.CAFile = "" }, "certificate",
		},
		"a wrong password": {
			notifytest.Behaviour{}, func(o *notify.SMTPOptions) { o.Password = "mail-pass-phrase-2" }, "does not let us log in",
		},
		"a receiver that is refused": {notifytest.Behaviour{Refuse: true}, nil, "refuses the mail: sending SMTP RCPT TO command, code 550 5.1.1"},
		"silence":                    {notifytest.Behaviour{Silent: true}, nil, "did not answer in time"},
		"nobody there": {
			notifytest.Behaviour{}, func(o *notify.SMTPOptions) { o.Port = 1 }, "reach the mail server",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := notifytest.OpenSMTP(t, tt.behave)
			o := account(server)
			if tt.change != nil {
				tt.change(&o)
			}
			within := time.Minute
			if tt.behave.Silent {
				within = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			err := mailer(t, o).Mail(ctx, notify.Mail{ID: "1", To: []string{"zhao@example.com"}, Subject: "s", Text: "secret text"})
			require.ErrorContains(t, err, tt.want)
			for _, secret := range []string{"pass-phrase", "zhao", "secret text", "s:"} {
				require.NotContains(t, err.Error(), secret)
			}
			require.Empty(t, server.Mails())
		})
	}
}

func TestSMTPRefusesSettings(t *testing.T) {
	noCA := filepath.Join(t.TempDir(), "none.pem")
	require.NoError(t, os.WriteFile(noCA, []byte("nothing"), 0o600))
	tests := map[string]struct {
		change func(*notify.SMTPOptions)
		want   string
	}{
		"no host":         {func(o *notify.SMTPOptions) { o.Host = "" }, "host: is missing"},
		"no sender":       {func(o *notify.SMTPOptions) { o.From = "shop" }, "from: is no mail address"},
		"half a login":    {func(o *notify.SMTPOptions) { o.Username = "" }, "username and password"},
		"no receiver":     {func(o *notify.SMTPOptions) { o.To = []string{"a@b.c", "lin"} }, "to: entry 2 is no mail address"},
		"no file":         {func(o *notify.SMTPOptions) { o.CAFile = "/nowhere" }, "ca-file: cannot be read"},
		"no certificates": {func(o *notify.SMTPOptions) { o.CAFile = noCA }, "ca-file: holds no certificate"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := notify.SMTPOptions{Host: "h", From: "a@b.c", Username: "u", Password: "mail-pass-phrase-1"}
			tt.change(&o)
			_, err := notify.NewSMTP(o)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "phrase")
		})
	}
	for to, want := range map[string]string{"a@b.c": "{mobile}", "{mobile} at b": "no mail address"} {
		_, err := notify.NewGateway(nil, to)
		require.ErrorContains(t, err, want)
	}
}
