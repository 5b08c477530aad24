package authority

import (
	"bytes"
	"container/list"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/regular"
)

// Lifetimes of certificates. Clocks of sandboxes and machines may differ a little.
const (
	caLife   = 365 * 24 * time.Hour
	leafLife = 24 * time.Hour
	skew     = time.Hour
)

// maxLeaves limits the number of cached certificates.
const maxLeaves = 1000

// maxFile limits the size of a file, in bytes: system bundles have some 250 KB.
const maxFile = 4 << 20

// Names of the files in the CA's folder.
const (
	keyFile    = "key.pem"
	certFile   = "ca.pem"
	bundleFile = "bundle.pem"
)

var (
	// ErrNone means that there is no CA in the folder.
	ErrNone = errors.New("this machine has no CA: create one with `umpire ca create`")
	// ErrExists means that the folder already has a CA.
	ErrExists = errors.New("a CA exists: `umpire ca show` describes it, `umpire ca rotate` replaces it")
)

// CA makes certificates for hosts. It is safe for concurrent use.
type CA struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	leaf *ecdsa.PrivateKey // shared by all hosts, for the life of this process
	now  func() time.Time

	mu    sync.Mutex // guards the fields below
	made  map[string]*list.Element
	order *list.List // of *leaf, the most recently used first
}

type leaf struct {
	host string
	cert *tls.Certificate
	ends time.Time
}

// Create creates a CA in a folder. With replace, it may replace an existing one.
func Create(dir string, replace bool) (*CA, error) {
	if _, err := os.Lstat(filepath.Join(dir, keyFile)); err == nil && !replace {
		return nil, ErrExists
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := guarded(dir); err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // so that people can distinguish the CAs of their machines
	now := time.Now()
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	t := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{Organization: []string{"umpire"}, CommonName: ("umpire CA of " + host)[:min(64, len("umpire CA of "+host))]},
		NotBefore:             now.Add(-skew),
		NotAfter:              now.Add(caLife),
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	// A crash between the two writes leaves a CA that Load rejects, and that can be replaced.
	put := atomicfile.Write
	if !replace { // if two processes create one, the second fails
		put = atomicfile.Create
	}
	if err := put(filepath.Join(dir, keyFile), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		if !replace && errors.Is(err, fs.ErrExist) {
			err = ErrExists
		}
		return nil, err
	}
	if err := atomicfile.Write(filepath.Join(dir, certFile), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(dir, bundleFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return Load(dir)
}

// Load reads the CA in a folder. A key that others may read and an expired certificate are errors.
func Load(dir string) (*CA, error) {
	c := &CA{dir: dir, now: time.Now, made: map[string]*list.Element{}, order: list.New()}
	path := filepath.Join(dir, keyFile)
	f, info, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("%w; run `umpire ca rotate`", err)
	}
	defer func() { _ = f.Close() }()
	if err := guarded(dir); err != nil {
		return nil, err
	}
	if !ownedByUser(info) || private && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s belongs to another user, or others can read it (%v): they can pose as any host; run `umpire ca rotate`", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s is not a key: run `umpire ca rotate`", path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s is not a key: run `umpire ca rotate`", path) // do not wrap it: the error may quote the key
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s is not an ECDSA key: run `umpire ca rotate`", path)
	}
	c.key = key
	if text, err = os.ReadFile(c.Cert()); err != nil {
		return nil, fmt.Errorf("%w; run `umpire ca rotate`", err)
	}
	if block, _ = pem.Decode(text); block == nil {
		return nil, fmt.Errorf("%s is not a certificate: run `umpire ca rotate`", c.Cert())
	}
	if c.cert, err = x509.ParseCertificate(block.Bytes); err != nil {
		return nil, fmt.Errorf("%s: %w; run `umpire ca rotate`", c.Cert(), err)
	}
	if !c.key.PublicKey.Equal(c.cert.PublicKey) || !c.cert.IsCA {
		return nil, fmt.Errorf("%s does not match the key beside it: run `umpire ca rotate`", c.Cert())
	}
	if c.now().After(c.cert.NotAfter) {
		return nil, fmt.Errorf("the CA expired on %s: run `umpire ca rotate`", c.cert.NotAfter.Format(time.DateOnly))
	}
	if c.leaf, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, err
	}
	return c, nil
}

// guarded returns an error if others could put another CA into its folder.
func guarded(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !ownedByUser(info) {
		err = fmt.Errorf("%s belongs to another user, or others can write to it (%v) and could replace the CA: run `chmod 700` on it, and `umpire ca rotate`", dir, info.Mode().Perm())
	}
	return err
}

// Cert returns the path of the CA's certificate.
func (c *CA) Cert() string { return filepath.Join(c.dir, certFile) }

// Name returns the CA's name in certificates.
func (c *CA) Name() string { return c.cert.Subject.CommonName }

// Expires returns the time at which the CA expires.
func (c *CA) Expires() time.Time { return c.cert.NotAfter }

// Fingerprint returns the SHA-256 of the certificate, in hex.
func (c *CA) Fingerprint() string {
	sum := sha256.Sum256(c.cert.Raw)
	return hex.EncodeToString(sum[:])
}

// PEM returns the certificate.
func (c *CA) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.cert.Raw})
}

// Derive returns a key for another purpose. It reveals nothing about the CA's key.
func (c *CA) Derive(purpose string) ([]byte, error) {
	secret, err := c.key.Bytes()
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, secret, nil, "umpire "+purpose, 32)
}

// Certificate returns a certificate for a host: a name, or an address.
func (c *CA) Certificate(host string) (*tls.Certificate, error) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock() // a signature takes about 30 µs, so no one waits long
	if e := c.made[host]; e != nil {
		l := e.Value.(*leaf)
		if now.Before(l.ends.Add(-skew)) {
			c.order.MoveToFront(e)
			return l.cert, nil
		}
		c.order.Remove(e)
		delete(c.made, host)
	}
	if now.After(c.cert.NotAfter) {
		return nil, errors.New("the CA has expired: run `umpire ca rotate`, and restart the gateway")
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	t := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{Organization: []string{"umpire"}},
		NotBefore:    now.Add(-skew),
		NotAfter:     now.Add(leafLife),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if t.NotAfter.After(c.cert.NotAfter) {
		t.NotAfter = c.cert.NotAfter
	}
	if ip := net.ParseIP(host); ip != nil {
		t.IPAddresses = []net.IP{ip}
	} else {
		t.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, c.cert, c.leaf.Public(), crypto.Signer(c.key))
	if err != nil {
		return nil, err
	}
	l := &leaf{host: host, ends: t.NotAfter, cert: &tls.Certificate{Certificate: [][]byte{der, c.cert.Raw}, PrivateKey: c.leaf}}
	if l.cert.Leaf, err = x509.ParseCertificate(der); err != nil {
		return nil, err
	}
	c.made[host] = c.order.PushFront(l)
	if c.order.Len() > maxLeaves {
		old := c.order.Remove(c.order.Back()).(*leaf)
		delete(c.made, old.host)
	}
	return l.cert, nil
}

// newSerial returns a random number of 127 bits, so that no one can predict a certificate.
func newSerial() (*big.Int, error) {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err == nil && n.Sign() == 0 {
		n.SetInt64(1)
	}
	return n, err
}

// systems lists the bundles of trusted certificates on various systems.
var systems = []string{
	"/etc/ssl/certs/ca-certificates.crt",                // Debian, Alpine, Arch
	"/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora
	"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // and derivatives
	"/etc/ssl/ca-bundle.pem",                            // openSUSE
	"/etc/ssl/cert.pem",                                 // macOS, BSD
}

// Bundle returns the path of a file with the system's roots and the CA, and updates the file if
// needed. Programs that trust this file trust the same servers as before, and the CA.
func (c *CA) Bundle() (string, error) {
	path := filepath.Join(c.dir, bundleFile)
	var want bytes.Buffer
	files := systems
	if own := os.Getenv("SSL_CERT_FILE"); own != "" && own != path {
		files = append([]string{own}, files...)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil && len(text) < maxFile {
			// Everyone may read the bundle, so copy only certificates: the file may contain a key
			// as well.
			for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
				if block.Type == "CERTIFICATE" || block.Type == "TRUSTED CERTIFICATE" {
					want.Write(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes}))
				}
			}
			break
		}
	}
	want.Write(c.PEM())
	if is, err := os.ReadFile(path); err == nil && bytes.Equal(is, want.Bytes()) {
		return path, nil
	}
	return path, atomicfile.Write(path, want.Bytes(), 0o644)
}

// Variables lists the environment variables that make programs trust the certificates in a file.
func Variables() []string {
	return []string{"SSL_CERT_FILE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CAFILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO", "DENO_CERT"}
}
