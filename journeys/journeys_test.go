package journeys

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// limit bounds each wait of a script: long enough for a machine that is busy with other tests.
const limit = time.Minute

// ownHome lets programs of a test have a home that the password file does not name.
const ownHome = "-X=github.com/umpire-dev/umpire/internal/home.passwd="

// build builds the programs into a folder of the test's own.
func build(t *testing.T) (root, bin string) {
	t.Helper()
	// Not among temporary files: umpire treats those as nobody's, and is not installed there.
	cache, err := os.UserCacheDir()
	if err == nil {
		err = os.MkdirAll(cache, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	if root, err = os.MkdirTemp(cache, "umpire-journeys-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(root); err != nil {
			t.Log(err)
		}
	})
	bin = filepath.Join(root, "bin")
	programs.Build(t, bin, "", "cmd/umpire", "cmd/umpire-hook")
	return root, bin
}

// TestJourneys runs every script. go test -v prints each step with what it printed.
func TestJourneys(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // else the programs ignore it if nohup started the tests
	root, bin := build(t)
	testscript.Run(t, testscript.Params{
		Dir:                 ".",
		WorkdirRoot:         root,
		Setup:               func(e *testscript.Env) error { return setup(e, bin) },
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"terminal":   openTerminal,
			"type":       typeText,
			"press":      press,
			"answer":     answer,
			"see":        see,
			"screen":     screen,
			"page":       openPage,
			"click":      click,
			"fill":       fill,
			"serve":      serve,
			"halt":       halt,
			"model":      startModel,
			"claude":     claude,
			"save":       save,
			"eventually": eventually,
			"quit":       quit,
		},
	})
}

// world is what a script has started.
type world struct {
	tb       testing.TB
	views    map[string]view
	gateways map[string]*gateway
}

// view is a terminal or a page that a person looks at.
type view interface {
	see(texts ...string) string
	gone(text string)
	press(keys ...string)
	screen() string
}

type worldKey struct{}

func setup(e *testscript.Env, bin string) error {
	home := filepath.Join(e.WorkDir, "home")
	shop := filepath.Join(home, "shop")
	if err := os.MkdirAll(shop, 0o755); err != nil {
		return err
	}
	e.Cd = shop
	git, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.org"}} {
		cmd := exec.Command(git, args...)
		cmd.Dir, cmd.Env = shop, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w %s", args, err, out)
		}
	}
	// The developer's own copy: a journey may replace it by another version.
	own := filepath.Join(home, ".local", "bin")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"umpire", "umpire-hook"} {
		if err := os.Link(filepath.Join(bin, name), filepath.Join(own, name)); err != nil {
			return err
		}
	}
	temp := filepath.Join(e.WorkDir, "tmp")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return err
	}
	e.Vars = []string{"HOME=" + home, "SHOP=" + shop, "BIN=" + own, "PATH=" + own + string(os.PathListSeparator) + os.Getenv("PATH"), "WORK=" + e.WorkDir, "TMPDIR=" + temp,
		"LANG=C.UTF-8", "USER=ada", "GIT_CONFIG_NOSYSTEM=1", "/=" + string(os.PathSeparator), ":=" + string(os.PathListSeparator), "$=$", "exe="}
	repo, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	vars, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return err
	}
	known := map[string]string{}
	if err := json.Unmarshal(vars, &known); err != nil {
		return err
	}
	for k, v := range known {
		e.Setenv(k, v)
	}
	// A program of Ada's is built of this checkout, without a network, and of the packages that the
	// tests' own build has left in the cache: another setting would compile all of them again.
	e.Setenv("REPO", repo)
	e.Setenv("GOPROXY", "off")
	e.Setenv("CGO_ENABLED", "0")
	e.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod -buildvcs=false '-ldflags=-s -w "+ownHome+"'"))
	tb, ok := e.T().(testing.TB)
	if !ok {
		return errors.New("the scripts need go test")
	}
	e.Values[worldKey{}] = &world{tb: tb, views: map[string]view{}, gateways: map[string]*gateway{}}
	return nil
}

func of(ts *testscript.TestScript) *world { return ts.Value(worldKey{}).(*world) }

// scriptTB fails the script at its line, where a testing.TB would fail the test.
type scriptTB struct {
	testing.TB
	ts *testscript.TestScript
}

func (t scriptTB) Helper()                           {}
func (t scriptTB) Fatalf(format string, args ...any) { t.ts.Fatalf(format, args...) }
func (t scriptTB) Fatal(args ...any)                 { t.ts.Fatalf("%s", fmt.Sprint(args...)) }

// want checks how many arguments a command has.
func want(ts *testscript.TestScript, neg bool, args []string, least int, usage string) {
	if neg || len(args) < least {
		ts.Fatalf("usage: %s", usage)
	}
}

func viewOf(ts *testscript.TestScript, name string) view {
	v := of(ts).views[name]
	if v == nil {
		ts.Fatalf("no terminal or page is called %q", name)
	}
	return v
}

// see waits until all texts are on a terminal's screen or a page; with ! until one is gone.
func see(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg && len(args) != 2 {
		ts.Fatalf("usage: see NAME TEXT..., or ! see NAME TEXT")
	}
	if v := viewOf(ts, args[0]); neg {
		v.gone(args[1])
	} else {
		v.see(args[1:]...)
	}
}

func press(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "press NAME KEY...")
	viewOf(ts, args[0]).press(args[1:]...)
}

// screen prints what a person sees, for stdout and save.
func screen(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 1, "screen NAME")
	fmt.Fprintln(ts.Stdout(), viewOf(ts, args[0]).screen())
}

// save keeps a part of what the last command printed in a variable.
func save(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "save VARIABLE REGEXP")
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	for _, from := range []string{"stdout", "stderr"} {
		if m := re.FindStringSubmatch(ts.ReadFile(from)); m != nil {
			ts.Setenv(args[0], m[len(m)-1])
			return
		}
	}
	ts.Fatalf("the last command printed nothing like %s", args[1])
}

// eventually runs a command until it prints a text.
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "eventually TEXT PROGRAM ARGS...")
	out, end := "", time.Now().Add(limit)
	for again := time.NewTicker(100 * time.Millisecond); time.Now().Before(end); <-again.C {
		_ = ts.Exec(args[1], args[2:]...)
		if out = ts.ReadFile("stdout") + ts.ReadFile("stderr"); strings.Contains(out, args[0]) {
			return
		}
	}
	ts.Fatalf("%q never printed %q: %s", args[1:], args[0], out)
}
