package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// packages records an effect on packages, with the traits of their sources.
func packages(c *Call, verb string, names []Word, t umpire.Trait) {
	for _, w := range names {
		t |= packageSource(c, w)
	}
	if verb == "install" || verb == "create" {
		t |= c.registries()
	}
	c.Op(umpire.Packages, Quote(c.Program+" "+verb, names), t)
}

// packageSource returns traits of a package from outside the registry, in the notations of npm,
// pip, cargo and go. It records contact with the package's host.
func packageSource(c *Call, w Word) (t umpire.Trait) {
	s := w.Text
	if i := strings.Index(s, " @ "); i >= 0 { // pip: name @ URL
		s = strings.TrimSpace(s[i+3:])
	} else if i := strings.Index(s, "@http"); i > 0 {
		s = s[i+1:]
	} else if i := strings.Index(s, "@git+"); i > 0 {
		s = s[i+1:]
	}
	if !w.Known() {
		t |= umpire.Unknown
	}
	switch {
	case strings.HasPrefix(s, "http://"), strings.HasPrefix(s, "git://"), strings.HasPrefix(s, "git+http://"), strings.HasPrefix(s, "ftp://"):
		t |= umpire.UntrustedSource | umpire.PlainHTTP
		c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
	case strings.Contains(s, "://"), strings.HasPrefix(s, "git@"), strings.HasPrefix(s, "github:"), strings.HasPrefix(s, "gitlab:"), strings.HasPrefix(s, "bitbucket:"), strings.HasPrefix(s, "gist:"):
		if !strings.HasPrefix(s, "file://") {
			t |= umpire.UntrustedSource
			if strings.Contains(s, "://") {
				c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
			}
		}
	case strings.Count(s, "/") == 1 && s[0] != '@' && s[0] != '.' && s[0] != '/' && s[0] != '~' && (c.Program == "npm" || c.Program == "npx" || c.Program == "pnpm" || c.Program == "yarn" || c.Program == "bun"):
		t |= umpire.UntrustedSource // npm takes user/repo for GitHub
	}
	if !strings.Contains(s, "://") && hasWord(".tgz .gz .zip .whl .gem .deb .rpm .apk .nupkg .vsix .jar", path.Ext(s)) && c.File(w).Taint&(FromNetwork|Fetched) != 0 {
		t |= umpire.UntrustedSource // this call or an earlier one downloaded the file
	}
	return t
}

func rest(c *Call, n int) []Word { return c.Operands[min(n, len(c.Operands)):] }

func doOtherManager(c *Call) {
	for i, w := range c.Args {
		name, value, attached := strings.Cut(w.Text, "=")
		if !anyof.Equal(name, "--ghci-options", "--repl-options") {
			continue
		}
		if w = w.With("ghci " + value); !attached && i+1 < len(c.Args) {
			w = c.Args[i+1].With("ghci " + c.Args[i+1].Text)
		}
		c.Shell(w, Run{Out: true})
	}
	switch v := c.Arg(0).Text; v {
	case "install", "add", "get", "update", "upgrade", "-i":
		packages(c, "install", rest(c, 1), fromRegistry(c, "--server", "--source"))
	case "remove", "uninstall":
		packages(c, "remove", rest(c, 1), 0)
	case "upload", "publish", "push":
		packages(c, "publish", rest(c, 1), umpire.Upload|umpire.Mutate)
	default:
		if c.Program == "cpanm" || c.Program == "cpan" {
			packages(c, "install", c.Operands, 0)
		}
		if (c.Program == "opam" || c.Program == "cabal" || c.Program == "stack") && v == "exec" {
			c.Exec(c.wordsFrom(1), Run{Out: true})
		}
	}
}
