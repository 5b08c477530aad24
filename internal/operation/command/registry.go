package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// registrySettings lists settings of projects that select the registry of all packages. Keys are as
// in runSettings. A registry for one scope is not here: it serves only the names of its owner.
var registrySettings = [...]struct{ programs, files, keys string }{
	{"npm npx pnpm yarn bun bunx", ".npmrc", "registry"},
	{"yarn", ".yarnrc", "registry"},
	{"yarn", ".yarnrc.yml", "npmRegistryServer"},
	{"npm npx bun bunx", "bunfig.toml", "install.registry install.registry.url"}, // bun is read as npm
	{"uv uvx", "uv.toml", "index.url index-url extra-index-url find-links pip.index-url pip.extra-index-url"},
	{"uv uvx", "pyproject.toml", "tool.uv.index.url tool.uv.index-url tool.uv.extra-index-url tool.uv.find-links tool.uv.pip.index-url"},
	{"poetry", "pyproject.toml", "tool.poetry.source.url"},
	{"pdm", "pyproject.toml", "tool.pdm.source.url"},
	{"pipenv", "Pipfile", "source.url"},
	{"cargo", ".cargo/config.toml .cargo/config", "source.*.registry source.*.git"},
}

// registryFileVars lists variables that name another file of settings.
var registryFileVars = [...]struct {
	programs, name, keys, form string
}{
	{"pip pip3 pipx pipenv", "PIP_CONFIG_FILE", "global.index-url global.extra-index-url global.find-links install.index-url install.extra-index-url", "pip.ini"},
	{"uv uvx", "UV_CONFIG_FILE", "index.url index-url extra-index-url find-links pip.index-url pip.extra-index-url", "uv.toml"},
	{"npm npx pnpm", "NPM_CONFIG_USERCONFIG", "registry", ".npmrc"},
	{"npm npx pnpm", "npm_config_userconfig", "registry", ".npmrc"},
}

// registryVars lists variables that do the same.
var registryVars = [...]struct{ programs, names string }{
	{"npm npx pnpm bun bunx", "npm_config_registry NPM_CONFIG_REGISTRY BUN_CONFIG_REGISTRY"},
	{"yarn", "YARN_REGISTRY YARN_NPM_REGISTRY_SERVER npm_config_registry"},
	{"pip pip3 pipx pipenv", "PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS"},
	{"uv uvx", "UV_INDEX UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS"},
	{"go", "GOPROXY"},
}

// knownRegistries lists the hosts of public registries and of their public mirrors.
const knownRegistries = "registry.npmjs.org registry.yarnpkg.com npm.pkg.github.com npm.jsr.io registry.npmmirror.com " +
	"pypi.org test.pypi.org files.pythonhosted.org download.pytorch.org pypi.nvidia.com data.pyg.org pypi.tuna.tsinghua.edu.cn mirrors.aliyun.com " +
	"rubygems.org index.rubygems.org gems.ruby-china.com index.crates.io github.com rsproxy.cn mirrors.ustc.edu.cn " +
	"repo.packagist.org api.nuget.org proxy.golang.org goproxy.io goproxy.cn"

// registries returns traits of the registries that the project's settings or variables of this call
// select. The adversary is a repository: the call itself only says "npm install".
func (c *Call) registries() (t umpire.Trait) {
	for _, r := range registrySettings {
		if !anyof.Listed(r.programs, c.Program) {
			continue
		}
		for _, name := range strings.Fields(r.files) {
			f, _ := c.StartedFile(path.Join(projectFolder(c), name))
			t |= settingsTraits(c, f, SettingsReader(name, f.Text), r.keys)
		}
	}
	for _, r := range registryFileVars {
		w, ok := c.Var(r.name)
		if !anyof.Listed(r.programs, c.Program) || !ok {
			continue
		}
		if f, ok := c.StartedFile(w.Text); ok {
			t |= settingsTraits(c, f, SettingsReader(r.form, ""), r.keys)
		} else if _, p := c.Path(w); p&umpire.PlaceTemp != 0 {
			t |= umpire.UntrustedSource
		}
	}
	if anyof.Listed("bundle bundler", c.Program) {
		t |= gemSources(c)
	}
	for _, r := range registryVars {
		if !anyof.Listed(r.programs, c.Program) {
			continue
		}
		for _, name := range strings.Fields(r.names) {
			if w, ok := c.Var(name); ok {
				for _, url := range strings.FieldsFunc(w.Text, func(r rune) bool { return r == ' ' || r == ',' || r == '|' }) {
					t |= registryTraits(c, w.With(url))
				}
			}
		}
	}
	return t
}

// settingsTraits returns traits of the registries that a file of settings selects.
func settingsTraits(c *Call, f Started, read func(string) *datafile.Value, keys string) (t umpire.Trait) {
	settings := f.Tree(read)
	for _, key := range strings.Fields(keys) {
		keys := strings.Split(key, ".")
		for _, in := range settings.All(keys[:len(keys)-1]) {
			if in.Str("explicit") == "true" || in.Str("priority") == "explicit" {
				continue // it serves only packages that name it
			}
			for _, v := range in.All(keys[len(keys)-1:]) {
				t |= registryTraits(c, Word{Text: strings.Trim(v.Text, `"' `), Taint: f.Taint})
			}
		}
	}
	return t
}

// gemSources returns traits of the sources in a Gemfile.
func gemSources(c *Call) (t umpire.Trait) {
	f, ok := c.StartedFile("Gemfile", "gems.rb")
	if !ok {
		return 0
	}
	for line := range strings.Lines(f.Text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "source"); ok && !strings.HasSuffix(line, " do") { // do: only for the gems in the block
			for _, url := range QuotedWords(strings.TrimLeft(rest, " (")) {
				t |= registryTraits(c, Word{Text: url, Taint: f.Taint})
			}
		}
	}
	return t
}

// fetchesElsewhere records an installation if the project's settings select a registry that is not
// known, for calls that fetch packages without naming them.
func (c *Call) fetchesElsewhere() {
	if t := c.registries(); t != 0 {
		c.Op(umpire.Packages, c.Program+" install", t)
	}
}

// fromRegistry returns traits of options that select another registry.
func fromRegistry(c *Call, options ...string) (t umpire.Trait) {
	for _, o := range options {
		for _, w := range c.All(o) {
			t |= registryTraits(c, w)
		}
	}
	return t
}

// registryTraits returns traits of a registry's URL, and records contact with a registry that is not
// known. Only the host counts: the adversary chooses the path.
func registryTraits(c *Call, w Word) umpire.Trait {
	text := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(w.Text, "sparse+"), "registry+"), "git+")
	if !strings.Contains(text, "://") {
		return 0 // a name or a folder
	}
	a := parseAddress(text)
	plain := a.Scheme == "http" || a.Scheme == "ftp" || a.Scheme == "git"
	if a.local() || !plain && anyof.Listed(knownRegistries, a.Host) {
		return 0
	}
	c.Net(w.With(text), 0, 0)
	if plain && a.Class&place.Private == 0 {
		return umpire.UntrustedSource | umpire.PlainHTTP
	}
	return umpire.UntrustedSource
}

// maxRequirements limits how deep requirements files of pip may name each other.
const maxRequirements = 8

// requirements reads a requirements file of pip: the registries that it selects, the local packages
// that it builds, and packages from URLs, which anyone can change on the way if they use plain HTTP.
func requirements(c *Call, name string, depth int) (t umpire.Trait) {
	f, ok := c.StartedFile(name)
	if !ok {
		return 0
	}
	if depth > maxRequirements {
		c.Beyond(name)
		return 0
	}
	for line := range strings.Lines(strings.NewReplacer("\\\r\n", " ", "\\\n", " ").Replace(f.Text)) {
		line, _, _ = strings.Cut(line, " #")
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" =\t\r\n", r) })
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		last := words[len(words)-1]
		switch option := words[0]; {
		case anyof.Equal(option, "-r", "--requirement", "-c", "--constraint") && len(words) > 1:
			t |= requirements(c, path.Join(path.Dir(name), last), depth+1)
			continue
		case anyof.Equal(option, "-e", "--editable"), strings.HasPrefix(option, "."), strings.HasPrefix(option, "file:."):
			if dir := strings.TrimPrefix(last, "file:"); strings.HasPrefix(dir, ".") {
				BuildsPackage(c, dir)
			}
			continue
		}
		for _, w := range words {
			at := strings.Index(strings.ToLower(w), "http") // also after -i
			if at < 0 || words[0][0] != '-' && !strings.HasPrefix(strings.ToLower(w[at:]), "http://") {
				continue // a package over https
			}
			t |= registryTraits(c, Word{Text: w[at:], Taint: f.Taint})
		}
	}
	return t
}

// SettingsReader returns the reader for a settings file.
func SettingsReader(name, text string) func(string) *datafile.Value {
	switch path.Ext(name) {
	case ".json", ".jsonc":
		return datafile.JSON
	case ".toml":
		return datafile.TOML
	case ".ini", ".cfg", ".conf", ".pylintrc", ".flake8":
		return datafile.INI
	case ".npmrc": // npm ignores the indent of a line, and the quotes around a key
		return func(text string) *datafile.Value {
			lines := strings.Split(text, "\n")
			for i, l := range lines {
				if key, value, ok := strings.Cut(l, "="); ok {
					lines[i] = strings.Trim(strings.TrimSpace(key), `"'`) + "=" + value
				}
			}
			return datafile.INI(strings.Join(lines, "\n"))
		}
	case ".yarnrc":
		return func(text string) *datafile.Value {
			lines := strings.Split(text, "\n")
			for i, l := range lines {
				lines[i] = strings.Replace(l, " ", " = ", 1)
			}
			return datafile.INI(strings.Join(lines, "\n"))
		}
	}
	switch {
	case name == "pylintrc" || name == ".hg/hgrc":
		return datafile.INI
	case name == ".cargo/config":
		return datafile.TOML
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return datafile.JSON
	}
	return datafile.YAML
}
