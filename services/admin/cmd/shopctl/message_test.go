package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/notify/notifytest"
)

// mailServer sets the configuration of a shop with nothing but a mail server.
func mailServer(t *testing.T) *notifytest.SMTP {
	t.Helper()
	server := notifytest.OpenSMTP(t, notifytest.Behaviour{})
	for name, value := range map[string]string{
		"MYSQL_DSN": "shop:shop@tcp(127.0.0.1:1)/shop", "REDIS_ADDR": "127.0.0.1:1", // neither is called
		"SECRETS_IDEMPOTENCY": "q8Vt3ZkYw1Hs6RbN0xLc5PjD7gUf2MeAiT9o",
		"STORAGE_BASE_URL":    "https://shop.example.com/wx/storage/fetch/",
		"SMS_SENDER":          "mail", "SMS_MAIL_TO": "{mobile}@sms.example.com", "MAIL_SENDER": "smtp",
		"MAIL_SMTP_HOST": server.Host, "MAIL_SMTP_PORT": strconv.Itoa(server.Port), "MAIL_SMTP_CA_FILE": server.CAFile,
		"MAIL_SMTP_USERNAME": notifytest.Username, "MAIL_SMTP_PASSWORD": notifytest.Password,
		"MAIL_SMTP_FROM": "shop@example.com",
	} {
		t.Setenv("ADMIN_"+name, value)
	}
	return server
}

func TestMessageTest(t *testing.T) {
	server := mailServer(t)
	out, err := shopctl(t, "message", "test", "mail", "Lin <lin@example.com>")
	require.NoError(t, err)
	require.Equal(t, "smtp has taken the message for Lin <lin@example.com>\n", out)
	out, err = shopctl(t, "message", "test", "sms", "13900000001")
	require.NoError(t, err)
	require.Equal(t, "mail has taken the message for 13900000001\n", out)
	got := server.Mails()
	require.Equal(t, []string{"lin@example.com"}, got[0].To)
	require.Equal(t, "测试邮件|这是商城的一封测试邮件。", got[0].Subject+"|"+got[0].Text)
	require.Equal(t, []string{"13900000001@sms.example.com"}, got[1].To)
	require.Contains(t, got[1].Text, "000000")

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mail.test.txt"), []byte("Hello\n\nfrom the tea house"), 0o600))
	t.Setenv("ADMIN_MESSAGE_TEMPLATES", dir)
	_, err = shopctl(t, "message", "test", "mail", "lin@example.com")
	require.NoError(t, err)
	require.Equal(t, "Hello|from the tea house", server.Mails()[2].Subject+"|"+server.Mails()[2].Text)

	server.Behave(true)
	_, err = shopctl(t, "message", "test", "mail", "lin@example.com")
	require.ErrorContains(t, err, "the message was not taken by smtp: the mail server refuses the mail")
	_, err = shopctl(t, "message", "test", "mail", "lin")
	require.ErrorContains(t, err, `"lin" is no mail address`)
	_, err = shopctl(t, "message", "test", "sms", "13900000001; rm -rf /")
	require.ErrorContains(t, err, "is no number of a telephone")
	t.Setenv("ADMIN_SMS_SENDER", "none")
	_, err = shopctl(t, "message", "test", "sms", "13900000001")
	require.EqualError(t, err, "nothing is sent: sms.sender is none")
}
