// Package notifytest provides a mail server for tests.
package notifytest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// The login of the server.
const (
	Username = "shop"
	Password = "mail-pass-phrase-1"
)

// Behaviour is how a mail server behaves.
type Behaviour struct {
	// Implicit speaks TLS from the first byte, Plain has no TLS; the zero value offers STARTTLS.
	Implicit, Plain bool
	// Refuse refuses every recipient, with a text that repeats the address.
	Refuse bool
	// Silent never sends a greeting.
	Silent bool
}

// Mail is a mail that the server has accepted.
type Mail struct {
	From          string
	To            []string
	MessageID     string
	Subject, Text string
	// UserAgent is the program that wrote it, as its header says.
	UserAgent string
	// Safe reports whether it came by TLS.
	Safe bool
}

// SMTP is a mail server that requires a login and stores what it accepts.
type SMTP struct {
	Host string
	Port int
	// CAFile contains the certificate that signs the server's own.
	CAFile string
	mu     sync.Mutex
	behave Behaviour
	mails  []Mail
}

// OpenSMTP starts a mail server on this machine; it ends with the test.
func OpenSMTP(t testing.TB, b Behaviour) *SMTP {
	t.Helper()
	certificate, ca := certificates(t)
	s := &SMTP{Host: "127.0.0.1", CAFile: filepath.Join(t.TempDir(), "ca.pem"), behave: b}
	require.NoError(t, os.WriteFile(s.CAFile, ca, 0o600))
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address, ok := listener.Addr().(*net.TCPAddr)
	require.True(t, ok)
	s.Port = address.Port
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{server: s, conn: c}, nil
	}))
	server.Domain, server.ErrorLog = "mail.test", silent{}
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second
	server.MaxMessageBytes, server.MaxRecipients = 1<<20, 10
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	switch {
	case b.Implicit:
		listener = tls.NewListener(listener, config)
	case !b.Plain:
		server.TLSConfig = config
	}
	var done sync.WaitGroup
	if b.Silent {
		done.Go(func() { keepSilent(listener) })
	} else {
		done.Go(func() { _ = server.Serve(listener) }) // it ends when the listener is closed
	}
	t.Cleanup(func() {
		_ = server.Close()
		_ = listener.Close()
		done.Wait()
	})
	return s
}

// keepSilent accepts connections and sends nothing until the listener is closed.
func keepSilent(l net.Listener) {
	var taken []net.Conn
	for {
		c, err := l.Accept()
		if err != nil {
			for _, c := range taken {
				_ = c.Close() // the client may have disconnected
			}
			return
		}
		taken = append(taken, c)
	}
}

// Behave changes whether recipients are refused.
func (s *SMTP) Behave(refuse bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behave.Refuse = refuse
}

// Mails returns the accepted mails.
func (s *SMTP) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.mails...)
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// session is one connection.
type session struct {
	server *SMTP
	conn   *smtp.Conn
	known  bool
	mail   Mail
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if username != Username || password != Password {
			return errors.New("no such account " + username + ":" + password)
		}
		s.known = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	_, s.mail.Safe = s.conn.TLSConnectionState()
	s.mail.From = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.behave.Refuse {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "nobody is called " + to}
	}
	s.mail.To = append(s.mail.To, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body := m.Body
	if strings.EqualFold(m.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	s.mail.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err
	}
	s.mail.Text = string(bytes.TrimSpace(text))
	s.mail.MessageID, s.mail.UserAgent = m.Header.Get("Message-Id"), m.Header.Get("User-Agent")+m.Header.Get("X-Mailer")
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.mails = append(s.server.mails, s.mail)
	return nil
}

func (s *session) Reset()        { s.mail = Mail{} }
func (s *session) Logout() error { return nil }

// certificates generates a certificate for this machine and its issuer, which no system trusts.
func certificates(t testing.TB) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail.test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
