package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// occupy listens on a port, unless another program does.
func occupy(t *testing.T, port int) {
	t.Helper()
	if l, err := listenOn(t.Context(), port); err == nil {
		t.Cleanup(func() { _ = l.Close() })
	}
}

// shopIn is the stack of make run in an empty folder.
func shopIn(t *testing.T) *stack {
	t.Helper()
	t.Setenv("SHOP_PORT", "")
	t.Setenv("ADMIN_PORT", "")
	s := newStack(t.TempDir(), "run")
	ok(t, os.MkdirAll(s.file("pid"), 0o700))
	ok(t, os.MkdirAll(s.file("log"), 0o700))
	ok(t, os.MkdirAll(s.file("bin"), 0o700))
	t.Cleanup(s.releasePorts)
	return s
}

// distinct fails unless the four ports differ from each other and from those that are taken.
func distinct(t *testing.T, s *stack, taken ...int) {
	t.Helper()
	ok(t, s.holdPorts(t.Context()))
	seen := map[string]bool{}
	for _, port := range taken {
		seen[fmt.Sprintf("http://127.0.0.1:%d", port)] = true
	}
	for _, url := range s.urls {
		if seen[url] {
			t.Errorf("%s is taken, in %v", url, s.urls)
		}
		seen[url] = true
	}
}

func TestFourPortsDifferWhateverIsTaken(t *testing.T) {
	s := shopIn(t)
	distinct(t, s)
	s.releasePorts()
	occupy(t, 8080)
	distinct(t, s, 8080)
	s.releasePorts()
	occupy(t, 8081)
	distinct(t, s, 8080, 8081)
	first := s.urls[0]
	distinct(t, s, 8080, 8081)
	if s.urls[0] != first {
		t.Errorf("%s, but the pictures of the demo shop are at %s", s.urls[0], first)
	}
	second := newStack(t.TempDir(), "run")
	ok(t, os.MkdirAll(second.state, 0o700))
	t.Cleanup(second.releasePorts)
	distinct(t, second, portOf(s.held[0]), portOf(s.held[1]), portOf(s.held[2]), portOf(s.held[3]))
}

func TestARememberedPortThatClashesIsDropped(t *testing.T) {
	for _, clash := range []int{8081, 9080} {
		s := shopIn(t)
		ok(t, replace(s.file("storefront.port"), strconv.Itoa(clash)))
		distinct(t, s)
		if kept := number(s.file("storefront.port")); kept == clash {
			t.Errorf("%d is kept, which is the port of another role", kept)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer l.Close()
	s := shopIn(t)
	ok(t, replace(s.file("storefront.port"), strconv.Itoa(portOf(l))))
	distinct(t, s, portOf(l))
}

func TestPortsAreChosen(t *testing.T) {
	s := shopIn(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	shop, admin := portOf(l), portOf(other)
	t.Setenv("SHOP_PORT", strconv.Itoa(shop))
	t.Setenv("ADMIN_PORT", strconv.Itoa(admin))
	if err := s.holdPorts(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("SHOP_PORT is %d", shop)) {
		t.Errorf("a taken port was chosen: %v", err)
	}
	ok(t, l.Close())
	ok(t, other.Close())
	s.ports[0] = admin // the chosen ports come first
	ok(t, s.holdPorts(t.Context()))
	if s.urls[0] != fmt.Sprintf("http://127.0.0.1:%d", shop) || s.urls[1] != fmt.Sprintf("http://127.0.0.1:%d", admin) {
		t.Error(s.urls)
	}
	for _, wrong := range []string{"x", "0", "65536"} {
		t.Setenv("SHOP_PORT", wrong)
		if err := s.holdPorts(t.Context()); err == nil || !strings.Contains(err.Error(), "1 to 65535") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// standIn is a service that answers on its port for operations. The first one finds its port taken.
func standIn() {
	marker := filepath.Join(os.Getenv("DEV_STAND_IN"), "begun")
	if os.Mkdir(marker, 0o700) == nil {
		fmt.Println("127.0.0.1:8080 is taken by another program; stop it")
		os.Exit(1)
	}
	service := strings.ToUpper(filepath.Base(os.Args[1]))
	_ = http.ListenAndServe(os.Getenv(service+"_OPS_LISTEN"), http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
}

// Another program takes a port between its choice and the start of the service.
func TestATakenPortIsTriedAgain(t *testing.T) {
	s := shopIn(t)
	s.dsn = "shop:shop@tcp(127.0.0.1:1)/shop"
	self, err := os.Executable()
	ok(t, err)
	t.Setenv("DEV_STAND_IN", t.TempDir())
	for _, service := range services {
		script := "#!/bin/sh\nexec '" + self + "' " + service + "\n"
		ok(t, os.WriteFile(s.file("bin/"+service), []byte(script), 0o700))
	}
	ok(t, os.WriteFile(s.file("bin/shopctl"), []byte("#!/bin/sh\n"), 0o700))
	t.Cleanup(s.end)
	ok(t, s.begin(t.Context()))
	for _, service := range services {
		if holder(s.lock(service)) == 0 {
			t.Errorf("%s does not run", service)
		}
	}
	contains(t, s.file("env"), s.urls[1])
}
