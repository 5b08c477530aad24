package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// modeTraits returns the traits of a permission mode.
func modeTraits(mode string) (t umpire.Trait) {
	oct := strings.TrimLeft(mode, "=+-")
	if len(oct) >= 3 && strings.Trim(oct, "01234567") == "" {
		last := oct[len(oct)-1]
		if last != '0' {
			t |= umpire.Loosened
		}
		if last == '2' || last == '3' || last == '6' || last == '7' {
			t |= umpire.WorldWritable | umpire.Loosened
		}
		if len(oct) >= 4 {
			if d := oct[len(oct)-4]; d >= '4' && d <= '7' || d == '2' || d == '3' {
				t |= umpire.Setuid
			}
		}
		return t
	}
	for part := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(part, "+=")
		if i < 0 {
			continue
		}
		who, what := part[:i], part[i+1:]
		if strings.ContainsAny(what, "rwxX") && (who == "" || strings.ContainsAny(who, "goa")) {
			t |= umpire.Loosened
		}
		if strings.Contains(what, "w") && (strings.ContainsAny(who, "oa")) {
			t |= umpire.WorldWritable | umpire.Loosened
		}
		if strings.Contains(what, "s") && (who == "" || strings.ContainsAny(who, "uga")) {
			t |= umpire.Setuid
		}
	}
	return t
}

// noRights reports whether a mode removes all permissions from everybody: 000, a=, ugo-rwx, -rwx.
func noRights(mode string) bool {
	if strings.Trim(mode, "0") == "" {
		return mode != ""
	}
	left := "ugo"
	for part := range strings.SplitSeq(mode, ",") {
		who, what, ok := strings.Cut(part, "-")
		if ok && strings.Trim("rwx", what) != "" {
			return false // a permission stays
		}
		if !ok {
			who, what, ok = strings.Cut(part, "=")
			if !ok || what != "" {
				return false
			}
		}
		if who == "" || strings.Contains(who, "a") {
			who = "ugo"
		}
		left = strings.Map(func(r rune) rune {
			if strings.ContainsRune(who, r) {
				return -1
			}
			return r
		}, left)
	}
	return left == ""
}

func doChmod(c *Call) {
	files := c.Operands
	t := umpire.Permissions
	if _, ok := c.Opt("--reference"); !ok {
		mode := ""
		for i := range c.opts { // chmod -x file, chmod -R -w dir: the mode looks like an option
			if r := c.opts[i].raw; len(r) == 2 && strings.Contains("rwxXst", r[1:]) {
				mode = "-" + strings.TrimPrefix(mode, "-") + r[1:]
			}
		}
		if mode == "" && len(files) > 0 && !(len(files) == 1 && strings.HasPrefix(files[0].Text, "/")) {
			mode, files = files[0].Text, files[1:]
		}
		t |= modeTraits(mode)
		if noRights(mode) {
			t |= umpire.Bulk
		}
	}
	for _, w := range files {
		c.path(umpire.Write, w, t)
	}
}

func doChown(c *Call) {
	files := c.Operands
	if _, ok := c.Opt("--reference"); !ok && len(files) > 0 {
		files = files[1:]
	}
	for _, w := range files {
		c.path(umpire.Write, w, umpire.Ownership)
	}
}

func doChattr(c *Call) {
	for _, w := range c.Operands {
		if !strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(w.Text, "=") {
			c.path(umpire.Write, w, umpire.Permissions)
		}
	}
}

// doSetfacl reads access lists. An entry such as other::rwx opens a file to everybody.
func doSetfacl(c *Call) {
	t := umpire.Permissions
	for _, o := range []string{"-m", "--set"} {
		for _, w := range c.All(o) {
			for e := range strings.SplitSeq(w.Text, ",") {
				f := strings.Split(strings.TrimPrefix(strings.TrimPrefix(e, "default:"), "d:"), ":")
				if len(f) < 2 {
					continue
				}
				who, what := f[0], f[len(f)-1]
				if strings.ContainsAny(what, "rwx") {
					t |= umpire.Loosened
				}
				if (who == "o" || who == "other") && strings.Contains(what, "w") {
					t |= umpire.WorldWritable
				}
			}
		}
	}
	for _, w := range c.Operands {
		c.path(umpire.Write, w, t)
	}
}

func doSetcap(c *Call) {
	if len(c.Operands) > 1 {
		c.path(umpire.Write, c.Operands[len(c.Operands)-1], umpire.Setuid|umpire.Permissions)
	}
}
