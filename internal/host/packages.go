package host

import (
	"fmt"
	"slices"
)

// managers tell how each manager installs and removes, without the packages' own scripts
// where it can be told so. Names come after them, behind "--" where that is understood.
var managers = map[string]struct {
	install, add, remove []string
	quiet                []string // keeps scripts from running
	end                  bool     // knows "--"
}{
	"npm":   {[]string{"install"}, []string{"install"}, []string{"uninstall"}, []string{"--ignore-scripts", "--no-audit", "--no-fund"}, true},
	"pnpm":  {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--ignore-scripts"}, true},
	"yarn":  {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--ignore-scripts"}, true},
	"bun":   {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--ignore-scripts"}, false},
	"pip":   {[]string{"install"}, nil, []string{"uninstall", "-y"}, []string{"--only-binary", ":all:"}, true},
	"pip3":  {[]string{"install"}, nil, []string{"uninstall", "-y"}, []string{"--only-binary", ":all:"}, true},
	"uv":    {[]string{"add"}, []string{"add"}, []string{"remove"}, []string{"--no-build"}, true},
	"cargo": {[]string{"add"}, []string{"add"}, []string{"remove"}, nil, true},
	"go":    {[]string{"get"}, []string{"get"}, nil, nil, true},
	"gem":   {[]string{"install"}, []string{"install"}, []string{"uninstall"}, nil, true},
}

// PackageCommand returns the argument vector for a verb (install, add or remove) and
// names that were checked before. With scripts, packages may run their own.
func PackageCommand(manager, verb string, names []string, scripts bool) ([]string, error) {
	m, ok := managers[manager]
	if !ok {
		return nil, fmt.Errorf("unknown package manager %q", manager)
	}
	words := map[string][]string{"install": m.install, "add": m.add, "remove": m.remove}[verb]
	if words == nil || len(names) == 0 {
		return nil, fmt.Errorf("%s has no %q, or nothing to do", manager, verb)
	}
	argv := append([]string{manager}, words...)
	if !scripts && verb != "remove" {
		argv = append(argv, m.quiet...)
	}
	if m.end {
		argv = append(argv, "--")
	}
	return slices.Concat(argv, names), nil
}
