package wechatpay

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// pemOf returns the first block of a PEM text, or of the file with that name. Its errors do not quote the text.
func pemOf(what, text string) (*pem.Block, error) {
	// An environment variable may contain the line feeds of a PEM text as \n.
	content := []byte(strings.ReplaceAll(text, `\n`, "\n"))
	if !strings.Contains(text, "-----BEGIN") {
		var err error
		if content, err = os.ReadFile(text); err != nil { //nolint:gosec // the operator names the file
			if cause, ok := errors.AsType[*fs.PathError](err); ok {
				err = cause.Err // the path may be a key without its first line
			}
			return nil, fmt.Errorf("%s is neither PEM text nor a readable file: %w", what, err)
		}
	}
	block, _ := pem.Decode(content)
	if block == nil {
		return nil, fmt.Errorf("%s holds no PEM block", what)
	}
	return block, nil
}

func readPrivateKey(text string) (*rsa.PrivateKey, error) {
	block, err := pemOf("private-key", text)
	if err != nil {
		return nil, err
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	any8, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("private-key is no private key")
	}
	key, ok := any8.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("private-key is no RSA key")
	}
	return key, nil
}

// platformKeys are the platform's public keys by their ids; first is the id of the one to request.
type platformKeys struct {
	first string
	all   map[string]*rsa.PublicKey
}

// readPlatformKeys parses a list of the form ID=key. There are two while the platform changes its key.
func readPlatformKeys(list []string) (platformKeys, error) {
	keys := platformKeys{all: make(map[string]*rsa.PublicKey, len(list))}
	for i, entry := range list {
		what := fmt.Sprintf("platform-keys: entry %d", i+1)
		id, text, _ := strings.Cut(entry, "=")
		// A key without an id may end with =, so the part before it is checked too.
		if id, text = strings.TrimSpace(id), strings.TrimSpace(text); text == "" || !isKeyID(id) {
			return keys, errors.New(what + " is not of the form ID=key")
		}
		if keys.all[id] != nil {
			return keys, errors.New(what + " has the name of an earlier one")
		}
		key, err := readPublicKey(what, text)
		if err != nil {
			return keys, err
		}
		if keys.all[id] = key; i == 0 {
			keys.first = id
		}
	}
	return keys, nil
}

// isKeyID reports whether a text can be the id of a key: letters, digits and underscores.
func isKeyID(s string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
	return s != "" && len(s) <= 64 && strings.Trim(s, allowed) == ""
}

// readPublicKey parses a public key, or that of a certificate.
func readPublicKey(what, text string) (*rsa.PublicKey, error) {
	block, err := pemOf(what, text)
	if err != nil {
		return nil, err
	}
	var found any
	if block.Type == "CERTIFICATE" {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errors.New(what + " is no certificate")
		}
		found = c.PublicKey
	} else if found, err = x509.ParsePKIXPublicKey(block.Bytes); err != nil {
		return nil, errors.New(what + " is no public key")
	}
	key, ok := found.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New(what + " is no RSA key")
	}
	return key, nil
}
