package snapshot

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// maxFold limits the number of paths and folders to compare.
const maxFold = 500_000

// named records what a path means on other systems, where a checkout can contain other files than
// the reviewed ones.
func (b *builder) named(path string) {
	for at, rest := 0, path; ; {
		part, more, folder := strings.Cut(rest, "/")
		own := gitsOwn(part)
		if name := path[:at+len(part)]; own && !b.told[name] && len(b.told) < maxFaults {
			b.told[name] = true
			b.fault(NestedGit, name, "")
		}
		if !own && unportable(part) {
			b.fault(BadName, path, "")
			break
		}
		if !folder {
			break
		}
		at, rest = at+len(part)+1, more
	}
	folded := folded(path)
	if twin, ok := b.fold[folded]; ok && twin != path {
		b.fault(CaseTwin, path, twin)
		return
	}
	// A folder may be the twin of a link or of another folder. If it is known, so are its parents.
	for path, folded := path, folded; len(b.fold) < maxFold; {
		b.fold[folded] = path
		i, j := strings.LastIndexByte(path, '/'), strings.LastIndexByte(folded, '/')
		if i < 0 || j < 0 {
			return
		}
		path, folded = path[:i], folded[:j]
		if twin, ok := b.fold[folded]; ok {
			if twin != path && !b.told[path] && len(b.told) < maxFaults {
				b.told[path] = true
				b.fault(CaseTwin, path, twin)
			}
			return
		}
	}
}

// folded returns a name as seen by a file system that ignores case, composition and invisible
// characters.
func folded(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < 0x80
	}
	if ascii {
		return strings.ToLower(s)
	}
	return norm.NFC.String(strings.ToLower(norm.NFC.String(strings.Map(passedOver, s))))
}

// passedOver removes the characters that HFS+ ignores in names.
func passedOver(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// gitsOwn reports whether some system treats a folder name as .git: in macOS or Windows spelling,
// with a stream, or as a short name.
func gitsOwn(s string) bool {
	s, _, _ = strings.Cut(strings.Map(passedOver, s), ":")
	s = strings.TrimRight(s, " .")
	return strings.EqualFold(s, ".git") || strings.EqualFold(s, "git~1")
}

// unportable reports whether Windows maps a name to another: it drops trailing dots and spaces, and
// has streams and devices.
func unportable(s string) bool {
	return s != "." && s != ".." && s != strings.TrimRight(s, " .") || strings.ContainsRune(s, ':') || device(s)
}

// device reports whether a name is a device on Windows.
func device(p string) bool {
	name := strings.ToLower(p[strings.LastIndexAny(p, `/\`)+1:])
	name, _, _ = strings.Cut(name, ".")
	name = strings.TrimRight(name, " :")
	if anyof.Equal(name, "con", "prn", "aux", "nul", "conin$", "conout$") {
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '1' && name[3] <= '9'
}
