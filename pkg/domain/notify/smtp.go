package notify

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"os"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// SMTPOptions is an account at a mail server.
type SMTPOptions struct {
	Host string
	// Port is 0 for the default: 587 with STARTTLS, 465 with implicit TLS.
	Port int
	// Implicit speaks TLS from the first byte; otherwise STARTTLS is required. A server without TLS is refused.
	Implicit bool
	// Username is empty for a server without login.
	Username, Password string
	// From is the sender's address, such as Shop <shop@example.com>.
	From string
	// CAFile names a file of certificates (PEM) that are trusted instead of the system's; it may be empty.
	CAFile string
	// To are the operators who get the shop's mails; it may be empty.
	To []string
}

// SMTP sends mails through a mail server.
type SMTP struct {
	o    SMTPOptions
	from *mail.Address
	to   []string
	tls  *tls.Config
}

// NewSMTP returns the sender. Its errors name the missing or malformed key.
func NewSMTP(o SMTPOptions) (*SMTP, error) {
	if o.Host == "" {
		return nil, errors.New("host: is missing")
	}
	from, err := mail.ParseAddress(o.From)
	if err != nil {
		return nil, errors.New("from: is no mail address")
	}
	if (o.Username == "") != (o.Password == "") {
		return nil, errors.New("username and password are needed both, or none of them")
	}
	to := make([]string, len(o.To))
	for i, a := range o.To {
		if to[i], err = MailAddress(a); err != nil {
			return nil, fmt.Errorf("to: entry %d %w", i+1, err)
		}
	}
	if o.Port == 0 {
		o.Port = 587
		if o.Implicit {
			o.Port = 465
		}
	}
	s := &SMTP{o, from, to, &tls.Config{ServerName: o.Host, MinVersion: tls.VersionTLS12}}
	if o.CAFile == "" {
		return s, nil
	}
	pem, err := os.ReadFile(o.CAFile)
	if err != nil {
		return nil, errors.New("ca-file: cannot be read")
	}
	s.tls.RootCAs = x509.NewCertPool()
	if !s.tls.RootCAs.AppendCertsFromPEM(pem) {
		return nil, errors.New("ca-file: holds no certificate")
	}
	return s, nil
}

// MailAddress returns the address of a mailbox such as Lin <lin@example.com>.
func MailAddress(written string) (string, error) {
	a, err := mail.ParseAddress(written)
	if err != nil {
		return "", errors.New("is no mail address")
	}
	return a.Address, nil
}

// Sends is true for mails.
func (s *SMTP) Sends(k Kind) bool { return k == ByMail && len(s.to) > 0 }

// SMS fails with ErrUnsupported.
func (s *SMTP) SMS(context.Context, SMS) error { return ErrUnsupported }

// Mail sends a mail.
func (s *SMTP) Mail(ctx context.Context, m Mail) error {
	to := m.To
	if len(to) == 0 {
		to = s.to
	}
	if len(to) == 0 {
		return fmt.Errorf("no recipients of mails are configured: %w", ErrUnsupported)
	}
	letter, err := s.message(m, to)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return errors.New("the mail server's settings are malformed")
	}
	if err = client.DialAndSendWithContext(ctx, letter); err == nil || letter.IsDelivered() {
		return nil // a server that has accepted the mail but does not answer QUIT has accepted it
	}
	return s.failure(ctx, err)
}

// message encodes a mail. Its Message-ID is the same for each attempt, so that recipients can recognize a duplicate.
func (s *SMTP) message(m Mail, to []string) (*gomail.Msg, error) {
	letter := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := letter.From(s.from.String()); err != nil {
		return nil, errors.New("the sender of the mail is malformed")
	}
	if err := letter.To(to...); err != nil {
		return nil, errors.New("a receiver of the mail is malformed")
	}
	id := sha256.Sum256([]byte(m.ID))
	_, domain, _ := strings.Cut(s.from.Address, "@")
	letter.SetMessageIDWithValue(hex.EncodeToString(id[:16]) + "@" + domain)
	letter.SetDate()
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	letter.Subject(m.Subject)
	letter.SetBodyString(gomail.TypeTextPlain, m.Text)
	return letter, nil
}

// client is created for each mail, since a connection sends only one.
func (s *SMTP) client(ctx context.Context) (*gomail.Client, error) {
	options := []gomail.Option{
		gomail.WithPort(s.o.Port), gomail.WithTimeout(sendTimeout), gomail.WithTLSConfig(s.tls),
		gomail.WithDialContextFunc(func(dial context.Context, network, address string) (net.Conn, error) {
			return s.dial(dial, ctx, network, address)
		}),
	}
	if s.o.Implicit {
		options = append(options, gomail.WithSSL())
	} else {
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.o.Username != "" {
		options = append(options, gomail.WithUsername(s.o.Username), gomail.WithPassword(s.o.Password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthPlain,
				gomail.SMTPAuthLogin))
	}
	return gomail.NewClient(s.o.Host, options...)
}

// dial connects, with TLS if it is implicit. The library has its own deadline for each step and ignores the context, so
// the connection is closed when the context of the mail ends.
func (s *SMTP) dial(dial, whole context.Context, network, address string) (net.Conn, error) {
	raw, err := new(net.Dialer).DialContext(dial, network, address)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(whole, func() { _ = raw.Close() }) // it may be closed already
	bounded := &boundedConn{Conn: raw, left: maxAnswer}
	if !s.o.Implicit {
		return bounded, nil
	}
	safe := tls.Client(bounded, s.tls)
	if err := safe.HandshakeContext(dial); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return safe, nil
}

// boundedConn bounds what is read from a server.
type boundedConn struct {
	net.Conn
	left int
}

// Read implements net.Conn.
func (c *boundedConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// failure describes an error without the server's text, which may repeat addresses and the message.
func (s *SMTP) failure(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return fmt.Errorf("the mail server did not answer in time: %w", ended)
	}
	if refused, ok := errors.AsType[*gomail.SendError](err); ok {
		return fmt.Errorf("the mail server refuses the mail: %s, code %d %s", refused.Reason, refused.ErrorCode(),
			refused.EnhancedStatusCode())
	}
	if cause, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Errorf("the mail server's certificate: %w", cause.Err)
	}
	if cause, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("reach the mail server: %w", cause)
	}
	text := err.Error()
	switch {
	case strings.Contains(text, "STARTTLS"):
		return errors.New("the mail server has no TLS (STARTTLS), which is demanded")
	case strings.Contains(text, "AUTH"):
		return errors.New("the mail server does not let us log in")
	}
	return errors.New("the conversation with the mail server broke off")
}

// Gateway sends text messages as mails to an address derived from the number.
type Gateway struct {
	mail *SMTP
	to   string
}

// NewGateway returns the sender; {mobile} in to is replaced by the number, as in {mobile}@sms.example.com.
func NewGateway(by *SMTP, to string) (*Gateway, error) {
	if !strings.Contains(to, "{mobile}") {
		return nil, errors.New("does not say where {mobile} stands")
	}
	if _, err := MailAddress(strings.ReplaceAll(to, "{mobile}", "13900000000")); err != nil {
		return nil, err
	}
	return &Gateway{by, to}, nil
}

// Sends is true for text messages.
func (g *Gateway) Sends(k Kind) bool { return k == ByPhone }

// SMS mails a text message; the subject is the text too, since some gateways send that.
func (g *Gateway) SMS(ctx context.Context, m SMS) error {
	return g.mail.Mail(ctx, Mail{
		ID: m.ID, To: []string{strings.ReplaceAll(g.to, "{mobile}", m.Mobile)}, Name: m.Name, Subject: m.Text, Text: m.Text,
	})
}

// Mail fails with ErrUnsupported.
func (g *Gateway) Mail(context.Context, Mail) error { return ErrUnsupported }
