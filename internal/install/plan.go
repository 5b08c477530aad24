package install

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Plan returns the changes of an installation, without files that are up to date.
func Plan(env Env, agent string, scope Scope, o Options) ([]Change, error) {
	a, err := find1(agent)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(env.Hook) {
		return nil, fmt.Errorf("%q must be the absolute path of umpire-hook", env.Hook)
	}
	if strings.ContainsAny(env.Hook, "\n\r\x00") {
		return nil, errors.New("the path of umpire-hook has a line break in it: move umpire to another folder")
	}
	targets := a.files(a, env, scope, o)
	if len(targets) == 0 {
		return nil, a.unsupported(env, scope)
	}
	var list []Change
	if o.OnlyCalls {
		for _, t := range a.files(a, env, scope, Options{AllEvents: true}) {
			if slices.ContainsFunc(targets, func(kept target) bool { return kept.path == t.path }) {
				continue
			}
			if c, err := t.plan(a, t.removed); err != nil {
				return nil, err
			} else if c != nil {
				list = append(list, *c)
			}
		}
	}
	for _, t := range targets {
		edit := t.installed
		if o.OnlyCalls {
			edit = func(data []byte) ([]byte, bool, error) { return t.reduced(a, data) }
		}
		c, err := t.plan(a, edit)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		if note, err := t.rivals(); err != nil {
			return nil, err
		} else if note != "" {
			continue // this file is not needed
		}
		list = append(list, *c)
	}
	if a.Name == "codex" && scope != Managed {
		return planTrust(a, env, targets[0], list, o)
	}
	return list, nil
}

// installed adds umpire's hooks to the content of the file.
func (t target) installed(data []byte) (out []byte, empty bool, err error) {
	out, err = t.form.install(data)
	return out, false, err
}

// removed removes umpire's hooks from the content of the file.
func (t target) removed(data []byte) (out []byte, empty bool, err error) {
	if data == nil {
		return nil, true, nil
	}
	return t.form.remove(data)
}

// reduced is installed without the hooks that an installation for all events added.
func (t target) reduced(a *Agent, data []byte) (out []byte, empty bool, err error) {
	var f found
	t.form.inspect(data, &f)
	if slices.ContainsFunc(f.ours, func(h HookEntry) bool {
		return slices.ContainsFunc(a.events, func(e hookEvent) bool { return e.name == h.Event && e.kind == onMore })
	}) {
		if data, _, err = t.form.remove(data); err != nil {
			return nil, false, err
		}
	}
	return t.installed(data)
}

// rivals reports files with the same purpose.
func (t target) rivals() (note string, err error) {
	for _, path := range t.others {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if t.optional {
			return path, nil
		}
		return "", fmt.Errorf("%s already exists, and the agent starts one file for an event: make it call `%s` and obey the result, or move it away", path, t.form.(*script).command)
	}
	return "", nil
}

// planTrust adds the trust that makes Codex run the hooks.
func planTrust(a *Agent, env Env, hooks target, list []Change, o Options) ([]Change, error) {
	data, err := read(hooks.path)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		data = list[0].After
	}
	t := codexTrust(env, hooks.path, data, o.Trust)
	c, err := t.plan(a, t.installed)
	if err != nil {
		return nil, err
	}
	if c != nil && o.Trust {
		c.Note = "it tells Codex that you trust these hooks"
		return append(list, *c), nil
	}
	if len(list) > 0 && !o.Trust {
		list[0].Note = strings.TrimPrefix(list[0].Note+"; "+a.Next, "; ")
	}
	return list, nil
}

func (a *Agent) unsupported(env Env, scope Scope) error {
	if a.Name == "kiro" && scope != Managed {
		return fmt.Errorf("%w: Kiro's hooks belong to an agent, and there is none in %s; make one, and run this again", ErrUnsupported, filepath.Join(choose(scope, env.Home, env.Dir, ""), ".kiro", "agents"))
	}
	var can []string
	for s := User; s <= Managed; s++ {
		if a.Has(s) {
			can = append(can, [...]string{"umpire init " + a.Name, "umpire init --project " + a.Name, "umpire init --managed " + a.Name}[s])
		}
	}
	if len(can) == 0 {
		return fmt.Errorf("%w: %s on this system", ErrUnsupported, a.Title)
	}
	return fmt.Errorf("%w: %s has no settings for the scope %q that umpire knows; there is: %s", ErrUnsupported, a.Title, scope, strings.Join(can, ", "))
}

// plan returns the change of a file, or nil if nothing changes.
func (t target) plan(a *Agent, edit func([]byte) (out []byte, empty bool, err error)) (*Change, error) {
	c := Change{Agent: a.Name, Scope: t.scope, Path: t.path, Mode: t.mode, Note: t.note, form: t.form}
	data, err := read(t.path)
	if err != nil {
		return nil, err
	}
	c.Before, c.Existed = data, data != nil
	switch _, err := os.Lstat(t.path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !c.Existed: // a link to a missing file
		return nil, fmt.Errorf("%s is a link to a file that does not exist; make that file, or remove the link", t.path)
	default:
		info, err := os.Stat(t.path)
		if err != nil {
			return nil, err
		}
		c.Mode = info.Mode().Perm()
	}
	out, empty, err := edit(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was written", t.path, err)
	}
	if empty {
		out = nil
	}
	wrongMode := out != nil && t.mode&0o100 != 0 && c.Mode&0o100 == 0
	if wrongMode {
		c.Mode |= 0o100
	}
	if bytes.Equal(out, data) && (out == nil) == (data == nil) && !wrongMode {
		return nil, nil
	}
	c.After = out
	return &c, nil
}

// PlanRemove returns the changes that remove umpire. They restore the earlier content, or
// remove only umpire's entries from a file that changed since.
func PlanRemove(env Env, agent string, scope Scope) ([]Change, error) {
	a, err := find1(agent)
	if err != nil {
		return nil, err
	}
	env.Hook = cmp.Or(env.Hook, "/umpire-hook") // only the name identifies it
	targets := a.files(a, env, scope, Options{AllEvents: true})
	rec, damaged := loadRecord(env, scope)
	if a.Name == "codex" && scope != Managed && len(targets) > 0 {
		data, err := read(targets[0].path)
		if err != nil {
			return nil, err
		}
		targets = append(targets, codexTrust(env, targets[0].path, data, true))
	}
	var list []Change
	for _, t := range targets {
		t.note, t.mode = "", 0 // what stays is another program's, and keeps its mode: it may be switched off by it
		c, err := t.plan(a, func(data []byte) ([]byte, bool, error) {
			if data == nil {
				return nil, true, nil
			}
			if damaged != nil {
				return nil, false, damaged
			}
			if in := rec.find(t.path); in != nil && in.After == sum(data) && in.Exact {
				if !in.Existed {
					return nil, true, nil
				}
				old, err := read(in.Backup)
				if err != nil {
					return nil, false, fmt.Errorf("read the backup of the original: %w", err)
				}
				if old != nil && sum(old) == in.Before {
					return old, false, nil
				}
			}
			out, empty, err := t.form.remove(data)
			if in := rec.find(t.path); empty && (in == nil || in.Existed) {
				if _, whole := t.form.(*script); !whole { // another program's file, even if empty
					empty = false
				}
			}
			return out, empty, err
		})
		if err != nil {
			return nil, err
		}
		if c != nil {
			list = append(list, *c)
		}
	}
	return list, nil
}

func sum(data []byte) string {
	if data == nil {
		return ""
	}
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
