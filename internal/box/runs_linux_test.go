package box

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// A run is found by its ID, or as the last one of the folder; one without a record never started,
// and a damaged record is an error, not another run.
func TestRunsAreFound(t *testing.T) {
	state, here := t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	t.Chdir(here)
	for _, id := range []string{"", "1"} {
		if r, err := Last(id); err == nil {
			t.Errorf("without runs, %q: got %+v, want an error", id, r)
		}
	}
	if list, err := All(); err != nil || len(list) != 0 {
		t.Errorf("without runs: got %v, %v", list, err)
	}
	runs := filepath.Join(state, "umpire", "runs")
	store := func(id, dir string) {
		body, err := json.Marshal(Run{ID: id, Config: sandbox.Config{Dir: dir}})
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(runs, id, "run.json"), string(body))
	}
	store("1", here)
	store("2", filepath.Dir(here))
	store("3", here+"-other")
	put(t, filepath.Join(runs, "4", "gateway.log"), "")
	for id, want := range map[string]string{"": "2", "1": "1", "3": "3", "4": "", "5": ""} {
		r, err := Ended(id)
		if (err == nil) != (want != "") || err == nil && (r.ID != want || r.Config.State != filepath.Join(runs, want)) {
			t.Errorf("%q: got %+v, %v, want run %q", id, r, err, want)
		}
	}
	if list, err := All(); err != nil || len(list) != 3 || list[0].ID != "1" || list[2].ID != "3" {
		t.Errorf("got %v, %v, want three runs", list, err)
	}
	r, err := Last("3")
	if err != nil {
		t.Fatal(err)
	}
	if b := r.Changes(); b.ID != "3" || b.Dir != here+"-other" || b.State != r.Config.State {
		t.Errorf("its changes are %+v", b)
	}
	lock, err := os.Create(filepath.Join(r.Config.State, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if _, err := Ended("3"); err == nil || !strings.Contains(err.Error(), "run 3 is still running") {
		t.Errorf("a running run: got %v, want that it is still running", err)
	}
	if err := r.Discard(); err == nil {
		t.Error("a running run is discarded")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(r.Config.State, "work", "work"), 0); err != nil {
		t.Fatal(err)
	}
	if _, gone := r.Discard(), exists(r.Config.State); gone {
		t.Error("a run that ended is still there after it is discarded")
	}
	put(t, filepath.Join(runs, "9", "run.json"), "{")
	if _, err := Last(""); err == nil || !strings.Contains(err.Error(), filepath.Join(runs, "9")) {
		t.Errorf("with a damaged record: got %v, want an error that names it", err)
	}
	if _, err := All(); err == nil {
		t.Error("with a damaged record all runs are listed, want an error")
	}
	for name, stays := range map[string]bool{"upper/x": true, "record/x": true, "work/x": false} {
		r := &Run{Config: sandbox.Config{State: filepath.Join(runs, "unused")}}
		put(t, filepath.Join(r.Config.State, name), "")
		if DropUnused(r); exists(r.Config.State) != stays {
			t.Errorf("a run with %s: it stays %v, want %v", name, !stays, stays)
		}
		if err := os.RemoveAll(r.Config.State); err != nil {
			t.Fatal(err)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A change of what programs, agents or umpire obey is told, by either of its names.
func TestObeyed(t *testing.T) {
	r := &Run{Config: sandbox.Config{Dir: "/home/dev/p", Home: "/home/dev"}}
	for _, tt := range []struct {
		e    changes.ChangedPath
		want bool
	}{
		{changes.ChangedPath{Path: "src/a.go"}, false}, {changes.ChangedPath{Path: ".git/hooks/pre-commit"}, true}, {changes.ChangedPath{Path: "a", From: ".umpire.yaml"}, true},
		{changes.ChangedPath{Path: "a", Kind: host.Symlink, Target: ".git/hooks"}, true}, {changes.ChangedPath{}, false},
	} {
		if got := r.Sensitive(&tt.e); got != tt.want {
			t.Errorf("%+v: got %v, want %v", tt.e, got, tt.want)
		}
	}
}

// The events of a sandbox are added to the user's log with their run, and its folder goes; what is no
// plain file in it, or is damaged, stays there and is not followed.
func TestKeepRecord(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	sandboxed := func() *Run {
		r := &Run{ID: "run-1", Config: sandbox.Config{State: t.TempDir()}}
		log, err := audit.Open(filepath.Join(r.Config.State, "record"), audit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []audit.Event{{Kind: audit.Decision, Tool: "a"}, {Kind: audit.Decision, Tool: "b", Data: map[string]string{"run": "another", "x": "y"}}} {
			if err := log.Append(&e); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	r := sandboxed()
	if err := KeepRecord(r); err != nil || exists(filepath.Join(r.Config.State, "record")) {
		t.Errorf("got %v, want the events kept and the folder removed", err)
	}
	var got []string
	for e := range recorded(t) {
		got = append(got, e.Tool+e.Data["run"]+e.Data["x"])
	}
	if !slices.Equal(got, []string{"arun-1", "brun-1y"}) {
		t.Errorf("the log has %q", got)
	}
	for name, spoil := range map[string]func(dir string) error{
		"a link": func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "audit-x.jsonl")) },
		"a pipe": func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600) },
		"endless": func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "x"), nil, 0o600), os.Truncate(filepath.Join(dir, "x"), 1<<40))
		},
		"no folder": os.RemoveAll,
	} {
		r := sandboxed()
		record := filepath.Join(r.Config.State, "record")
		if err := spoil(record); err != nil {
			t.Fatal(err)
		}
		if err := KeepRecord(r); err == nil || name != "no folder" && !exists(record) {
			t.Errorf("%s: got %v, want an error and the folder as it was", name, err)
		}
	}
	if n := len(slices.Collect(recorded(t))); n != 2 {
		t.Errorf("the log has %d events, want those of the first run", n)
	}
}

// A run has the real paths of its project and of what it may see, so that no link leads elsewhere.
func TestNew(t *testing.T) {
	top := t.TempDir()
	home, real := filepath.Join(top, "home"), filepath.Join(top, "real")
	t.Setenv("HOME", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("PASSED", "1")
	put(t, filepath.Join(real, "sub", "file"), "")
	put(t, filepath.Join(home, "x"), "")
	link := filepath.Join(top, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	at := project.Project{Dir: filepath.Join(link, "sub"), Workspace: link, Home: home}
	r, at, err := New(at, []string{"sh", "-c", "x"}, []string{link}, []string{filepath.Join(link, "sub")}, []string{"PASSED", "SET=2"})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Config
	if c.Dir != real || c.Folder != filepath.Join(real, "sub") || at.Dir != c.Folder || c.State != filepath.Join(home, "state", "umpire", "runs", r.ID) || r.Command != "sh -c x" || !filepath.IsAbs(c.Args[0]) ||
		strings.Join(c.Args[1:], " ") != "-c x" || strings.Join(c.Writable, " ") != filepath.Join(real, "sub") || strings.Join(c.Own, " ") != filepath.Join(home, "config", "umpire")+" "+filepath.Join(home, "state", "umpire") {
		t.Errorf("got %+v", c)
	}
	for _, want := range []string{real, link} {
		if !slices.Contains(c.ReadOnly, want) {
			t.Errorf("%s is not among what is shown: %q", want, c.ReadOnly)
		}
	}
	for _, want := range []string{"PASSED=1", "SET=2", "HOME=" + home, "TMPDIR=/tmp"} {
		if !slices.Contains(c.Env, want) {
			t.Errorf("%s is not in the environment %q", want, c.Env)
		}
	}
	none := filepath.Join(top, "none")
	for name, do := range map[string]func() error{
		"no folder": func() error {
			_, _, err := New(project.Project{Dir: none, Home: home}, []string{"sh"}, nil, nil, nil)
			return err
		},
		"no workspace": func() error {
			_, _, err := New(project.Project{Dir: real, Workspace: none, Home: home}, []string{"sh"}, nil, nil, nil)
			return err
		},
		"no program": func() error {
			_, _, err := New(project.Project{Dir: real, Home: home}, []string{"no-such-program"}, nil, nil, nil)
			return err
		},
		"read-only": func() error {
			_, _, err := New(project.Project{Dir: real, Home: home}, []string{"sh"}, []string{none}, nil, nil)
			return err
		},
		"writable": func() error {
			_, _, err := New(project.Project{Dir: real, Home: home}, []string{"sh"}, nil, []string{none}, nil)
			return err
		},
	} {
		if err := do(); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// The hook in a sandbox sees its policy and nothing beside it, in the folders that the user's own
// settings name, and what does not exist yet cannot be made there.
func TestUseProfile(t *testing.T) {
	top := t.TempDir()
	home, config, state, cache := filepath.Join(top, "home"), filepath.Join(top, "config"), filepath.Join(top, "state"), filepath.Join(top, "cache")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("XDG_STATE_HOME", state)
	t.Setenv("XDG_CACHE_HOME", cache)
	bin := filepath.Join(top, "bin")
	put(t, filepath.Join(bin, "umpire-hook"), "")
	if err := os.Chmod(filepath.Join(bin, "umpire-hook"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	at := project.Project{Dir: filepath.Join(top, "p"), Home: home}
	r := &Run{Config: sandbox.Config{Dir: at.Dir, Home: home, State: filepath.Join(top, "run")}}
	if err := ReadyHook(t.Context(), r, at); err != nil { // there is nothing to compile yet
		t.Fatal(err)
	}
	mine := filepath.Join(config, "umpire")
	for _, name := range []string{"policy.yaml", "trust", "token", "more.yml"} {
		put(t, filepath.Join(mine, name), "version: 1\nallowedEndpoints: [a.example, \"*.b.example:443\"]\n")
	}
	elsewhere := filepath.Join(top, "dotfiles", "linked.yaml")
	put(t, elsewhere, "")
	if err := os.Symlink(elsewhere, filepath.Join(mine, "linked.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := UseProfile(r, &sandbox.Profile{Name: "x"}, at); err != nil {
		t.Fatal(err)
	}
	c := r.Config
	none, record := filepath.Join(c.State, "none"), filepath.Join(c.State, "record")
	if !exists(none) || !exists(record) || !exists(cacheOf(at)) {
		t.Errorf("the folders of a run are missing in %s", c.State)
	}
	in := filepath.Join(state, "umpire")
	want := []sandbox.Mount{{From: mine, To: mine}, {From: cacheOf(at), To: cacheOf(at)}, {From: record, To: in, Writable: true}, {From: none, To: filepath.Join(in, "believed")}}
	if r.Profile != "x" || !slices.Equal(c.Shown, want) {
		t.Errorf("the profile %q shows %+v, want %+v", r.Profile, c.Shown, want)
	}
	if !slices.Equal(c.Hidden, []string{filepath.Join(mine, "token")}) {
		t.Errorf("hidden are %q, want the token", c.Hidden)
	}
	for _, path := range []string{elsewhere, filepath.Join(bin, "umpire-hook")} {
		if !slices.Contains(c.ReadOnly, path) {
			t.Errorf("%s is not among %q, want it read-only", path, c.ReadOnly)
		}
	}
	if !slices.IsSorted(c.ReadOnly) || !slices.Equal(c.Env, []string{"XDG_CONFIG_HOME=" + config, "XDG_STATE_HOME=" + state, "XDG_CACHE_HOME=" + cache}) {
		t.Errorf("read-only are %q with the environment %q", c.ReadOnly, c.Env)
	}
	var said strings.Builder
	p := &sandbox.Profile{Title: "X", Endpoints: []string{"a.example", "x.b.example", "c.example", "d.example"}}
	if err := HintEndpoints(&said, p, at); err != nil || !strings.Contains(said.String(), "umpire: X needs its model at c.example, and the policy may ask you about each connection. To allow all of them, add `allowedEndpoints: [c.example, d.example]`") {
		t.Errorf("it says %q, %v, want the hosts that the policy does not list", said.String(), err)
	}
	said.Reset()
	if err := HintEndpoints(&said, &sandbox.Profile{Endpoints: p.Endpoints[:2]}, at); err != nil || said.Len() > 0 {
		t.Errorf("it says %q, %v, want nothing of hosts that the policy lists", said.String(), err)
	}
}

// A push goes to a remote of the project, a folder beside it, or a URL; the gateway and git in the
// sandbox get the same one.
func TestReadRemote(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".git", "config"), "[remote \"origin\"]\n\turl = https://h.example/p.git\n[remote \"beside\"]\n\turl = other\n")
	for _, name := range []string{".git/objects/x", ".git/refs/x", "other/x"} {
		put(t, filepath.Join(dir, name), "")
	}
	put(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	t.Chdir(dir)
	for push, want := range map[string]string{
		"": "", "origin": "https://h.example/p.git https://h.example/p.git", "beside": "other " + filepath.Join(dir, "other"), "git@h.example:p.git": "git@h.example:p.git git@h.example:p.git", "/srv/p.git": "/srv/p.git /srv/p.git",
		"none": "no remote", "--upload-pack=x": "no remote",
	} {
		s := Sync{Push: push, Credentials: "file"}
		err := s.ReadRemote(t.Context(), dir)
		if want == "no remote" {
			if err == nil || !strings.Contains(err.Error(), "the project has no remote") {
				t.Errorf("%q: got %v, want that there is no such remote", push, err)
			}
			continue
		}
		if got := strings.TrimSpace(s.remote + " " + s.pushTo); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", push, got, err, want)
		}
		args := strings.Join(s.serveArgs(), " ")
		if push == "" && args != "--push-credentials file" || push != "" && args != "--push-to "+s.pushTo+" --push-credentials "+filepath.Join(dir, "file") {
			t.Errorf("%q: the gateway gets %q", push, args)
		}
	}
}

// A program in a sandbox reaches the agents' side of the gateway and the proxy, each by a socket that
// goes with the run.
func TestGates(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var served []string
	echo := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { served = append(served, r.URL.Path) }))
	defer echo.Close()
	r := &Run{ID: "run-1"}
	end, err := openGates(t.Context(), r, echo.URL, strings.TrimPrefix(echo.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{InsideAPI, InsideProxy} {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", r.Config.Gates[inside])
		}}}
		for _, path := range []string{"/healthz", "/login"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+inside+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := client.Do(req)
			if err != nil {
				t.Fatalf("%s: %v", inside, err)
			}
			_ = res.Body.Close()
		}
	}
	if strings.Join(served, " ") != "/healthz /healthz /login" {
		t.Errorf("reached are %q, want the agents' side by one gate, and all by the other", served)
	}
	end()
	for inside, socket := range r.Config.Gates {
		if exists(filepath.Dir(socket)) {
			t.Errorf("the socket of %s is still there", inside)
		}
	}
	if _, err := openGates(t.Context(), r, "http://%", ""); err == nil {
		t.Error("an address that is no URL: got no error")
	}
	const proxy = "http://run-1:t@127.0.0.1:3701"
	want := "HTTP_PROXY=" + proxy + " HTTPS_PROXY=" + proxy + " http_proxy=" + proxy + " https_proxy=" + proxy + " ALL_PROXY=" + proxy +
		" NO_PROXY=127.0.0.1,localhost no_proxy=127.0.0.1,localhost NODE_USE_ENV_PROXY=1 SANDBOX_API=http://127.0.0.1:3700 UMPIRE_TOKEN=t"
	if got := strings.Join(proxyEnv("run-1", "t"), " "); got != want {
		t.Errorf("the environment is %s, want %s", got, want)
	}
}

// While a program runs, its changes go to a gateway only if rules may let them through, and the token
// for that goes with the run.
func TestSync(t *testing.T) {
	for apply, want := range map[string][]string{
		ApplyNever: nil, ApplyAsk: nil,
		ApplyRules: {"GET /api/project operator", `POST /api/tokens operator {"kind":"agent","lease":300000,"name":"changes of run run-1"}`, "DELETE /api/tokens/7?keep=requests operator"},
	} {
		g := &fakeGateway{answers: map[string]string{"GET /api/project": `{"root":"/srv/p"}`, "POST /api/tokens": `{"token":"t","about":{"id":"7"}}`, "DELETE /api/tokens/7?keep=requests": `{}`}}
		serve(t, g)
		r := &Run{ID: "run-1", Config: sandbox.Config{Dir: "/srv/p", State: t.TempDir()}, Sync: Sync{Apply: apply}}
		var said strings.Builder
		s, err := startSync(t.Context(), &said, r, "")
		if err != nil || (s == nil) != (apply == ApplyNever) {
			t.Fatalf("%s: got %+v, %v", apply, s, err)
		}
		if s.end(t.Context(), &said); !slices.Equal(g.seen, want) {
			t.Errorf("%s: the gateway was asked %q, want %q; it says %q", apply, g.seen, want, said.String())
		}
		for n := 1; n < len(want); n++ {
			serve(t, &fakeGateway{answers: g.answers, nth: n})
			if s, err := startSync(t.Context(), t.Output(), r, ""); err == nil || s != nil {
				t.Errorf("%s, request %d fails: got %+v, %v, want an error", apply, n, s, err)
			}
		}
	}
}
