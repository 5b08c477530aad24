package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func doGrep(c *Call) {
	files := c.Operands
	if c.Stdin.Pipe { // ps | grep NAME
		for _, w := range append(c.All("-e"), files[:min(1, len(files))]...) {
			c.Taints(processOf(w.Text) &^ OfSystem)
		}
	}
	if len(files) > 0 && !c.Has("--regexp", "--match", "--files") && len(c.All("-e"))+len(c.All("-f")) == 0 {
		files = files[1:] // the pattern
	}
	patterns := append(c.All("-e"), c.Operands[:len(c.Operands)-len(files)]...)
	inverted, trees := c.Has("-v", "--invert-match"), c.searchesTrees()
	switch in := c.listing(); {
	case in.Lists() && !c.Has("--recursive", "-r", "--files", "-c", "-q"):
		if inverted || allMatch(patterns) {
			c.SetOut(in)
		} else {
			c.picksListed(in, patterns)
		}
		return
	case c.Has("--files", "--files-with-matches", "--files-without-match"):
		c.printsMatching(files, patterns, inverted || c.Has("--files-without-match"))
	}
	if c.Has("--files-with-matches", "--files-without-match", "--count", "--count-matches", "--quiet", "--files", "-c", "-l", "-q") {
		own := c.Traits
		c.Traits |= When(trees, umpire.Recursive|umpire.Filtered)
		for _, w := range files { // file names and counts show no secret
			if w.Text != "-" {
				c.readUnshown(w)
			}
		}
		c.Traits = own
		return
	}
	if len(files) == 0 && !c.Has("-L", "--silent") && (!c.Has("-o", "--only-matching") || slices.ContainsFunc(patterns, func(w Word) bool { return strings.ContainsAny(w.Text, ".[") })) {
		defer c.passKey()
	}
	names := c.namesOnly() || c.picksNames(slices.Clone(patterns))
	if len(files) == 0 && len(patterns) > 0 && trees && (!c.Stdin.Pipe || c.Has("--recursive", "-r")) {
		files = Lits(".")
	}
	c.readsFiles(c.selectedSecrets(files), names)
	if names {
		c.readsFiles(files, true)
	} else {
		c.searches(files, patterns, inverted)
		for _, dir := range files {
			c.seeksSecrets(dir, patterns)
		}
	}
	switch {
	case c.Has("-L", "--silent"):
		c.Taints(Picked)
		return
	case inverted:
		if slices.ContainsFunc(append(c.All("-e"), c.Operands[:min(1, len(c.Operands))]...), func(w Word) bool { return picksSecret(w.Text) }) {
			c.Taints(Picked)
		}
		return
	}
	shown := patterns
	if c.Has("-o", "--only-matching") { // prints only the match: a name, unless the pattern goes on to the value
		shown = slices.DeleteFunc(slices.Clone(patterns), matchesName)
	}
	if len(patterns) > 0 && !slices.ContainsFunc(shown, func(w Word) bool { return !w.Known() || matchesMost(w.Text) }) {
		c.Taints(Picked)
	}
	c.picked(shown...)
}

// searchesTrees reports whether a search reads everything below the folders that it gets. Programs
// that are newer than grep always do.
func (c *Call) searchesTrees() bool {
	how, _ := c.Opt("-d")
	return c.Has("--recursive", "-r") || how.Text == "recurse" || !anyof.HasSuffix(c.Name, "grep", "findstr") && c.Name != "ugrep" && c.Name != "ug"
}

// searches reads files and what is below folders, of which a search prints the lines that match. It is
// filtered if its patterns are words of a text, and find no keys. A program that skips hidden files
// passes what a home or a project hides.
func (c *Call) searches(files, patterns []Word, inverted bool) {
	trees := c.searchesTrees()
	words := !inverted && len(patterns) > 0 && !slices.ContainsFunc(patterns, func(w Word) bool {
		return !w.Known() || matchesMost(w.Text) || picksSecret(w.Text) || SeeksSecret(w.Text)
	})
	visible := anyof.Equal(c.Name, "rg", "ripgrep", "ag", "ug") && !c.Has("-.", "--hidden", "-u", "-uu", "-uuu")
	for _, w := range files {
		_, p := c.Path(w)
		hides := visible && p&(umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceRoot|umpire.PlaceWorkspace) != 0
		chosen := p&umpire.PlaceInWorkspace != 0 && c.Has("--include", "-g", "--glob", "--iglob")
		switch {
		case w.Text == "-":
		case trees || w.Found:
			c.ReadTree(w, When(words || hides || chosen, umpire.Filtered))
		default:
			c.ReadFile(w)
		}
	}
}

// Search reads the files below a folder for a search of their content by a pattern.
func (c *Call) Search(folder, pattern Word) {
	c.searches([]Word{folder}, []Word{pattern}, false)
	c.seeksSecrets(folder, []Word{pattern})
}

// allMatch reports whether each of the patterns of a search matches every text.
func allMatch(patterns []Word) bool {
	return !slices.ContainsFunc(patterns, func(w Word) bool { return strings.Trim(w.Text, ".*^$") != "" })
}

// selectedSecrets returns the files with secrets that a search of folders selects by their names:
// grep -r --include=.env KEY. A search that only passes such files on its way is ordinary.
func (c *Call) selectedSecrets(folders []Word) (out []Word) {
	if len(folders) == 0 {
		folders = Lits(".")
	}
	for _, option := range [...]string{"--include", "-g", "--glob", "--iglob", "-G"} {
		for _, name := range c.All(option) {
			for _, dir := range folders {
				if w, ok := c.foundSecrets(dir, name); ok {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// seeksSecrets records that a search prints keys wherever they are, if it looks for their shape in a
// home folder or above.
func (c *Call) seeksSecrets(dir Word, patterns []Word) {
	if abs, p := c.Path(dir); c.holdsKeys(dir) && slices.ContainsFunc(patterns, func(w Word) bool { return SeeksSecret(w.Text) }) {
		c.Emit(umpire.Operation{Kind: umpire.Read, Resource: abs + "/**", Places: p | umpire.PlaceCredentials, Traits: c.Traits | umpire.Unknown | umpire.Found | umpire.Recursive})
	}
}
