package gateway

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"crypto/sha256"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/plural"
	questions "github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Limits of the scripts that a card shows, in bytes.
const (
	maxScriptShown  = 16 << 10 // of one script
	maxScriptsShown = 64 << 10 // of all scripts
	maxFullScripts  = 16 << 20 // in the complete text
)

// managerFiles lists settings that make package managers run code or choose their registry.
var managerFiles = []string{".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml", "bunfig.toml",
	".cargo/config", ".cargo/config.toml", "uv.toml", "pip.conf", ".bundle/config"}

// scripts returns the settings that the package manager would obey, in its folder and those above.
func (q *PackagePlan) scripts(g *Gateway) ([]umpire.File, error) {
	dir, err := g.folder(q.Dir)
	if err != nil {
		return nil, err
	}
	root, err := g.folder("")
	if err != nil {
		return nil, err
	}
	opened := map[string][]byte{}
	for {
		for _, name := range managerFiles {
			if at := filepath.Join(dir, name); exists(at) {
				opened[at] = nil
			}
		}
		if dir == root || len(dir) <= len(root) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return questions.Files(&umpire.Action{Dir: root}, nil, opened), nil
}

// scripts returns the files that the command would run. An answer is bound to them: they must be
// unchanged when the command runs.
func (c *CommandPlan) scripts(g *Gateway) ([]umpire.File, error) {
	a := c.action(g.root)
	platform.Complete(a, "", func(string) string { return "" })
	a.Home = cmp.Or(a.Home, g.home)
	opened := map[string][]byte{}
	f := &follower{root: g.root, seen: map[string]bool{}}
	f.open = func(path string) ([]byte, bool) {
		data, ok := platform.ReadFile(path)
		if opened[path] = data; !ok {
			opened[path] = nil
		}
		f.chosen = f.chosen || len(data) > platform.MaxFile // the rest was not read
		return data, ok
	}
	own := filepath.Join(g.root, c.Dir)
	f.read = func(command, dir string) (r reading) {
		step := *a
		if command != c.Command || dir != own {
			step.Dir = dir
			step.Input, _ = json.Marshal(map[string]string{"command": command}) // a text always marshals
		}
		r.ops = operation.Read(&step, operation.Env{ // it also opens the links in paths, which are bound like files
			ReadFile: func(path string) ([]byte, bool) {
				r.opened = append(r.opened, path)
				return f.open(path)
			},
			Peek: platform.ReadFile, ReadDir: platform.ReadDir, Disk: disk.New(a.Home, a.Workspace, a.Temp),
			Ran: func(dir, _ string, _ []string) { r.ran = append(r.ran, dir) },
		})
		slices.Sort(r.ran)
		slices.Sort(r.opened)
		r.ran, r.opened = slices.Compact(r.ran), slices.Compact(r.opened)
		return r
	}
	r := f.read(c.Command, own)
	ops := r.ops
	f.follow(r, c.Command, own)
	found := g.found(c, ops, f)
	// A described program that only reads is not bound to the files that it reads, because logs grow.
	// Any other may run them, also those that it gets as standard input.
	runs := slices.ContainsFunc(ops, func(op umpire.Operation) bool {
		return undescribed(op) || op.Traits&(umpire.UnseenCode|umpire.RunsProgram|umpire.RemoteCode) != 0
	})
	if !runs {
		ops = slices.DeleteFunc(ops, func(op umpire.Operation) bool { return op.Kind == umpire.Read })
	}
	files := questions.Files(&umpire.Action{Dir: own}, append(ops, found...), opened) // paths in the command are relative to its folder
	bound := slices.DeleteFunc(files, questions.Unbound)
	c.Unbound = f.builds && f.chosen || f.looks > maxLooks || len(bound) < len(files)
	return bound, nil
}

// undescribed reports whether an operation runs a program on this machine that has no description.
func undescribed(op umpire.Operation) bool {
	return op.Kind == umpire.Exec && op.Traits&(umpire.Described|umpire.Remote|umpire.Container) == 0
}

// found returns reads of the files that a command runs and names by a pattern, or that it finds
// only when it runs. Otherwise an agent could add or change such a file after a person looked.
func (g *Gateway) found(c *CommandPlan, ops []umpire.Operation, f *follower) (reads []umpire.Operation) {
	dir := filepath.Join(g.root, c.Dir)
	if !slices.ContainsFunc(ops, undescribed) {
		return nil
	}
	var patterns []string
	for _, op := range ops {
		words := strings.Fields(op.Resource)
		switch {
		case op.Kind == umpire.Read && op.Resource == umpire.Hole: // the name is computed: any word of the command may be a part of it
			patterns = append(patterns, wordsOf(c.Command)...)
		case op.Kind == umpire.Read && strings.ContainsAny(op.Resource, "*?[{"+umpire.Hole):
			patterns = append(patterns, op.Resource)
		case undescribed(op) && len(words) > 0 && strings.ContainsAny(words[0], "*?[{"):
			patterns = append(patterns, words[0])
		case undescribed(op) && op.Traits&umpire.UnseenCode != 0: // it may run the files of a folder
			for _, w := range words[min(1, len(words)):] {
				patterns = append(patterns, w+"/*")
			}
		}
	}
	for _, p := range patterns {
		p = strings.ReplaceAll(p, umpire.Hole, "**")
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		below, err := filepath.Rel(g.root, filepath.Clean(p))
		if err != nil || !filepath.IsLocal(below) {
			for _, path := range f.match(dir, p) {
				reads = append(reads, umpire.Operation{Kind: umpire.Read, Resource: path})
			}
			continue
		}
		// The error is a fault of the pattern, which the shell then takes as a name, or the stop beyond
		// maxFound, which is also beyond the limit of an approval.
		_ = doublestar.GlobWalk(os.DirFS(g.root), filepath.ToSlash(below), func(path string, d fs.DirEntry) error {
			switch {
			case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
				return doublestar.SkipDir
			case len(reads) > maxFound:
				return fs.SkipAll
			case d.Type().IsRegular():
				reads = append(reads, umpire.Operation{Kind: umpire.Read, Resource: filepath.Join(g.root, path)})
			}
			return nil
		}, doublestar.WithNoFollow())
	}
	return reads
}

// maxFound is the limit of files that a command with patterns is bound to.
const maxFound = 1000

// wordsOf returns the words of a command that may be file names.
func wordsOf(command string) []string {
	return strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()'\"=", r) })
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// bindScripts binds a program to the files that it would run, and returns their text for people.
func (g *Gateway) bindScripts(p program) (shown string, err error) {
	own := p.proc()
	if own.Files, err = p.scripts(g); err != nil {
		return "", err
	}
	return g.showScripts(own.Files, maxScriptShown, maxScriptsShown), nil
}

// number matches the numbers and times in arguments, which are hardly ever names of files.
var number = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?[a-zA-Z]{0,2}$`)

// showScripts returns the content of the files that a request is bound to, with secrets masked. It
// cuts long files and says so.
func (g *Gateway) showScripts(files []umpire.File, one, all int) string {
	var b strings.Builder
	for i, f := range files {
		if b.Len() > 2*all {
			fmt.Fprintf(&b, "uses %s more: %s\n", plural.Count(len(files)-i, "file"), fullTextHint)
			break
		}
		name := f.Path
		if rel, err := filepath.Rel(g.root, f.Path); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
		data, ok := platform.ReadFile(f.Path)
		sum := sha256.Sum256(data)
		switch {
		case f.Sum == questions.Missing && number.MatchString(filepath.Base(name)): // of sleep 1; it is bound all the same
			continue
		case f.Sum == questions.Missing:
			fmt.Fprintf(&b, "uses %s if it appears: it was missing at the request\n", name)
			continue
		case !ok || hex.EncodeToString(sum[:]) != f.Sum:
			fmt.Fprintf(&b, "uses %s: %s\n", name, sumText(f.Sum))
			continue
		case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
			fmt.Fprintf(&b, "uses %s: %d bytes that are not text, %s\n", name, len(data), sumText(f.Sum))
			continue
		}
		fmt.Fprintf(&b, "uses %s: %d bytes, %s\n", name, len(data), sumText(f.Sum))
		text := redact.Readable(string(data))
		room := min(one, all-b.Len())
		if len(text) > max(room, 0) {
			text = strings.ToValidUTF8(text[:max(room, 0)], "") + "\n[cut here: " + fullTextHint + "]"
		}
		b.WriteString("    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n")
	}
	return b.String()
}

func sumText(sum string) string {
	if len(sum) == 64 {
		return "SHA-256 " + sum
	}
	return sum
}

// scriptsHold returns a changedError if a file that the program would run has changed.
func (g *Gateway) scriptsHold(p program) error {
	if _, err := g.top(); err != nil {
		return err
	}
	own := p.proc()
	unbound := own.Unbound
	now, err := p.scripts(g)
	if err != nil {
		return err
	}
	if own.Unbound && !unbound { // people saw a card that said that all files are bound
		own.Unbound = false
		return changedError{"the set of files"}
	}
	own.Unbound = unbound
	was := map[string]string{}
	for _, f := range own.Files {
		was[f.Path] = f.Sum
	}
	for _, f := range now {
		if sum, ok := was[f.Path]; !ok || sum != f.Sum {
			return changedError{f.Path}
		}
		delete(was, f.Path)
	}
	for path := range was {
		return changedError{path}
	}
	return nil
}

// changedError means that a file is not the one that the answer was bound to.
type changedError struct{ path string }

func (e changedError) Error() string {
	return e.path + ", which this would run, changed after the request: ask again"
}
