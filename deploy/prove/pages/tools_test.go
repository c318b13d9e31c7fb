package pages

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql" // for database/sql
	"github.com/redis/go-redis/v9"
)

// machine is what the tools know about the machine that the pages are followed on. They are this program under other
// names, so that the tests need neither the clients of the servers nor systemd.
type machine struct {
	Root      string            // a folder for what the pages write to /etc, /opt and /var
	Programs  string            // the built programs
	Socket    string            // of the database, for its root
	Redis     string            // address
	Settings  map[string]string // that the services need beside those of the pages: free ports instead of the usual ones
	Addresses map[string]string // by the address in the pages
}

// knows is the variable that leads a tool to the machine.
const knows = "SHOP_PAGES_MACHINE"

var tools = map[string]func(ctx context.Context, m machine, args []string) error{
	"mysql": mysqlTool, "redis-cli": redisTool, "curl": curlTool, "systemctl": systemctlTool, "make": makeTool,
	"openssl": opensslTool, "useradd": nothing, "chown": nothing,
}

func TestMain(m *testing.M) {
	tool, called := tools[filepath.Base(os.Args[0])]
	if !called {
		os.Exit(m.Run())
	}
	var on machine
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	text, err := os.ReadFile(os.Getenv(knows))
	if err == nil {
		err = json.Unmarshal(text, &on)
	}
	if err == nil {
		err = tool(ctx, on, os.Args[1:])
	}
	cancel()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}

func nothing(context.Context, machine, []string) error { return nil }

// valueOf returns what follows an argument.
func valueOf(args []string, name string) string {
	if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

// mysqlTool executes the statements of -e or of its input as root.
func mysqlTool(ctx context.Context, m machine, args []string) error {
	db, err := sql.Open("mysql", "root@unix("+m.Socket+")/?multiStatements=true")
	if err != nil {
		return err
	}
	defer db.Close()
	if valueOf(args, "-u") != "root" {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	text := []byte(valueOf(args, "-e"))
	if len(text) == 0 {
		if text, err = io.ReadAll(os.Stdin); err != nil {
			return err
		}
	}
	_, err = db.ExecContext(ctx, string(text))
	return err
}

// redisTool executes a command of Redis.
func redisTool(ctx context.Context, m machine, args []string) error {
	password := valueOf(args, "-a")
	db := redis.NewClient(&redis.Options{Addr: m.Redis, Password: password, Protocol: 2, DisableIdentity: true})
	defer db.Close()
	var command []any
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-h", "-a":
			i++
		case "--no-auth-warning":
		default:
			command = append(command, args[i])
		}
	}
	said, err := db.Do(ctx, command...).Result()
	if err == nil {
		fmt.Println(said)
	}
	return err
}

// curlTool sends a request.
func curlTool(ctx context.Context, _ machine, args []string) error {
	method, address, body, header := http.MethodGet, "", "", http.Header{}
	fail := false
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-s", "--silent":
		case "--fail":
			fail = true
		case "-H":
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		case "-d":
			i++
			method, body = http.MethodPost, args[i]
		default:
			if address != "" {
				return fmt.Errorf("unexpected argument %s", args[i])
			}
			address = args[i]
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = header
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if fail && answer.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s: %s", address, answer.Status)
	}
	_, err = io.Copy(os.Stdout, answer.Body)
	return err
}

// opensslTool makes a certificate and its key for a name, as `openssl req -x509` does.
func opensslTool(_ context.Context, _ machine, args []string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	_, name, _ := strings.Cut(valueOf(args, "-addext"), "DNS:")
	made := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: time.Now(), NotAfter: time.Now().Add(24 * time.Hour),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, made, made, key.Public(), key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(valueOf(args, "-keyout"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
		os.WriteFile(valueOf(args, "-out"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600))
}

// makeTool hands out the programs, which are built already.
func makeTool(_ context.Context, m machine, args []string) error {
	if !slices.Equal(args, []string{"build"}) {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	return os.CopyFS(filepath.Join(m.Root, "build"), os.DirFS(m.Programs))
}

// systemctlTool starts and restarts services as their units say, and waits until they tell that they are ready.
func systemctlTool(ctx context.Context, m machine, args []string) error {
	if slices.Equal(args, []string{"daemon-reload"}) {
		return nil
	}
	names, found := slices.Clone(args), false
	for _, verb := range [][]string{{"enable", "--now"}, {"restart"}, {"stop"}} {
		if len(args) > len(verb) && slices.Equal(args[:len(verb)], verb) {
			names, found = args[len(verb):], true
		}
	}
	if !found {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	for _, name := range names {
		if err := m.end(ctx, name); err != nil {
			return err
		}
		if args[0] == "stop" {
			continue
		}
		if err := m.begin(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (m machine) file(path ...string) string {
	return filepath.Join(append([]string{m.Root}, path...)...)
}

// begin starts a service by its unit.
func (m machine) begin(ctx context.Context, name string) error {
	unit := map[string]string{}
	text, err := os.ReadFile(m.file("etc/systemd/system", name+".service"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		unit[key] = value
	}
	env, err := os.ReadFile(m.file(unit["EnvironmentFile"]))
	if err != nil {
		return err
	}
	command := strings.Fields(unit["ExecStart"])
	for i, word := range command {
		if strings.HasPrefix(word, "/") {
			command[i] = m.file(word)
		}
	}
	log, err := os.Create(m.file(name + ".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	ready := m.file(name + ".sock")
	_ = os.Remove(ready)
	heard, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: ready, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer heard.Close()
	cmd := exec.Command(command[0], command[1:]...) // as the unit says; it outlives this program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, m.Root
	cmd.Env = append(strings.Fields(string(env)), "NOTIFY_SOCKET="+ready)
	for setting, value := range m.Settings {
		if strings.HasPrefix(setting, strings.ToUpper(name)+"_") {
			cmd.Env = append(cmd.Env, setting+"="+value)
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := os.WriteFile(m.file(name+".pid"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
		return err
	}
	until, _ := ctx.Deadline()
	if err := heard.SetReadDeadline(until); err != nil {
		return err
	}
	gone := make(chan error, 1)
	go func() {
		gone <- cmd.Wait()
		_ = heard.Close()
	}()
	for said := make([]byte, 4096); ; {
		n, err := heard.Read(said)
		switch {
		case err != nil:
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("it does not tell that it is ready: %w\n%s", err, text)
		case strings.Contains(string(said[:n]), "READY=1"):
			return nil
		}
	}
}

// end stops a service with SIGTERM and waits.
func (m machine) end(ctx context.Context, name string) error {
	text, err := os.ReadFile(m.file(name + ".pid"))
	if err != nil {
		return nil // it was not started
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return err
	}
	for running := syscall.Kill(pid, syscall.SIGTERM); running == nil && ctx.Err() == nil; {
		time.Sleep(20 * time.Millisecond)
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, _ := strings.Cut(string(stat), ") "); err != nil || strings.HasPrefix(state, "Z") {
			break
		}
	}
	return ctx.Err()
}
