//go:build amd64

package policyfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/tools/faultos"
	"github.com/umpire-dev/umpire/policy"
)

// errand is one change of a policy file, which a test binary makes that is started anew.
type errand struct {
	Path, Step string
}

func init() { faultos.Errand(errand.run) }

// lasting is the answer "always" to a question about two operations.
var lasting = []policyfile.AllowRule{
	{Pattern: "exec(go test *)", Platform: "umpire", Without: umpire.Force, Reason: "allowed by ada"},
	{Pattern: "write(/srv/a)", Platform: "umpire", Reason: "allowed by ada"},
}

func (e errand) run() error {
	switch e.Step {
	case "add":
		_, err := policyfile.Add(e.Path, lasting...)
		return err
	case "observe":
		return policyfile.ObserveRule(e.Path, "no-network")
	case "stop observing":
		_, err := policyfile.Revoke(e.Path, "no-network")
		return err
	case "load":
		return e.load()
	case "trust":
		return policyfile.Trust(e.Path, "/srv/p/.umpire.yaml", []byte("x"))
	case "distrust":
		return policyfile.Distrust(e.Path, "/srv/p/.umpire.yaml")
	}
	ids := policyfile.Answers(e.Path)
	if len(ids) == 0 {
		return errors.New("there is no answer: input/output error")
	}
	_, err := policyfile.Revoke(e.Path, ids[0])
	return err
}

// An answer that is stored for good, and one that is taken back: each call to the file system
// fails, runs into a full disk, is cut or is the last one before a kill. The policy is always
// the one before or the one after, whole; success means the one after, an error says what
// failed, and the next change goes through.
func TestEveryCallFails(t *testing.T) {
	const mine = "# mine\nversion: 1\nrules:\n  - deny: exec(rm *)\n    reason: why\n"
	for _, s := range []struct {
		name, before, step string
	}{
		{"the first answer", "", "add"},
		{"another answer", mine, "add"},
		{"an answer is taken back", mine, "revoke"},
		{"a rule is observed", mine, "observe"},
		{"a rule is enforced again", mine, "stop observing"},
	} {
		for _, mode := range []faultos.Mode{faultos.Fail, faultos.Full, faultos.Torn, faultos.Kill} {
			t.Run(fmt.Sprintf("%s/%s", s.name, mode), func(t *testing.T) {
				t.Parallel()
				after := afterwards(t, s.before, s.step)
				for n := 1; ; n++ {
					path, before := prepared(t, s.before, s.step)
					calls := faultos.Writes
					if mode == faultos.Fail {
						calls = faultos.Files
					}
					r, said := faultos.RunErrand(t, errand{path, s.step}, faultos.Fault{Nth: n, Mode: mode, Calls: calls, Root: filepath.Dir(path)})
					at := fmt.Sprintf("call %d (%s)", n, r.What)
					got := content(t, path)
					if got != before && got != after || r.Status == 0 && got != after {
						t.Errorf("%s: status %d, the policy is\n%s\nwant one of\n%s\nand\n%s", at, r.Status, got, before, after)
					}
					if got != "" {
						if _, err := policyfile.Parse(path, []byte(got), policy.User); err != nil {
							t.Errorf("%s: error %v, want a file that can be parsed", at, err)
						}
					}
					if r.Status > 0 && !strings.Contains(said, "input/output error") && !strings.Contains(said, "no space left") {
						t.Errorf("%s: it says %q, want what failed", at, said)
					}
					if got != after {
						if err := (errand{path, s.step}).run(); err != nil {
							t.Errorf("%s: the next change: %v", at, err)
						}
						if got := content(t, path); got != after {
							t.Errorf("%s: the next change leaves\n%s", at, got)
						}
					}
					if r.What == "" {
						if n == 1 {
							t.Error("no call was counted")
						}
						return
					}
				}
			})
		}
	}
}

// layerFiles are the files of a policy, with one rule each.
var layerFiles = []string{"managed.yaml", "managed.d/a.yaml", "user.yaml", "claimed.yaml", "project.yaml"}

// load reads the layers below a folder, and fails if a rule is missing of which it says nothing.
func (e errand) load() error {
	at := func(name string) string { return filepath.Join(e.Path, name) }
	_, l, err := policyfile.Compile(policyfile.Paths{Managed: at(layerFiles[0]), ManagedDir: at("managed.d"), User: at(layerFiles[2]), Claimed: at(layerFiles[3]), Project: at(layerFiles[4]), Trust: at("trust")}, nil)
	if err != nil {
		return err
	}
	var found, said string
	for _, r := range l.Source.Rules {
		found += r.Reason + "\n"
	}
	for _, w := range l.Warnings {
		said += w.Pos.File + " " + w.Msg + "\n"
	}
	for i, name := range layerFiles {
		if weak := i > 2; !strings.Contains(found, at(name)) && (!weak || !strings.Contains(said, at(name))) {
			return fmt.Errorf("the rule of %s is missing, and the warnings are %q", name, said)
		}
	}
	return nil
}

// Each call that reads the layers of a policy fails: there is no policy, with an error that says
// why, or the policy has each rule. Only the rules of a project or of the environment may be left
// out, with a warning.
func TestEveryReadFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "managed.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range layerFiles {
		path := filepath.Join(dir, name)
		text := fmt.Sprintf("version: 1\nrules:\n  - deny: exec(p%d *)\n    reason: %s\n", i, path)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := policyfile.Trust(filepath.Join(dir, "trust"), "/srv/p/.umpire.yaml", nil); err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		r, said := faultos.RunErrand(t, errand{dir, "load"}, faultos.Fault{Nth: n, Mode: faultos.Fail, Calls: faultos.Files, Root: dir})
		if r.Status != 0 && !strings.Contains(said, "input/output error") {
			t.Errorf("call %d (%s): status %d, it says %q; want each rule, or an error that says what failed", n, r.What, r.Status, said)
		}
		if r.What == "" {
			if r.Status != 0 || n < 20 {
				t.Errorf("without a fault: status %d after %d calls, it says %q", r.Status, n, said)
			}
			return
		}
	}
}

// The list of trusted files: each call that changes it fails. It is the one before or the one
// after, and success means the one after.
func TestEveryCallOfTrustFails(t *testing.T) {
	for _, step := range []string{"trust", "distrust"} {
		for n := 1; ; n++ {
			dir := t.TempDir()
			list := filepath.Join(dir, "new", "trust")
			trusted := func() bool {
				ok, err := policyfile.Trusted(list, "/srv/p/.umpire.yaml", []byte("x"))
				if err != nil {
					t.Errorf("call %d: error %v, want none", n, err)
				}
				return ok
			}
			if step == "distrust" {
				if err := policyfile.Trust(list, "/srv/p/.umpire.yaml", []byte("x")); err != nil {
					t.Fatal(err)
				}
			}
			r, said := faultos.RunErrand(t, errand{list, step}, faultos.Fault{Nth: n, Mode: faultos.Fail, Calls: faultos.Files, Root: dir})
			if r.Status == 0 && trusted() != (step == "trust") || r.Status != 0 && !strings.Contains(said, "input/output error") {
				t.Errorf("%s, call %d (%s): status %d, trusted %v, it says %q", step, n, r.What, r.Status, trusted(), said)
			}
			if r.What == "" {
				break
			}
		}
	}
}

// prepared makes a policy file as it is before a step, and returns its text.
func prepared(t *testing.T, before, step string) (path, text string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "policy.yaml")
	if before != "" { // in a repository of dotfiles
		target := filepath.Join(dir, "dotfile.yaml")
		if err := os.WriteFile(target, []byte(before), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	if first := map[string]string{"revoke": "add", "stop observing": "observe"}[step]; first != "" {
		if err := (errand{path, first}).run(); err != nil {
			t.Fatal(err)
		}
	}
	return path, content(t, path)
}

// afterwards returns what a step without a fault makes of a policy file.
func afterwards(t *testing.T, before, step string) string {
	t.Helper()
	path, _ := prepared(t, before, step)
	if err := (errand{path, step}).run(); err != nil {
		t.Fatal(err)
	}
	return content(t, path)
}

// content returns what is in a file, and nothing if there is none.
func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	if target := filepath.Join(filepath.Dir(path), "dotfile.yaml"); exists(target) {
		link, err := os.Readlink(path)
		info, lost := os.Stat(path)
		if err != nil || link != target || lost != nil || info.Mode() != 0o640 {
			t.Errorf("the link to %s: %q, %v; mode %v, %v", target, link, err, info.Mode(), lost)
		}
	}
	return string(b)
}

// exists reports whether there is a file.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
