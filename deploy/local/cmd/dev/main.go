// Command dev starts what make run, test, bench, reliability and docs need on one machine (private servers, the two
// services and a script) and stops it again. All state is below .local. deploy/local/dev.sh builds and starts it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"github.com/go-sql-driver/mysql"
)

const usage = `dev run | test | pages [ARGUMENT...] | abroad | bench | reliability | mutants [ARGUMENT...]   (of make)
dev docs [DIR] | up | down | clean
dev mariadb|mysql|redis start DIR PORT    a private server in any folder; prints its port: PORT, or the next free one
dev mariadb|mysql|redis stop DIR
dev galera|group|replica|sentinel|cluster start DIR PORT    several servers; prints their ports; again for missing ones
dev galera|group|replica|sentinel|cluster stop DIR`

func main() {
	// The kernel signals children when the thread that started them exits, so they are started from the main thread.
	runtime.LockOSThread()
	_ = mysql.SetLogger(new(mysql.NopLogger)) // it reports every attempt to reach a starting server
	ctx := signals()
	err := do(ctx, os.Args[1:])
	var s stopped
	switch {
	case errors.As(context.Cause(ctx), &s) && err != nil:
		os.Exit(128 + int(s.Signal))
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func do(ctx context.Context, args []string) error {
	root, err := filepath.EvalSymlinks(".")
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return err
	}
	switch {
	case len(args) > 2 && (single[args[0]] != nil || clusters[args[0]] != nil):
		return serve(ctx, root, args)
	case len(args) == 0:
	case args[0] == "up":
		return up(ctx, newStack(root, "run"))
	case args[0] == "down":
		return down(newStack(root, "run"))
	case args[0] == "clean":
		return clean(root)
	case tasks[args[0]].mysql != 0:
		return newStack(root, args[0]).run(ctx, args[1:])
	}
	return errors.New(usage)
}

// stopped is the cause of a context that a signal has ended.
type stopped struct{ syscall.Signal }

func (s stopped) Error() string { return "stopped: " + s.String() }

// signals returns a context that ends at the first signal to stop, also in the background of a script, where Ctrl-C
// would be ignored, and when the make that started this program is killed.
func signals() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	endWithParent()
	go func() {
		if s, ok := (<-heard).(syscall.Signal); ok {
			cancel(stopped{s})
		}
	}()
	return ctx
}

// single are the servers that can be started by themselves.
var single = map[string]func(dir string) *server{"mariadb": mariadb, "mysql": mysqld, "redis": redis}

// serve starts or stops one server, or all of a cluster. They keep running after this program exits.
func serve(ctx context.Context, root string, args []string) error {
	dir, err := filepath.Abs(args[2])
	if err != nil {
		return err
	}
	start, stop, nodes := lone(args[0], dir)
	if of, several := clusters[args[0]]; several {
		c := of(dir)
		start, stop, nodes = c.start, c.stop, c.nodes
	}
	switch {
	case args[1] == "stop":
		stop()
		return nil
	case args[1] != "start" || len(args) != 4:
		return errors.New(usage)
	}
	port, err := strconv.Atoi(args[3])
	if err = errors.Join(err, programs(ctx, root)); err != nil {
		return err
	}
	if err := start(ctx, port); err != nil {
		return err
	}
	for _, n := range nodes {
		fmt.Println(n.port())
	}
	return nil
}

// lone is a server by itself, and nothing for another name.
func lone(name, dir string) (start func(ctx context.Context, port int) error, stop func(), nodes []*server) {
	kind, ok := single[name]
	if !ok {
		return nil, nil, nil
	}
	s := kind(dir)
	s.kept = true
	return s.start, s.stop, []*server{s}
}
