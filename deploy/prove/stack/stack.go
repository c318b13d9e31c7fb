// Package stack runs a whole shop of several replicas for a test: storefronts and admins, with a MariaDB and a Redis of
// its own behind proxies that disturb their connections, all in one folder and on free ports. Each process can be
// started, stopped, killed and made to hang.
package stack

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Options is what a stack consists of.
type Options struct {
	// Name is that of its folder below .local/prove.
	Name string
	// Storefronts and Admins are the numbers of replicas.
	Storefronts, Admins int
	// Balanced puts a balancer in front of each service, whose addresses the shop then has.
	Balanced bool
	// Release is what the first replicas and shopctl run, by default this checkout.
	Release Release
	// Wired gives the last replica of each service a network of its own, which can be unplugged.
	Wired bool
	// Quick spares MariaDB the waiting for the disk. Its data then survives a kill of the server, not of the machine.
	Quick bool
	// Direct spares the way through the proxies, by which a run disturbs the services.
	Direct bool
	// Database has more options of MariaDB.
	Database []string
	// Set has settings of the services, without their prefix STOREFRONT_ or ADMIN_, as NAME=value.
	Set []string
	// Storefront and Admin have settings of one service, likewise.
	Storefront, Admin []string
	// DSNs are the addresses of databases that run already, instead of a MariaDB of the stack: the replicas, storefronts
	// first, use them in turn, and shopctl the first one.
	DSNs []string
	// RedisSettings are those of a Redis that runs already, such as REDIS_ADDR=host:port, instead of one of the stack.
	RedisSettings []string
}

// Stack is a running shop with demo data.
type Stack struct {
	Options

	// Folder has the data and the logs of everything.
	Folder string
	// Storefronts and Admins are the replicas that run at first.
	Storefronts, Admins []*Replica
	// Front and Back are the balancers of both services, nil if the stack has none.
	Front, Back *Balancer
	// MariaDB and Redis are the servers. One that the options replace does not run.
	MariaDB, Redis *Server
	// Messages is the file of the sender that writes messages down.
	Messages string

	root     string
	spare    []*Server
	control  []string            // the environment of shopctl, past the proxies
	settings map[string][]string // the environment of the replicas of each service, without their addresses
	names    map[string]int      // how many replicas of each service there have been
}

// Start creates a new shop with demo data and starts everything. It first ends what an earlier run left in the folder.
func Start(ctx context.Context, o Options) (*Stack, error) {
	root, err := ProjectRoot()
	if err != nil {
		return nil, err
	}
	s := &Stack{Options: o, root: root, Folder: filepath.Join(root, ".local/prove", o.Name)}
	s.Messages = filepath.Join(s.Folder, "messages.log")
	// The folder is called mariadb also if SHOP_DATABASE names another server, such as mysql.
	s.MariaDB = s.server(cmp.Or(os.Getenv("SHOP_DATABASE"), "mariadb"), "mariadb")
	s.Redis = s.server("redis", "redis")
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
	if s.Release.Root == "" {
		s.Release = Release{Root: s.root, Programs: os.Getenv("SHOP_BIN")}
	}
	if s.Release.Programs == "" {
		s.Release.Programs = filepath.Join(s.root, ".local/prove/bin")
		if err := s.Release.Build(ctx); err != nil {
			return err
		}
	}
	if err := errors.Join(s.startServers(ctx), os.WriteFile(s.Messages, nil, 0o600)); err != nil {
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
	if !s.Balanced {
		return nil
	}
	return errors.Join(s.Front.Use(ctx, s.Storefronts...), s.Back.Use(ctx, s.Admins...))
}

// Addresses are those at which people reach the storefront and the admin: of the balancers, or of each replica.
func (s *Stack) Addresses() (storefront, admin []string) {
	if s.Balanced {
		return s.Front.URLs(), s.Back.URLs()
	}
	for _, r := range s.Storefronts {
		storefront = append(storefront, r.URL)
	}
	for _, r := range s.Admins {
		admin = append(admin, r.URL)
	}
	return storefront, admin
}

func (s *Stack) startServers(ctx context.Context) error {
	if len(s.DSNs) == 0 {
		if err := s.MariaDB.Start(ctx); err != nil {
			return err
		}
	}
	if len(s.RedisSettings) == 0 {
		return s.Redis.Start(ctx)
	}
	return nil
}

// Close ends everything. The data and the logs stay until the next start.
func (s *Stack) Close() error {
	replicas := slices.Concat(s.Storefronts, s.Admins)
	errs := make([]error, len(replicas))
	var stopped sync.WaitGroup
	for i, r := range replicas { // together, since each ends what is under way
		stopped.Go(func() {
			r.Plug()
			errs[i] = r.Stop()
			for _, wire := range r.wires {
				wire.Close()
			}
		})
	}
	stopped.Wait()
	for _, server := range append([]*Server{s.MariaDB, s.Redis}, s.spare...) {
		_ = server.Resume() // it does not run
		errs = append(errs, server.Stop(context.Background()))
		if server.Proxy != nil {
			server.Proxy.Close()
		}
	}
	for _, b := range []*Balancer{s.Front, s.Back} {
		if b != nil {
			b.Close()
		}
	}
	return errors.Join(errs...)
}

// DSN is the address of the shop's database for a test, past the proxy.
func (s *Stack) DSN() string {
	if len(s.DSNs) > 0 {
		return s.DSNs[0]
	}
	return ownerOf(s.MariaDB.Addr())
}

// ownerOf is the DSN with which shopctl reaches a database, to create and alter tables as well.
func ownerOf(address string) string { return "shop:shop@tcp(" + address + ")/shop" }

// as returns the DSN of the owner for a service, whose account can neither.
func as(service, dsn string) string {
	account := "shop_" + service
	return strings.Replace(dsn, "shop:shop@", account+":"+account+"@", 1)
}

// Control runs shopctl, which reaches the servers past the proxies, and returns what it printed.
func (s *Stack) Control(ctx context.Context, args ...string) (string, error) {
	return s.ControlOf(ctx, s.Release, args...)
}

// ControlOf runs the shopctl of another release.
func (s *Stack) ControlOf(ctx context.Context, r Release, args ...string) (string, error) {
	return s.answer(ctx, "", r, args...)
}

// Answer runs shopctl with an input.
func (s *Stack) Answer(ctx context.Context, input string, args ...string) (string, error) {
	return s.answer(ctx, input, s.Release, args...)
}

func (s *Stack) answer(ctx context.Context, input string, r Release, args ...string) (string, error) {
	env := append(slices.Clone(s.control), "ADMIN_MYSQL_DSN="+s.DSN())
	return answered(ctx, input, r.Root, env, filepath.Join(r.Programs, "shopctl"),
		append([]string{"--config", "deploy/admin/config.yaml"}, args...)...)
}

// Verify returns an error unless `shopctl verify` finds the books in order, without a word.
func (s *Stack) Verify(ctx context.Context) error { return s.VerifyAt(ctx, s.DSN()) }

// VerifyAt is Verify on another server, which has a copy of the database.
func (s *Stack) VerifyAt(ctx context.Context, dsn string) error {
	printed, err := output(ctx, s.Release.Root, append(slices.Clone(s.control), "ADMIN_MYSQL_DSN="+dsn),
		filepath.Join(s.Release.Programs, "shopctl"), "--config", "deploy/admin/config.yaml", "verify")
	if err == nil && printed != "" {
		err = fmt.Errorf("shopctl verify says:\n%s", printed)
	}
	return err
}

// replicas prepares the replicas without starting them.
func (s *Stack) replicas(ctx context.Context) (err error) {
	s.settings, s.names = map[string][]string{}, map[string]int{}
	notify := "http://127.0.0.1:1"
	if s.Balanced {
		s.Front, err = NewBalancer(ctx)
		if err != nil {
			return err
		}
		if s.Back, err = NewBalancer(ctx); err != nil {
			return err
		}
		notify = s.Front.URLs()[0]
	}
	for range s.Options.Storefronts {
		r, err := s.Prepare(ctx, "storefront", s.Release)
		if err != nil {
			return err
		}
		s.Storefronts = append(s.Storefronts, r)
	}
	for range s.Options.Admins {
		r, err := s.Prepare(ctx, "admin", s.Release)
		if err != nil {
			return err
		}
		s.Admins = append(s.Admins, r)
	}
	if s.Wired {
		last := []*Replica{s.Storefronts[len(s.Storefronts)-1], s.Admins[len(s.Admins)-1]}
		for _, r := range last {
			if err := r.wire(ctx); err != nil {
				return err
			}
		}
	}
	if len(s.Storefronts) > 0 && !s.Balanced {
		notify = s.Storefronts[0].URL
	}
	s.configure(notify)
	return nil
}

// configure makes the settings of all replicas and of shopctl. notify is the shop's address for the platform.
func (s *Stack) configure(notify string) {
	key, codes := rand.Text()+rand.Text(), rand.Text()+rand.Text()
	shared := append(slices.Clone(s.Set), "SECRETS_IDEMPOTENCY="+key, "DEMO=true", "DOCS_ENABLED=true",
		"SMS_SENDER=log", "MAIL_SENDER=log", "SMS_FILE="+s.Messages, "PAYMENT_PROVIDER=sandbox",
		"PAYMENT_NOTIFY_URL="+notify+"/wx/order/pay-notify", "STORAGE_DIR="+filepath.Join(s.Folder, "objects"),
		"STORAGE_BASE_URL="+notify+"/wx/storage/fetch/", "RATE_WRITES_PER_ADDRESS=0")
	shopper := append([]string{
		"SECRETS_CODES=" + codes, "RATE_WRITES_PER_SHOPPER=0", "RATE_FEEDBACK=0", "RATE_COMMENTS=0",
		"CODES_PER_ADDRESS=10000", "LOGIN_PER_ADDRESS=0", "LOGIN_PER_ACCOUNT=0",
	}, s.Storefront...)
	staff := append([]string{"RATE_WRITES_PER_OPERATOR=0", "LOGIN_PER_ADDRESS=0", "LOGIN_PER_ACCOUNT=0"}, s.Admin...)
	s.settings["storefront"] = environ("STOREFRONT_", shared, shopper)
	s.settings["admin"] = environ("ADMIN_", shared, staff)
	s.control = environ("ADMIN_", shared, staff, s.past())
}

// through are the settings with which a replica of a service reaches the servers, the nodes of a database in turn.
func (s *Stack) through(service string, turn int) []string {
	var dsn string
	switch n := len(s.DSNs); {
	case n > 0:
		dsn = s.DSNs[turn%n]
	case s.Direct:
		dsn = s.DSN()
	default:
		dsn = ownerOf(s.MariaDB.Proxy.Addr())
	}
	settings := append(s.past(), "MYSQL_DSN="+as(service, dsn))
	if len(s.RedisSettings) == 0 && !s.Direct {
		settings = append(settings, "REDIS_ADDR="+s.Redis.Proxy.Addr())
	}
	return settings
}

// past are the settings with which shopctl reaches the servers, past the proxies.
func (s *Stack) past() []string {
	settings := []string{"MYSQL_DSN=" + s.DSN()}
	if len(s.RedisSettings) == 0 {
		return append(settings, "REDIS_ADDR="+s.Redis.Addr())
	}
	return append(settings, s.RedisSettings...)
}

// Prepare adds a replica of a service, storefront or admin, that runs the program of a release. It does not start it.
func (s *Stack) Prepare(ctx context.Context, service string, release Release) (*Replica, error) {
	public, ops, err := twoPorts(ctx)
	if err != nil {
		return nil, err
	}
	way := s.through(service, s.names["storefront"]+s.names["admin"])
	s.names[service]++
	return &Replica{
		Name: fmt.Sprintf("%s-%d", service, s.names[service]), stack: s, service: service, release: release, more: way,
		URL: fmt.Sprintf("http://127.0.0.1:%d", public), Ops: fmt.Sprintf("http://127.0.0.1:%d", ops),
	}, nil
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

// ProjectRoot is the folder above us that has the workspace.
func ProjectRoot() (string, error) {
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
