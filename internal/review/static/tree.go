package static

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

func treeRule(name string, s finding.Severity, cwe, title, text, remedy string) *Rule {
	return &Rule{ID: "umpire/tree/" + name, Severity: s, CWE: cwe, Title: title, Text: text, Remedy: remedy}
}

var (
	linkLeaves = treeRule("symlink-escape", finding.High, "CWE-59", "A symbolic link that leaves the tree",
		"Reads and writes through this link reach a file outside of the tree. It was not followed. ", "Remove the link.")
	linkNew = treeRule("new-symlink", finding.Low, "CWE-59", "A new symbolic link",
		"The change adds a symbolic link. It was not followed. ", "Check where it leads.")
	nameSpeaks = treeRule("name-instructions", finding.High, "CWE-1427", "A file name that gives orders to a model",
		"Names of files are shown to agents in listings: this one is written to steer them. ", "Rename the file.")
	nameHides = treeRule("name-hidden", finding.High, "CWE-1007", "A file name with hidden characters",
		"The name has control, invisible or reordering characters: a listing does not show the real name. ", "Rename the file.")
	nameLong = treeRule("name-long", finding.Low, "CWE-451", "A very long path",
		"Listings cut such paths off and hide the end. ", "Rename the file.")
	badName = treeRule("bad-name", finding.Low, "CWE-176", "A file name that is not portable",
		"The name is not valid UTF-8, is too long for file systems, or means a device, a stream or another file on Windows. ", "Rename the file.")
	caseTwin = treeRule("case-twin", finding.Low, "CWE-178", "Two names that differ by case only",
		"On file systems that ignore case or letter composition, one of the two replaces the other. ", "Rename one of them.")
	special = treeRule("special-file", finding.Medium, "CWE-67", "A special file",
		"The tree has a device, socket, FIFO or another file system. Umpire did not read it. ", "Remove it.")
	setID = treeRule("set-id", finding.Medium, "CWE-250", "A file that runs with its owner's rights",
		"The file has the set-user-ID or set-group-ID bit. ", "Clear the bit.")
	nestedGit = treeRule("nested-git", finding.Medium, "CWE-829", "A repository inside the tree",
		"The tree has a folder named .git, or with a name that some systems treat as .git. Its settings and hooks run programs when git is used there. ", "Remove it.")
	changing = treeRule("changing", finding.Medium, "CWE-367", "A file that changed while it was read",
		"The file was replaced while umpire copied the tree. It was left out. ", "Review again while no program writes to the tree.")
	unreadable = treeRule("unreadable", finding.Low, "", "A file that could not be read", "The file could not be read and was not reviewed. ", "")
	tooDeep    = treeRule("too-deep", finding.Medium, "", "Folders nested too deeply", "The contents below were not reviewed. ", "Review it by itself.")
	overLimit  = treeRule("over-limit", finding.Medium, "", "Too large for a review", "Not everything was reviewed: the material is larger than the limits of a review. ", "Review parts of it.")
	tooLarge   = treeRule("large-file", finding.Low, "", "A file that is read only in parts",
		"The file is larger than a reviewer reads at once. The checks without a model saw all of it. ", "")
	archive = treeRule("archive", finding.Low, "CWE-506", "An archive",
		"The contents of the archive were not reviewed. ", "Unpack it and review the contents.")
	executable = treeRule("executable", finding.Medium, "CWE-506", "A compiled program",
		"A review cannot tell what this program does. ", "Build it from source.")
	lfsPointer = treeRule("lfs-pointer", finding.Low, "CWE-829", "A file whose content is elsewhere",
		"The file only names content that is fetched from another server when the tree is checked out. That content was not reviewed. ", "Fetch it and review it.")
	opaque    = treeRule("binary", finding.Low, "CWE-506", "A binary file", "The content is not text, and was not reviewed. ", "")
	unchecked = treeRule("unchecked", finding.High, "", "A file that stopped the checks",
		"A check failed in this file, as it would on an input made for that. The rest of the file is unchecked. ", "Read the file, and report the fault.")
	largeSettings = treeRule("large-settings", finding.High, "CWE-829", "Settings that are too large to check",
		"Programs act on a file of this name. It is far larger than usual, and only its beginning was checked. ", "Read the file.")
	longCommand = treeRule("long-command", finding.Medium, "CWE-829", "A command that is too long to read",
		"The command is too long to analyze. Its effect is unknown. ", "Read it.")
	unreadCommands = treeRule("unread-commands", finding.High, "", "Too many commands",
		"There are more commands in the material than a review reads. The effect of the others is unknown. ", "Review parts of it.")
	tooMany = treeRule("too-many-findings", finding.High, "", "Too many findings", "There are more findings than a report holds. The ones left out are not more severe than these. ", "")

	diffEscape = treeRule("diff-escape", finding.High, "CWE-22", "A change to a path outside of the tree",
		"The diff names a path that is absolute, leads up, or is in git's own folder. Programs that apply it may write there. ", "Do not apply it.")
	diffDevice = treeRule("diff-device", finding.High, "CWE-67", "A change to a device",
		"The diff names a device. Programs that apply it may write to it. ", "Do not apply it.")
	diffMalformed = treeRule("diff-malformed", finding.Medium, "CWE-436", "A diff that programs read in different ways",
		"The diff's headers and line counts contradict each other: a program may apply other changes than the reviewed ones. ", "Create the diff again.")
	diffMismatch = treeRule("diff-mismatch", finding.Low, "", "A diff that does not fit its base", "The diff was made against other content. Only the lines that it shows were reviewed. ", "Give the base that it was made for.")
	submodule    = treeRule("submodule", finding.Medium, "CWE-829", "A change of a submodule",
		"The change adds another repository's content, which was not reviewed. ", "Review that commit, too.")

	treeRules = []*Rule{linkLeaves, linkNew, nameSpeaks, nameHides, nameLong, badName, caseTwin, special, setID, nestedGit, changing, unreadable, tooDeep, overLimit, tooLarge, archive, executable, opaque, unchecked, largeSettings, longCommand, unreadCommands, lfsPointer, tooMany,
		diffEscape, diffDevice, diffMalformed, diffMismatch, submodule}

	byFault = map[string]*Rule{
		snapshot.BadName: badName, snapshot.CaseTwin: caseTwin, snapshot.SpecialFile: special, snapshot.SetID: setID, snapshot.NestedGit: nestedGit, snapshot.Changing: changing, snapshot.Unreadable: unreadable,
		snapshot.TooDeep: tooDeep, snapshot.OverLimit: overLimit, snapshot.DiffEscape: diffEscape, snapshot.DiffDevice: diffDevice, snapshot.DiffMalformed: diffMalformed, snapshot.DiffMismatch: diffMismatch,
		snapshot.NewSymlink: linkNew, snapshot.Submodule: submodule,
	}
)

func (f *file) faults(list []snapshot.Fault) {
	for _, x := range list {
		r := byFault[x.Kind]
		if r == nil { // a new kind without a rule
			r = overLimit
		}
		detail := ""
		switch x.Kind {
		case snapshot.CaseTwin:
			detail = "the other is " + quoted(x.Detail)
		case snapshot.DiffEscape, snapshot.DiffDevice, snapshot.DiffMalformed, snapshot.OverLimit, snapshot.SpecialFile:
			detail = x.Detail
		}
		f.path, f.many = x.Path, nil
		f.on(r, r.Severity, 0, detail)
	}
	f.path = ""
}

// name checks the path itself.
func (f *file) name() {
	for _, r := range f.path {
		if unicode.IsControl(r) || invisible(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r >= 0xE0000 && r <= 0xE007F || r == 0x2028 || r == 0x2029 {
			f.on(nameHides, nameHides.Severity, 0, "")
			break
		}
	}
	if len(f.path) > longPath {
		f.on(nameLong, nameLong.Severity, 0, "")
	}
	whole := f.path
	if ext := path.Ext(whole); len(ext) < 8 {
		whole = strings.TrimSuffix(whole, ext)
	}
	words := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == '+' || r == '/' {
			return ' '
		}
		return r
	}, whole)
	base := words[strings.LastIndexByte(f.path, '/')+1:]
	for _, part := range []string{base, words} { // an instruction may span several folders
		if len(part) < 20 {
			continue
		}
		if said, weight := f.orders(part); weight >= nameWeight {
			f.on(nameSpeaks, nameSpeaks.Severity, 0, "it says "+quoted(said))
			return
		}
		if len(base) == len(words) {
			return
		}
	}
}

// nameWeight is the least weight (see JudgeSource) of a name that counts as an instruction: names
// have less reason to be one than texts.
const nameWeight = 2.0

// longPath is the length in bytes of a path that listings show completely. Honest ones are shorter.
const longPath = 400

// link checks the target of a symbolic link.
func (f *file) link(text string) {
	if text == "" || path.IsAbs(text) || strings.HasPrefix(text, `\`) || strings.HasPrefix(text, "~") || len(text) > 1 && text[1] == ':' {
		f.on(linkLeaves, linkLeaves.Severity, 0, "it leads to "+quoted(text))
		return
	}
	to := path.Join(path.Dir(f.path), strings.ReplaceAll(text, `\`, "/"))
	if to == ".." || strings.HasPrefix(to, "../") {
		f.on(linkLeaves, linkLeaves.Severity, 0, "it leads to "+quoted(text))
	} else if first, _, _ := strings.Cut(to, "/"); strings.EqualFold(first, ".git") {
		f.on(linkLeaves, linkLeaves.Severity, 0, "it leads into git's own folder")
	}
}

// absent reports files that were left out.
func (f *file) absent() {
	switch {
	case f.f.Binary:
		f.on(opaque, opaque.Severity, 0, "")
	case f.f.Why == snapshot.Moved:
		f.on(unreadable, unreadable.Severity, 0, f.f.Why)
	default:
		f.on(overLimit, overLimit.Severity, 0, f.f.Why)
	}
}

var (
	programs = []string{"\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm", "dex\n", "!<arch>\n"}
	packed   = []string{"PK\x03\x04", "PK\x05\x06", "\x1f\x8b", "BZh", "\xfd7zXZ\x00", "7z\xbc\xaf\x27\x1c", "Rar!", "\x28\xb5\x2f\xfd", "MSCF", "\x04\x22\x4d\x18", "xar!"}
	media    = []string{"\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "\x00\x00\x01\x00", "\x00\x01\x00\x00", "OTTO", "true", "wOFF", "wOF2", "ID3", "OggS", "fLaC", "BM", "II*\x00", "MM\x00*", "%PDF", "\x1aE\xdf\xa3", "\xff\xfb", "ttcf", "icns"}
)

// binary recognizes programs and archives by their first bytes. It skips media files.
func (f *file) binary(b []byte) {
	begins := func(list []string) bool {
		return slices.ContainsFunc(list, func(m string) bool { return bytes.HasPrefix(b, []byte(m)) })
	}
	switch {
	case begins(programs) && (b[0] != 'M' || len(b) > 512):
		f.on(executable, executable.Severity, 0, "")
	case begins(packed), len(b) > 262 && string(b[257:262]) == "ustar":
		f.on(archive, archive.Severity, 0, "")
	case begins(media), len(b) > 12 && string(b[4:8]) == "ftyp":
	default:
		f.on(opaque, opaque.Severity, 0, "")
	}
}
