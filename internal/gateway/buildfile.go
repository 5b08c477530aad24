package gateway

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/lazy"
)

// buildFiles lists, by program, files that an approval binds beside those that the reader opens: some of them
// only set how the program builds. They are in the folder where it runs or in a parent folder.
var buildFiles = map[string][]string{
	"make": {"GNUmakefile", "makefile", "Makefile"}, "gmake": {"GNUmakefile", "makefile", "Makefile"},
	"npm": nodeFiles, "npx": nodeFiles, "yarn": nodeFiles, "pnpm": nodeFiles, "bun": nodeFiles, "bunx": nodeFiles, "corepack": nodeFiles, "node": {"package.json"},
	"cargo": {"Cargo.toml", "build.rs", ".cargo/config.toml", ".cargo/config", "rust-toolchain.toml"}, "just": {"justfile", "Justfile", ".justfile"},
	"task": {"Taskfile.yml", "Taskfile.yaml", "taskfile.yml"}, "rake": {"Rakefile", "rakefile", "Rakefile.rb"}, "mage": {"magefile.go"},
	"tox": pythonFiles, "nox": {"noxfile.py"}, "pytest": pythonFiles, "py.test": pythonFiles, "pip": pythonFiles, "pip3": pythonFiles, "uv": pythonFiles, "poetry": pythonFiles,
	"hatch": pythonFiles, "pdm": pythonFiles, "invoke": {"tasks.py"}, "inv": {"tasks.py"}, "fab": {"fabfile.py"}, "scons": {"SConstruct", "Sconstruct"}, "waf": {"wscript"},
	"gradle": gradleFiles, "gradlew": gradleFiles, "mvn": mavenFiles, "mvnw": mavenFiles, "ant": {"build.xml"}, "sbt": {"build.sbt", "project/plugins.sbt"},
	"cmake": {"CMakeLists.txt", "CMakePresets.json"}, "ctest": {"CTestTestfile.cmake"}, "ninja": {"build.ninja"}, "meson": {"meson.build"}, "bazel": bazelFiles, "bazelisk": bazelFiles,
	"docker": dockerFiles, "podman": dockerFiles, "docker-compose": dockerFiles, "buildah": dockerFiles, "earthly": {"Earthfile"}, "vagrant": {"Vagrantfile"}, "packer": {"packer.json"},
	"bundle": {"Gemfile", ".bundle/config"}, "composer": {"composer.json"}, "mix": {"mix.exs"}, "rebar3": {"rebar.config"}, "lein": {"project.clj"},
	"pre-commit": {".pre-commit-config.yaml"}, "lefthook": {"lefthook.yml"}, "nix": nixFiles, "nix-build": nixFiles, "nix-shell": nixFiles, "direnv": {".envrc"}, "mise": {"mise.toml", ".mise.toml", ".tool-versions"},
	"jest": nodeFiles, "vitest": nodeFiles, "vite": nodeFiles, "eslint": nodeFiles, "webpack": nodeFiles, "gulp": nodeFiles, "grunt": nodeFiles, "turbo": nodeFiles, "nx": nodeFiles, "lerna": nodeFiles,
	"ansible-playbook": {"ansible.cfg"}, "goreleaser": {".goreleaser.yaml", ".goreleaser.yml"}, "go": {"go.mod", "go.work"},
}

var (
	nodeFiles = []string{"package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml", "turbo.json", "nx.json",
		"gulpfile.js", "Gruntfile.js", "webpack.config.js", "vite.config.js", "vite.config.ts", "vitest.config.ts", "jest.config.js", "jest.config.ts", "eslint.config.js", "eslint.config.mjs", ".eslintrc.js"}
	pythonFiles = []string{"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "conftest.py", "uv.toml"}
	gradleFiles = []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "gradlew", "gradle/wrapper/gradle-wrapper.properties"}
	mavenFiles  = []string{"pom.xml", ".mvn/jvm.config", ".mvn/maven.config", ".mvn/extensions.xml", "mvnw"}
	bazelFiles  = []string{"BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", ".bazelrc"}
	dockerFiles = []string{"Dockerfile", "Containerfile", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml", "docker-bake.hcl"}
	nixFiles    = []string{"flake.nix", "flake.lock", "default.nix", "shell.nix"}
)

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

// command follows the text of a command that runs a program in a folder, and opens the program's files there.
// In a folder that does not exist yet, they are bound as missing.
func (f *follower) command(text, program, dir string) {
	key := text + "\x00" + dir
	f.chosen = f.chosen || len(f.seen) >= maxFollowed
	if f.seen[key] || len(f.seen) >= maxFollowed {
		return
	}
	f.seen[key] = true
	f.follow(f.read(text, dir), text, dir)
	for _, name := range buildFiles[filepath.Base(program)] {
		if path := filepath.Join(dir, name); exists(path) || !exists(dir) {
			f.open(path)
		}
	}
}

// follow adds the build files of the programs that a command runs, and those of the programs that
// its scripts and the build files run.
func (f *follower) follow(r reading, text, dir string) {
	f.chosen = f.chosen || otherFolders().MatchString(text)
	var builds []umpire.Operation
	for _, op := range r.ops {
		words := strings.Fields(op.Resource)
		if op.Kind == umpire.Exec && op.Traits&(umpire.Remote|umpire.Container) == 0 && len(words) > 0 && len(buildFiles[filepath.Base(words[0])]) > 0 {
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
		words := strings.Fields(op.Resource)
		program := bare(words, runs)
		for _, dir := range dirs {
			f.command(program, words[0], dir)
			for dir != f.root && dir != filepath.Dir(dir) { // many programs look in the parents as well
				dir = filepath.Dir(dir)
				f.command(program, words[0], dir)
			}
		}
	}
}

// makes reports whether a command that begins in dir makes a folder, and nothing but one program may write
// there: mkdir build && cd build && cmake .. binds that the folder has no build files.
func makes(ops []umpire.Operation, dir, made string) bool {
	found, others := false, 0
	for _, op := range ops {
		words := strings.Fields(op.Resource)
		switch {
		case op.Kind == umpire.Exec && len(words) > 1 && words[0] == "mkdir":
			found = found || slices.ContainsFunc(words[1:], func(w string) bool { return w == made || filepath.Join(dir, w) == made })
		case op.Kind != umpire.Read:
			others++
		}
	}
	return found && others <= 1
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
