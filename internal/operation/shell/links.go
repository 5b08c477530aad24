package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// links describes how a program treats links.
type links uint8

const (
	followed links = iota // links in the operands
	kept                  // none: the program copies, packs or commits links as links
	deep                  // also links below the folders in its operands
)

// linksOf returns how a program with these arguments treats links.
func linksOf(prog string, args []command.Word) links {
	has := func(short string, long ...string) bool {
		return slices.ContainsFunc(args, func(w command.Word) bool {
			t := w.Text
			if strings.HasPrefix(t, "--") {
				return slices.Contains(long, t)
			}
			return len(t) > 1 && t[0] == '-' && (strings.ContainsAny(t[1:], short) && !slices.Contains(long, "-") || slices.Contains(long, t))
		})
	}
	switch prog {
	case "cp", "gcp":
		switch {
		case has("L", "--dereference"):
			return deep
		case has("H"):
			return followed
		case has("Pda", "--no-dereference", "--archive"):
			return kept
		}
	case "rsync", "grsync":
		switch {
		case has("Lk", "--copy-links", "--copy-unsafe-links", "--copy-dirlinks"):
			return deep
		case has("al", "--archive", "--links"):
			return kept
		}
	case "tar", "gtar", "bsdtar":
		if has("hL", "--dereference") || len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "h") && strings.Trim(args[0].Text, "cruxtvzjJfphkmaOW") == "" {
			return deep
		}
		return kept
	case "find", "gfind":
		if has("", "-L", "-follow", "-") {
			return deep
		}
	case "grep", "ggrep", "egrep", "fgrep":
		if has("R", "--dereference-recursive") {
			return deep
		}
	case "rg", "ripgrep", "fd", "fdfind":
		if has("L", "--follow") {
			return deep
		}
	case "chmod", "chown", "chgrp", "gchmod", "gchown":
		switch {
		case has("L"):
			return deep
		case has("h", "--no-dereference"):
			return kept
		}
	case "zip":
		if has("y", "--symlinks") {
			return kept
		}
		return deep
	case "scp", "pscp":
		return deep
	case "7z", "7za", "7zr":
		return deep
	case "aws", "gsutil", "gcloud", "s3cmd", "mc":
		return deep
	case "git":
		for _, w := range args {
			switch w.Text {
			case "add", "stage", "rm", "mv", "commit", "stash", "checkout", "restore", "reset", "clean", "status", "ls-files":
				return kept
			case "diff", "hash-object", "apply", "grep":
				return followed
			}
		}
	}
	return followed
}

// recordLinks records how a program treats links, before its arguments are read.
func (sh *shell) recordLinks(prog string, args []command.Word) {
	if !sh.local() {
		return
	}
	how := linksOf(prog, args)
	sh.asLinks = how == kept
	var operands []command.Word
	for _, w := range args {
		if w.Text != "" && w.Text[0] != '-' && w.Known() {
			operands = append(operands, w)
		}
	}
	if prog == "mkdir" {
		for _, w := range operands {
			abs, p := sh.Path(w)
			if real, ok := sh.where(abs, true); ok && p&(umpire.PlaceTemp|umpire.PlaceGenerated) == 0 {
				sh.makes(real)
			}
		}
	}
	if prog == "cp" || prog == "gcp" {
		for i := range len(operands) - 1 {
			sh.planCopy(operands[len(operands)-1], operands[i])
		}
	}
	if how != deep {
		return
	}
	if prog == "find" || prog == "gfind" || prog == "grep" || prog == "rg" {
		operands = append(operands, command.Lit("."))
	}
	for _, w := range operands {
		m := sh.env.Map
		m.Dir = sh.dir
		raw := m.Spell(w.Text)
		for _, f := range sh.paths.view.Resolve(raw, true) {
			if len(sh.paths.trees) >= maxTrees {
				sh.exceeds("folders of " + prog)
				return
			}
			if sh.paths.view.Lstat(f.Path).Kind == disk.Folder {
				if sh.paths.trees == nil {
					sh.paths.trees = map[string][]face{}
				}
				top := path.Clean(raw)
				if _, ok := sh.paths.trees[top]; !ok {
					list := sh.linksOut(f.Path)
					if f.Link != "" { // the operand is a link itself
						list = append(list, face{sh.named(f.Path), f.Link + " -> " + f.To})
					}
					sh.paths.trees[top] = list
				}
			}
		}
	}
}

// Limits of the reported links of one tree, and of the listings for all trees of a call, because
// later patterns need a share of what the disk package lists. A tree that exceeds the listings
// causes no question: every large project does.
const (
	maxTrees       = 256
	maxLeaving     = 64
	maxTreeFolders = 256
	maxTreeNames   = 8192
)

// linksOut returns the targets of links below a folder that lead out of it.
func (sh *shell) linksOut(top string) (list []face) {
	v := sh.paths.view
	folders := []string{top}
	for len(folders) > 0 && len(list) < maxLeaving {
		dir := folders[0]
		folders = folders[1:]
		if sh.paths.listed[0] >= maxTreeFolders || sh.paths.listed[1] >= maxTreeNames {
			break
		}
		names, _ := v.Names(dir)
		sh.paths.listed[0]++
		sh.paths.listed[1] += len(names)
		for _, n := range names {
			switch n.Kind {
			case disk.Folder:
				folders = append(folders, strings.TrimSuffix(dir, "/")+"/"+n.Name)
			case disk.Link:
				for _, f := range v.Resolve(strings.TrimSuffix(dir, "/")+"/"+n.Name, true) {
					if f.Path != top && !strings.HasPrefix(f.Path, top+"/") && v.Lstat(f.Path).Kind != disk.None && len(list) < maxLeaving {
						list = append(list, face{sh.named(f.Path), f.Link + " -> " + f.To})
					}
				}
			}
		}
	}
	if len(list) >= maxLeaving {
		list = append(list, face{disk.Anywhere, "more links"})
	}
	return list
}

// below returns the targets of links that a program follows below a path.
func (sh *shell) below(abs string) []face {
	if len(sh.paths.trees) == 0 {
		return nil
	}
	for top, list := range sh.paths.trees {
		if abs == top || strings.HasPrefix(abs, top+"/") && strings.Contains(abs, umpire.Hole) {
			return list
		}
	}
	return nil
}

// renamedProgram returns the program behind a link, if umpire knows the program and the link has
// another name: a project may contain a link to rm, even as .venv/bin/python. Where umpire knows
// both names, only a program of the system counts: others, such as rustup, look at their name.
func (sh *shell) renamedProgram(name command.Word) (string, bool) {
	name = sh.programPath(name, name.Text)
	if !sh.local() || !name.Known() || !strings.Contains(name.Text, "/") || Standard(name.Text) {
		return "", false
	}
	m := sh.env.Map
	m.Dir = sh.dir
	raw, own := m.Spell(name.Text), command.Lookup(base(name.Text))
	for _, f := range sh.paths.view.Resolve(raw, true) {
		to := command.Lookup(base(f.Path))
		if f.Link != "" && unversioned(f.Path) != unversioned(name.Text) && to != nil && to != own && (own == nil || Standard(f.Path)) {
			return f.Path, true
		}
	}
	return "", false
}
