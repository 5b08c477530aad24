package policyfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/policy"
)

// Lasting is an allow rule that a person's answer adds to a policy file.
type Lasting struct {
	Pattern  string       // kind(text)
	Platform string       // of the agents that it is for
	Tools    []string     // that it is for; all if empty
	Foreign  bool         // it also covers what comes from the network, and tainted sessions
	Without  umpire.Trait // operations with any of these are asked about all the same
	Reason   string       // who allowed it, when and where: one line
}

// id is the same for the same rule: what is allowed twice is there once.
func (r *Lasting) id() string {
	key := r.Platform + "\x00" + r.Pattern
	if len(r.Tools) > 0 || r.Foreign {
		key += fmt.Sprintf("\x00%q\x00%v\x00%v", r.Tools, r.Foreign, r.Without)
	}
	sum := sha256.Sum256([]byte(key))
	return "always-" + hex.EncodeToString(sum[:4])
}

func (r *Lasting) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  - id: %s\n    allow: %s\n    when: {platform: %s", r.id(), strconv.Quote(r.Pattern), strconv.Quote(r.Platform))
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

var rulesLine = regexp.MustCompile(`(?m)^rules:[ \t]*(#.*)?\r?\n`)

// Add adds allow rules to a policy file, which is made if there is none, and returns their
// IDs. Everything else in the file stays as it is. A file that has faults, or writes its
// rules in a form to which none can be added, is left alone.
func Add(path string, rules ...Lasting) (ids []string, err error) {
	err = edit(path, func(old []byte) ([]byte, error) {
		ids = nil
		var add strings.Builder
		for _, r := range rules {
			if _, err := policy.ParsePattern(r.Pattern); err != nil {
				return nil, err
			}
			ids = append(ids, r.id())
			if !bytes.Contains(old, []byte("id: "+r.id()+"\n")) && !strings.Contains(add.String(), "id: "+r.id()+"\n") {
				add.WriteString(r.text())
			}
		}
		if len(old) == 0 {
			return []byte("version: 1\nrules:\n" + add.String()), nil
		}
		at := rulesLine.FindIndex(old)
		switch {
		case at != nil:
			return []byte(string(old[:at[1]]) + add.String() + string(old[at[1]:])), nil
		case bytes.HasPrefix(old, []byte("rules:")) || bytes.Contains(old, []byte("\nrules:")):
			return nil, fmt.Errorf("%s has its rules on one line: write each on a line of its own, then more can be added", path)
		}
		return []byte(strings.TrimRight(string(old), "\n") + "\nrules:\n" + add.String()), nil
	})
	return ids, err
}

// Revoke takes a rule out of a policy file that Add put there, or ends what ObserveRule did.
func Revoke(path, id string) error {
	if !regexp.MustCompile(`^always-[0-9a-f]{8}$`).MatchString(id) {
		if !ruleID.MatchString(id) {
			return fmt.Errorf("%q is no ID of a rule", id)
		}
		if err := stopObserving(path, id); err != nil {
			return fmt.Errorf("no answer put %s into %s: edit the file", id, path)
		}
		return nil
	}
	return edit(path, func(old []byte) ([]byte, error) {
		block := regexp.MustCompile(`(?m)^  - id: ` + id + `\r?\n(    .*\r?\n)*`)
		at := block.FindIndex(old)
		if at == nil {
			return nil, fmt.Errorf("there is no rule %s in %s", id, path)
		}
		now := string(old[:at[0]]) + string(old[at[1]:])
		return []byte(regexp.MustCompile(`(?m)^rules:[ \t]*\r?\n\z`).ReplaceAllString(now, "")), nil
	})
}

// ObserveRule lets a rule of a policy only record what it would do, by its entry in the list
// "observe" of a policy file, which is made if there is none.
func ObserveRule(path, id string) error {
	if !ruleID.MatchString(id) {
		return fmt.Errorf("%q is no ID of a rule", id)
	}
	return edit(path, func(old []byte) ([]byte, error) {
		entry := "  - " + id + "\n"
		at := observeLine.FindIndex(old)
		switch {
		case len(old) == 0:
			return []byte("version: 1\nobserve:\n" + entry), nil
		case at != nil && observeEntry(id).Match(old[at[0]:]):
			return old, nil
		case at != nil:
			return []byte(string(old[:at[1]]) + entry + string(old[at[1]:])), nil
		case bytes.Contains(old, []byte("\nobserve:")) || bytes.HasPrefix(old, []byte("observe:")):
			return nil, fmt.Errorf("%s has its list observe on one line: write each rule on a line of its own, then more can be added", path)
		}
		return []byte(strings.TrimRight(string(old), "\n") + "\nobserve:\n" + entry), nil
	})
}

var (
	ruleID      = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,100}$`)
	observeLine = regexp.MustCompile(`(?m)^observe:[ \t]*(#.*)?\r?\n`)
)

// observeEntry matches the list "observe" up to the line of a rule, from the list's own line.
func observeEntry(id string) *regexp.Regexp {
	return regexp.MustCompile(`\A(observe:[^\n]*\n(?:  - .*\n)*?)  - ` + regexp.QuoteMeta(id) + `[ \t]*\r?\n`)
}

// stopObserving takes a rule out of the list "observe" of a policy file.
func stopObserving(path, id string) error {
	return edit(path, func(old []byte) ([]byte, error) {
		at := observeLine.FindIndex(old)
		if at == nil || !observeEntry(id).Match(old[at[0]:]) {
			return nil, fmt.Errorf("there is no rule %s in %s", id, path)
		}
		rest := observeEntry(id).ReplaceAll(old[at[0]:], []byte("$1"))
		rest = regexp.MustCompile(`\Aobserve:[ \t]*\r?\n([^ ]|\z)`).ReplaceAll(rest, []byte("$1"))
		return append(bytes.Clone(old[:at[0]]), rest...), nil
	})
}

// edit changes a policy file, or leaves it as it is if the result would have a fault.
func edit(path string, change func([]byte) ([]byte, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(path + ".lock").Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // as in a repository of dotfiles
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
		return fmt.Errorf("the changed policy would have a fault, so it was not changed: %w", err)
	}
	mode := os.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return atomicfile.Write(path, now, mode)
}
