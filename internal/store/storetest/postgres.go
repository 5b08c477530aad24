//go:build unix

// Package storetest starts databases for tests.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Postgres is a server for tests.
type Postgres struct {
	URL   string
	dir   string
	bin   string
	port  int
	cred  *syscall.Credential
	pid   int
	ended <-chan struct{}
	alive *os.File // readable at its end, once the server and all its children have ended
	t     testing.TB
}

// shared is the server of the tests that call Database at the same time.
var shared struct {
	sync.Mutex
	*Postgres
	users, made int
}

// Database returns the URL of a new PostgreSQL database. The first of the tests that run at the
// same time starts a server for all, and the last one stops it. A test that kills its server needs
// StartPostgres.
func Database(t testing.TB) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.users == 0 {
		shared.Postgres = newPostgres(t)
	}
	shared.users++
	t.Cleanup(func() {
		shared.Lock()
		defer shared.Unlock()
		if shared.users--; shared.users == 0 {
			shared.t = t
			shared.remove()
		}
	})
	shared.made++
	name := fmt.Sprint("t", shared.made)
	if out, err := shared.command("createdb", "-h", "127.0.0.1", "-p", strconv.Itoa(shared.port), "-U", "umpire", name).CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v\n%s", err, out)
	}
	return strings.Replace(shared.URL, "/postgres?", "/"+name+"?", 1)
}

// StartPostgres starts a PostgreSQL on the loopback address, and stops it with the test.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	p := newPostgres(t)
	t.Cleanup(p.remove)
	return p
}

func newPostgres(t testing.TB) *Postgres {
	t.Helper()
	p := &Postgres{t: t, bin: programs()}
	if p.bin == "" {
		t.Fatal("there is no PostgreSQL on this machine: run scripts/postgres.sh, which installs it")
	}
	dir, err := os.MkdirTemp("", "umpire-pg-")
	if err != nil {
		t.Fatal(err)
	}
	p.dir = dir
	running := false
	defer func() {
		if !running {
			p.remove()
		}
	}()
	if os.Getuid() == 0 { // it refuses to run as root
		u, err := user.Lookup("postgres")
		if err != nil {
			if u, err = user.Lookup("nobody"); err != nil {
				t.Fatal(err)
			}
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		p.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := p.command("initdb", "-D", filepath.Join(dir, "data"), "-U", "umpire", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	p.port = Port(t)
	p.URL = fmt.Sprintf("postgres://umpire@127.0.0.1:%d/postgres?sslmode=disable&connect_timeout=5", p.port)
	p.Start()
	running = true
	return p
}

// remove kills the server and removes its files.
func (p *Postgres) remove() {
	p.Kill()
	_ = os.RemoveAll(p.dir)
}

var ports atomic.Int64

// Port returns a port of the loopback address at which a server can be restarted. The system does
// not assign it to other programs, and other test programs use other ports.
func Port(t testing.TB) int {
	t.Helper()
	const first, all, own = 10_000, 20_000, 16 // below the ephemeral ports
	for range all {
		n := first + (os.Getpid()*own+int(ports.Add(1)))%all
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", fmt.Sprint("127.0.0.1:", n))
		if err == nil {
			_ = l.Close()
			return n
		}
	}
	t.Fatal("no port is free")
	return 0
}

// programs returns the folder with PostgreSQL's programs.
func programs() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

func (p *Postgres) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.cred, Setpgid: true}
	return cmd
}

// Start starts the server, also after Kill.
func (p *Postgres) Start() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for {
		ended, text := p.start()
		for alive := true; alive; {
			if p.command("pg_isready", "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port)).Run() == nil {
				return
			}
			select {
			case <-ctx.Done():
				p.t.Fatalf("PostgreSQL does not start:\n%s", text())
			case <-ended:
				// Children of the killed process may hold its memory for a moment.
				alive = false
			case <-time.After(50 * time.Millisecond):
			}
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("PostgreSQL does not start:\n%s", text())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// start runs the server until it ends, and returns its output.
func (p *Postgres) start() (ended <-chan struct{}, text func() string) {
	p.t.Helper()
	path := filepath.Join(p.dir, "log")
	log, err := os.Create(path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	// A killed server leaves its writes to the system, so that fsync would only cost time.
	cmd := p.command("postgres", "-D", filepath.Join(p.dir, "data"), "-p", strconv.Itoa(p.port), "-h", "127.0.0.1", "-k", p.dir,
		"-c", "fsync=off", "-c", "max_connections=400")
	cmd.Stdout, cmd.Stderr = log, log
	alive, held, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{held}
	err = cmd.Start()
	_ = held.Close()
	if p.alive != nil {
		_ = p.alive.Close()
	}
	p.alive = alive
	if err != nil {
		p.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = cmd.Wait()
	}()
	p.pid, p.ended = cmd.Process.Pid, done
	return done, func() string {
		data, _ := os.ReadFile(path)
		return strings.ToValidUTF8(string(data), "?")
	}
}

// Kill kills the server, as in a crash, and returns when all its processes have ended.
func (p *Postgres) Kill() {
	if p.ended == nil {
		return
	}
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	<-p.ended
	p.ended = nil
	// Its children end when they notice, and may answer until then.
	_ = p.alive.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := p.alive.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		p.t.Errorf("PostgreSQL was killed, and its children live on: %v", err)
	}
	_ = os.Remove(filepath.Join(p.dir, "data", "postmaster.pid"))
}
