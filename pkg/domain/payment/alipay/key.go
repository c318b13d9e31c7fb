package alipay

import (
	"crypto"
	"crypto/md5" //nolint:gosec // the platform defines the numbers of certificates so
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/platform"
)

// keys are those of both sides. The numbers of certificates are empty where the merchant uses bare keys.
type keys struct {
	own *rsa.PrivateKey
	// appSN and rootSN are the numbers of the certificates that every request names.
	appSN, rootSN string
	// platform are the public keys that the platform may sign with; bySN are those of certificates, by their numbers.
	platform []*rsa.PublicKey
	bySN     map[string]*rsa.PublicKey
}

// readKeys parses the keys of the options, so that a mistake is found before a shopper wants to pay.
func readKeys(o Options) (k keys, err error) {
	k.bySN = map[string]*rsa.PublicKey{}
	if k.own, err = platform.PrivateKey("private-key", o.PrivateKey); err != nil {
		return k, err
	}
	for i, text := range o.PlatformKeys {
		what := fmt.Sprintf("platform-keys: entry %d", i+1)
		key, cert, err := platform.PublicKey(what, text)
		if err != nil {
			return k, err
		}
		if (cert != nil) != (o.AppCert != "") {
			return k, errors.New(what + " must be a certificate with app-cert, and a key without")
		}
		if k.platform = append(k.platform, key); cert != nil {
			k.bySN[numberOf(cert)] = key
		}
	}
	if o.AppCert == "" {
		return k, nil
	}
	own, cert, err := platform.PublicKey("app-cert", o.AppCert)
	switch {
	case err != nil:
		return k, err
	case cert == nil:
		return k, errors.New("app-cert is no certificate")
	case !own.Equal(&k.own.PublicKey):
		return k, errors.New("app-cert belongs to another private-key")
	}
	k.appSN = numberOf(cert)
	k.rootSN, err = rootNumber(o.RootCert)
	return k, err
}

// numberOf is the platform's number of a certificate.
func numberOf(c *x509.Certificate) string {
	sum := md5.Sum([]byte(c.Issuer.String() + c.SerialNumber.String())) //nolint:gosec // as the platform defines it
	return hex.EncodeToString(sum[:])
}

// rootNumber is the platform's number of its root certificates: those of the certificates signed with RSA. The file
// has others too, of which Go cannot read all.
func rootNumber(text string) (string, error) {
	blocks, err := platform.Blocks("root-cert", text)
	if err != nil {
		return "", err
	}
	var all []string
	for _, b := range blocks {
		c, err := x509.ParseCertificate(b.Bytes)
		if err == nil && (c.SignatureAlgorithm == x509.SHA256WithRSA || c.SignatureAlgorithm == x509.SHA1WithRSA) {
			all = append(all, numberOf(c))
		}
	}
	if len(all) == 0 {
		return "", errors.New("root-cert holds no certificate with RSA")
	}
	return strings.Join(all, "_"), nil
}

// sign signs a text with the merchant's key.
func (k keys) sign(text string) (string, error) {
	sum := sha256.Sum256([]byte(text))
	signed, err := rsa.SignPKCS1v15(rand.Reader, k.own, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign: %w", err)
	}
	return base64.StdEncoding.EncodeToString(signed), nil
}

// verify checks that the platform has signed a text, with the certificate of a number if it names one. It fails with
// payment.ErrSignature.
func (k keys) verify(text []byte, signature, number string) error {
	signed, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return fmt.Errorf("%w: %w", payment.ErrSignature, err)
	}
	of := k.platform
	if number != "" && len(k.bySN) > 0 {
		if of = nil; k.bySN[number] != nil {
			of = []*rsa.PublicKey{k.bySN[number]}
		}
	}
	sum := sha256.Sum256(text)
	if !slices.ContainsFunc(of, func(key *rsa.PublicKey) bool {
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signed) == nil
	}) {
		return fmt.Errorf("%w: no listed key has signed it", payment.ErrSignature)
	}
	return nil
}

// contentOf is the text that is signed of parameters: all but those left out, by their names.
func contentOf(v url.Values, without ...string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains(without, name) {
			lines = append(lines, name+"="+v.Get(name))
		}
	}
	return strings.Join(lines, "&")
}
