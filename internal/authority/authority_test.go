package authority

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func create(t *testing.T) *CA {
	t.Helper()
	c, err := Create(filepath.Join(t.TempDir(), "ca"), false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCertificate(t *testing.T) {
	c := create(t)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(c.PEM()) {
		t.Fatal("no certificate")
	}
	for _, host := range []string{"a.example", "127.0.0.1", "2001:db8::1", "xn--bcher-kva.example"} {
		got, err := c.Certificate(host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := got.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
		if got.Leaf.VerifyHostname("b.example") == nil {
			t.Errorf("the certificate for %s is one for others", host)
		}
		if life := time.Until(got.Leaf.NotAfter); life > leafLife || got.Leaf.IsCA || got.Leaf.SerialNumber.BitLen() > 127 {
			t.Errorf("%s: good for %v, CA %v", host, life, got.Leaf.IsCA)
		}
		again, _ := c.Certificate(host)
		if again != got {
			t.Error("the same host gets a new certificate each time")
		}
	}
	if life := time.Until(c.Expires()); life > caLife || life < caLife-time.Minute || !c.cert.MaxPathLenZero {
		t.Errorf("the CA is good for %v", life)
	}
}

func TestCertificateEnds(t *testing.T) {
	c := create(t)
	old, err := c.Certificate("a.example")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(leafLife - skew/2)
	c.now = func() time.Time { return at }
	next, err := c.Certificate("a.example")
	if err != nil || next == old || !next.Leaf.NotAfter.After(at.Add(skew)) {
		t.Errorf("a certificate that ends soon is not made anew: %v", err)
	}
	c.now = func() time.Time { return c.cert.NotAfter.Add(time.Second) }
	if _, err := c.Certificate("b.example"); err == nil || !strings.Contains(err.Error(), "rotate") {
		t.Errorf("after the CA's time: %v", err)
	}
}

func TestFewAreKept(t *testing.T) {
	c := create(t)
	for n := range maxLeaves + 10 {
		if _, err := c.Certificate(fmt.Sprintf("%d.example", n)); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.made) != maxLeaves || c.order.Len() != maxLeaves || c.made["0.example"] != nil || c.made[fmt.Sprintf("%d.example", maxLeaves)] == nil {
		t.Errorf("%d are kept", len(c.made))
	}
}

func TestFiles(t *testing.T) {
	c := create(t)
	key := filepath.Join(c.dir, keyFile)
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if _, err := Create(c.dir, false); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	same, err := Load(c.dir)
	if err != nil || same.Fingerprint() != c.Fingerprint() {
		t.Error(err)
	}
	one, _ := c.Derive("one")
	if again, _ := same.Derive("one"); len(one) != 32 || !bytes.Equal(one, again) {
		t.Error("a derived key is not the same after a start")
	}
	if other, _ := c.Derive("other"); bytes.Equal(one, other) {
		t.Error("one key for two purposes")
	}
	next, err := Create(c.dir, true)
	if err != nil || next.Fingerprint() == c.Fingerprint() {
		t.Errorf("a new CA is the old one: %v", err)
	}
	if _, err := Load(t.TempDir()); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	for _, tt := range []struct {
		name  string
		spoil func() error
	}{
		{"others may read the key", func() error { return os.Chmod(key, 0o640) }},
		{"no key", func() error { return os.WriteFile(key, []byte("x"), 0o600) }},
		{"a broken key", func() error {
			return os.WriteFile(key, []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), 0o600)
		}},
		{"another's certificate", func() error { return os.WriteFile(filepath.Join(c.dir, certFile), c.PEM(), 0o644) }},
		{"no certificate", func() error { return os.Remove(filepath.Join(c.dir, certFile)) }},
		{"a folder", func() error { return errors.Join(os.Remove(key), os.Mkdir(key, 0o700)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Create(c.dir, true); err != nil {
				t.Fatal(err)
			}
			if err := tt.spoil(); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(c.dir); err == nil || !strings.Contains(err.Error(), "rotate") {
				t.Errorf("%v", err)
			}
		})
	}
}

// Of many that make a CA, one does, and nothing is written through a link.
func TestCreate(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	dir := filepath.Join(t.TempDir(), "ca")
	if err := errors.Join(os.WriteFile(elsewhere, []byte("mine"), 0o644), os.Mkdir(dir, 0o700), os.Symlink(elsewhere, filepath.Join(dir, certFile))); err != nil {
		t.Fatal(err)
	}
	var made atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := Create(dir, false); err == nil {
				made.Add(1)
			}
		})
	}
	all.Wait()
	if _, err := Load(dir); err != nil || made.Load() != 1 {
		t.Errorf("%d made, %v", made.Load(), err)
	}
	if text, err := os.ReadFile(elsewhere); err != nil || string(text) != "mine" {
		t.Errorf("written through a link: %s, %v", text, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".new-*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestBundle(t *testing.T) {
	c := create(t)
	own := filepath.Join(t.TempDir(), "own.pem")
	other := create(t)
	secret, err := os.ReadFile(filepath.Join(other.dir, keyFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, append(append([]byte("# mine\n"), secret...), other.PEM()...), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSL_CERT_FILE", own)
	path, err := c.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || bytes.Contains(got, []byte("PRIVATE")) || bytes.Contains(got, []byte("mine")) || !bytes.Contains(got, bytes.TrimSpace(other.PEM())) || !bytes.HasSuffix(got, c.PEM()) {
		t.Errorf("%s, %v", got, err)
	}
	t.Setenv("SSL_CERT_FILE", path) // a program in a program's environment: the bundle does not grow
	if _, err := c.Bundle(); err != nil {
		t.Fatal(err)
	}
	again, _ := os.ReadFile(path)
	if n := bytes.Count(again, bytes.TrimSpace(c.PEM())); n != 1 {
		t.Errorf("the CA is in it %d times", n)
	}
}
