package docs

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/tools/programs"
	"github.com/umpire-dev/umpire/internal/tui/tuitest"
)

// limit bounds each wait: long enough for a machine that is busy with other tests.
const limit = time.Minute

// dev is the home that the pages speak of.
const dev = "/home/dev"

// world is the machine on which the commands of one page run: a home, a project in it, and
// one shell from the first command to the last.
type world struct {
	*testing.T
	home, shop, bin string
	env             []string
	ids             map[string]string // of the page's texts, those of this run
	places          map[string]string // of the page's addresses, those of this run
	model           string            // where the scripted model of examples/chat listens
	halt            func()            // ends the server that runs
	said            string            // the last answer of the hook
	in              io.Writer
	out             chan string
}

// machine has what every world begins with: the programs in bin, and a repository in shop.
var machine struct {
	sync.Mutex
	root string
}

// build makes the machine, once for all tests, in a folder that umpire does not take for a
// temporary one.
func build(t *testing.T) (root string) {
	t.Helper()
	machine.Lock()
	defer machine.Unlock()
	if machine.root != "" {
		return machine.root
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		err = os.MkdirAll(cache, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	if machine.root, err = os.MkdirTemp(cache, "umpire-docs-"); err != nil {
		t.Fatal(err)
	}
	programs.Build(t, filepath.Join(machine.root, "bin"), "", "cmd/umpire", "cmd/umpire-hook") // the tests' homes are nobody's
	repository := exec.CommandContext(t.Context(), "sh", "-ec", `git init -q -b main --template= shop
cd shop
git config user.name dev
git config user.email dev@example.org
git config commit.gpgsign false
echo a > a.txt
git add a.txt
git commit -q -m begin`)
	repository.Dir = machine.root
	repository.Env = []string{"HOME=" + machine.root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := repository.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	return machine.root
}

func TestMain(m *testing.M) {
	status := m.Run()
	_ = os.RemoveAll(machine.root)
	os.Exit(status)
}

func newWorld(t *testing.T, root, page string) *world {
	t.Helper()
	dir, err := os.MkdirTemp(root, strings.TrimSuffix(filepath.Base(page), ".md"))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, home: filepath.Join(dir, "home"), ids: map[string]string{}, places: map[string]string{}, out: make(chan string)}
	w.bin = filepath.Join(w.home, ".local", "bin")
	w.shop = filepath.Join(w.home, "shop")
	temp := filepath.Join(dir, "tmp")
	for _, d := range []string{w.bin, temp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"umpire", "umpire-hook"} {
		if err := os.Link(filepath.Join(root, "bin", name), filepath.Join(w.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("umpire", filepath.Join(w.bin, "umpire-sh")); err != nil {
		t.Fatal(err)
	}
	w.env = []string{"HOME=" + w.home, "PATH=" + w.bin + ":" + os.Getenv("PATH"), "TMPDIR=" + temp, "LANG=C.UTF-8", "USER=dev", "GIT_CONFIG_NOSYSTEM=1"}
	if err := os.CopyFS(w.shop, os.DirFS(filepath.Join(root, "shop"))); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("bash", "--noprofile", "--norc")
	shell.Dir, shell.Env = w.shop, w.env
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	shell.Stderr = shell.Stdout
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	w.in = in
	gone := make(chan struct{})
	go func() {
		defer close(w.out)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			select {
			case w.out <- line:
			case <-gone:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		close(gone)
		_ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) // and all that it left running
		_ = shell.Wait()
	})
	w.must(`curl() { command curl --fail-with-body "$@"; }`) // an error is one
	return w
}

// ended is the line behind a command's output.
var ended = regexp.MustCompile(`^<ended (\d+)>\n$`)

// atDefault is the address at which two pages cannot have a gateway at the same time.
var atDefault sync.Mutex

// run has the page's shell run a command, and returns what it printed as the page would show
// it.
func (w *world) run(command string) (printed string, status int) {
	w.Helper()
	if strings.Contains(command, "umpire run ") { // it may start a gateway at the default address
		atDefault.Lock()
		defer atDefault.Unlock()
	}
	file := filepath.Join(filepath.Dir(w.home), "command")
	if err := os.WriteFile(file, []byte(w.here(command)+"\n"), 0o600); err != nil {
		w.Fatal(err)
	}
	fmt.Fprintf(w.in, "(exit ${status:-0}); . '%s' </dev/null; status=$?; printf '\\n<ended %%d>\\n' $status\n", file)
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		select {
		case line, ok := <-w.out:
			if m := ended.FindStringSubmatch(line); m != nil {
				status, _ = strconv.Atoi(m[1])
				return strings.TrimRight(w.shown(printed), "\n"), status
			}
			printed += line
			if !ok {
				w.Fatalf("the shell ended at %s\n%s", command, printed)
			}
		case <-late.C:
			w.Fatalf("%s did not end within %v\n%s", command, limit, printed)
		}
	}
}

// here turns what a page says of places and IDs into those of this run.
func (w *world) here(s string) string {
	s = strings.ReplaceAll(s, "localhost:", "127.0.0.1:")
	for of, is := range w.places {
		s = strings.ReplaceAll(s, of, is)
	}
	if w.model != "" {
		s = strings.ReplaceAll(s, chatAddress, w.model)
	}
	for of, is := range w.ids {
		s = strings.ReplaceAll(s, of, is)
	}
	return strings.ReplaceAll(s, dev, w.home)
}

// shown turns what was printed into what a page would show.
func (w *world) shown(s string) string {
	for of, is := range w.places {
		s = strings.ReplaceAll(s, is, of)
	}
	return strings.ReplaceAll(s, w.home, dev)
}

// write puts a file into the home.
func (w *world) write(name, text string) {
	w.Helper()
	path := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
}

// must runs commands that prepare the world.
func (w *world) must(commands ...string) (printed string) {
	w.Helper()
	for _, c := range commands {
		out, status := w.run(c)
		if status != 0 {
			w.Fatalf("%s: %d %s", c, status, out)
		}
		printed = out
	}
	return printed
}

// defaultAddress is held by the page whose runs start gateways at the default address: each page
// has a HOME of its own, so the gateway of one does not know the tokens of another.
var defaultAddress sync.Mutex

// ownGateway waits until no other page has a gateway at the default address.
func (w *world) ownGateway() {
	defaultAddress.Lock()
	w.Cleanup(defaultAddress.Unlock)
}

// serve starts umpire serve or umpire guard serve on free ports, waits until it listens, and
// returns what it wrote until then.
func (w *world) serve(command string) string {
	w.Helper()
	command, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(command), "\\\n", " "), "  #")
	command += " --listen 127.0.0.1:0"
	guard := strings.Contains(command, "guard serve")
	if w.halt != nil {
		w.halt()
	}
	if !guard {
		command += " --proxy 127.0.0.1:0"
	}
	cmd := exec.Command("bash", "-c", "exec "+w.here(command)+" 2>&1")
	cmd.Dir, cmd.Env = w.shop, w.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	ended := make(chan struct{})
	w.halt = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(limit):
			_ = cmd.Process.Kill()
			w.Errorf("%s did not end", command)
			<-ended
		}
		clear(w.places)
	})
	w.Cleanup(w.halt)
	said, ready := "", make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			line := lines.Text()
			field := func(name string) string {
				_, v, _ := strings.Cut(line, name+"=")
				v, _, _ = strings.Cut(v, " ")
				return v
			}
			if at, ok := strings.CutPrefix(line, "listening on http://"); ok {
				w.places["127.0.0.1:3704"] = at
			}
			switch field("side") {
			case "all":
				w.places["127.0.0.1:3700"] = field("address")
			case "proxy":
				w.places["127.0.0.1:3701"] = field("address")
			default:
				said += line + "\n"
			}
			if w.places["127.0.0.1:3704"] != "" && guard || len(w.places) == 2 {
				break
			}
		}
		ready <- said
		for lines.Scan() { // or it would wait for a reader
		}
		_ = cmd.Wait() // however it ends
		close(ended)
	}()
	select {
	case s := <-ready:
		if len(w.places) == 0 {
			w.Fatalf("%s ended: %s", command, s)
		}
		if !guard {
			w.must("export UMPIRE_SERVER=http://127.0.0.1:3700 UMPIRE_API=http://127.0.0.1:3700")
		}
		return w.shown(s)
	case <-time.After(limit):
		w.Fatalf("%s did not start", command)
	}
	return ""
}

// atTerminal runs a command in a terminal, where a person answers its question, if there is
// one. It returns the screen at the end, and the exit status.
func (w *world) atTerminal(command, answer string) (printed string, status int) {
	w.Helper()
	env := append([]string{"TERM=xterm-256color"}, w.env...)
	if at := w.places["127.0.0.1:3700"]; at != "" { // the shell of the page has exported it
		env = append(env, "UMPIRE_SERVER=http://"+at)
	}
	pane := tuitest.Open(w.T, 250, 60, w.shop, env, "bash", "-c", w.here(command))
	if answer != "" {
		pane.UntilRight(func(screen string) string {
			if strings.Contains(screen, "[y/N]") || strings.Contains(screen, ",?]") {
				return ""
			}
			return "it asks nothing"
		})
		pane.Read()
		pane.Type(answer)
		pane.Keys("Enter")
	}
	pane.Until("left with ")
	screen, left, _ := strings.Cut(pane.Tmux("capture-pane", "-p"), "left with ")
	status, err := strconv.Atoi(strings.TrimSpace(left))
	if err != nil {
		w.Fatalf("%s: %v", command, err)
	}
	screen = strings.TrimPrefix(screen, "go\n") // tuitest's own
	return strings.Trim(w.shown(screen), "\n"), status
}

// chatAddress is where examples/chat has its model.
const chatAddress = "127.0.0.1:8099"

// chatModel builds examples/chat and starts its model.
func (w *world) chatModel() {
	w.Helper()
	programs.Build(w, w.bin, "", "examples/chat")
	cmd := exec.CommandContext(w.Context(), filepath.Join(w.bin, "chat"), "-listen", "127.0.0.1:0", "model")
	out, err := cmd.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		w.Fatal(err)
	}
	_, w.model, _ = strings.Cut(strings.TrimSpace(line), "http://")
}
