package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"
)

// task describes what is started for a make target. Each has its own folder and ports, so they can run side by side.
type task struct {
	folder       string            // below .local
	mysql, redis int               // ports of the servers, 0 for none
	ports        [4]int            // storefront, admin, and the operations of both
	servers      map[string]string // settings of the servers
	variables    [2]string         // of the environment that name servers to use instead
	chosen       [2]string         // of the environment that name the ports of storefront and admin
	fresh        bool              // delete the data of the previous run first
	database     string            // created empty for the shop; otherwise it keeps its data
	shop, open   bool              // set the shop up; start the services
	script       string            // to run then; without one the shop runs until a signal
}

// quick avoids waiting for the disk, and a file for each table, so that the many small databases of tests are created
// and emptied in less time. The data survives a kill of the server. What the server knows of the rows of a table
// follows their changes at once: figures that it keeps are renewed every ten seconds, in which a test has filled a
// table that is known as empty.
var quick = map[string]string{
	"FLUSH":         "2",
	"MARIADB_EXTRA": "--innodb-flush-method=nosync --sync-frm=0 --innodb-file-per-table=0 --innodb-stats-persistent=0",
}

var testServers = [2]string{"SHOP_TEST_MYSQL_DSN", "SHOP_TEST_REDIS_ADDR"}

var tasks = map[string]task{
	"run": {
		mysql: 13306, redis: 16379, ports: [4]int{8080, 8081, 9080, 9081}, shop: true, open: true,
		variables: [2]string{"SHOP_MYSQL_DSN", "SHOP_REDIS_ADDR"}, chosen: [2]string{"SHOP_PORT", "ADMIN_PORT"},
	},
	"test": {
		folder: "test", mysql: 13406, redis: 16479, servers: quick, variables: testServers, fresh: true,
		script: "test-all.sh",
	},
	// The end-to-end scenarios of make test, on its servers.
	"scenarios": {
		folder: "test/scenarios", mysql: 13416, redis: 16489, ports: [4]int{18080, 18081, 19080, 19081},
		variables: testServers, database: "shop_e2e", shop: true, open: true, script: "e2e.sh",
	},
	// The pages in a browser.
	"pages": {
		folder: "test/pages", mysql: 13456, redis: 16529, ports: [4]int{18070, 18071, 19070, 19071},
		variables: testServers, database: "shop_pages", shop: true, open: true, script: "pages.sh",
	},
	"docs": {folder: "docs", mysql: 13426, servers: quick, variables: testServers, script: "docs.sh"},
	// A million orders and their indexes have to fit into the buffer pool.
	"bench": {
		folder: "bench", mysql: 13446, redis: 16519, ports: [4]int{18090, 18091, 19090, 19091},
		servers: map[string]string{"BUFFER_POOL": "2G"}, database: "shop", shop: true, script: "bench.sh",
	},
	// The shops that are killed have servers of their own, in folders below.
	"prove": {
		folder: "prove", mysql: 13476, redis: 16549, servers: quick, variables: testServers, fresh: true,
		script: "prove.sh",
	},
	"mutants": {
		folder: "mutants", mysql: 13486, redis: 16559, servers: quick, variables: testServers, fresh: true,
		script: "mutants.sh",
	},
}

var services = []string{"storefront", "admin"}

// stack is the running state of a task: the servers, the programs and the two services.
type stack struct {
	task
	name, root, state string
	mariadb, redis    *server
	dsn, addr         string // of the servers in use, private or not
	urls              [4]string
	held              [4]net.Listener   // of the ports until the services listen on them
	settings          map[string]string // the environment of the services
	running           map[string]*process
	temporary         bool // the database is dropped at the end
}

func newStack(root, name string) *stack {
	s := &stack{task: tasks[name], name: name, root: root, state: filepath.Join(root, ".local", tasks[name].folder)}
	s.mariadb, s.redis, s.running = mariadb(s.file("mariadb")), redis(s.file("redis")), map[string]*process{}
	return s
}

func (s *stack) file(name string) string { return filepath.Join(s.state, name) }
func (s *stack) lock(name string) string { return s.file("pid/" + name) }
func (s *stack) log(name string) string  { return s.file("log/" + name + ".log") }

// lasting reports whether make up has started the servers: they run until make down.
func (s *stack) lasting() bool {
	_, err := os.Stat(s.file("up"))
	return err == nil
}

// claim creates the folders, locks the task until this program exits, and stops what a killed run left behind.
func (s *stack) claim() error {
	for _, dir := range []string{"pid", "log", "objects", "bin"} {
		if err := os.MkdirAll(s.file(dir), 0o700); err != nil {
			return err
		}
	}
	lock, err := hold(s.lock(s.name))
	if errors.Is(err, errHeld) {
		return fmt.Errorf("make %s is running here already: end it first, with Ctrl-C or kill %d",
			s.name, holder(s.lock(s.name)))
	}
	if err == nil {
		_, err = fmt.Fprintln(lock, os.Getpid())
		claimed = append(claimed, lock) // a collected handle would be closed and release the lock
		s.end()
	}
	return err
}

var claimed []*os.File

// end stops everything that runs in the folder, except servers that make up has started.
func (s *stack) end() {
	end(s.lock("step"), 40*time.Second)
	s.endServices()
	if !s.lasting() {
		s.mariadb.stop()
		s.redis.stop()
	}
}

// endServices ends both services, in parallel: each completes its open requests.
func (s *stack) endServices() {
	var both sync.WaitGroup
	for _, name := range services {
		both.Go(func() { end(s.lock(name), 30*time.Second) })
	}
	both.Wait()
}

// startServers starts each private server, unless the environment names another one.
func (s *stack) startServers(ctx context.Context) error {
	s.dsn, s.addr = os.Getenv(s.variables[0]), os.Getenv(s.variables[1])
	// A shell that has sourced our own .local/env names the private servers themselves.
	if os.Getenv("SHOP_ENV_OF") == s.state && s.dsn == s.mariadb.dsn() {
		s.dsn = ""
	}
	if os.Getenv("SHOP_ENV_OF") == s.state && s.addr == s.redis.addr() {
		s.addr = ""
	}
	if s.dsn != "" && (s.addr != "" || s.task.redis == 0) {
		return nil
	}
	for name, value := range s.servers {
		if err := os.Setenv(name, cmp.Or(os.Getenv(name), value)); err != nil {
			return err
		}
	}
	if err := programs(ctx, s.root); err != nil {
		return err
	}
	s.mariadb.kept, s.redis.kept = s.lasting(), s.lasting()
	if s.dsn == "" {
		if s.fresh {
			_ = os.RemoveAll(s.mariadb.dir)
		}
		if err := s.mariadb.start(ctx, s.mysql); err != nil {
			return err
		}
		s.dsn = s.mariadb.dsn()
	}
	if s.addr == "" && s.task.redis != 0 {
		if err := s.redis.start(ctx, s.task.redis); err != nil {
			return err
		}
		s.addr = s.redis.addr()
	}
	return nil
}

// database returns the DSN of the server in use with another database, or none.
func (s *stack) database(name string) string {
	config, err := mysql.ParseDSN(s.dsn)
	if err != nil {
		return s.dsn // connecting reports what is wrong
	}
	config.DBName = name
	return config.FormatDSN()
}

// configure chooses the ports and prepares the environment of both services. shopctl reads that of admin.
func (s *stack) configure(ctx context.Context) error {
	if err := s.holdPorts(ctx); err != nil {
		return err
	}
	var addresses [4]string
	for i, url := range s.urls {
		addresses[i] = strings.TrimPrefix(url, "http://")
	}
	key := rand.Text() + rand.Text()
	s.settings = map[string]string{
		"STOREFRONT_SECRETS_CODES": rand.Text() + rand.Text(),
		// The mini program sends its pictures without a token.
		"STOREFRONT_STORAGE_UPLOAD_REQUIRES_LOGIN": "false",
		// Tests and benchmarks send all requests from one address and as a few shoppers and operators.
		"STOREFRONT_RATE_WRITES_PER_SHOPPER": "0", "STOREFRONT_RATE_FEEDBACK": "0", "STOREFRONT_RATE_COMMENTS": "0",
		"STOREFRONT_CODES_PER_ADDRESS": "10000", "ADMIN_RATE_WRITES_PER_OPERATOR": "0",
	}
	for i, prefix := range []string{"STOREFRONT_", "ADMIN_"} {
		for name, value := range map[string]string{
			"LISTEN": addresses[i], "OPS_LISTEN": addresses[i+2], "SECRETS_IDEMPOTENCY": key,
			"MYSQL_DSN": s.dsn, "REDIS_ADDR": s.addr, "DEMO": "true", "DOCS_ENABLED": "true",
			"SMS_SENDER": "log", "MAIL_SENDER": "log", "SMS_FILE": s.file("messages.log"),
			"PAYMENT_PROVIDER": "sandbox", "PAYMENT_NOTIFY_URL": s.urls[0] + "/wx/order/pay-notify",
			"STORAGE_DIR": s.file("objects"), "STORAGE_BASE_URL": s.urls[0] + "/wx/storage/fetch/",
			"RATE_WRITES_PER_ADDRESS": "0", "STOP_DELAY": "0s",
		} {
			s.settings[prefix+name] = value
		}
	}
	return nil
}

// The addresses are for people and the scenarios. The services would report them as unknown variables.
var urlNames = []string{"STOREFRONT_URL", "ADMIN_URL", "STOREFRONT_OPS_URL", "ADMIN_OPS_URL"}

// environ returns the environment with the settings of the services and the servers of the tests.
func (s *stack) environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(urlNames, name)
	})
	for name, value := range s.settings {
		env = append(env, name+"="+value)
	}
	return append(env, testServers[0]+"="+s.database(""), testServers[1]+"="+s.addr, "SHOP_STATE="+s.state)
}

// writeEnv writes .local/env: the servers, and once configured the services and the settings that shopctl needs.
func (s *stack) writeEnv() error {
	env := map[string]string{"SHOP_ENV_OF": s.state, "SHOP_MYSQL_DSN": s.dsn, "SHOP_REDIS_ADDR": s.addr}
	if s.settings != nil {
		env["SHOP_MESSAGES"], env["SHOP_BIN"] = s.file("messages.log"), s.program("")
		for i, name := range urlNames {
			env[name] = s.urls[i]
		}
	}
	for name, value := range s.settings {
		if strings.HasPrefix(name, "ADMIN_") && !strings.HasSuffix(name, "LISTEN") {
			env[name] = value
		}
	}
	text := "# What is running, for scripts and people: . .local/env\n"
	for _, name := range slices.Sorted(maps.Keys(env)) {
		text += "export " + name + "='" + strings.ReplaceAll(env[name], "'", `'\''`) + "'\n"
	}
	return replace(s.file("env"), text)
}

// step runs a program in the project's folder; what describes it in the error.
func (s *stack) step(ctx context.Context, what, program string, args ...string) error {
	cmd := command(ctx, program, args...)
	cmd.Dir, cmd.Env = s.root, s.environ()
	if err := step(ctx, s.lock("step"), cmd); err != nil {
		return fmt.Errorf("%s: %w (see above)", what, err)
	}
	return nil
}

// startService starts a service and waits until it is ready.
func (s *stack) startService(ctx context.Context, i int) error {
	name := services[i]
	_ = os.Rename(s.log(name), s.log(name)+".1")
	log, err := os.Create(s.log(name))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := command(ctx, s.program(name), "--config", "deploy/"+name+"/config.yaml")
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.root, append(s.environ(), s.account(name)...), log, log
	s.releasePort(i)
	s.releasePort(i + 2)
	if s.running[name], err = start(s.lock(name), false, cmd); err != nil {
		return err
	}
	ready := func(ctx context.Context) error { return get(ctx, s.urls[i+2]+"/readyz") }
	err = s.running[name].await(ctx, ready)
	if err != nil && ctx.Err() == nil {
		text := lastLines(s.log(name))
		if errors.Is(err, errEnded) && strings.Contains(text, "is taken by another program") {
			err = errTaken
		}
		err = fmt.Errorf("%s did not start: %w. %s", name, err, text)
	}
	return err
}

// errTaken says that another program took a port between its choice and the start of the service.
var errTaken = errors.New("another program has taken its port")

// account is the setting with which a service uses its account on the private server, as it does when it is deployed.
func (s *stack) account(service string) []string {
	config, err := mysql.ParseDSN(s.dsn)
	if err != nil || config.Addr != s.mariadb.addr() {
		return nil
	}
	config.User, config.Passwd = "shop_"+service, "shop_"+service
	return []string{strings.ToUpper(service) + "_MYSQL_DSN=" + config.FormatDSN()}
}

// get succeeds if the answer has status 200.
func get(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return nil
}
