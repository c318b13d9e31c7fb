package platform

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Blocks returns the blocks of a PEM text, or of the file with that name. A text without the lines around it, as some
// tools write keys, is one block without a type. what names the text in errors, which do not quote it.
func Blocks(what, text string) ([]*pem.Block, error) {
	// An environment variable may contain the line feeds of a PEM text as \n.
	content := strings.ReplaceAll(text, `\n`, "\n")
	bare := bareBlock(content)
	if bare == nil && !strings.Contains(text, begin) {
		read, err := os.ReadFile(text) //nolint:gosec // the operator names the file
		if err != nil {
			if cause, ok := errors.AsType[*fs.PathError](err); ok {
				err = cause.Err // the path may be a key without its first line
			}
			return nil, fmt.Errorf("%s is neither PEM text nor a readable file: %w", what, err)
		}
		content, bare = string(read), bareBlock(string(read))
	}
	if bare != nil {
		return []*pem.Block{bare}, nil
	}
	var all []*pem.Block
	for rest := []byte(content); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		all = append(all, block)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no PEM block", what)
	}
	return all, nil
}

const (
	begin = "-----BEGIN"
	// leastBare is how many bytes a key without the lines around it has at least; a name of a file that is base64 by
	// chance is shorter.
	leastBare = 128
)

func bareBlock(text string) *pem.Block {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil || len(der) < leastBare {
		return nil
	}
	return &pem.Block{Bytes: der}
}

// PrivateKey reads an RSA key, of PKCS #1 or #8.
func PrivateKey(what, text string) (*rsa.PrivateKey, error) {
	blocks, err := Blocks(what, text)
	if err != nil {
		return nil, err
	}
	if key, err := x509.ParsePKCS1PrivateKey(blocks[0].Bytes); err == nil {
		return key, nil
	}
	any8, err := x509.ParsePKCS8PrivateKey(blocks[0].Bytes)
	if err != nil {
		return nil, errors.New(what + " is no private key")
	}
	key, ok := any8.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New(what + " is no RSA key")
	}
	return key, nil
}

// PublicKey reads an RSA key, or that of a certificate. The certificate is nil for a bare key.
func PublicKey(what, text string) (*rsa.PublicKey, *x509.Certificate, error) {
	blocks, err := Blocks(what, text)
	if err != nil {
		return nil, nil, err
	}
	var found any
	var cert *x509.Certificate
	if blocks[0].Type == "CERTIFICATE" {
		if cert, err = x509.ParseCertificate(blocks[0].Bytes); err != nil {
			return nil, nil, errors.New(what + " is no certificate")
		}
		found = cert.PublicKey
	} else if found, err = x509.ParsePKIXPublicKey(blocks[0].Bytes); err != nil {
		return nil, nil, errors.New(what + " is no public key")
	}
	key, ok := found.(*rsa.PublicKey)
	if !ok {
		return nil, nil, errors.New(what + " is no RSA key")
	}
	return key, cert, nil
}
