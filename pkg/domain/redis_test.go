package domain

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	random "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// freePort returns a port on which nothing listens. It is below those that systems give to connections, one of which
// would take it before a server listens.
func freePort(t *testing.T) string {
	t.Helper()
	const first, count, attempts = 20000, 12000, 50
	var l net.Listener
	err := errors.New("no attempt")
	for n := 0; err != nil && n < attempts; n++ {
		l, err = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(first+random.IntN(count)))
	}
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return port
}

// redisServer starts a Redis with these arguments and returns its port.
func redisServer(t *testing.T, args ...string) string {
	t.Helper()
	port := freePort(t)
	for i, arg := range args {
		if arg == "PORT" {
			args[i] = port
		}
	}
	cmd := exec.Command("redis-server", append(args, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "")...)
	require.NoError(t, cmd.Start(), "make test and make up put redis-server into PATH or .local/programs/bin")
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return port
}

// shopWith returns a shop that has nothing but Redis.
func shopWith(t *testing.T, c RedisConfig) *Domain {
	t.Helper()
	d := &Domain{redis: c.open(nil)}
	t.Cleanup(func() { require.NoError(t, d.redis.Close()) })
	return d
}

// answers waits until Redis answers, since it has just started.
func answers(t *testing.T, d *Domain) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		_, err := d.redis.Do(t.Context(), "PING")
		require.NoError(c, err)
	}, 20*time.Second, 50*time.Millisecond)
}

func TestANodeOfAClusterIsNoSingleServer(t *testing.T) {
	t.Parallel()
	port := redisServer(t, "--port", "PORT", "--cluster-enabled", "yes")
	d := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + port}})
	answers(t, d)
	require.ErrorIs(t, d.PingRedis(t.Context()), errClusterNode)
	require.ErrorIs(t, d.checkRedisMode(t.Context()), errClusterNode)

	_, err := d.redis.Do(t.Context(), "CLUSTER", "ADDSLOTSRANGE", 0, 16383)
	require.NoError(t, err)
	cluster := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + port}, Mode: RedisCluster})
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		require.NoError(c, cluster.redis.Set(t.Context(), "key", "value", time.Minute))
	}, 20*time.Second, 50*time.Millisecond)
	require.NoError(t, cluster.PingRedis(t.Context()))
}

func TestSentinelsKnowThePrimary(t *testing.T) {
	t.Parallel()
	port := redisServer(t, "--port", "PORT")
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	require.NoError(t, os.WriteFile(file, []byte("sentinel monitor shop 127.0.0.1 "+port+" 1\n"), 0o600))
	sentinel := redisServer(t, file, "--sentinel", "--port", "PORT")
	d := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + sentinel}, Mode: RedisSentinel, Master: "shop"})
	answers(t, d)
	require.NoError(t, d.PingRedis(t.Context()))
	direct := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + port}})
	require.NoError(t, d.redis.Set(t.Context(), "key", "value", time.Minute))
	value, _, err := direct.redis.Get(t.Context(), "key")
	require.NoError(t, err)
	require.Equal(t, "value", value, "what was written arrived at the primary")
}

func TestRedisWithTLSAndAnAccount(t *testing.T) {
	t.Parallel()
	cert, key, trusted := certificate(t)
	port := redisServer(t, "--port", "0", "--tls-port", "PORT", "--tls-cert-file", cert, "--tls-key-file", key,
		"--tls-ca-cert-file", cert, "--tls-auth-clients", "no", "--user", "shop", "on", ">secret", "~*", "&*", "+@all")
	addr := []string{"127.0.0.1:" + port}
	d := shopWith(t, RedisConfig{Addrs: addr, Username: "shop", Password: "secret", TLS: trusted})
	answers(t, d)
	require.NoError(t, d.PingRedis(t.Context()))
	plain := shopWith(t, RedisConfig{Addrs: addr, Username: "shop", Password: "secret"})
	require.Error(t, plain.PingRedis(t.Context()), "not without encryption")
	other := shopWith(t, RedisConfig{Addrs: addr, TLS: &tls.Config{MinVersion: tls.VersionTLS12}})
	var unknown *tls.CertificateVerificationError
	require.ErrorAs(t, other.PingRedis(t.Context()), &unknown, "a certificate that nobody trusts is refused")
}

// certificate makes the certificate of a server at 127.0.0.1 and returns its files and a client that trusts it.
func certificate(t *testing.T) (certFile, keyFile string, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "redis"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(certFile, text, 0o600))
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(text))
	return certFile, keyFile, &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// A server that answers PING may still refuse what a login writes.
func TestRedisHasToTakeKeys(t *testing.T) {
	t.Parallel()
	port := redisServer(t, "--port", "PORT")
	d := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + port}})
	answers(t, d)
	set := func(name string, value any) {
		t.Helper()
		_, err := d.redis.Do(t.Context(), "CONFIG", "SET", name, value)
		require.NoError(t, err)
	}
	require.NoError(t, d.PingRedis(t.Context()))
	set("maxmemory", 1)
	require.ErrorContains(t, d.PingRedis(t.Context()), "OOM")
	set("maxmemory", 0)
	require.NoError(t, d.PingRedis(t.Context()))
	_, err := d.redis.Do(t.Context(), "REPLICAOF", "127.0.0.1", freePort(t))
	require.NoError(t, err)
	require.ErrorContains(t, d.PingRedis(t.Context()), "READONLY")
	_, err = d.redis.Do(t.Context(), "REPLICAOF", "NO", "ONE")
	require.NoError(t, err)
	require.NoError(t, d.PingRedis(t.Context()))
	set("min-replicas-to-write", 1)
	require.ErrorContains(t, d.PingRedis(t.Context()), "NOREPLICAS")
	set("min-replicas-to-write", 0)
	_, err = d.redis.Do(t.Context(), "ACL", "SETUSER", "default", "-set")
	require.NoError(t, err)
	require.ErrorContains(t, d.PingRedis(t.Context()), "NOPERM")
}
