package containers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/client"
)

// largest is how many bytes of an image may go over the network.
const largest = 40_000_000

// TestContainers installs the shop in containers, buys in it while a replica is killed, and removes it.
func TestContainers(t *testing.T) {
	s := newSite(t)
	said := s.follow()
	password := regexp.MustCompile(`password: (\S+)`).FindStringSubmatch(said)
	if password == nil {
		t.Fatalf("the commands show no password:\n%s", said)
	}
	s.say("the commands of install.md: images built, shop installed and scaled")
	s.images()
	s.running(3, 2)
	world := s.world()
	home, err := world.Storefront.Guest().Get(t.Context(), "/wx/home/index")
	must(t, err)
	if !home.Get("newGoodsList").Exists() {
		t.Errorf("the home page is %.200s", home.Raw)
	}
	_, err = world.Operator(t.Context(), "shopkeeper", password[1])
	must(t, err)
	s.say("https://shop.example.com answers with the certificate of deploy/secrets; the operator logs in at port 8443")
	s.demo()
	s.running(3, 2)
	s.buy(world)
	if said := s.do("exec", "-T", "admin", "shopctl", "verify"); said != "" {
		t.Errorf("shopctl verify says:\n%s", said)
	}
	s.say("shopctl verify prints nothing")
	s.stop()
}

// images checks what is in the images.
func (s *site) images() {
	s.t.Helper()
	for _, name := range []string{"storefront", "admin"} {
		image := "shop/" + name + ":" + version
		size, err := strconv.Atoi(s.inspect(image, "{{.Size}}"))
		must(s.t, err)
		if user := s.inspect(image, "{{.Config.User}}"); user != "65532:65532" {
			s.t.Errorf("%s runs as %q", image, user)
		}
		packed, err := s.run(s.t.Context(), "bash", "-o", "pipefail", "-c", "docker save "+image+" | gzip | wc -c")
		must(s.t, err)
		moved, err := strconv.Atoi(packed)
		must(s.t, err)
		if moved > largest {
			s.t.Errorf("%s has %d bytes", image, moved)
		}
		s.say("the image of %s has %.0f MB to pull, %.0f MB unpacked", name, float64(moved)/1e6, float64(size)/1e6)
	}
}

// running checks that so many containers of each service run, without rights.
func (s *site) running(storefronts, admins int) {
	s.t.Helper()
	for service, want := range map[string]int{"storefront": storefronts, "admin": admins, "mysql": 1, "redis": 1, "proxy": 1} {
		list := s.of(service)
		if len(list) != want {
			s.t.Errorf("%d containers of %s, not %d", len(list), service, want)
		}
		for _, c := range list {
			if c.State != "running" || c.Health != "healthy" && service != "proxy" {
				s.t.Errorf("%s is %s, %s", c.Name, c.State, c.Health)
			}
			if service != "storefront" && service != "admin" {
				continue
			}
			const template = "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}} {{.HostConfig.Privileged}}"
			if rights := s.inspect(c.ID, template); rights != "true [ALL] [no-new-privileges:true] false" {
				s.t.Errorf("%s has the rights %s", c.Name, rights)
			}
		}
	}
	for _, c := range s.of("setup") {
		if c.State != "exited" || c.ExitCode != 0 {
			s.t.Errorf("%s is %s, exit code %d", c.Name, c.State, c.ExitCode)
		}
	}
}

// world is the shop at its public addresses, with its own certificate.
func (s *site) world() *client.Shop {
	s.t.Helper()
	pem, err := os.ReadFile(filepath.Join(s.dir, "deploy/secrets/tls.crt"))
	must(s.t, err)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		s.t.Fatal("deploy/secrets/tls.crt is no certificate")
	}
	here := func(ctx context.Context, network, address string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	}
	world := client.New([]string{"https://shop.example.com"}, []string{"https://shop.example.com:8443"})
	world.Through(&http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, DialContext: here, MaxIdleConnsPerHost: 64,
	})
	world.Patient()
	return world
}

// settings make a demo of the shop, in which a sandbox pays.
const settings = `services:
  setup: {environment: {ADMIN_DEMO: "true"}, command: [setup, --demo]}
  admin:
    environment:
      ADMIN_DEMO: "true"
      ADMIN_PAYMENT_PROVIDER: sandbox
      ADMIN_PAYMENT_NOTIFY_URL: http://127.0.0.1:8080/wx/order/pay-notify
  storefront:
    environment:
      STOREFRONT_DEMO: "true"
      STOREFRONT_PAYMENT_PROVIDER: sandbox
      STOREFRONT_PAYMENT_NOTIFY_URL: http://127.0.0.1:8080/wx/order/pay-notify
      STOREFRONT_RATE_WRITES_PER_ADDRESS: "0"
      STOREFRONT_LOGIN_PER_ADDRESS: "0"
`

// demo loads demo goods and accounts.
func (s *site) demo() {
	s.t.Helper()
	file := filepath.Join(s.dir, "demo.yaml")
	must(s.t, os.WriteFile(file, []byte(settings), 0o600))
	s.more = []string{file}
	s.do("up", "--wait", "--scale", "storefront=3", "--scale", "admin=2")
	s.say("the demo shop is loaded, with a sandbox of the payment platform")
}

const (
	buyers    = 12
	purchases = 8
)

// buy has shoppers buy while a storefront is killed. Each request is repeated under its key until it is answered.
func (s *site) buy(world *client.Shop) {
	s.t.Helper()
	ctx := s.t.Context()
	goods, err := world.GoodsOnSale(ctx, 10)
	must(s.t, err)
	if len(goods) == 0 {
		s.t.Fatal("the demo shop has no goods")
	}
	var repeated, bought, paid atomic.Int64
	half := make(chan struct{})
	var all sync.WaitGroup
	for i := range buyers {
		all.Go(func() {
			name := fmt.Sprintf("demo%d", i+1)
			me, err := retried(&repeated, func() (*client.Shopper, error) { return world.Shopper(ctx, name, client.Password) })
			for n := 0; err == nil && n < purchases; n++ {
				var status int64
				status, err = purchase(ctx, me, goods[(i+n)%len(goods)], fmt.Sprintf("%s-%d", name, n), &repeated)
				if err != nil {
					break
				}
				if status == client.Paid {
					paid.Add(1)
				}
				if bought.Add(1) == buyers*purchases/2 {
					close(half)
				}
			}
			if err != nil {
				s.t.Errorf("%s: %v", name, err)
			}
		})
	}
	select {
	case <-half:
	case <-time.After(2 * time.Minute):
		s.t.Error("half of the orders are not placed within two minutes")
	}
	killed := s.of("storefront")[0]
	pid, err := strconv.Atoi(s.inspect(killed.ID, "{{.State.Pid}}"))
	must(s.t, err)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		s.t.Logf("no storefront is killed, the engine runs elsewhere: %v", err)
	}
	all.Wait()
	s.say("%d shoppers placed %d orders through the proxy while %s was killed, and paid %d of them; %d requests were repeated",
		buyers, bought.Load(), killed.Name, paid.Load(), repeated.Load())
	if lost := buyers*purchases - paid.Load(); lost > buyers {
		s.t.Errorf("%d orders are not paid", lost)
	}
	for end := time.Now().Add(time.Minute); s.inspect(killed.ID, "{{.State.Health.Status}}") != "healthy"; time.Sleep(time.Second) {
		if time.Now().After(end) {
			s.t.Fatalf("%s does not come back", killed.Name)
		}
	}
	s.say("%s is healthy again, restarted %s time", killed.Name, s.inspect(killed.ID, "{{.RestartCount}}"))
}

// purchase places an order, waits until it is paid, and returns its last state. The sandbox runs in the storefronts: the
// one that is killed forgets the payments that had just begun, at most one of each shopper.
func purchase(ctx context.Context, me *client.Shopper, g client.Goods, key string, repeated *atomic.Int64) (int64, error) {
	item, err := retried(repeated, func() (int64, error) { return me.Put(ctx, g, 1) })
	if err != nil {
		return 0, err
	}
	order, err := retried(repeated, func() (int64, error) { return me.Submit(ctx, item, nil, "Idempotency-Key", key) })
	if err != nil {
		return 0, err
	}
	if _, err := retried(repeated, func() (int64, error) { return 0, me.Prepay(ctx, order) }); err != nil {
		return 0, err
	}
	var o client.Order
	for range 40 {
		o, err = retried(repeated, func() (client.Order, error) { return me.Order(ctx, order) })
		if err != nil || o.Status == client.Paid {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	return o.Status, err
}

// retried repeats a call that had no answer of the shop: the replica was killed, and the proxy does not know it yet.
func retried[T any](repeated *atomic.Int64, call func() (T, error)) (T, error) {
	for n := 1; ; n++ {
		v, err := call()
		var refused *client.RefusedError
		if err == nil || n == 20 || errors.As(err, &refused) && refused.Answer.Errno >= 0 {
			return v, err
		}
		repeated.Add(1)
		time.Sleep(300 * time.Millisecond) // lasts: the pause between two of twenty tries
	}
}

// stop ends the services in order: each drains and leaves with exit code 0.
func (s *site) stop() {
	s.t.Helper()
	begin := time.Now()
	s.do("stop", "storefront", "admin")
	var ended []string
	for _, service := range []string{"storefront", "admin"} {
		for _, c := range s.of(service) {
			if c.State != "exited" || c.ExitCode != 0 {
				s.t.Errorf("%s is %s with exit code %d", c.Name, c.State, c.ExitCode)
			}
			ended = append(ended, c.Name)
		}
	}
	s.say("ok: %s were stopped in %.0f s, each with exit code 0", strings.Join(ended, ", "), time.Since(begin).Seconds())
}
