//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// proxy is a proxy under test; direct has no address.
type proxy struct {
	addr string
	user *url.Userinfo
	pid  int
}

// setup holds the servers and proxies of a run, in separate processes.
type setup struct {
	plain, secure, seen string // addresses of servers; the proxy inspects the tunnels of the last one
	workers             int
	roots               *x509.CertPool
	proxies             map[string]*proxy
	tokens              []string
	dir                 string
	pid                 int // of the servers
	closers             []func()
}

func (s *setup) stop() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
}

// bulkSize is the size of one bulk answer.
const bulkSize = 64 << 20

func start(bin string, workers int) (s *setup, err error) {
	s = &setup{workers: workers, roots: x509.NewCertPool(), proxies: map[string]*proxy{"direct": {}}}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	if bin, err = filepath.Abs(bin); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "umpire-bench-"); err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() { _ = os.RemoveAll(s.dir) })
	if err := s.servers(); err != nil {
		return nil, err
	}
	if err := s.umpire(bin); err != nil {
		return nil, err
	}
	return s, errors.Join(s.squid(), s.tinyproxy())
}

// servers starts the servers in a separate process. In the same process as the clients, waking a
// goroutine would be cheaper than waking a process.
func (s *setup) servers() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "servers", s.dir) //nolint:noctx // it ends with the run
	cmd.Stderr = os.Stderr
	stop, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	told, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.closers = append(s.closers, func() { _ = stop.Close(); _ = cmd.Wait() })
	s.pid = cmd.Process.Pid
	if _, err := fmt.Fscanln(told, &s.plain, &s.secure, &s.seen); err != nil {
		return fmt.Errorf("the servers do not start: %w", err)
	}
	roots, err := os.ReadFile(filepath.Join(s.dir, "roots.pem"))
	s.roots.AppendCertsFromPEM(roots)
	return err
}

// serve serves until standard input ends, and prints its addresses.
func serve(dir string) error {
	cert, err := certificate(dir)
	if err != nil {
		return err
	}
	answer, piece := bytes.Repeat([]byte("x"), 1024), make([]byte, 256<<10)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/bulk" {
			_, _ = w.Write(answer)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(bulkSize))
		for range bulkSize / len(piece) {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	var at []any
	for i := range 3 {
		srv := httptest.NewUnstartedServer(h)
		srv.Config.ErrorLog = log.New(io.Discard, "", 0)
		if i == 0 {
			srv.Start()
		} else {
			srv.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
			srv.StartTLS()
		}
		at = append(at, srv.URL)
	}
	fmt.Println(at...)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// certificate returns the servers' certificate, from a CA that all programs trust.
func certificate(dir string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	t := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bench"}, NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, os.WriteFile(filepath.Join(dir, "roots.pem"), text, 0o600)
}

// umpire starts a gateway with policy, record and metrics.
func (s *setup) umpire(bin string) error {
	project := filepath.Join(s.dir, "project")
	policy := filepath.Join(s.dir, ".config", "umpire", "policy.yaml")
	if err := errors.Join(os.MkdirAll(project, 0o700), os.MkdirAll(filepath.Dir(policy), 0o700)); err != nil {
		return err
	}
	if err := os.WriteFile(policy, []byte(lines(strings.TrimPrefix(s.seen, "https://"))), 0o600); err != nil {
		return err
	}
	env := []string{"HOME=" + s.dir, "PATH=" + os.Getenv("PATH"), "SSL_CERT_FILE=" + filepath.Join(s.dir, "roots.pem")}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(bin, args...) //nolint:noctx // it ends with the run
		cmd.Dir, cmd.Env = project, env
		return cmd
	}
	if out, err := command("ca", "create").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	ca, err := os.ReadFile(filepath.Join(s.dir, ".local", "state", "umpire", "ca", "ca.pem"))
	if err != nil {
		return err
	}
	s.roots.AppendCertsFromPEM(ca)
	gw := command("serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0", "--rate", "0", "--pprof")
	told, err := gw.StderrPipe()
	if err != nil {
		return err
	}
	if err := gw.Start(); err != nil {
		return err
	}
	s.closers = append(s.closers, func() { _ = gw.Process.Signal(syscall.SIGTERM); _ = gw.Wait() })
	at := map[string]string{}
	scan := bufio.NewScanner(told)
	for len(at) < 2 && scan.Scan() {
		if m := regexp.MustCompile(`side=(\w+) address=(127\.0\.0\.1:\d+)`).FindStringSubmatch(scan.Text()); m != nil {
			at[m[1]] = m[2]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, told) }()
	for n := range 4 { // connections per agent are limited
		cmd := command("token", "add", "--agent", fmt.Sprint("bench-", n), "--server", "http://"+at["all"])
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("make a token: %w", err)
		}
		s.tokens = append(s.tokens, strings.TrimSpace(string(out)))
	}
	s.proxies["umpire"] = &proxy{addr: at["proxy"], user: url.UserPassword("bench", s.tokens[0]), pid: gw.Process.Pid}
	return nil
}

// other starts a proxy to compare with, if it is installed.
func (s *setup) other(name, config string, args ...string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		path = "/usr/sbin/" + name
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		fmt.Printf("%s is not on this machine: it is left out\n", name)
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(addr)
	file := filepath.Join(s.dir, name+".conf")
	if err := os.Chmod(s.dir, 0o777); err != nil { // the proxies switch to their own users
		return err
	}
	if err := os.WriteFile(file, []byte(strings.NewReplacer("PORT", port, "DIR", s.dir).Replace(config)), 0o644); err != nil {
		return err
	}
	cmd := exec.Command(path, append(args, file)...) //nolint:noctx // it ends with the run
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.closers = append(s.closers, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	for range 200 {
		if c, err := net.Dial("tcp", addr); err == nil { //nolint:noctx // on this machine
			s.proxies[name] = &proxy{addr: addr, pid: cmd.Process.Pid}
			return c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s does not listen", name)
}

func (s *setup) squid() error {
	return s.other("squid", `http_port 127.0.0.1:PORT
http_access allow all
cache deny all
pid_filename DIR/squid.pid
cache_log DIR/cache.log
access_log stdio:DIR/access.log
shutdown_lifetime 0 seconds
`, "-N", "-f")
}

func (s *setup) tinyproxy() error {
	return s.other("tinyproxy", `Port PORT
Listen 127.0.0.1
MaxClients 500
LogFile "DIR/tinyproxy.log"
LogLevel Connect
`, "-d", "-c")
}

func (s *setup) client(p *proxy, fresh bool) *http.Client {
	t := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12}, MaxIdleConnsPerHost: s.workers, DisableKeepAlives: fresh}
	if p.addr != "" {
		t.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: p.addr, User: p.user})
	}
	return &http.Client{Transport: t, Timeout: 30 * time.Second}
}

func fetch(ctx context.Context, c *http.Client, address string) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, resp.Body)
	err = errors.Join(err, resp.Body.Close())
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s by %s", resp.Status, address)
	}
	return n, err
}

// each runs a function in all workers until the time is over, and returns the rate per second.
func (s *setup) each(ctx context.Context, one func(context.Context) error) (float64, error) {
	var n atomic.Int64
	var failed atomic.Pointer[error]
	begun := time.Now()
	var all sync.WaitGroup
	for range s.workers {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := one(context.WithoutCancel(ctx)); err != nil {
					failed.Store(&err)
					return
				}
				n.Add(1)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(n.Load()) / time.Since(begun).Seconds(), nil
}

func userOf(token string) *url.Userinfo { return url.UserPassword("bench", token) }
