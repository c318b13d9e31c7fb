// Package domaintest provides a whole shop on a database of its own, with a settable clock and fakes for external
// services only, for the tests of the areas and of the services.
package domaintest

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/internal/hosted"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/domain/wechat"
	"shop.internal/pkg/domain/wechat/wechattest"
)

// Noon is the initial time of every test's clock, in UTC.
var Noon = time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)

// Shop is a wired domain.
type Shop struct {
	*domain.Domain
	Clock    *Clock
	Messages *Messages
	// App is the app platform.
	App    *wechattest.Platform
	t      testing.TB
	db     *db.DB
	config domain.Config
	// appointed are the operators of Operator.
	appointed []int64
	// agreed are the sums of all tables when StillAgree last verified the books.
	agreed string
}

// keys are generated once a process, since that is slow.
var keys = sync.OnceValues(sandbox.NewKeys)

// home is the time zone of a shop that is in none in particular.
const home = "Asia/Shanghai"

// Open returns a shop on an empty database. Its sandbox sends no notification by itself.
func Open(t testing.TB) *Shop {
	t.Helper()
	return OpenIn(t, home)
}

// OpenIn is Open for a shop in another time zone.
func OpenIn(t testing.TB, zone string) *Shop {
	t.Helper()
	s := openWith(t, &Clock{at: Noon}, zone, domain.PaymentConfig{
		Provider: "sandbox", NotifyURL: "http://shop.test/wx/order/pay-notify",
		SandboxKeys: func(context.Context) (sandbox.Keys, error) { return keys() },
	})
	s.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	return s
}

func openWith(t testing.TB, clock *Clock, place string, pay domain.PaymentConfig) *Shop {
	t.Helper()
	messages := &Messages{}
	dsn := dbtest.DSN(t)
	zone, err := time.LoadLocation(place)
	require.NoError(t, err)
	client := dbtest.Redis(t)
	app := wechattest.Open(t)
	platform, err := wechat.New(app.Config())
	require.NoError(t, err)
	config := domain.Config{
		MySQLDSN: dsn, Zone: zone,
		Redis:             domain.RedisConfig{Addrs: []string{client.Options().Addr}, DB: client.Options().DB},
		IdempotencySecret: dbtest.Secret, Unpaid: order.UnpaidLimits{Orders: 1e6, Pieces: 1e9},
		ShopperToken: 24 * time.Hour, StaffIdle: 6 * time.Hour, StaffToken: 24 * time.Hour,
		StaffLogin: domain.LoginLimit{PerAccount: 5, PerAddress: 50},
		Accounts: account.Config{
			CodeSecret: []byte(strings.Repeat("k", 32)), BcryptCost: bcrypt.MinCost, LoginPerAccount: 10, LoginPerAddress: 100,
			Platform: platform, SessionSecret: []byte(strings.Repeat("s", 32)),
		},
		OpenStorage: folder(t), StorageBase: "http://shop.test/wx/storage/fetch/", Sender: messages,
		Payment: pay,
		Log:     slog.New(slog.DiscardHandler), Now: clock.Now,
	}
	d, err := domain.Open(config)
	require.NoError(t, err)
	pool, err := db.Open(db.Options{DSN: dsn, Files: hosted.New(config.StorageBase, nil, clock.Now)})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, pool.Close())
		require.NoError(t, d.Close())
	})
	return &Shop{Domain: d, Clock: clock, Messages: messages, App: app, t: t, db: pool, config: config}
}

// folder returns what opens a store of files in a folder of the test.
func folder(t testing.TB) func() (*blob.Bucket, error) {
	dir := t.TempDir()
	return func() (*blob.Bucket, error) { return storage.OpenDir(dir) }
}

// Clock is a clock that stands still until it is moved.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Move moves the clock.
func (c *Clock) Move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

// Messages records the messages to people.
type Messages struct {
	mu   sync.Mutex
	sent []string
	// fail and tried are indexed by kind.
	fail  [2]error
	tried [2]int
}

// Sends is false if sending fails with notify.ErrUnsupported.
func (m *Messages) Sends(k notify.Kind) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !errors.Is(m.fail[k], notify.ErrUnsupported)
}

// SMS records "sms <mobile> <text>".
func (m *Messages) SMS(_ context.Context, s notify.SMS) error {
	return m.take(notify.ByPhone, "sms "+s.Mobile+" "+s.Text)
}

// Mail records "mail <subject> <text>".
func (m *Messages) Mail(_ context.Context, s notify.Mail) error {
	return m.take(notify.ByMail, "mail "+s.Subject+" "+s.Text)
}

func (m *Messages) take(k notify.Kind, message string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tried[k]++
	if m.fail[k] != nil {
		return m.fail[k]
	}
	m.sent = append(m.sent, message)
	return nil
}

// Fail makes all sending fail; nil ends that.
func (m *Messages) Fail(err error) {
	m.FailBy(notify.ByPhone, err)
	m.FailBy(notify.ByMail, err)
}

// FailBy makes sending one kind fail; nil ends that.
func (m *Messages) FailBy(k notify.Kind, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail[k] = err
}

// Tried returns how often sending a kind was tried.
func (m *Messages) Tried(k notify.Kind) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tried[k]
}

// All returns the sent messages.
func (m *Messages) All() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.sent...)
}

// Code returns the newest verification code that was sent to a mobile, "" for none.
func (m *Messages) Code(mobile string) string {
	code := ""
	for _, line := range m.All() {
		if rest, ok := strings.CutPrefix(line, "sms "+mobile+" "); ok {
			if found := sixDigits.FindString(rest); found != "" {
				code = found
			}
		}
	}
	return code
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// Exec runs a statement on the shop's database, for states that no operation reaches.
func (s *Shop) Exec(statement string, args ...any) {
	s.t.Helper()
	require.NoError(s.t, s.db.G(s.t.Context()).Exec(statement, args...).Error)
}

// TryExec is Exec for statements that the database may refuse; it returns the number of changed rows.
func (s *Shop) TryExec(statement string, args ...any) (int64, error) {
	s.t.Helper()
	res := s.db.G(s.t.Context()).Exec(statement, args...)
	return res.RowsAffected, res.Error
}

// InTx runs fn in a transaction, for functions that need the caller's.
func (s *Shop) InTx(fn func(tx *db.Tx) error) {
	s.t.Helper()
	require.NoError(s.t, s.db.InTx(s.t.Context(), fn))
}

// Int reads one number from the shop's database.
func (s *Shop) Int(query string, args ...any) int64 {
	s.t.Helper()
	var n int64
	require.NoError(s.t, s.db.G(s.t.Context()).Raw(query, args...).Scan(&n).Error)
	return n
}

// Texts returns the first column of all rows of a query.
func (s *Shop) Texts(query string, args ...any) []string {
	s.t.Helper()
	var all []string
	require.NoError(s.t, s.db.G(s.t.Context()).Raw(query, args...).Scan(&all).Error)
	return all
}

// Text reads one text from the shop's database.
func (s *Shop) Text(query string, args ...any) string {
	s.t.Helper()
	var text string
	require.NoError(s.t, s.db.G(s.t.Context()).Raw(query, args...).Scan(&text).Error)
	return text
}

// Plan returns the plan of a statement as JSON.
func (s *Shop) Plan(statement string) string {
	s.t.Helper()
	return dbtest.Plan(s.t, s.db, statement)
}

// PaymentKeys are the keys of the sandbox, for notifications that the sandbox itself would never send.
func PaymentKeys(t testing.TB) sandbox.Keys {
	t.Helper()
	k, err := keys()
	require.NoError(t, err)
	return k
}

// Listen passes the statements run under the returned context to see, with their parameters filled in.
func Listen(ctx context.Context, see func(statement string)) (context.Context, func() int) {
	counted, c := db.WithListener(ctx, see)
	return counted, c.Count
}

// Count counts the statements run under the returned context.
func Count(ctx context.Context) (context.Context, func() int) {
	counted, c := db.WithCounter(ctx)
	return counted, c.Count
}
