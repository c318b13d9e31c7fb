// Package stack runs a whole shop of several replicas for a test: storefronts and admins, with a MariaDB and a Redis of
// its own behind proxies that disturb their connections, all in one folder and on free ports. Each process can be
// started, stopped, killed and made to hang.
package stack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Options is what a stack consists of.
type Options struct {
	// Name is that of its folder below .local/prove.
	Name string
	// Storefronts and Admins are the numbers of replicas.
	Storefronts, Admins int
	// Quick spares MariaDB the waiting for the disk. Its data then survives a kill of the server, not of the machine.
	Quick bool
	// Set has settings of the services, without their prefix STOREFRONT_ or ADMIN_, as NAME=value.
	Set []string
	// Storefront and Admin have settings of one service, likewise.
	Storefront, Admin []string
}

// Stack is a running shop with demo data.
type Stack struct {
	Options

	// Folder has the data and the logs of everything.
	Folder string
	// Storefronts and Admins are the replicas.
	Storefronts, Admins []*Replica
	// MariaDB and Redis are the servers.
	MariaDB, Redis *Server
	// Messages is the file of the sender that writes messages down.
	Messages string

	root, programs string
	control        []string // the environment of shopctl, past the proxies
}

// Start creates a new shop with demo data and starts everything. It first ends what an earlier run left in the folder.
func Start(ctx context.Context, o Options) (*Stack, error) {
	root, err := projectRoot()
	if err != nil {
		return nil, err
	}
	s := &Stack{Options: o, root: root, Folder: filepath.Join(root, ".local/prove", o.Name)}
	s.Messages, s.programs = filepath.Join(s.Folder, "messages.log"), os.Getenv("SHOP_BIN")
	s.MariaDB = &Server{Name: "mariadb", stack: s, dir: filepath.Join(s.Folder, "mariadb")}
	s.Redis = &Server{Name: "redis", stack: s, dir: filepath.Join(s.Folder, "redis")}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context) error {
	err := errors.Join(s.MariaDB.Stop(ctx), s.Redis.Stop(ctx), os.RemoveAll(s.Folder),
		os.MkdirAll(filepath.Join(s.Folder, "objects"), 0o700), os.MkdirAll(s.MariaDB.dir, 0o700),
		os.MkdirAll(s.Redis.dir, 0o700))
	if err != nil {
		return err
	}
	if s.programs == "" {
		s.programs = filepath.Join(s.root, ".local/prove/bin")
		env := append(os.Environ(), "GOWORK="+filepath.Join(s.root, "go.work")) // this module is outside of it
		if _, err := s.output(ctx, env, "go", "build", "-buildvcs=false", "-o", s.programs+"/",
			"shop.internal/services/storefront/cmd/storefront", "shop.internal/services/admin/cmd/admin",
			"shop.internal/services/admin/cmd/shopctl"); err != nil {
			return err
		}
	}
	if err := errors.Join(s.MariaDB.Start(ctx), s.Redis.Start(ctx), os.WriteFile(s.Messages, nil, 0o600)); err != nil {
		return err
	}
	if err := s.replicas(ctx); err != nil {
		return err
	}
	if _, err := s.Control(ctx, "setup", "--demo"); err != nil {
		return err
	}
	for _, r := range slices.Concat(s.Storefronts, s.Admins) {
		if err := r.Launch(); err != nil {
			return err
		}
	}
	for _, r := range slices.Concat(s.Storefronts, s.Admins) {
		if err := r.Await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Close ends everything. The data and the logs stay until the next start.
func (s *Stack) Close() error {
	var errs []error
	for _, r := range slices.Concat(s.Storefronts, s.Admins) {
		errs = append(errs, r.Stop())
	}
	for _, server := range []*Server{s.MariaDB, s.Redis} {
		_ = server.Resume() // it does not run
		errs = append(errs, server.Stop(context.Background()))
		if server.Proxy != nil {
			server.Proxy.Close()
		}
	}
	return errors.Join(errs...)
}

// DSN is the address of the shop's database for a test, past the proxy.
func (s *Stack) DSN() string { return "shop:shop@tcp(" + s.MariaDB.Addr() + ")/shop" }

// Control runs shopctl, which reaches the servers past the proxies, and returns what it printed.
func (s *Stack) Control(ctx context.Context, args ...string) (string, error) {
	return s.output(ctx, s.control, filepath.Join(s.programs, "shopctl"),
		append([]string{"--config", "deploy/admin/config.yaml"}, args...)...)
}

// Verify returns an error unless `shopctl verify` finds the books in order, without a word.
func (s *Stack) Verify(ctx context.Context) error {
	printed, err := s.Control(ctx, "verify")
	if err == nil && printed != "" {
		err = fmt.Errorf("shopctl verify says:\n%s", printed)
	}
	return err
}

// replicas prepares the replicas without starting them.
func (s *Stack) replicas(ctx context.Context) error {
	storefronts, err := s.prepare(ctx, "storefront", s.Options.Storefronts)
	if err != nil {
		return err
	}
	admins, err := s.prepare(ctx, "admin", s.Options.Admins)
	if err != nil {
		return err
	}
	notify := "http://127.0.0.1:1"
	if len(storefronts) > 0 {
		notify = storefronts[0].URL
	}
	key, codes := rand.Text()+rand.Text(), rand.Text()+rand.Text()
	shared := append(slices.Clone(s.Set), "SECRETS_IDEMPOTENCY="+key, "DEMO=true", "DOCS_ENABLED=true",
		"SMS_SENDER=log", "MAIL_SENDER=log", "SMS_FILE="+s.Messages, "PAYMENT_PROVIDER=sandbox",
		"PAYMENT_NOTIFY_URL="+notify+"/wx/order/pay-notify", "STORAGE_DIR="+filepath.Join(s.Folder, "objects"),
		"STORAGE_BASE_URL="+notify+"/wx/storage/fetch/", "RATE_WRITES_PER_ADDRESS=0")
	through := []string{
		"MYSQL_DSN=shop:shop@tcp(" + s.MariaDB.Proxy.Addr() + ")/shop", "REDIS_ADDR=" + s.Redis.Proxy.Addr(),
	}
	shopper := append([]string{
		"SECRETS_CODES=" + codes, "RATE_WRITES_PER_SHOPPER=0", "RATE_FEEDBACK=0", "RATE_COMMENTS=0",
		"CODES_PER_ADDRESS=10000", "LOGIN_PER_ADDRESS=0", "LOGIN_PER_ACCOUNT=0",
	}, s.Storefront...)
	staff := append([]string{"RATE_WRITES_PER_OPERATOR=0", "LOGIN_PER_ADDRESS=0", "LOGIN_PER_ACCOUNT=0"}, s.Admin...)
	for _, r := range storefronts {
		own := []string{"LISTEN=" + address(r.URL), "OPS_LISTEN=" + address(r.Ops)}
		r.env = environ("STOREFRONT_", shared, through, shopper, own)
	}
	for _, r := range admins {
		own := []string{"LISTEN=" + address(r.URL), "OPS_LISTEN=" + address(r.Ops)}
		r.env = environ("ADMIN_", shared, through, staff, own)
	}
	s.control = environ("ADMIN_", shared, staff, []string{"MYSQL_DSN=" + s.DSN(), "REDIS_ADDR=" + s.Redis.Addr()})
	s.Storefronts, s.Admins = storefronts, admins
	return nil
}

func (s *Stack) prepare(ctx context.Context, service string, n int) ([]*Replica, error) {
	var list []*Replica
	for i := range n {
		public, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		ops, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, &Replica{
			Name: fmt.Sprintf("%s-%d", service, i+1), stack: s, service: service,
			URL: fmt.Sprintf("http://127.0.0.1:%d", public), Ops: fmt.Sprintf("http://127.0.0.1:%d", ops),
		})
	}
	return list, nil
}

func address(url string) string { return strings.TrimPrefix(url, "http://") }

// environ is our environment without settings of services, and these settings with the prefix.
func environ(prefix string, settings ...[]string) []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return strings.HasPrefix(pair, "STOREFRONT_") || strings.HasPrefix(pair, "ADMIN_")
	})
	for _, setting := range slices.Concat(settings...) {
		env = append(env, prefix+setting)
	}
	return env
}

func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

// projectRoot is the folder above us that has the workspace.
func projectRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.work")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("this is no checkout: there is no go.work")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
