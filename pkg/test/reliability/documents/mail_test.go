package documents

import (
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// openMail starts the mail server of the machine, which the services reach by TLS. A code in a mail stands in the file that the
// machine has for a terminal: what a person would type.
func (m machine) openMail(t *testing.T) {
	t.Helper()
	web := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(web.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
	must(t, os.WriteFile(m.file("mail.pem"), authority, 0o644)) // the users of the services read it
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{m: m}, nil }))
	server.Domain, server.TLSConfig = "mail.example.com", web.TLS
	done := make(chan struct{})
	go func() {
		_ = server.Serve(listener) // it ends when the server is closed
		close(done)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	m.Addresses["mail.example.com"] = "127.0.0.1"
	_, port, err := net.SplitHostPort(listener.Addr().String())
	must(t, err)
	for _, service := range []string{"STOREFRONT", "ADMIN"} {
		m.Settings[service+"_MAIL_SMTP_PORT"], m.Settings[service+"_MAIL_SMTP_CA_FILE"] = port, m.file("mail.pem")
	}
}

// mailSession is a connection to the mail server.
type mailSession struct {
	m     machine
	known bool
	to    string
}

// AuthMechanisms and Auth let the account of the tutorial in.
func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if s.known = username == "shop" && password == "the-password-of-the-mail-account"; !s.known {
			return errors.New("no such account")
		}
		return nil
	}), nil
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil || !strings.HasSuffix(s.to, "@sms.example.com") {
		return err
	}
	_, body, _ := strings.Cut(string(text), "\r\n\r\n")
	return os.WriteFile(s.m.file("dev/tty"), []byte(regexp.MustCompile(`\d{6}`).FindString(body)+"\n"), 0o600)
}

func (s *mailSession) Reset()        { s.to = "" }
func (s *mailSession) Logout() error { return nil }
