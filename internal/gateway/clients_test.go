package gateway

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/authority"
)

// registries is a server that has a package for each sort of client, and a repository.
func registries(t *testing.T) http.Handler {
	t.Helper()
	repo := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main", "work"}, {"-C", "work", "-c", "user.name=a", "-c", "user.email=a@a.example", "commit", "-q", "--allow-empty", "-m", "one"}, {"clone", "-q", "--bare", "work", "repo.git"}, {"-C", "repo.git", "update-server-info"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = repo, []string{"HOME=" + repo, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s (scripts/clients.sh installs what is missing)", args, err, out)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello %s by %s", r.Method, r.Proto) })
	mux.HandleFunc("/big", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 30<<20) })
	mux.HandleFunc("/upload", func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n)
	})
	mux.Handle("/repo.git/", http.FileServer(http.Dir(repo)))

	pack := tarball(t, map[string]string{"package/package.json": `{"name":"small","version":"1.0.0"}`, "package/index.js": "module.exports = 42\n"})
	sum := sha512.Sum512(pack)
	mux.HandleFunc("/small", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"name": "small", "dist-tags": map[string]string{"latest": "1.0.0"}, "versions": map[string]any{"1.0.0": map[string]any{
			"name": "small", "version": "1.0.0", "dist": map[string]string{"tarball": "https://" + r.Host + "/small.tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}}}})
	})
	mux.HandleFunc("/small.tgz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(pack) })

	module := zipped(t, map[string]string{"small.example/m@v1.0.0/go.mod": "module small.example/m\n", "small.example/m@v1.0.0/m.go": "package m\n"})
	mux.HandleFunc("/go/small.example/m/@v/list", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "v1.0.0") })
	mux.HandleFunc("/go/small.example/m/@v/v1.0.0.info", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}`)
	})
	mux.HandleFunc("/go/small.example/m/@v/v1.0.0.mod", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "module small.example/m") })
	mux.HandleFunc("/go/small.example/m/@v/v1.0.0.zip", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(module) })

	wheel := zipped(t, map[string]string{"small.py": "x = 42\n", "small-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n", "small-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"small-1.0.dist-info/RECORD": "small.py,,\nsmall-1.0.dist-info/METADATA,,\nsmall-1.0.dist-info/WHEEL,,\nsmall-1.0.dist-info/RECORD,,\n"})
	mux.HandleFunc("/simple/small/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!DOCTYPE html><html><body><a href="/small-1.0-py3-none-any.whl">small-1.0-py3-none-any.whl</a></body></html>`)
	})
	mux.HandleFunc("/small-1.0-py3-none-any.whl", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(wheel) })
	return mux
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, text)
	}
	_, _ = w.Close(), z.Close()
	return b.Bytes()
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(f, text)
	}
	_ = w.Close()
	return b.Bytes()
}

// Programs as they are find their way by the usual variables, through blind tunnels and
// through those that are looked into.
func TestProxyClients(t *testing.T) {
	server := registries(t)
	for name, look := range map[string]bool{"blind": false, "looked into": true} {
		t.Run(name, func(t *testing.T) {
			s := newSecured(t, server, "rules:\n  - allow: network(*:*)\n", func(o *Options, _ string) {
				if look {
					o.Intercept, _ = ParseHosts([]string{"*"})
				}
			}, nil)
			home := t.TempDir()
			bundle := filepath.Join(home, "bundle.pem")
			if err := os.WriteFile(bundle, append(s.far.PEM(), s.ca.PEM()...), 0o600); err != nil {
				t.Fatal(err)
			}
			by := (&url.URL{Scheme: "http", User: url.UserPassword("s1", s.tokens["agent"]), Host: s.proxy}).String()
			env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "HTTPS_PROXY=" + by, "https_proxy=" + by, "HTTP_PROXY=" + by, "http_proxy=" + by,
				"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GOPROXY=https://go.example:" + s.port() + "/go", "GONOSUMDB=*", "GONOSUMCHECK=1", "GOSUMDB=off", "GOFLAGS=-mod=mod -modcacherw", "GOTOOLCHAIN=local", "GOPATH=" + home + "/go", "GOCACHE=" + home + "/cache"}
			for _, v := range authority.Variables() {
				env = append(env, v+"="+bundle)
			}
			at := func(host string) string { return "https://" + host + ".example:" + s.port() }
			big := filepath.Join(home, "big")
			if err := os.WriteFile(big, make([]byte, 5<<20), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct{ name, script, want string }{
				{"curl", "curl -sS --fail " + at("curl") + "/hello", "hello GET by HTTP/2.0"},
				{"curl by HTTP/1.1", "curl -sS --fail --http1.1 " + at("curl") + "/hello", "hello GET by HTTP/"},
				{"curl, much", "curl -sS --fail " + at("curl") + "/big | wc -c", fmt.Sprint(30 << 20)},
				{"curl, much that goes out", "curl -sS --fail -T " + big + " " + at("curl") + "/upload", fmt.Sprint(5 << 20)},
				{"git", "git clone -q " + at("git") + "/repo.git cloned && git -C cloned log --format=%s", "one"},
				{"npm", "npm install --loglevel=error --fetch-retries=0 --no-audit --no-fund --registry " + at("npm") + " small && node -p 'require(\"small\")'", "42"},
				{"go", "mkdir -p m && cd m && go mod init m 2>/dev/null && go mod download -json small.example/m@v1.0.0", `"Version": "v1.0.0"`},
				{"python", "python3 -c 'import urllib.request; print(urllib.request.urlopen(\"" + at("python") + "/hello\").read().decode())'", "hello GET"},
				{"pip", "python3 -m pip download -q --disable-pip-version-check --no-cache-dir --index-url " + at("pip") + "/simple small && ls *.whl", "small-1.0-py3-none-any.whl"},
			} {
				t.Run(tt.name, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
					defer cancel()
					cmd := exec.CommandContext(ctx, "sh", "-ec", tt.script)
					cmd.Dir, cmd.Env = t.TempDir(), env
					cmd.WaitDelay = 10 * time.Second
					if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), tt.want) {
						t.Errorf("%v\n%s (scripts/clients.sh installs what is missing)", err, out)
					}
				})
			}
			_, said := s.call("admin", "GET", "/metrics", nil)
			if got := strings.Contains(fmt.Sprint(said), `umpire_proxy_requests_total{form="https",status="allowed"}`); got != look {
				t.Errorf("looked into: %v, want %v", got, look)
			}
		})
	}
}
