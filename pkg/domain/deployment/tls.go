package deployment

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// TLS are the keys of an encrypted connection to a server. The server's certificate is always verified.
type TLS struct {
	Enabled bool `key:"enabled" default:"false"`
	// CAFile has the certificates (PEM) that are trusted instead of the system's.
	CAFile string `key:"ca-file"`
	// CertFile and KeyFile identify this program, for a server that requires it.
	CertFile string `key:"cert-file"`
	KeyFile  string `key:"key-file"`
}

// mistakes checks the rules that span keys, and that the files are usable; section precedes the keys.
func (t *TLS) mistakes(section string) []string {
	if !t.Enabled {
		if t.CAFile != "" || t.CertFile != "" || t.KeyFile != "" {
			return []string{section + ".enabled: is false, although files for it are named"}
		}
		return nil
	}
	if _, err := t.client(); err != nil {
		return []string{section + ": " + err.Error()}
	}
	return nil
}

// client returns the settings of a client, or nil where the connection is not encrypted. The name in the server's
// certificate is that of its address.
func (t *TLS) client() (*tls.Config, error) {
	if !t.Enabled {
		return nil, nil // no settings are the absence of TLS, as in the drivers
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CAFile != "" {
		text, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, fmt.Errorf("read ca-file: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, errors.New("ca-file has no certificate in the form PEM")
		}
	}
	if (t.CertFile == "") != (t.KeyFile == "") {
		return nil, errors.New("cert-file and key-file belong together")
	}
	if t.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(t.CertFile, t.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read cert-file and key-file: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
