package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// run performs the task, then stops everything that it started.
func (s *stack) run(ctx context.Context, args []string) error {
	if err := s.claim(); err != nil {
		return err
	}
	defer s.leave(ctx)
	fmt.Fprintln(os.Stderr, "starting the servers")
	if err := s.startServers(ctx); err != nil {
		return err
	}
	if s.shop {
		if err := s.build(ctx); err != nil {
			return err
		}
		if err := s.begin(ctx); err != nil {
			return err
		}
	}
	if s.script != "" {
		return s.step(ctx, "deploy/local/"+s.script, "deploy/local/"+s.script, args...)
	}
	s.greet(ctx)
	err := s.watch(ctx)
	fmt.Println("stopping")
	return err
}

// begin sets the shop up and starts its services. Where another program takes one of the ports meanwhile, it begins
// again with others.
func (s *stack) begin(ctx context.Context) error {
	if err := s.createDatabase(ctx); err != nil {
		return err
	}
	defer s.releasePorts()
	for tries := 1; ; tries++ {
		err := s.setup(ctx)
		if err == nil && s.open {
			err = s.startServices(ctx)
		}
		if !errors.Is(err, errTaken) || tries == 3 {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
		fmt.Fprintln(os.Stderr, "starting again with other ports")
		s.endServices()
	}
}

func (s *stack) startServices(ctx context.Context) error {
	fmt.Println("starting the services")
	for i := range services {
		if err := s.startService(ctx, i); err != nil {
			return err
		}
	}
	return s.writeEnv()
}

// build builds the programs, unless SHOP_BUILT names a folder with those of this checkout.
func (s *stack) build(ctx context.Context) error {
	if os.Getenv("SHOP_BUILT") != "" {
		return nil
	}
	fmt.Println("building storefront, admin and shopctl (the first time this takes minutes, then seconds)")
	return s.step(ctx, "the services do not build", "env", "OUT="+s.file("bin"), "deploy/local/build.sh",
		"./services/storefront/cmd/storefront", "./services/admin/cmd/admin", "./services/admin/cmd/shopctl")
}

// program is the path of a built program.
func (s *stack) program(name string) string {
	return filepath.Join(cmp.Or(os.Getenv("SHOP_BUILT"), s.file("bin")), name)
}

// createDatabase creates an empty database for a task that has one of its own.
func (s *stack) createDatabase(ctx context.Context) error {
	name := s.task.database
	if name == "" {
		return nil
	}
	if err := execute(ctx, s.database(""), "DROP DATABASE IF EXISTS "+name,
		"CREATE DATABASE "+name+" CHARACTER SET utf8mb4"); err != nil {
		return err
	}
	s.temporary = s.dsn != s.mariadb.dsn()
	s.dsn = s.database(name)
	if err := s.emptyRedis(ctx); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(s.file("objects")), os.Mkdir(s.file("objects"), 0o700))
}

// emptyRedis empties the logical database of the task. A server that has fewer databases serves with its first one, as
// it is: tests keep there which databases are theirs.
func (s *stack) emptyRedis(ctx context.Context) error {
	_, err := askAt(ctx, s.addr, fmt.Sprintf(`EVAL "redis.call('SELECT', ARGV[1]) redis.call('FLUSHDB')" 0 %d`, s.redisDB))
	if err != nil && strings.Contains(err.Error(), "out of range") {
		s.redisDB = 0
		return nil
	}
	return err
}

// setup sets the shop up, in China with its demo data.
func (s *stack) setup(ctx context.Context) error {
	messages, err := os.OpenFile(s.file("messages.log"), os.O_CREATE|os.O_APPEND, 0o600)
	if err = errors.Join(err, messages.Close(), s.configure(ctx)); err != nil {
		return err
	}
	fmt.Println("setting the shop up")
	const failed = "the shop cannot start on this database"
	args := []string{"--config", "deploy/admin/config.yaml", "setup"}
	if s.country == "" {
		return s.step(ctx, failed, s.program("shopctl"), append(args, "--demo")...)
	}
	const asked = `echo demo-shop-1 | exec "$@" --operator keeper --password-stdin`
	return s.step(ctx, failed, "sh", append([]string{"-c", asked, "sh", s.program("shopctl")}, args...)...)
}

// leave stops everything except the servers of make up, which .local/env then describes alone.
func (s *stack) leave(ctx context.Context) {
	s.end()
	if s.temporary {
		_ = execute(context.WithoutCancel(ctx), s.database(""), "DROP DATABASE IF EXISTS "+s.task.database)
	}
	_ = os.Remove(s.file("env"))
	if s.lasting() {
		s.settings, s.dsn, s.addr = nil, s.mariadb.dsn(), s.redis.addr()
		_ = s.writeEnv()
	}
}

func (s *stack) greet(ctx context.Context) {
	var pages [2]string
	for i := range pages {
		if get(ctx, s.urls[i]+"/docs/") == nil {
			pages[i] = "API page " + s.urls[i] + "/docs/, "
		}
	}
	_, address, _ := strings.Cut(s.dsn, "@")
	fmt.Printf(`
The shop is open:   %[1]s/
The staff console:  %[4]s/   (operators super, goods and clerk, password demo-shop-1)

  storefront   %[1]s    (%[2]soperations %[3]s)
  admin        %[4]s    (%[5]soperations %[6]s)
  MySQL        %[7]s%[8]s
  Redis        %[9]s%[10]s
  shoppers     demo1 to demo200, operators super, goods and clerk; the password of all is demo-shop-1
  text messages go to .local/messages.log, all addresses are in .local/env

Ctrl-C stops everything. The services' logs follow.

`, s.urls[0], pages[0], s.urls[2], s.urls[1], pages[1], s.urls[3],
		address, map[bool]string{true: " (private, user shop, password shop)"}[s.dsn == s.mariadb.dsn()],
		s.addr, map[bool]string{true: " (private)"}[s.addr == s.redis.addr()])
	go follow(ctx, s.log("storefront"), "storefront| ")
	go follow(ctx, s.log("admin"), "admin     | ")
}

// follow prints a log as it grows and puts the prefix before each line.
func follow(ctx context.Context, file, prefix string) {
	log, err := os.Open(file)
	if err != nil {
		return
	}
	defer log.Close()
	lines, line := bufio.NewReader(log), ""
	for ctx.Err() == nil {
		text, err := lines.ReadString('\n')
		if line += text; err != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		fmt.Print(prefix + line)
		line = ""
	}
}

// watch returns nil when ctx ends, the normal end of make run, and an error when a server or a service has ended.
func (s *stack) watch(ctx context.Context) error {
	for {
		for _, server := range []*server{s.mariadb, s.redis} {
			if (s.dsn == server.dsn() || s.addr == server.addr()) && !server.alive() {
				return fmt.Errorf("%s has ended; its log is %s. make run starts it again with its data", server.name, server.log())
			}
		}
		for _, name := range services {
			select {
			case <-s.running[name].done:
				time.Sleep(300 * time.Millisecond) // follow prints the end of the log
				return fmt.Errorf("%s has ended (%s). %s", name, s.running[name].state, lastLines(s.log(name)))
			default:
			}
		}
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), stopped{syscall.SIGPIPE}) {
				return context.Cause(ctx)
			}
			return nil
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// up starts the private servers alone, for work on the services in an editor.
func up(ctx context.Context, s *stack) error {
	if err := s.claim(); err != nil {
		return err
	}
	s.variables = [2]string{}
	lasting := s.lasting()
	err := replace(s.file("up"), "")
	if err = errors.Join(err, s.startServers(ctx)); err != nil {
		if !lasting {
			_ = os.Remove(s.file("up"))
			s.end()
		}
		return err
	}
	fmt.Printf("MySQL %s\nRedis %s\n(both are in .local/env; make down stops them)\n", s.dsn, s.addr)
	return s.writeEnv()
}

func down(s *stack) error {
	if err := s.claim(); err != nil {
		return err
	}
	_, _ = os.Remove(s.file("up")), os.Remove(s.file("env"))
	s.end()
	fmt.Println("stopped")
	return nil
}

// clean stops every task and what it started, and removes .local.
func clean(root string) error {
	for name := range tasks {
		s := newStack(root, name)
		_ = os.Remove(s.file("up"))
		end(s.lock(name), time.Minute)
		s.end()
	}
	fmt.Println("removing .local")
	return os.RemoveAll(root + "/.local")
}
