//go:build amd64 || arm64

package sandbox

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha512"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/umpire-dev/umpire/internal/egress"
)

// oneHost lets connections to one host through, and to no other.
type oneHost struct {
	mu   sync.Mutex
	seen []string
}

func (g *oneHost) Identify(_ context.Context, user, password string) (egress.Client, error) {
	if user != "run" || password != "token" {
		return egress.Client{}, egress.ErrUnknown
	}
	return egress.Client{ID: "run", Name: "run"}, nil
}

func (g *oneHost) Judge(_ context.Context, _ egress.Client, t egress.Target) (egress.Decision, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = append(g.seen, t.Addr())
	if t.Host == "svc.example" || t.Host == "192.0.2.7" {
		return egress.Decision{Allowed: true, Named: true}, nil
	}
	return egress.Decision{Why: "umpire denies " + t.Host}, nil
}

func (g *oneHost) saw(addr string) (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.seen {
		if s == addr {
			n++
		}
	}
	return n
}

// here resolves every name to this machine.
type here struct{}

func (here) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// throughProxy gives a box umpire's proxy by a gate, and returns what it is asked.
func throughProxy(t *testing.T, c *Config) *oneHost {
	t.Helper()
	gate := new(oneHost)
	proxy := egress.Server(egress.New(egress.Options{Gate: gate, Resolver: here{}, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = proxy.Serve(l) }()
	t.Cleanup(func() { _ = proxy.Close() })
	c.Gates = map[string]string{"127.0.0.1:3701": socket}
	c.Through = &Through{Gate: "127.0.0.1:3701", User: "run", Password: "token"}
	return gate
}

// service is what the clients talk to, as svc.example: by TLS and by plain HTTP.
func service(t *testing.T) (secure, plain, ca string) {
	t.Helper()
	dir := t.TempDir()
	repo := filepath.Join(dir, "git", "repo.git")
	work := filepath.Join(dir, "work")
	for _, args := range [][]string{
		{"init", "-q", "--bare", "-b", "main", repo}, {"init", "-q", "-b", "main", work},
		{"-C", work, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "the commit"},
		{"-C", work, "push", "-q", repo, "main"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	backend, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	var tgz bytes.Buffer
	zw := gzip.NewWriter(&tgz)
	tw := tar.NewWriter(zw)
	pkg := `{"name":"left","version":"1.0.0"}`
	if err := tw.WriteHeader(&tar.Header{Name: "package/package.json", Mode: 0o644, Size: int64(len(pkg))}); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(tw, pkg)
	tw.Close()
	zw.Close()
	var zipped bytes.Buffer
	zip := zip.NewWriter(&zipped)
	for name, text := range map[string]string{"go.mod": "module mod.example/m\n", "m.go": "package m\n"} {
		f, err := zip.Create("mod.example/m@v1.0.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(f, text)
	}
	zip.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello by %s", r.Proto) })
	mux.Handle("/git/", &cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(backend)), "git-http-backend"), Root: "/git", Env: []string{"GIT_PROJECT_ROOT=" + filepath.Join(dir, "git"), "GIT_HTTP_EXPORT_ALL=1", "HOME=" + dir}})
	mux.HandleFunc("/npm/left", func(w http.ResponseWriter, r *http.Request) {
		sum := sha512.Sum512(tgz.Bytes())
		fmt.Fprintf(w, `{"name":"left","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"left","version":"1.0.0","dist":{"tarball":"https://%s/npm/left.tgz","integrity":"sha512-%s"}}}}`, r.Host, base64.StdEncoding.EncodeToString(sum[:]))
	})
	mux.HandleFunc("/npm/left.tgz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(tgz.Bytes()) })
	mux.HandleFunc("/go/mod.example/m/@v/v1.0.0.info", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"Version":"v1.0.0"}`) })
	mux.HandleFunc("/go/mod.example/m/@v/v1.0.0.mod", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "module mod.example/m\n") })
	mux.HandleFunc("/go/mod.example/m/@v/v1.0.0.zip", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(zipped.Bytes()) })
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		kind, b, err := ws.Read(r.Context())
		if err == nil {
			_ = ws.Write(r.Context(), kind, append([]byte("heard "), b...))
		}
		_ = ws.Close(websocket.StatusNormalClosure, "")
	})
	calls := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(calls, health.NewServer())
	mux.Handle("/grpc.health.v1.Health/", calls)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, DNSNames: []string{"svc.example"}, IPAddresses: []net.IP{net.IPv4(192, 0, 2, 7)}, NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(mux)
	srv.EnableHTTP2 = true
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	open := httptest.NewServer(mux)
	t.Cleanup(open.Close)
	ca = filepath.Join(t.TempDir(), "ca", "ca.pem")
	if err := os.MkdirAll(filepath.Dir(ca), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		t.Fatal(err)
	}
	_, p1, _ := net.SplitHostPort(srv.Listener.Addr().String())
	_, p2, _ := net.SplitHostPort(open.Listener.Addr().String())
	return "svc.example:" + p1, "svc.example:" + p2, ca
}

// Programs do their work through the proxy: those that know of it, and those that do not.
func TestClients(t *testing.T) {
	c := box(t, "")
	gate := throughProxy(t, &c)
	secure, plain, ca := service(t)
	me := self(t, &c)
	c.ReadOnly = append(c.ReadOnly, filepath.Dir(ca))
	env := map[string]string{"S": secure, "P": plain, "ME": me, "SSL_CERT_FILE": ca, "NODE_EXTRA_CA_CERTS": ca, "CURL_CA_BUNDLE": ca, "GIT_SSL_CAINFO": ca, "HOME": c.Home, "PATH": "/usr/local/go/bin:/usr/lib/go/bin:/usr/bin:/bin:" + toolFolder(t, &c, "go"),
		"GONOSUMDB": "*", "GOFLAGS": "-modcacherw", "GOPROXY": "https://" + secure + "/go", "GOTOOLCHAIN": "local", "npm_config_update_notifier": "false", "npm_config_cafile": ca}
	for k, v := range env {
		c.Env = append(c.Env, k+"="+v)
	}
	for _, client := range []struct{ name, command, want string }{
		{"curl", `curl -sS https://$S/`, "hello by HTTP/2.0"},
		{"curl without TLS", `curl -sS http://$P/`, "hello by HTTP/1.1"},
		{"git", `git clone -q https://$S/git/repo.git r && git -C r log --format=%s`, "the commit\n"},
		{"npm", `mkdir n && cd n && npm install --silent --no-audit --no-fund --registry https://$S/npm/ left >/dev/null && cat node_modules/left/package.json`, `{"name":"left","version":"1.0.0"}`},
		{"node", `node -e 'require("https").get("https://"+process.env.S+"/",r=>r.pipe(process.stdout))'`, "hello by HTTP/1.1"},
		{"go", `mkdir g && cd g && go mod init x 2>/dev/null && go mod download -json mod.example/m@v1.0.0 | grep -c Zip`, "1\n"},
		{"python", `python3 -c 'import os,urllib.request as u; print(u.urlopen("https://"+os.environ["S"]+"/").read().decode(),end="")'`, "hello by HTTP/1.1"},
		{"a WebSocket", `$ME attempt ws wss://$S/ws`, "heard hello"},
		{"a WebSocket without TLS", `$ME attempt ws ws://$P/ws`, "heard hello"},
		{"gRPC", `$ME attempt grpc $S`, "SERVING"},
	} {
		for _, mode := range []struct{ name, set string }{
			{"told of the proxy", "export HTTPS_PROXY=http://run:token@127.0.0.1:3701 HTTP_PROXY=http://run:token@127.0.0.1:3701 http_proxy=http://run:token@127.0.0.1:3701\n"},
			{"not told", ""},
		} {
			if client.name == "node" && mode.set != "" {
				continue // it takes no variables before version 24
			}
			t.Run(client.name+" "+mode.name, func(t *testing.T) {
				c := c
				c.State = filepath.Join(t.TempDir(), "state")
				c.Args = []string{"/bin/sh", "-c", mode.set + client.command}
				before := gate.saw(secure) + gate.saw(plain)
				status, out := in(t, c)
				if status != 0 || out != client.want {
					t.Errorf("%d %q, want %q", status, out, client.want)
				}
				if gate.saw(secure)+gate.saw(plain) == before {
					t.Error("the proxy was not asked")
				}
			})
		}
	}
}

// toolFolder is where a program lies that may be outside the system's folders, which is
// then shown.
func toolFolder(t *testing.T, c *Config, name string) string {
	t.Helper()
	path, need, err := Needed(name, c.Home)
	if err != nil {
		t.Fatal(err)
	}
	c.ReadOnly = append(c.ReadOnly, need...)
	return filepath.Dir(path)
}

// Whatever a proxy answers, reading it ends, and a refusal is one.
func FuzzReadAnswer(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 Connection Established\r\n\r\nafter", "HTTP/1.1 403 Forbidden\r\nContent-Length: 16\r\n\r\n{\"error\":\"why\"}",
		"HTTP/1.1 403 Forbidden\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 2000 x\r\n\r\n", "", "SSH-2.0-x\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(b), maxAnswer)
		a, err := readAnswer(r)
		if err != nil {
			return
		}
		if a.status == 200 && len(a.body) > 0 || len(a.body) > maxAnswer || a.why() == "" {
			t.Fatalf("%+v", a)
		}
	})
}

// Many connections at a time, by blocking calls and others, all get where they were for.
func TestManyConnections(t *testing.T) {
	c := box(t, "")
	throughProxy(t, &c)
	_, plain, _ := service(t)
	c.Args = []string{self(t, &c), "attempt", "storm", "http://" + plain + "/", "http://bad.example:80/"}
	if status, out := in(t, c); status != 0 || out != "100 answered, 100 refused" {
		t.Errorf("%d %s", status, out)
	}
}
