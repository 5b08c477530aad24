package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doFind reads the starting points of find and its expression: tests that narrow the search, and
// actions.
func doFind(c *Call) {
	args := c.Args
	roots, i := findRoots(args)
	narrow := umpire.Trait(0)
	parens, acts := 0, false
	var names []Word
	for j := i; j < len(args); j++ {
		t := args[j].Text
		switch strings.TrimPrefix(t, "-") {
		case "(", `\(`:
			parens++
		case ")", `\)`:
			parens--
		case "o", "or", ",":
			if parens <= 0 { // the tests before do not narrow the rest
				names, narrow = nil, 0
			}
		case "name", "iname", "path", "ipath", "wholename", "iwholename", "regex", "iregex", "lname":
			not := j > 0 && (args[j-1].Text == "!" || args[j-1].Text == `\!` || args[j-1].Text == "-not")
			if j++; j < len(args) && !not {
				names = append(names, args[j])
				if strings.Trim(args[j].Text, "*./?") != "" {
					narrow |= umpire.Filtered
				}
			}
		case "newer", "anewer", "cnewer", "samefile", "files0-from":
			if j++; j < len(args) {
				c.role('i', args[j])
			}
			narrow |= umpire.Filtered
		case "mtime", "mmin", "atime", "amin", "ctime", "cmin", "size", "user", "group", "perm", "uid", "gid", "newermt", "used", "links", "inum", "fstype":
			j++
			narrow |= umpire.Filtered
		case "type", "xtype":
			if j++; j < len(args) && args[j].Text == "l" {
				narrow |= umpire.Filtered
			}
		case "maxdepth", "mindepth":
			j++
		case "empty":
			narrow |= umpire.Filtered
			names = append(names, Lit(umpire.Hole))
		case "nouser", "nogroup":
			narrow |= umpire.Filtered
		case "delete":
			acts = true
			for _, r := range roots {
				target := c.findTarget(r, names)
				if _, p := c.Path(r); p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceSystem|umpire.PlaceParent) != 0 {
					target = r // such a name may occur all over the machine
				}
				c.Delete(target, umpire.Recursive|narrow)
			}
		case "fprint", "fprint0", "fls":
			if j++; j < len(args) {
				c.WriteFile(args[j], umpire.Truncate, Unseen(0))
			}
		case "fprintf":
			if j += 2; j < len(args) {
				c.WriteFile(args[j-1], umpire.Truncate, c.printed(args[j], roots, names))
			}
		case "printf":
			if j++; j < len(args) && lettered(args[j].Text) {
				c.SetOut(c.printed(args[j], roots, names))
			}
		case "exec", "execdir", "ok", "okdir":
			acts = true
			j = c.findExec(args, j, roots, names, narrow)
		}
	}
	for _, r := range roots {
		if !acts && r.Text != "." {
			c.role('i', r)
		}
	}
	c.printsFound(roots, names, narrow)
}

// printsFound sets the output to the names of the files below roots, by default ".", of which narrow
// says that tests select some.
func (c *Call) printsFound(roots, names []Word, narrow umpire.Trait) {
	if len(roots) == 0 {
		roots = Lits(".")
	}
	var b strings.Builder
	for _, r := range roots {
		b.WriteString(c.findTarget(r, names).Text + ListMark + "\n")
	}
	if !c.Answered() {
		out := Text(b.String())
		if narrow&umpire.Filtered != 0 && !slices.ContainsFunc(roots, func(r Word) bool { // such a name may occur all over the machine
			_, p := c.Path(r)
			return p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceSystem|umpire.PlaceParent) != 0
		}) {
			out.Taint = Picked
		}
		c.SetOut(out)
	}
}

// findRoots returns the starting points, which default to ".", and the index at which the
// expression begins.
func findRoots(args []Word) (roots []Word, i int) {
	for i < len(args) && (args[i].Text == "-H" || args[i].Text == "-L" || args[i].Text == "-P" || args[i].Text == "-E" || args[i].Text == "-X" || strings.HasPrefix(args[i].Text, "-O")) {
		i++
	}
	for ; i < len(args); i++ {
		t := args[i].Text
		if t == "-f" && i+1 < len(args) {
			i++
			roots = append(roots, args[i])
			continue
		}
		if strings.HasPrefix(t, "-") && len(t) > 1 || t == "(" || t == "!" || t == `\(` || t == `\!` {
			break
		}
		roots = append(roots, args[i])
	}
	if len(roots) == 0 {
		roots = Lits(".")
	}
	return roots, i
}

// findExec runs the command of the -exec at index j on the results of the search, and returns the
// index of its end.
func (c *Call) findExec(args []Word, j int, roots, names []Word, narrow umpire.Trait) (end int) {
	end = j + 1
	for end < len(args) && args[end].Text != ";" && args[end].Text != `\;` && !(args[end].Text == "+" && args[end-1].Text == "{}") {
		end++
	}
	if j+1 < end {
		for _, r := range roots {
			target := c.findTarget(r, names)
			if _, p := c.Path(r); p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceSystem|umpire.PlaceParent) != 0 && changes(args[j+1:end]) {
				target = r // such a name may occur all over the machine
			}
			target.Found = true
			cmd := substitute(args[j+1:end], "{}", target)
			c.Exec(cmd, Run{Via: "find", Traits: narrow | umpire.Bulk, Out: true})
			if script := slices.IndexFunc(args[j+1:end], func(w Word) bool { return w.Text == "{}" }); script == 0 || script == 1 && anyof.Listed("sh bash dash zsh ksh python python3 node ruby perl php", path.Base(cmd[0].Text)) {
				for _, file := range c.findFiles(r, names) {
					cmd = slices.Clone(cmd)
					cmd[script] = file
					c.Exec(cmd, Run{Via: "find", Out: true})
				}
			}
		}
	}
	return end
}

// findFiles returns the files on the disk that find passes to a program that runs them. It searches
// a bounded number of folders.
func (c *Call) findFiles(root Word, names []Word) (files []Word) {
	dirs := []string{root.Text}
	for _, w := range names { // this command line may compile the program
		if file := root.fixed(path.Join(root.Text, w.Text)); len(c.Defined(compiled+c.Absolute(file.Text))) > 0 {
			files = append(files, file.With("./"+file.Text))
		}
	}
	for n := 0; n < len(dirs) && root.Known(); n++ {
		if n >= MaxTestFolders || len(files) > MaxTestFiles {
			c.Beyond(dirs[n])
			break
		}
		for _, name := range c.SomeNames(Lit(dirs[n])) {
			file := path.Join(dirs[n], name)
			if len(names) == 0 || slices.ContainsFunc(names, func(w Word) bool { ok, _ := path.Match(path.Base(w.Text), name); return ok }) {
				files = append(files, root.fixed(file))
			}
			if TestFolder(name) {
				dirs = append(dirs, file)
			}
		}
	}
	return files
}

// printed returns the output of -printf for the starting points and everything below them.
func (c *Call) printed(format Word, roots, names []Word) Stream {
	s := Stream{Seen: true, Pipe: true, Taint: format.Taint}
	for _, r := range roots {
		s.Taint |= r.Taint
		for _, p := range [...]string{c.findTarget(r, names).Text + ListMark, strings.TrimSuffix(r.Text, "/") + "/" + umpire.Hole} {
			s.Text += directives(format.Text, p)
		}
	}
	return s
}

// directives expands the format of -printf for a path. %p is the path, other directives are
// unknown.
func directives(format, path string) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '%' && i+1 < len(format) && format[i+1] == '%':
			b.WriteByte('%')
			i++
		case c == '%':
			for i++; i < len(format) && strings.IndexByte("-+ #0123456789.", format[i]) >= 0; i++ {
			}
			switch {
			case i < len(format) && format[i] == 'p':
				b.WriteString(path)
			case i < len(format) && strings.IndexByte("ATC", format[i]) >= 0:
				i++
				fallthrough
			default:
				b.WriteString(umpire.Hole)
			}
		case c == '\\' && i+1 < len(format):
			i++
			b.WriteString(strings.NewReplacer("n", "\n", "t", "\t", "0", "\x00").Replace(format[i : i+1]))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// lettered reports whether a format of -printf has letters outside of directives and escapes. Then
// the output is not a list of names.
func lettered(format string) bool {
	return strings.ContainsFunc(strings.NewReplacer(`\n`, "", `\t`, "", `\0`, "").Replace(directives(strings.ReplaceAll(format, `\`, ""), "")), func(r rune) bool {
		return r >= 'a' && r <= 'z' && r != 'n' && r != 't' || r >= 'A' && r <= 'Z'
	})
}

// changes reports whether a command that find runs changes or removes its operands.
func changes(cmd []Word) bool {
	for i, w := range cmd {
		switch name := w.Text[strings.LastIndexByte(w.Text, '/')+1:]; name {
		case "rm", "rmdir", "unlink", "shred", "srm", "wipe", "truncate", "mv", "chmod", "chown", "chgrp", "chattr", "setfacl":
			return true
		case "sudo", "doas", "env", "nice", "command", "busybox", "nohup":
			continue
		default:
			if i > 0 && strings.HasPrefix(w.Text, "-") || strings.Contains(w.Text, "=") {
				continue
			}
		}
		return false
	}
	return false
}

// findTarget returns the word that find passes on for a starting point: the point itself if no name
// narrows the search, or a pattern for every match below it.
func (c *Call) findTarget(root Word, names []Word) Word {
	if len(names) == 0 {
		return root
	}
	folder, name := "", ""
	for _, w := range names {
		i := strings.LastIndexByte(w.Text, '/')
		if i > 0 {
			folder = lastFolder(w.Text[:i])
		}
		if last := w.Text[i+1:]; strings.Trim(last, "*.?") != "" && (name == "" || strings.ContainsAny(name, "*?[")) {
			name = last
		}
	}
	if strings.Trim(folder+name, "*./?") == "" {
		return root
	}
	at := strings.TrimSuffix(root.Text, "/") + "/" + umpire.Hole
	if folder != "" {
		at += "/" + folder + "/" + umpire.Hole
	}
	if name == "" {
		if _, p := c.Path(Lit(at)); p&umpire.PlaceGenerated == 0 {
			return root
		}
		return Word{Text: at, Taint: root.Taint, Marks: Marks{Glob: true}}
	}
	return Word{Text: at + "/" + name, Taint: root.Taint, Marks: Marks{Glob: true}}
}

// lastFolder returns the innermost folder that a path pattern names without a wildcard, or "".
func lastFolder(pattern string) string {
	for pattern != "" {
		i := strings.LastIndexByte(pattern, '/')
		if s := pattern[i+1:]; s != "" && strings.Trim(s, "*.?") != "" && !strings.ContainsAny(s, "*?[") {
			return s
		}
		pattern = pattern[:max(i, 0)]
	}
	return ""
}

// doFd reads fd PATTERN [FOLDER], whose options -x and -X run a command on the matches.
func doFd(c *Call) {
	narrow := When(c.Has("-S", "-o", "-E", "-d", "--min-depth", "--exact-depth", "--changed-within", "--changed-before"), umpire.Filtered)
	for i, w := range c.Args {
		words := c.Args[i+1:]
		switch name, value, joined := strings.Cut(w.Text, "="); {
		case anyof.Equal(name, "-x", "--exec", "-X", "--exec-batch"):
			if joined { // --exec=rm
				words = slices.Concat([]Word{w.With(value)}, words)
			}
		case len(name) > 2 && strings.HasPrefix(name, "-x"), len(name) > 2 && strings.HasPrefix(name, "-X"): // -Xrm
			words = slices.Concat([]Word{w.With(w.Text[2:])}, words)
		default:
			continue
		}
		if c.Has("-e") || !HasText(c.Args[i:], c.Arg(0).Text) && !allMatch(c.Operands[:min(1, len(c.Operands))]) {
			narrow = umpire.Filtered
		}
		c.runFound(i, words, narrow)
		return
	}
	var names []Word
	for _, e := range c.All("-e") {
		names = append(names, e.With("*."+e.Text))
	}
	roots := c.Operands[min(1, len(c.Operands)):]
	if patterns := c.Operands[:min(1, len(c.Operands))]; !allMatch(patterns) {
		narrow = umpire.Filtered
		switch globs := alternatives(patterns[0].Text); {
		case len(names) > 0 || len(globs) > 1:
		case strings.Contains(globs[0], "."):
			names = Lits(globs...)
		default: // a folder of sources may have such a name
			roots = c.withTargets(roots, globs[0])
		}
	}
	c.printsFound(roots, names, narrow)
}

// runFound runs a command on the matches of fd. words are the command, which follows the argument
// at index i. narrow says that tests select some of them.
func (c *Call) runFound(i int, words []Word, narrow umpire.Trait) {
	root := Lit(".")
	if len(c.Operands) > 1 && !HasText(c.Args[i:], c.Operands[1].Text) {
		root = c.Operands[1]
	}
	if _, p := c.Path(root); p&umpire.PlaceWorkspace != 0 { // outside of the workspace such files may be anywhere
		narrow = umpire.Filtered // fd skips hidden and ignored files
		if e, ok := c.Opt("-e"); ok {
			root = c.findTarget(root, []Word{e.With("*." + e.Text)})
		} else if pattern := c.Arg(0); strings.Contains(pattern.Text, "_") && !HasText(c.Args[i:], pattern.Text) { // node_modules is never a part of another name
			at := c.findTarget(root, []Word{pattern})
			if _, p := c.Path(at); p&umpire.PlaceGenerated != 0 {
				root = at
			}
		}
	}
	if len(c.Operands) > 0 && !HasText(c.Args[i:], c.Operands[0].Text) {
		if w, ok := c.foundSecrets(root, c.Operands[0]); ok {
			root = w
		}
	}
	if end := slices.IndexFunc(words, func(w Word) bool { return w.Text == ";" }); end >= 0 {
		words = words[:end]
	}
	cmd := words
	for _, mark := range []string{"{/}", "{//}", "{.}"} {
		cmd = substitute(cmd, mark, root)
	}
	root.Found = true
	cmd = substitute(cmd, "{}", root)
	if !slices.ContainsFunc(words, func(w Word) bool { return strings.Contains(w.Text, "{") }) {
		cmd = append(cmd, root)
	}
	c.Exec(cmd, Run{Via: "fd", Traits: narrow | umpire.Bulk, Out: true})
}
