package gateway

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/lazy"
)

// buildFiles lists, by program, the files from which it takes commands. They are in its folder or
// in a parent folder.
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
	"ansible-playbook": {"ansible.cfg"}, "goreleaser": {".goreleaser.yaml", ".goreleaser.yml"}, "go": {"go.mod", "go.work"}, "git": nil,
}

var (
	nodeFiles = []string{"package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml", "turbo.json", "nx.json",
		"gulpfile.js", "Gruntfile.js", "webpack.config.js", "vite.config.js", "vite.config.ts", "vitest.config.ts", "jest.config.js", "jest.config.ts", "eslint.config.js", "eslint.config.mjs", ".eslintrc.js"}
	pythonFiles = []string{"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "conftest.py", "uv.toml"}
	gradleFiles = []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "gradlew", "gradle/wrapper/gradle-wrapper.properties"}
	mavenFiles  = []string{"pom.xml", ".mvn/jvm.config", ".mvn/maven.config", ".mvn/extensions.xml", "mvnw"}
	bazelFiles  = []string{"BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel", ".bazelrc"}
	dockerFiles = []string{"Dockerfile", "Containerfile", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml", "docker-bake.hcl"}
	nixFiles    = []string{"flake.nix", "default.nix", "shell.nix"}
)

// Limits on what is followed.
const (
	maxFollowed = 250   // build files, and texts of commands
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

	makeIncludes = lazy.Regexp(`(?m)^[ \t]*[-s]?include[ \t]+([^\n#]*)`)
	makeShells   = lazy.Regexp(`\$[({]shell ([^\n)}]*)|(?m:^[ \t]*[\w.-]+[ \t]*!=(.*))`)
	// Settings of make that take commands from elsewhere, or from other lines.
	makeObscure = lazy.Regexp(`(?m)\.RECIPEPREFIX|\$[({](?:eval|guile)\b|^[ \t]*-?load[ \t]|MAKEFLAGS[^\n]*(?:-I|--include|--eval|-E)`)
	makeWords   = strings.NewReplacer("$(MAKE)", "make", "${MAKE}", "make", "$$", "$")
)

func isMakefile(path string) bool {
	return strings.EqualFold(filepath.Ext(path), ".mk") || strings.Contains(strings.ToLower(filepath.Base(path)), "makefile")
}

// isScript reports whether a file is a script for a shell, so that its text can be read as a command.
func isScript(path string, data []byte) bool {
	first, _, _ := strings.Cut(string(data[:min(len(data), 80)]), "\n")
	return strings.HasPrefix(first, "#!") && strings.Contains(first, "sh") || slices.Contains([]string{".sh", ".bash"}, filepath.Ext(path)) || slices.Contains(buildFiles["just"], filepath.Base(path))
}

// command follows the text of a command that runs in a folder.
func (f *follower) command(text, dir string) {
	if f.first(text + "\x00" + dir) {
		f.follow(f.read(text, dir), text, dir)
	}
}

// first reports whether a thing is to be followed: it was not followed yet, and the limit is not
// reached.
func (f *follower) first(key string) bool {
	if f.seen[key] {
		return false
	}
	if len(f.seen) >= maxFollowed {
		f.chosen = true
		return false
	}
	f.seen[key] = true
	return true
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
		dirs := f.expand(f.root, ran)
		f.chosen = f.chosen || len(dirs) == 0 || strings.Contains(ran, umpire.Hole) // where a cd to no folder leaves the shell
		runs = append(runs, dirs...)
	}
	slices.Sort(runs)
	runs = slices.Compact(runs)
	if len(runs) > maxFolders {
		runs, f.chosen = runs[:maxFolders], true
	}
	var scripts []string
	for _, path := range r.opened {
		if data, ok := f.open(path); ok && isScript(path, data) {
			scripts = append(scripts, filepath.Base(path))
			for _, run := range runs {
				f.command(string(data), run)
			}
		}
	}
	dirs := f.folders(runs, builds, text)
	for _, op := range builds {
		f.builds = true
		f.chosen = f.chosen || op.Traits&umpire.Bulk != 0 || strings.Contains(op.Resource, umpire.Hole) || chosenArgs().MatchString(op.Resource) ||
			slices.ContainsFunc(op.Via, choosers().MatchString) || !f.followsOrigin(op.Origin, scripts)
		words := strings.Fields(op.Resource)
		for _, dir := range dirs {
			f.program(words, dir)
		}
	}
}

// followsOrigin reports whether the file that an operation comes from is one whose commands are
// followed. The reading does not tell in which folder such a file runs its programs.
func (f *follower) followsOrigin(origin string, scripts []string) bool {
	if origin == "" {
		return true
	}
	name := origin[strings.LastIndex(origin, "`, ")+1:]
	name, _, _ = strings.Cut(filepath.Base(strings.TrimPrefix(name, ", ")), ":")
	return isMakefile(name) || strings.HasPrefix(name, "package.json") || slices.Contains(scripts, name)
}

// program adds the build files of a program that runs in a folder.
func (f *follower) program(words []string, dir string) {
	p := filepath.Base(words[0])
	for _, name := range buildFiles[p] {
		for at := dir; ; at = filepath.Dir(at) {
			if path := filepath.Join(at, name); exists(path) {
				f.file(path, at, words)
			}
			if at == f.root || at == filepath.Dir(at) {
				break
			}
		}
	}
	if p != "make" && p != "gmake" {
		return
	}
	for i, w := range words {
		name, ok := strings.CutPrefix(w, "-f")
		for _, long := range []string{"--file", "--makefile"} {
			if rest, is := strings.CutPrefix(w, long); is {
				name, ok = strings.TrimPrefix(rest, "="), true
			}
		}
		if ok && name == "" && i+1 < len(words) {
			name = words[i+1]
		}
		for _, path := range f.match(dir, name) {
			f.file(path, dir, words)
		}
	}
}

// file records a build file of a program that runs in a folder, and follows the commands in it.
func (f *follower) file(path, dir string, words []string) {
	isNode := filepath.Base(path) == "package.json"
	key := path
	if isNode { // words name its scripts
		key += "\x00" + strings.Join(words, " ")
	}
	if !f.first(key) {
		return
	}
	data, ok := f.open(path)
	switch {
	case !ok:
	case isNode:
		f.command(nodeScripts(data, words), dir)
	case isMakefile(path):
		f.command(f.makefile(string(data), dir, words), dir)
	}
}

// makefile returns the commands in a makefile, and follows the files that it includes.
func (f *follower) makefile(text, dir string, words []string) string {
	text = strings.ReplaceAll(text, "\\\n", " ")
	f.chosen = f.chosen || makeObscure().MatchString(text)
	for _, m := range makeIncludes().FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Fields(m[1]) {
			if strings.ContainsAny(name, "$~") {
				f.chosen = true
				continue
			}
			paths := f.match(dir, name)
			if len(paths) == 0 { // it is bound as missing
				paths = []string{filepath.Join(dir, name)}
			}
			for _, path := range paths {
				f.file(path, dir, words)
			}
		}
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			lines = append(lines, strings.TrimLeft(recipe, "@-+ \t"))
		} else if _, recipe, ok := strings.Cut(line, ";"); ok {
			lines = append(lines, strings.TrimLeft(recipe, "@-+ \t"))
		}
	}
	for _, m := range makeShells().FindAllStringSubmatch(text, -1) {
		lines = append(lines, m[1]+m[2])
	}
	return makeWords.Replace(strings.Join(lines, "\n"))
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

// nodeScripts returns the scripts of a package.json that a command names, with those that run
// before and after them.
func nodeScripts(data []byte, words []string) string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(data, &p) != nil {
		return ""
	}
	var lines []string
	names := append(slices.Clone(words[1:]), "prepare")
	if len(words) == 1 { // yarn without arguments installs
		names = append(names, "install")
	}
	for _, name := range names {
		for _, n := range []string{"pre" + name, name, "post" + name} {
			if s := p.Scripts[n]; s != "" {
				lines = append(lines, s)
			}
		}
	}
	return strings.Join(lines, "\n")
}
