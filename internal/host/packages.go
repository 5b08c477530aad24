package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/visible"
)

// manager describes how a package manager installs and removes packages.
type manager struct {
	install, add, remove []string // commands of the manager; nil if it has no such action
	quiet                []string // option that prevents packages' scripts
	end                  bool     // supports "--" to end the options
	names                func() *regexp.Regexp
	runs                 bool // always runs code of packages
	registry             string
	env                  []string
}

// The form of a name. Some managers treat a name with a slash, a colon or an archive extension as a
// file, a URL or a repository.
var (
	npmName   = lazy.Regexp(`^(@[a-zA-Z0-9~][a-zA-Z0-9._~-]*/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*(@[0-9a-zA-Z^~<>=*][0-9a-zA-Z.^~<>=*+-]*)?$`)
	pipName   = lazy.Regexp(`^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?(\[[a-zA-Z0-9._,-]+\])?((===|==|>=|<=|~=|!=|<|>)[0-9a-zA-Z.*+!_-]+(,(===|==|>=|<=|~=|!=|<|>)[0-9a-zA-Z.*+!_-]+)*)?$`)
	cargoName = lazy.Regexp(`^[a-zA-Z][a-zA-Z0-9_-]*(@[0-9a-zA-Z^~<>=*][0-9a-zA-Z.^~<>=*+-]*)?$`)
	goName    = lazy.Regexp(`^[a-z0-9][a-z0-9.-]*\.[a-z]+(/[a-zA-Z0-9_~-][a-zA-Z0-9._~-]*)*(/\.\.\.)?(@[0-9a-zA-Z][0-9a-zA-Z.+-]*)?$`)
	gemName   = lazy.Regexp(`^[a-zA-Z0-9][a-zA-Z0-9._-]*(:[0-9][0-9a-zA-Z.-]*)?$`)
	archive   = lazy.Regexp(`(?i)\.(tgz|tar|tar\.[a-z0-9]+|zip|whl|egg|gem|crate)$`)
)

var (
	npmEnv = []string{"npm_config_ignore_scripts=true", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "YARN_ENABLE_SCRIPTS=false"}
	pipEnv = []string{"PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1"}
)

var managers = map[string]manager{
	"npm":   {[]string{"install"}, []string{"install"}, []string{"uninstall"}, []string{"--ignore-scripts", "--no-audit", "--no-fund"}, true, npmName, false, "npm", npmEnv},
	"pnpm":  {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--ignore-scripts", "--ignore-pnpmfile"}, false, npmName, false, "npm", npmEnv},
	"yarn":  {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--ignore-scripts"}, false, npmName, false, "npm", npmEnv},
	"bun":   {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--ignore-scripts"}, false, npmName, false, "npm", npmEnv},
	"pip":   {[]string{"install"}, nil, []string{"uninstall", "-y"}, []string{"--only-binary", ":all:"}, true, pipName, false, "pypi", pipEnv},
	"pip3":  {[]string{"install"}, nil, []string{"uninstall", "-y"}, []string{"--only-binary", ":all:"}, true, pipName, false, "pypi", pipEnv},
	"uv":    {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--no-build"}, true, pipName, false, "pypi", nil},
	"cargo": {[]string{"add"}, []string{"add"}, []string{"remove"}, nil, true, cargoName, false, "crates", nil},
	"go":    {[]string{"get"}, []string{"get"}, nil, nil, true, goName, false, "go", []string{"GOTOOLCHAIN=local", "GIT_TERMINAL_PROMPT=0"}},
	"gem":   {[]string{"install"}, []string{"install"}, []string{"uninstall", "-x"}, []string{"--no-document"}, true, gemName, true, "rubygems", nil},
}

func (m *manager) verbs() map[string][]string {
	return map[string][]string{"install": m.install, "add": m.add, "remove": m.remove}
}

// CheckPackages checks a request for packages: plain names with at most a version, in the manager's
// syntax.
func CheckPackages(name, verb string, names []string, scripts bool) error {
	m, ok := managers[name]
	if !ok {
		return fmt.Errorf("unknown package manager %q: use one of bun, cargo, gem, go, npm, pip, pip3, pnpm, uv, yarn", visible.Clip(name, 40))
	}
	if m.verbs()[verb] == nil {
		return fmt.Errorf("umpire does not run %s %s: use the manager's install, add or remove", name, visible.Clip(verb, 40))
	}
	for _, n := range names {
		if len(n) > 214 || strings.Contains(n, "..") && !strings.HasSuffix(n, "/...") || archive().MatchString(n) || lowerOnly[name] && allCapitals(plainOf(n)) || !m.names().MatchString(n) {
			return fmt.Errorf("%q must be a plain package name with an optional version, as %s writes it", visible.Clip(n, 80), name)
		}
	}
	if m.runs && verb != "remove" && !scripts {
		return errors.New(name + ` runs code of packages during installation: request it with "scripts": true`)
	}
	return nil
}

// allCapitals reports whether a name is in capitals only. The registry has accepted none with capitals
// for years, and its remaining old ones are in mixed case.
func allCapitals(n string) bool { return n != strings.ToLower(n) && n == strings.ToUpper(n) }

// lowerOnly lists the managers whose registry requires lower-case names.
var lowerOnly = map[string]bool{"npm": true, "pnpm": true, "yarn": true, "bun": true}

// plainOf returns a name without its version.
func plainOf(n string) string {
	if i := strings.LastIndexByte(n, '@'); i > 0 {
		return n[:i]
	}
	return n
}

// PackageVerb returns the manager and its command for a verb, before any options and names: uv add
// for an installation with uv. The command is the one that PackageCommand runs, so that rules judge
// what runs.
func PackageVerb(name, verb string) []string {
	m := managers[name]
	return append([]string{name}, m.verbs()[verb]...)
}

// PackageCommand returns the command for a verb (install, add or remove) and names, in a folder.
// With scripts, packages may run their scripts.
func PackageCommand(name, verb string, names []string, scripts bool, dir string) (Command, error) {
	if err := CheckPackages(name, verb, names, scripts); err != nil {
		return Command{}, err
	}
	if len(names) == 0 {
		return Command{}, errors.New("there is nothing to install")
	}
	m := managers[name]
	argv := PackageVerb(name, verb)
	quiet := m.quiet
	if name == "yarn" {
		// Yarn 2 and later has no such option and uses the environment.
		if _, err := os.Stat(filepath.Join(dir, ".yarnrc.yml")); err == nil {
			quiet = nil
		}
	}
	env := m.env
	if scripts {
		env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.Contains(strings.ToLower(v), "scripts=") })
	} else if verb != "remove" {
		argv = append(argv, quiet...)
	}
	if m.end {
		argv = append(argv, "--")
	}
	return Command{Argv: slices.Concat(argv, names), Dir: dir, Env: env}, nil
}
