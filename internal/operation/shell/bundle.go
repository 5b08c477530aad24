package shell

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/code"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Bounds on long texts: JavaScript that a bundler joined from many modules, and generated sources.
const (
	maxBundle  = 8 << 20 // bytes of one bundle
	maxBundles = 4       // bundles that one call reads
)

// bundleName reports whether a file may be the output of a bundler or of a code generator, by its
// name.
func bundleName(file string) bool {
	return anyof.Equal(path.Ext(file), ".js", ".cjs", ".mjs", ".go", ".rs")
}

// bundled scans a JavaScript program that is too long to interpret: only the parts around calls
// that matter. Bundlers and package managers write long programs. In folders where people write
// code, a long program also counts as unseen code, because an adversary can pad it; a module that
// another program imports does not, because data may be long. A program with too many such parts
// counts as unseen code, too, except in node_modules.
func (sh *shell) bundled(text string, imported bool) {
	parts, whole := code.Excerpt(text)
	file := command.Lit(sh.file)
	if _, p := sh.Path(file); !imported && p&umpire.PlaceGenerated == 0 && !toolFile(sh.file) || !whole && !strings.Contains(sh.file, "/node_modules/") {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "js " + path.Base(sh.file), Traits: umpire.UnseenCode})
	}
	defer sh.world.unchanged()()
	c := sh.within("")
	c.task, c.scan = true, true
	c.code("js", parts)
}

// toolFile reports whether package managers or bundlers write a file next to the sources of a
// project.
func toolFile(file string) bool {
	name := path.Base(file)
	return strings.Contains(file, "/.yarn/") || strings.Contains(file, "/vendor/") || strings.HasPrefix(name, ".pnp.") ||
		strings.Contains(name, ".min.") || strings.Contains(name, ".bundle.") || strings.HasPrefix(name, "bundle.")
}
