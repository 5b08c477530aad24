package policyfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/policy"
)

// AllowRule is an allow rule that a person's answer adds to a policy file.
type AllowRule struct {
	Pattern  string       // kind(text)
	Platform string       // the agent that the rule is for
	Tools    []string     // tools that the rule is for; all if empty
	Foreign  bool         // also covers content from the network, and tainted sessions
	Without  umpire.Trait // does not cover operations with any of these
	Reason   string       // names the person, time and place: one line
}

// id is the same for equal rules, so that allowing twice adds one rule.
func (r *AllowRule) id() string {
	key := r.Platform + "\x00" + r.Pattern
	if len(r.Tools) > 0 || r.Foreign {
		key += fmt.Sprintf("\x00%q\x00%v\x00%v", r.Tools, r.Foreign, r.Without)
	}
	sum := sha256.Sum256([]byte(key))
	return "always-" + hex.EncodeToString(sum[:4])
}

// text formats the rule, and names the other rules of the same answer: revoking one revokes all.
func (r *AllowRule) text(others []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  - id: %s\n", r.id())
	if len(others) > 0 {
		fmt.Fprintf(&b, "    # %s%s\n", sameAnswer, strings.Join(others, " "))
	}
	fmt.Fprintf(&b, "    allow: %s\n    when: {platform: %s", strconv.Quote(r.Pattern), strconv.Quote(r.Platform))
	if !r.Foreign {
		b.WriteString(", tainted: false")
	}
	for i, t := range r.Tools {
		b.WriteString([]string{", tool: [", ", "}[min(i, 1)] + strconv.Quote(t))
	}
	if len(r.Tools) > 0 {
		b.WriteString("]")
	}
	if names := r.Without.Names(); len(names) > 0 {
		b.WriteString(`, trait: ["!` + strings.Join(names, `", "!`) + `"]`)
	}
	fmt.Fprintf(&b, "}\n    reason: %s\n", strconv.Quote(r.Reason))
	return b.String()
}

const sameAnswer = "one answer with "

var rulesLine = lazy.Regexp(`(?m)^rules:[ \t]*(#.*)?\r?\n`)

// Add adds allow rules to a policy file, which it creates if needed, and returns their IDs. The
// rest of the file stays unchanged. Add does not change a file with faults, or one whose rules it
// cannot extend.
func Add(path string, rules ...AllowRule) (ids []string, err error) {
	err = edit(path, func(old []byte) ([]byte, error) {
		ids = nil
		var add strings.Builder
		for _, r := range rules {
			if _, err := policy.ParsePattern(r.Pattern); err != nil {
				return nil, err
			}
			ids = append(ids, r.id())
		}
		for _, r := range rules {
			if !bytes.Contains(old, []byte("id: "+r.id()+"\n")) && !strings.Contains(add.String(), "id: "+r.id()+"\n") {
				others := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == r.id() })
				slices.Sort(others)
				add.WriteString(r.text(slices.Compact(others)))
			}
		}
		if len(old) == 0 {
			return []byte("version: 1\nrules:\n" + add.String()), nil
		}
		at := rulesLine().FindIndex(old)
		switch {
		case at != nil:
			return []byte(string(old[:at[1]]) + add.String() + string(old[at[1]:])), nil
		case bytes.HasPrefix(old, []byte("rules:")) || bytes.Contains(old, []byte("\nrules:")):
			return nil, fmt.Errorf("%s has its rules on one line: write each on a separate line, so that umpire can add more", path)
		}
		return appended(old, "rules:\n"+add.String()), nil
	})
	return ids, err
}

// appended adds lines to a file whose last line may lack a newline. It keeps empty lines at the
// end: Revoke restores the file byte for byte.
func appended(old []byte, text string) []byte {
	if !bytes.HasSuffix(old, []byte("\n")) {
		text = "\n" + text
	}
	return append(bytes.Clone(old), text...)
}

// ErrNoAnswer means that the policy file contains no such rule from an answer.
var ErrNoAnswer = errors.New("no answer stored this rule")

// Revoke removes a rule that Add wrote, with all rules of the same answer, or reverses
// ObserveRule. It returns the IDs of the rules.
func Revoke(path, id string) (taken []string, err error) {
	if !alwaysID().MatchString(id) {
		if !ruleID().MatchString(id) {
			return nil, fmt.Errorf("%q is not a rule ID", id)
		}
		return []string{id}, stopObserving(path, id)
	}
	err = edit(path, func(old []byte) ([]byte, error) {
		taken = []string{id}
		for i := 0; i < len(taken); i++ {
			at := regexp.MustCompile(`(?m)^  - id: ` + taken[i] + `\r?\n(?:    # ` + sameAnswer + `(.*?)\r?\n)?(?:    .*\r?\n)*`).FindSubmatchIndex(old)
			switch {
			case at == nil && i == 0:
				return nil, fmt.Errorf("%s in %s: %w", id, path, ErrNoAnswer)
			case at == nil: // an editor removed it
				taken = slices.Delete(taken, i, i+1)
				i--
				continue
			case at[2] >= 0 && i == 0:
				for _, other := range strings.Fields(string(old[at[2]:at[3]])) {
					if alwaysID().MatchString(other) && !slices.Contains(taken, other) {
						taken = append(taken, other)
					}
				}
			}
			old = slices.Concat(old[:at[0]], old[at[1]:])
		}
		return []byte(regexp.MustCompile(`(?m)^rules:[ \t]*\r?\n\z`).ReplaceAllString(string(old), "")), nil
	})
	return taken, err
}

// Answers returns the IDs of the rules in a policy file that Revoke can remove.
func Answers(path string) (ids []string) {
	data, err := readFile(path)
	if err != nil {
		return nil
	}
	f, err := Parse(path, data, policy.User)
	if err != nil {
		return nil
	}
	for i := range f.Rules {
		if alwaysID().MatchString(f.Rules[i].ID) {
			ids = append(ids, f.Rules[i].ID)
		}
	}
	if at := observeLine().FindIndex(data); at != nil {
		for line := range strings.Lines(string(data[at[1]:])) {
			id, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "  - ")
			if !ok {
				break
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// ObserveRule makes a rule only record its effect: it adds the rule to the list "observe" of a
// policy file, which it creates if needed.
func ObserveRule(path, id string) error {
	if !ruleID().MatchString(id) {
		return fmt.Errorf("%q is not a rule ID", id)
	}
	return edit(path, func(old []byte) ([]byte, error) {
		entry := "  - " + id + "\n"
		at := observeLine().FindIndex(old)
		switch {
		case len(old) == 0:
			return []byte("version: 1\nobserve:\n" + entry), nil
		case at != nil && observeEntry(id).Match(old[at[0]:]):
			return old, nil
		case at != nil:
			return []byte(string(old[:at[1]]) + entry + string(old[at[1]:])), nil
		case bytes.Contains(old, []byte("\nobserve:")) || bytes.HasPrefix(old, []byte("observe:")):
			return nil, fmt.Errorf("%s has its list observe on one line: write each rule on a separate line, so that umpire can add more", path)
		}
		return appended(old, "observe:\n"+entry), nil
	})
}

var (
	alwaysID    = lazy.Regexp(`^always-[0-9a-f]{8}$`)
	ruleID      = lazy.Regexp(`^[a-z0-9][a-z0-9-]{0,100}$`)
	observeLine = lazy.Regexp(`(?m)^observe:[ \t]*(#.*)?\r?\n`)
)

// observeEntry matches the list "observe" up to the line of a rule.
func observeEntry(id string) *regexp.Regexp {
	return regexp.MustCompile(`\A(observe:[^\n]*\n(?:  - .*\n)*?)  - ` + regexp.QuoteMeta(id) + `[ \t]*\r?\n`)
}

// stopObserving removes a rule from the list "observe" of a policy file.
func stopObserving(path, id string) error {
	return edit(path, func(old []byte) ([]byte, error) {
		at := observeLine().FindIndex(old)
		if at == nil || !observeEntry(id).Match(old[at[0]:]) {
			return nil, fmt.Errorf("%s in %s: %w", id, path, ErrNoAnswer)
		}
		rest := observeEntry(id).ReplaceAll(old[at[0]:], []byte("$1"))
		rest = regexp.MustCompile(`\Aobserve:[ \t]*\r?\n([^ ]|\z)`).ReplaceAll(rest, []byte("$1"))
		return append(bytes.Clone(old[:at[0]]), rest...), nil
	})
}

// lockOf returns the path of a policy file's lock. It is not beside the file, where it would stay
// in a project permanently.
func lockOf(path string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot lock %s: set HOME", path)
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	sum := sha256.Sum256([]byte(path))
	dir := filepath.Join(cache, "umpire", "locks")
	return filepath.Join(dir, hex.EncodeToString(sum[:8])), os.MkdirAll(dir, 0o700)
}

// edit changes a policy file, unless the result would have a fault.
func edit(path string, change func([]byte) ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	lock, err := lockOf(path)
	if err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(lock).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	switch target, err := filepath.EvalSymlinks(path); {
	case err == nil:
		path = target // for example in a repository of dotfiles
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	old, err := readFile(path)
	if err != nil {
		return err
	}
	if len(old) > 0 {
		if _, err := Parse(path, old, policy.User); err != nil {
			return err
		}
	}
	now, err := change(old)
	if err != nil {
		return err
	}
	if _, err := Parse(path, now, policy.User); err != nil {
		return fmt.Errorf("the change would put a fault into the policy, so nothing was written: %w", err)
	}
	mode := os.FileMode(0o600)
	switch info, err := os.Stat(path); {
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return atomicfile.Write(path, now, mode)
}
