package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/kit/config"
	"shop.internal/services/admin/internal/app"
)

const (
	shipped = "../../../../deploy/admin/config.yaml"
	secret  = "q8Vt3ZkYw1Hs6RbN0xLc5PjD7gUf2MeAiT9o"
)

// servers sets what a shipped file cannot contain.
func servers(t *testing.T) {
	t.Helper()
	t.Setenv("ADMIN_MYSQL_DSN", "shop:shop@tcp(127.0.0.1:3306)/shop")
	t.Setenv("ADMIN_REDIS_ADDR", "10.0.0.1:6379")
	t.Setenv("ADMIN_STORAGE_BASE_URL", "https://shop.test/wx/storage/fetch/")
	t.Setenv("ADMIN_SECRETS_IDEMPOTENCY", secret)
}

func TestTheShippedFileLacksOnlyTheServersAndASecret(t *testing.T) {
	_, err := app.LoadConfig(shipped)
	require.ErrorAs(t, err, new(config.ValidationErrors))
	require.Equal(t, config.ValidationErrors{"mysql.dsn: is missing", "redis.addr: is missing", "secrets.idempotency: is missing"}, err)
	servers(t)
	_, err = app.LoadConfig(shipped)
	require.NoError(t, err)
	t.Setenv("ADMIN_STORAGE_BASE_URL", "")
	_, err = app.LoadConfig(shipped)
	require.ErrorContains(t, err, "storage.base-url: is missing: the public address of the storefront")
}

func TestTheShippedFileSaysTheDefaults(t *testing.T) {
	servers(t)
	t.Setenv("ADMIN_REDIS_ADDR", "10.0.0.1:6379,10.0.0.2:6379")
	file, err := app.LoadConfig(shipped)
	require.NoError(t, err)
	none, err := app.LoadConfig("")
	require.NoError(t, err)
	require.Equal(t, []string{"10.0.0.1:6379", "10.0.0.2:6379"}, file.Redis.Addr)
	// An empty list in the file and an absent one are equal.
	for _, list := range []*[]string{
		&file.MySQL.Replicas, &none.MySQL.Replicas,
		&file.Storage.EarlierBaseURLs, &none.Storage.EarlierBaseURLs,
		&file.CORS.Origins, &none.CORS.Origins, &file.Proxies.Trusted, &none.Proxies.Trusted,
		&file.Order.Channels, &none.Order.Channels, &file.Jobs.Periods, &none.Jobs.Periods,
		&file.Payment.Wechat.PlatformKeys, &none.Payment.Wechat.PlatformKeys,
		&file.Payment.Alipay.PlatformKeys, &none.Payment.Alipay.PlatformKeys,
		&file.Payment.Channels, &none.Payment.Channels,
		&file.SMS.Aliyun.Templates, &none.SMS.Aliyun.Templates, &file.Mail.To, &none.Mail.To,
		&file.Web.PictureOrigins, &none.Web.PictureOrigins,
	} {
		require.Empty(t, *list)
		*list = nil
	}
	require.Equal(t, none, file)
}

func TestTheShippedFileHasAComment(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(shipped)
	require.NoError(t, err)
	previous := ""
	for line := range strings.SplitSeq(string(text), "\n") {
		if regexp.MustCompile(`^ *[a-z-]+: \S`).MatchString(line) {
			require.Regexp(t, `^ *(#|per-account)`, previous, "no comment above %q", line)
		}
		previous = line
	}
}

// Keys in variables are PEM text, several of the platform's separated by commas.
func TestKeysOfTheMerchantFromTheEnvironment(t *testing.T) {
	platform := domaintest.NewWechat(t, time.Now)
	o := platform.Options
	servers(t)
	t.Setenv("ADMIN_PAYMENT_PROVIDER", "wechat")
	t.Setenv("ADMIN_PAYMENT_NOTIFY_URL", o.NotifyURL)
	for name, value := range map[string]string{
		"APP_ID": o.AppID, "MCH_ID": o.MchID, "MCH_SERIAL": o.MchSerial, "PRIVATE_KEY": o.PrivateKey, "API_KEY": o.APIKey,
		"PLATFORM_KEYS": platform.Key(domaintest.WechatKeyID) + "," + platform.Key(domaintest.WechatNextID),
	} {
		t.Setenv("ADMIN_PAYMENT_WECHAT_"+name, value)
	}
	c, err := app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Len(t, c.Payment.Wechat.PlatformKeys, 2)
	t.Setenv("ADMIN_PAYMENT_WECHAT_PLATFORM_KEYS", strings.Repeat(platform.Key(domaintest.WechatKeyID)+",", 2))
	_, err = app.LoadConfig(shipped)
	require.ErrorContains(t, err, "payment.wechat: payment by wechat: platform-keys: entry 2 has the name of an earlier one")
}

func TestWhatStopsTheStart(t *testing.T) {
	tests := map[string]struct{ name, value, want string }{
		"an unknown country":         {"ADMIN_SHOP_COUNTRY", "JPN", `shop.country: "JPN" is no country such as CN`},
		"a country without money":    {"ADMIN_SHOP_COUNTRY", "KW", "shop.country: no currency is known for KW"},
		"a country of several zones": {"ADMIN_SHOP_COUNTRY", "US", "shop.zone: is needed, since US has several time zones"},
		"an unknown zone":            {"ADMIN_SHOP_ZONE", "Mars/Base", "shop.zone: is no time zone such as Asia/Shanghai"},
		"an unknown language":        {"ADMIN_SHOP_LANGUAGE", "fr", "shop.language: is none of zh, en"},
		"the sandbox without demo":   {"ADMIN_PAYMENT_PROVIDER", "sandbox", "payment.provider: sandbox"},
		"an unknown provider":        {"ADMIN_PAYMENT_PROVIDER", "cash", "payment.provider: is none of none, sandbox, "},
		"an unknown channel":         {"ADMIN_PAYMENT_CHANNELS", "cash", "payment.channels: is none of none, sandbox, "},
		"a channel twice":            {"ADMIN_PAYMENT_CHANNELS", "transfer,transfer", "payment.channels: names a channel twice"},
		"a transfer to nowhere":      {"ADMIN_PAYMENT_PROVIDER", "transfer", "payment.transfer.account: is missing"},
		"half of a merchant":         {"ADMIN_PAYMENT_WECHAT_MCH_ID", "1", "payment.wechat: payment by wechat: app-id is needed"},
		"half of an account":         {"ADMIN_PAYMENT_STRIPE_SECRET_KEY", "sk_live_1", "payment.stripe.webhook-secret: is no secret"},
		"the log without demo":       {"ADMIN_SMS_SENDER", "log", "sms.sender: log"},
		"uploads for an hour":        {"ADMIN_RETENTION_UPLOADS", "1h", "retention.uploads: is below 24h0m0s, 0s is for ever"},
		"idle beyond the end":        {"ADMIN_TOKEN_IDLE", "48h", "token.idle: is above token.absolute"},
		"a carrier without a name":   {"ADMIN_ORDER_CHANNELS", "ZTO", `order.channels: "ZTO" is not of the form CODE=name`},
		"a job too seldom":           {"ADMIN_JOBS_PERIODS", "purge=5m,checkOrderUnpaid=61s", "jobs.periods: checkOrderUnpaid is not within 100ms and 1m0s"},
		"a job that is none":         {"ADMIN_JOBS_PERIODS", "dance=1m,sing=1m", `jobs.periods: there is no job "dance"`},
		"a period without unit":      {"ADMIN_JOBS_PERIODS", "purge=60", `jobs.periods: "purge=60" is not of the form NAME=30s`},
		"a lease too short":          {"ADMIN_JOBS_LEASE", "900ms", "jobs.lease: is below 1s"},
		"a lease too long":           {"ADMIN_JOBS_LEASE", "61s", "jobs.lease: is above 1m"},
		"a limit below zero":         {"ADMIN_LOGIN_PER_ACCOUNT", "-1", "login.per-account: is below 0"},
		"half of an app":             {"ADMIN_WECHAT_APP_ID", "wx1", "wechat: app-id and app-secret are needed both"},
		"a page without goods":       {"ADMIN_SHARE_PAGE", "https://shop.test/", "share.page: does not say where {goods} stand"},
		"a page that is no address":  {"ADMIN_SHARE_PAGE", "{goods}", "share.page: is no address"},
		"a weak secret":              {"ADMIN_SECRETS_IDEMPOTENCY", strings.Repeat("a", 64), "secrets.idempotency: needs at least 32"},
		"a storage address of none":  {"ADMIN_STORAGE_BASE_URL", "here", "storage.base-url: is no address"},
		"a path without a host":      {"ADMIN_STORAGE_BASE_URL", "/wx/storage/fetch/", "storage.base-url: is no address"},
		"a storage address cut off":  {"ADMIN_STORAGE_BASE_URL", "https://shop.test/wx/storage/fetch", "storage.base-url: does not end in a slash"},
		"another path of files":      {"ADMIN_STORAGE_BASE_URL", "https://shop.test/", "storage.base-url: does not end in /wx/storage/fetch/"},
		"a malformed DSN":            {"ADMIN_MYSQL_DSN", "mysql://shop:hidden@127.0.0.1:3306/shop", "mysql.dsn: is not of the form"},
		"a DSN without a database":   {"ADMIN_MYSQL_DSN", "shop:hidden@tcp(127.0.0.1:3306)/", "mysql.dsn: names no database"},
		"a replica's malformed DSN":  {"ADMIN_MYSQL_REPLICAS", "mysql://shop:hidden@127.0.0.1:3306/shop", "mysql.replicas: is not of"},
		"Redis without a port":       {"ADMIN_REDIS_ADDR", "10.0.0.1", "redis.addr: is not of the form host:6379"},
		"Redis with a scheme":        {"ADMIN_REDIS_ADDR", "redis://10.0.0.1:6379", "redis.addr: is an address such as 10.0.0.5:6379, without redis://"},
		"a port alone":               {"ADMIN_LISTEN", "8081", "listen: is no address to listen on"},
		"a port that is none":        {"ADMIN_OPS_LISTEN", ":99999", "ops.listen: is no address to listen on"},
		"every proxy":                {"ADMIN_PROXIES_TRUSTED", "all", `proxies.trusted: "all" is no address or network`},
		"an origin with a slash":     {"ADMIN_CORS_ORIGINS", "https://console.test/", `cors.origins: "https://console.test/" is no origin`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			servers(t)
			t.Setenv(tt.name, tt.value)
			_, err := app.LoadConfig(shipped)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "hidden")
		})
	}
}

// A sender is checked completely before anything starts, and no mistake contains a value.
func TestSendersThatStopTheStart(t *testing.T) {
	const secret = "5fbe41d7c0a96e283b7d5fbe41d7c0a9-q8Vt3"
	tests := map[string]struct {
		settings string
		want     []string
	}{
		"an unknown sender": {"SMS_SENDER=pigeon", []string{"sms.sender: is none of none, log, mail, aliyun, twilio, webhook"}},
		"logs without demo": {"SMS_SENDER=log MAIL_SENDER=log", []string{"sms.sender: log", "mail.sender: log"}},
		"a mail server of none": {
			"SMS_SENDER=mail MAIL_SENDER=smtp", []string{"the configuration is wrong:\n  mail.smtp: host: is missing"},
		},
		"half a login": {
			"MAIL_SENDER=smtp MAIL_SMTP_HOST=h MAIL_SMTP_FROM=a@b.c MAIL_SMTP_PASSWORD=" + secret,
			[]string{"mail.smtp: username and password are needed both"},
		},
		"a gateway without a place": {
			"SMS_SENDER=mail MAIL_SMTP_HOST=h MAIL_SMTP_FROM=a@b.c SMS_MAIL_TO=a@b.c", []string{"sms.mail.to: does not say where {mobile}"},
		},
		"no TLS at all": {"MAIL_SMTP_TLS=none", []string{"mail.smtp.tls: is none of starttls, implicit"}},
		"a strange receiver": {
			"MAIL_SENDER=smtp MAIL_SMTP_HOST=h MAIL_SMTP_FROM=a@b.c MAIL_TO=lin", []string{"mail.smtp: to: entry 1 is no mail address"},
		},
		"half of Aliyun": {"SMS_SENDER=aliyun SMS_ALIYUN_ACCESS_KEY_ID=x", []string{"sms.aliyun: access-key-secret: is missing"}},
		"no template": {
			"SMS_SENDER=aliyun SMS_ALIYUN_ACCESS_KEY_ID=x SMS_ALIYUN_ACCESS_KEY_SECRET=" + secret + " SMS_ALIYUN_SIGN_NAME=x",
			[]string{"sms.aliyun: templates: one for sms.code is needed"},
		},
		"half of Twilio": {"SMS_SENDER=twilio SMS_TWILIO_ACCOUNT_SID=AC1", []string{"sms.twilio: auth-token: is missing"}},
		"a webhook without a secret": {
			"SMS_SENDER=webhook MESSAGE_WEBHOOK_URL=https://shop.test/hook", []string{"message.webhook: secret: is missing"},
		},
		"a weak secret": {"MESSAGE_WEBHOOK_SECRET=change-me", []string{"message.webhook.secret: needs at least 32 random bytes"}},
		"an open webhook": {
			"MAIL_SENDER=webhook MESSAGE_WEBHOOK_URL=http://shop.test/hook MESSAGE_WEBHOOK_SECRET=" + secret,
			[]string{"message.webhook: url: must begin with https://"},
		},
		"templates of nowhere": {"MESSAGE_TEMPLATES=/nowhere", []string{"message.templates: read the folder of templates"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			servers(t)
			for setting := range strings.FieldsSeq(tt.settings) {
				key, value, _ := strings.Cut(setting, "=")
				t.Setenv("ADMIN_"+key, value)
			}
			_, err := app.LoadConfig(shipped)
			for _, want := range tt.want {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), secret)
			require.Equal(t, len(tt.want), strings.Count(err.Error(), "\n"), "one sentence each: %v", err)
		})
	}
}

// A shop with valid senders starts; one without says in one line what will not work.
func TestWhatWillNotWorkWithoutSenders(t *testing.T) {
	servers(t)
	c, err := app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Contains(t, c.StaffGap(), "sms.sender is none: shoppers get no text message")
	require.Contains(t, c.StaffGap(), "; mail.sender is none: operators get no mail")
	require.Contains(t, c.ShopperGap(), "so nobody can register")
	for key, value := range map[string]string{
		"SMS_SENDER": "mail", "SMS_MAIL_TO": "{mobile}@sms.example.com", "MAIL_SENDER": "smtp", "MAIL_SMTP_HOST": "mail.test",
		"MAIL_SMTP_FROM": "shop@example.com",
	} {
		t.Setenv("ADMIN_"+key, value)
	}
	c, err = app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Empty(t, c.ShopperGap())
	require.Contains(t, c.StaffGap(), "mail.to is empty")
	t.Setenv("ADMIN_MAIL_TO", "lin@example.com,wang@example.com")
	c, err = app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Empty(t, c.StaffGap())
	require.Len(t, c.Mail.To, 2)
}

func TestAPageOfGoods(t *testing.T) {
	servers(t)
	for _, page := range []string{"https://shop.test/goods/{goods}", "http://localhost:8080/#/goods?id={goods}&group={group}"} {
		t.Setenv("ADMIN_SHARE_PAGE", page)
		c, err := app.LoadConfig(shipped)
		require.NoError(t, err, page)
		require.Equal(t, page, c.Share.Page)
	}
}

// Unusable resources of the machine are reported in the same list; nothing remains in the folder that was tried.
func TestAFolderThatCannotBeWritten(t *testing.T) {
	servers(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for dir, good := range map[string]bool{
		folder: true, filepath.Join(folder, "a", "b"): true, file: false, filepath.Join(file, "a"): false, "/proc/shop": false,
	} {
		t.Setenv("ADMIN_STORAGE_DIR", dir)
		c, err := app.LoadConfig("")
		require.NoError(t, err)
		require.Equal(t, good, len(app.Check(c)) == 0, dir)
	}
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A demo without an address has its pictures at the storefront on this machine.
func TestWherePicturesAre(t *testing.T) {
	servers(t)
	t.Setenv("ADMIN_STORAGE_BASE_URL", "")
	t.Setenv("ADMIN_DEMO", "true")
	c, err := app.LoadConfig(shipped)
	require.NoError(t, err)
	require.Equal(t, "http://localhost:8080/wx/storage/fetch/", c.PictureBase())
}
