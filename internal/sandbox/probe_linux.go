//go:build amd64 || arm64

package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/plural"
)

// layers are in the order of setup, each with the step that fails if it is missing.
var layers = []struct{ name, step, text string }{
	{"namespaces", "this kernel makes no namespaces", "available without root: user, mount, process, network, IPC and UTS"},
	{"overlay", "mount the project as an overlay", "works in a user namespace"},
	{"pivot_root", "change the root", "hides the host's files"},
	{"connections", "make every address the box's own", "reach the proxy also from programs without proxy settings"},
	{"landlock", "hold by Landlock", ""},
	{"seccomp", "hold by seccomp", "supports filters with a listener"},
}

// Layers runs the program true in a sandbox, in a temporary folder below dir, and returns the
// layers that this kernel supports.
func Layers(ctx context.Context, dir string) ([]Layer, error) {
	base, err := os.MkdirTemp(dir, "umpire-box-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(base) }() // it contains only folders
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	prog, needed, err := Needed("true", filepath.Join(base, "home"))
	if err != nil {
		return nil, err
	}
	c := Config{Dir: filepath.Join(base, "home", "project"), Home: filepath.Join(base, "home"), State: filepath.Join(base, "state"), Args: []string{prog}, ReadOnly: needed, Env: []string{}}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, err
	}
	const gate = "127.0.0.1:3701"
	socket := filepath.Join(base, "gate") // without a listener
	if err := os.WriteFile(socket, nil, 0o600); err != nil {
		return nil, err
	}
	c.Gates, c.Through = map[string]string{gate: socket}, &Through{Gate: gate}
	began := time.Now()
	status, err := Run(ctx, c)
	took := time.Since(began).Round(time.Millisecond)
	if err == nil && status != 0 {
		err = fmt.Errorf("the program true ended with status %d in the sandbox", status)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	list, missing := []Layer{}, false
	for _, l := range layers {
		text := l.text
		if l.name == "landlock" {
			text = landlockText()
		}
		switch {
		case missing:
			text = "not tested: a layer above is missing"
		case err != nil && strings.Contains(err.Error(), l.step):
			missing, text = true, err.Error()
		}
		failed := missing && text == fmt.Sprint(err)
		list = append(list, Layer{Name: l.name, OK: !missing, Tried: !missing || failed, Text: text})
	}
	whole := Layer{Name: "box", OK: err == nil, Tried: true, Text: fmt.Sprintf("ran %s in %s", prog, plural.Duration(took))}
	if err != nil {
		whole.Text = err.Error()
		if !missing { // the layers after an unknown error were not tested
			for i := range list {
				list[i].OK, list[i].Tried, list[i].Text = false, false, "unknown: the sandbox failed for another reason"
			}
		}
	}
	return append(list, whole), nil
}

func landlockText() string {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errno.Error()
	}
	text := fmt.Sprintf("version %d (version %d is required)", abi, minLandlock)
	if abi < 6 {
		text += "; version 6 also restricts signals and abstract sockets"
	}
	return text
}
