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

// Revoke takes a rule out of a policy file that Add put there.
func Revoke(path, id string) error {
	if !regexp.MustCompile(`^always-[0-9a-f]{8}$`).MatchString(id) {
		return fmt.Errorf("%s is no rule that an answer added: edit %s", id, path)
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
