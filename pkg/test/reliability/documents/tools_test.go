package documents

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
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	"mysql": mysqlTool, "mariadb": mysqlTool, "redis-cli": redisTool, "curl": curlTool, "systemctl": systemctlTool,
	"make": makeTool, "openssl": opensslTool, "groupadd": addTool, "useradd": addTool, "chown": chownTool, "apt-get": aptTool,
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
	if user := valueOf(args, "-u"); user != "root" && len(args) > 0 {
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
	method, address, body, header, fail := http.MethodGet, "", "", http.Header{}, false
	var err error
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
		case "-F":
			i++
			if body, err = form(args[i], header); err != nil {
				return err
			}
			method = http.MethodPost
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

// form is a form with one file, NAME=@FILE, and sets its type.
func form(argument string, header http.Header) (string, error) {
	name, file, _ := strings.Cut(argument, "=@")
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var body strings.Builder
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile(name, filepath.Base(file))
	if err != nil {
		return "", err
	}
	_, err = part.Write(content)
	err = errors.Join(err, w.Close())
	header.Set("Content-Type", w.FormDataContentType())
	return body.String(), err
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

// aptTool installs nothing: the servers run already, and the tools stand for the other programs.
func aptTool(_ context.Context, _ machine, args []string) error {
	if args[0] != "update" && args[0] != "install" {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	return nil
}

// makeTool hands out the programs, which are built already.
func makeTool(_ context.Context, m machine, args []string) error {
	if !slices.Equal(args, []string{"build"}) {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	return errors.Join(os.RemoveAll(m.file("build")), os.CopyFS(m.file("build"), os.DirFS(m.Programs)))
}

func (m machine) file(path ...string) string {
	return filepath.Join(append([]string{m.Root}, path...)...)
}
