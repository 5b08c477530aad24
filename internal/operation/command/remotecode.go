package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// CodeAddress reports whether a text is an address from which a program can fetch code: a URL, or a
// repository in the short notation of package managers. The registries of Deno count as registries
// of packages, not as addresses.
func CodeAddress(text string) bool {
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		return scheme != "" && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") == "" && !strings.EqualFold(scheme, "file") &&
			!(strings.EqualFold(scheme, "https") && anyof.HasPrefix(rest, "deno.land/", "jsr.io/"))
	}
	return anyof.HasPrefix(text, "git+", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "gh:", "gl:", "bb:")
}

// runRemote records that the call fetches code from an address and runs it.
func (c *Call) runRemote(lang string, w Word, r Run) {
	if c.Inert() {
		return
	}
	if strings.Contains(w.Text, "://") {
		c.Net(w, 0, 0)
	}
	c.Script(lang, Unseen(FromNetwork|w.Taint), r)
}

// RunsAddress records unseen code if a program that no description explains is handed an address
// where its script belongs: it fetches the script and runs it, as jbang and papermill do. The verb
// before the address, or the ending of the address, says that it is code.
func (c *Call) RunsAddress() {
	w, after := c.Arg(0), false
	if anyof.Equal(w.Text, "run", "exec", "execute", "eval", "start", "test", "launch", "play", "script", "call") {
		w, after = c.Arg(1), true
	}
	address := CodeAddress(w.Text)
	ending := address && endsAsCode(w.Text)
	forge := after && anyof.HasPrefix(w.Text, "github.com/", "gitlab.com/", "bitbucket.org/")
	if c.Inert() || !forge && !ending || !after && (wording.ReadingName(c.Program) || downloader(c.Program)) {
		return
	}
	c.Op(umpire.Exec, Quote(c.Program, c.Args), umpire.UnseenCode)
}

// endsAsCode reports whether the path of an address has the ending of a program's text. Endings that
// pages of the web have do not count.
func endsAsCode(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	return IsScript(address) && !anyof.HasSuffix(address, ".js", ".php") ||
		anyof.Listed(".java .kt .kts .scala .sc .groovy .jl .ex .exs .clj .csx .fsx .swift .ipynb .wasm .jsh .jar", path.Ext(address))
}

// downloader reports whether the name of a program says that it saves what it is handed.
func downloader(program string) bool {
	return anyof.Contains(program, "get", "fetch", "download", "axel", "dl", "aria", "clone", "open", "browse")
}
