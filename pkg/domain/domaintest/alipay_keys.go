package domaintest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/md5"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"sync"
)

// alipayKeys are the keys and certificates of both sides.
type alipayKeys struct {
	merchant, platform *rsa.PrivateKey
	// private and public are the merchant's key and the platform's as their tools write them, without lines around them.
	private, public                       string
	appCert, platformCert, rootCert       string
	appNumber, platformNumber, rootNumber string
}

// alipayKeysOnce generates the keys once a process.
var alipayKeysOnce = sync.OnceValues(func() (k alipayKeys, err error) {
	var of [3]*rsa.PrivateKey
	for i := range of {
		if of[i], err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			return k, err
		}
	}
	k.merchant, k.platform = of[0], of[1]
	private, err := x509.MarshalPKCS8PrivateKey(k.merchant)
	if err != nil {
		return k, err
	}
	public, err := x509.MarshalPKIXPublicKey(&k.platform.PublicKey)
	if err != nil {
		return k, err
	}
	k.private, k.public = base64.StdEncoding.EncodeToString(private), base64.StdEncoding.EncodeToString(public)
	return k, k.certify(of[2])
})

// certify issues the certificates. The file of the roots has one with another kind of key, which has no number, and one
// that cannot be read.
func (k *alipayKeys) certify(rootKey *rsa.PrivateKey) error {
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1001), IsCA: true, BasicConstraintsValid: true,
		Subject: pkix.Name{
			Country: []string{"CN"}, Organization: []string{"Ant Test"}, OrganizationalUnit: []string{"Certification"},
			CommonName: "Ant Test R1",
		},
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		into        *string
		serial      int64
		public, key any
	}{
		{&k.rootCert, 1001, &rootKey.PublicKey, rootKey},
		{&k.rootCert, 1002, &curve.PublicKey, curve},
		{&k.rootCert, 1003, &rootKey.PublicKey, rootKey},
		{&k.appCert, 9_007_199_254_740_993, &k.merchant.PublicKey, rootKey},
		{&k.platformCert, 7, &k.platform.PublicKey, rootKey},
	} {
		made := *root
		made.SerialNumber = big.NewInt(c.serial)
		der, err := x509.CreateCertificate(rand.Reader, &made, root, c.public, c.key)
		if err != nil {
			return err
		}
		*c.into += string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	k.rootCert += string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("SM2")}))
	k.appNumber, k.platformNumber = certificateNumber("9007199254740993"), certificateNumber("7")
	k.rootNumber = certificateNumber("1001") + "_" + certificateNumber("1003")
	return nil
}

func certificateNumber(serial string) string {
	sum := md5.Sum([]byte("CN=Ant Test R1,OU=Certification,O=Ant Test,C=CN" + serial))
	return hex.EncodeToString(sum[:])
}
