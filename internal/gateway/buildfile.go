package gateway

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
)

// builders are the programs that take commands from files of the project, in the folder where they run
// or in a parent folder.
const builders = `make gmake npm npx yarn pnpm bun bunx corepack node cargo just task rake mage tox nox pytest py.test pip pip3 uv poetry hatch pdm invoke inv fab scons waf
	gradle gradlew mvn mvnw ant sbt cmake ctest ninja meson bazel bazelisk docker podman docker-compose buildah earthly vagrant packer bundle composer mix rebar3 lein
	pre-commit lefthook nix nix-build nix-shell direnv mise jest vitest vite eslint webpack gulp grunt turbo nx lerna ansible-playbook goreleaser go`

// Limits on what is followed.
const (
	maxFollowed = 500   // commands, each in a folder
	maxFolders  = 100   // folders of one command
	maxLooks    = 20000 // look-ups on the disk for folders and patterns
)

// follower collects the build files from which programs take commands.
type follower struct {
	root string
	read func(command, dir string) reading // also records the files that it opens
	open func(path string) ([]byte, bool)
	seen map[string]bool

	builds bool // a program takes commands from build files
	chosen bool // only the run tells from which ones, or there are too many
	looks  int  // look-ups on the disk
}

// reading is what a command does.
type reading struct {
	ops    []umpire.Operation
	ran    []string // the folders in which it runs programs; they may be patterns
	opened []string // the files that were opened to read it
}

var (
	// Shells find other folders than those that the reading finds, if a command uses one of these.
	otherFolders = lazy.Regexp(`[?*+@!]\(|\[[^\]\s]*\[[:=.]|(?i:\bcdpath\b)|\b(?:nocaseglob|cdable_vars|autocd)\b`)
	// The patterns of other shells have other meanings, and the other programs choose the folder or the
	// arguments for the programs that they start.
	choosers = lazy.Regexp(`^(?:[a-z]*[zk]sh|t?csh|fish|nu|elvish|xonsh|pwsh|find|fd|fdfind|xargs|parallel|rush)\b|\bfor(?:each|all)\b`)
	// A build program that runs in the folders of several packages, an option whose value is not known,
	// and a pattern that the reading left as it is.
	chosenArgs = lazy.Regexp(`^(?:lerna|turbo|nx) |^(?:npm|pnpm|yarn|bun)\b.* (?:-w|-ws|-r|-F|--filter\S*|--recursive|--workspaces?\S*|workspaces?)(?: |$)| -[CfI]$| (?:-I|--include-dir)|\S\(`)
	// Folders with ".." after a name lead elsewhere if the name is a link.
	upFromName = lazy.Regexp(`(?:^|/)[^/]*[^./][^/]*/\.\.(?:/|$)`)

	// Settings of make that take commands from elsewhere, or from other lines, and includes whose names only
	// the run tells.
	makeObscure = lazy.Regexp(`(?m)\.RECIPEPREFIX|\$[({](?:eval|guile)\b|^[ \t]*-?load[ \t]|MAKEFLAGS[^\n]*(?:-I|--include|--eval|-E)|^[ \t]*[-s]?include[ \t][^\n#]*[$~]`)
)

func isMakefile(path string) bool {
	return strings.EqualFold(filepath.Ext(path), ".mk") || strings.Contains(strings.ToLower(filepath.Base(path)), "makefile")
}

// isScript reports whether a file is a script for a shell, so that its text can be read as a command.
func isScript(path string, data []byte) bool {
	first, _, _ := strings.Cut(string(data[:min(len(data), 80)]), "\n")
	return strings.HasPrefix(first, "#!") && strings.Contains(first, "sh") || slices.Contains([]string{".sh", ".bash"}, filepath.Ext(path))
}

// command follows the text of a command that runs in a folder.
func (f *follower) command(text, dir string) {
	key := text + "\x00" + dir
	f.chosen = f.chosen || len(f.seen) >= maxFollowed
	if !f.seen[key] && len(f.seen) < maxFollowed {
		f.seen[key] = true
		f.follow(f.read(text, dir), text, dir)
	}
}

// follow adds the build files of the programs that a command runs, and those of the programs that
// its scripts and the build files run.
func (f *follower) follow(r reading, text, dir string) {
	f.chosen = f.chosen || otherFolders().MatchString(text)
	var builds []umpire.Operation
	for _, op := range r.ops {
		words := strings.Fields(op.Resource)
		if op.Kind == umpire.Exec && op.Traits&(umpire.Remote|umpire.Container) == 0 && len(words) > 0 && anyof.Listed(builders, filepath.Base(words[0])) {
			builds = append(builds, op)
		}
	}
	runs := []string{dir}
	for _, ran := range r.ran {
		if ran == dir { // it need not exist yet
			continue
		}
		dirs := f.expand(f.root, ran)
		if len(dirs) == 0 && makes(r.ops, dir, ran) {
			dirs = []string{ran}
		}
		f.chosen = f.chosen || len(dirs) == 0 || strings.Contains(ran, umpire.Hole) // where a cd to no folder leaves the shell
		runs = append(runs, dirs...)
	}
	slices.Sort(runs)
	runs = slices.Compact(runs)
	if len(runs) > maxFolders {
		runs, f.chosen = runs[:maxFolders], true
	}
	for _, path := range r.opened {
		data, _ := f.open(path)
		f.chosen = f.chosen || isScript(path, data) && otherFolders().Match(data) || isMakefile(path) && makeObscure().Match(data)
	}
	dirs := f.folders(runs, builds, text)
	for _, op := range builds {
		f.builds = true
		f.chosen = f.chosen || op.Traits&umpire.Bulk != 0 || strings.Contains(op.Resource, umpire.Hole) || chosenArgs().MatchString(op.Resource) ||
			slices.ContainsFunc(op.Via, choosers().MatchString)
		program := bare(strings.Fields(op.Resource), runs)
		for _, dir := range dirs {
			f.command(program, dir)
			for dir != f.root && dir != filepath.Dir(dir) { // many programs look in the parents as well
				dir = filepath.Dir(dir)
				f.command(program, dir)
			}
		}
	}
}

// makes reports whether a command that begins in dir makes a folder: mkdir build && cd build. What is in
// the folder when the command begins is bound as well: nothing.
func makes(ops []umpire.Operation, dir, made string) bool {
	return slices.ContainsFunc(ops, func(op umpire.Operation) bool {
		words := strings.Fields(op.Resource)
		return op.Kind == umpire.Exec && len(words) > 1 && words[0] == "mkdir" && slices.ContainsFunc(words[1:], func(w string) bool { return w == made || filepath.Join(dir, w) == made })
	})
}

// bare returns the words of a program without those that name folders or patterns, and their options:
// make -C svc/* is make, in each of the folders.
func bare(words, runs []string) string {
	names := func(w string) bool {
		return strings.ContainsAny(w, "/*?[{") || slices.ContainsFunc(runs, func(run string) bool { return isFolder(filepath.Join(run, w)) })
	}
	out := words[:1:1]
	for i, w := range words[1:] {
		if option := w[0] == '-' && i+2 < len(words) && names(words[i+2]); !option && !names(w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// folders returns the folders in which a command may run its build programs: those in which it
// runs any program, and those that its words name in them, also by a pattern, as in make -C sub.
func (f *follower) folders(runs []string, builds []umpire.Operation, text string) []string {
	if len(builds) == 0 {
		return nil
	}
	words := wordsOf(text)
	for _, op := range builds {
		words = append(words, wordsOf(op.Resource)...)
	}
	slices.Sort(words)
	dirs := slices.Clone(runs)
	for _, w := range slices.Compact(words) {
		w = strings.TrimPrefix(w, "-C")
		f.chosen = f.chosen || upFromName().MatchString(w)
		for _, run := range runs {
			for _, dir := range f.expand(run, w) {
				if !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
			if len(dirs) > maxFolders {
				f.chosen = true
				return dirs[:maxFolders]
			}
		}
	}
	return dirs
}

// expand returns the folders of a name or a pattern, and those of the files that it names.
func (f *follower) expand(dir, pattern string) (dirs []string) {
	for _, path := range f.match(dir, pattern) {
		if !isFolder(path) {
			path = filepath.Dir(path)
		}
		dirs = append(dirs, path)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// match returns the existing files and folders of a name or a pattern. A pattern is expanded below
// its first folder, whose own name may have the letters of patterns.
func (f *follower) match(dir, pattern string) (paths []string) {
	if pattern == "" {
		return nil
	}
	if filepath.IsAbs(pattern) {
		top := filepath.VolumeName(pattern) + string(filepath.Separator)
		if below, err := filepath.Rel(f.root, pattern); err == nil && filepath.IsLocal(below) {
			dir, pattern = f.root, below
		} else {
			dir, pattern = top, strings.TrimLeft(pattern[len(top):], "/")
		}
	}
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	for rest, up := pattern, true; up; pattern = rest {
		if rest, up = strings.CutPrefix(rest, "../"); up {
			dir = filepath.Dir(dir)
		}
	}
	if f.looks++; f.looks > maxLooks {
		f.chosen = true
		return nil
	}
	if path := filepath.Join(dir, pattern); exists(path) {
		paths = append(paths, path)
	}
	if !strings.ContainsAny(pattern, "*?[{") {
		return paths
	}
	n := 0
	// The error is a fault of the pattern, which the shell then takes as a name.
	_ = doublestar.GlobWalk(countedFS{os.DirFS(dir), f}, pattern, func(path string, _ fs.DirEntry) error {
		if n++; n > maxFound {
			f.chosen = true
			return fs.SkipAll
		}
		paths = append(paths, filepath.Join(dir, path))
		return nil
	})
	return paths
}

// countedFS stops when its follower has looked too often: an agent must not have whole trees walked.
type countedFS struct {
	fs.FS
	f *follower
}

func (c countedFS) look() error {
	if c.f.looks += 20; c.f.looks > maxLooks {
		c.f.chosen = true
		return fs.ErrInvalid
	}
	return nil
}

func (c countedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := c.look(); err != nil {
		return nil, err
	}
	return fs.ReadDir(c.FS, name)
}

func (c countedFS) Stat(name string) (fs.FileInfo, error) {
	if err := c.look(); err != nil {
		return nil, err
	}
	return fs.Stat(c.FS, name)
}
