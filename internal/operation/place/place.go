package place

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Map is the context for resolving paths. All fields but Temp are absolute.
type Map struct {
	Home      string
	Workspace string
	Dir       string // the working directory at this point of a command
	Temp      string // the temporary folder in addition to the usual ones
	Moved     []Moved
	Worktrees func() []string // the working trees of git that belong to the workspace: absolute, clean and in lower case; may be nil
	Backslash bool            // backslashes separate folders, as for the shells of Windows
	Drives    bool            // the machine has drives: /c/x of Git's shell is C:/x
}

// Moved is a folder that a variable uses instead of one in the home folder.
type Moved struct {
	Dir string // absolute, clean and in lower case
	As  string // relative to the home folder
}

// movable are the variables that move settings of coding agents, and umpire's own folders.
var movable = [...]struct{ name, below, as string }{
	{"CLAUDE_CONFIG_DIR", "", ".claude"}, {"CODEX_HOME", "", ".codex"}, {"QWEN_HOME", "", ".qwen"}, {"COPILOT_HOME", "", ".copilot"}, {"CLINE_DIR", "", ".cline"},
	{"GEMINI_CLI_HOME", ".gemini", ".gemini"}, {"FACTORY_HOME_OVERRIDE", ".factory", ".factory"},
	{"OPENCODE_CONFIG_DIR", "", ".config/opencode"}, {"PI_CODING_AGENT_DIR", "", ".pi/agent"}, {"CONTINUE_GLOBAL_DIR", "", ".continue"}, {"GH_CONFIG_DIR", "", ".config/gh"}, {"GLAB_CONFIG_DIR", "", ".config/glab-cli"},
	{"XDG_CONFIG_HOME", "", ".config"}, {"XDG_DATA_HOME", "", ".local/share"}, {"XDG_STATE_HOME", "", ".local/state"}, {"XDG_CACHE_HOME", "", ".cache"},
}

// MovedBy returns the folders that the environment moves. It omits a folder that is or contains the
// home or the project, because everything would then count as settings of an agent.
func (m Map) MovedBy(getenv func(name string) (string, bool)) (list []Moved) {
	for _, v := range movable {
		dir, _ := getenv(v.name)
		if dir == "" || dir[0] != '/' || len(dir) > maxPath {
			continue
		}
		dir = strings.ToLower(path.Join(dir, v.below))
		if home := strings.ToLower(m.Home); home != "" && dir == path.Join(home, v.as) {
			continue
		}
		_, home := below(strings.ToLower(m.Home), dir)
		_, project := below(strings.ToLower(m.Workspace), dir)
		if !home && !project && dir != "/" {
			list = append(list, Moved{dir, v.as})
		}
	}
	return list
}

// Windows reports whether the folders are those of a machine with Windows, and gives them the slashes
// that resolved paths have.
func (m *Map) Windows() bool {
	if !isDrive(m.Dir) && !isDrive(m.Home) {
		return false
	}
	for _, dir := range []*string{&m.Home, &m.Workspace, &m.Dir, &m.Temp} {
		*dir = strings.ReplaceAll(*dir, `\`, "/")
	}
	m.Drives = true
	return true
}

// Resolve makes a path absolute and clean, and returns its places.
//
// text is the path that a program gets after the shell's expansions. It may begin with an
// unexpanded tilde, contain glob characters, which stand for every match, and contain umpire.Hole
// for unknown parts.
func (m Map) Resolve(text string) (abs string, p umpire.Place) {
	abs = m.Absolute(text)
	return abs, m.places(abs)
}

const maxPath = 4096

// Absolute makes a path absolute and clean, as Resolve does.
func (m Map) Absolute(s string) string {
	s = path.Clean(m.Spell(s))
	if len(s) == 2 && isDrive(s) {
		s += "/"
	}
	if strings.HasPrefix(s, "/proc/") {
		s = m.proc(s)
	}
	return s
}

// Spell makes a path absolute, as Resolve does, and keeps two parts that cleaning loses: "..",
// which has another meaning after a link, and a final slash.
func (m Map) Spell(s string) string {
	if len(s) > maxPath { // programs clean /tmp/x/ with a thousand ./ and reach the rest of the path
		switch {
		case s[0] == '/':
			s = path.Clean(s)
		case s[0] != '~' && !isWindows(s) && !strings.HasPrefix(s, "file:") && path.IsAbs(m.Dir):
			s = path.Clean(m.Dir + "/" + s)
		}
		if len(s) > maxPath {
			return umpire.Hole
		}
	}
	s = strings.TrimPrefix(s, "file://")
	if s == "" {
		return m.Dir
	}
	if m.Backslash || isWindows(s) {
		if s = m.windows(s); s == "" {
			return m.Dir
		}
	}
	switch {
	case s[0] == '~':
		user, rest, _ := strings.Cut(s[1:], "/")
		switch user {
		case "":
			s = m.Home + "/" + rest
		case "+":
			s = m.Dir + "/" + rest
		case "-":
			s = umpire.Hole + "/" + rest
		case "root":
			s = "/root/" + rest
		default:
			s = m.homes() + "/" + user + "/" + rest
		}
	case m.Drives && len(s) > 1 && s[0] == '/' && isDrive(s[1:2]+":") && (len(s) == 2 || s[2] == '/'):
		s = strings.ToUpper(s[1:2]) + ":" + cmp.Or(s[2:], "/")
	case s[0] == '/', isDrive(s), strings.HasPrefix(s, umpire.Hole):
	default:
		s = m.Dir + "/" + s
	}
	return s
}

// homes returns the folder that contains home folders.
func (m Map) homes() string {
	if strings.HasPrefix(m.Home, "/Users/") {
		return "/Users"
	}
	return "/home"
}

// proc resolves the links below /proc that lead to other folders, because an adversary may use them
// to evade lists.
func (m Map) proc(s string) string {
	for range maxLinks {
		f := strings.SplitN(s, "/", 4)
		if len(f) < 4 || f[1] != "proc" || !process(f[2]) {
			break
		}
		link, rest, _ := strings.Cut(f[3], "/")
		if link == "task" { // the folder of one thread
			_, rest, _ = strings.Cut(rest, "/")
			link, rest, _ = strings.Cut(rest, "/")
		}
		switch link {
		case "root":
			s = path.Clean("/" + rest)
		case "cwd":
			return path.Clean(m.Dir + "/" + rest)
		default:
			return s
		}
	}
	return s
}

// maxLinks bounds the links below /proc in one path.
const maxLinks = 64

// process reports whether a name below /proc may be that of a process.
func process(name string) bool {
	return name == "self" || name == "thread-self" || strings.Trim(strings.ReplaceAll(name, umpire.Hole, ""), "0123456789*?#") == ""
}

func isDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z' && (len(s) == 2 || s[2] == '/' || s[2] == '\\')
}

func isWindows(s string) bool {
	return isDrive(s) || strings.HasPrefix(s, `\\`) || strings.HasPrefix(s, "%") || strings.HasPrefix(strings.ToLower(s), "$env:") ||
		strings.HasPrefix(s, `.\`) || strings.HasPrefix(s, `..\`) || strings.HasPrefix(s, `~\`)
}

// windows returns a Windows path with slashes and the usual variables resolved.
func (m Map) windows(s string) string {
	s = strings.ReplaceAll(s, `\`, "/")
	low := strings.ToLower(s)
	for _, v := range [...][2]string{
		{"userprofile", m.Home}, {"homepath", m.Home}, {"home", m.Home}, {"homedrive", "C:"}, {"systemdrive", "C:"}, {"systemroot", "C:/Windows"}, {"windir", "C:/Windows"},
		{"appdata", m.Home + "/AppData/Roaming"}, {"localappdata", m.Home + "/AppData/Local"}, {"programfiles(x86)", "C:/Program Files (x86)"},
		{"programfiles", "C:/Program Files"}, {"programdata", "C:/ProgramData"}, {"temp", "/tmp"}, {"tmp", "/tmp"}, {"public", "C:/Users/Public"},
	} {
		for _, form := range [...]string{"%" + v[0] + "%", "$env:" + v[0]} {
			if strings.HasPrefix(low, form) && (len(low) == len(form) || low[len(form)] == '/' || form[0] == '%') {
				return v[1] + s[len(form):]
			}
		}
	}
	if strings.HasPrefix(s, "//?/") || strings.HasPrefix(s, "//./") {
		s = s[4:]
	}
	return s
}

// obeyed are files that other programs obey, in folders without a class of their own.
var obeyed = []string{"workflows/x", "actions/x", "hooks/x", "copilot/x", "instructions/x", "copilot-instructions.md", "settings.json", "tasks.json", "launch.json", "runconfigurations/x", "workspace.xml", "config.toml", "releases/x", "plugins/x"}

// Below returns the classes of the files below a path. A link to a folder puts such files there.
func (m Map) Below(text string) (p umpire.Place) {
	for _, name := range obeyed {
		_, q := m.Resolve(strings.TrimSuffix(text, "/") + "/" + name)
		p |= q
	}
	return p
}

// places returns the classes of an absolute path.
func (m Map) places(abs string) (p umpire.Place) {
	low := fold(abs)
	segs := strings.Split(strings.TrimPrefix(low, "/"), "/")
	if low == "/" {
		segs = nil
	}
	if strings.HasPrefix(abs, umpire.Hole) {
		p |= umpire.PlaceRelative | anywhere(segs) | tokens(segs) | generated(segs[1:])
		return p
	}
	switch {
	case abs == "/", len(abs) <= 3 && isDrive(abs):
		return umpire.PlaceRoot | umpire.PlaceParent | umpire.PlaceOutside
	case len(segs) == 1 && all(segs[0]):
		// Deleting all entries of the root deletes the root.
		return umpire.PlaceRoot | umpire.PlaceParent | umpire.PlaceOutside | umpire.PlaceSystem | umpire.PlaceSystemTop | umpire.PlaceHome
	}
	drive := isDrive(abs)
	if drive {
		segs = segs[1:]
		if len(segs) == 1 && all(segs[0]) {
			return umpire.PlaceRoot | umpire.PlaceParent | umpire.PlaceOutside | umpire.PlaceSystem | umpire.PlaceSystemTop
		}
	}
	p |= m.relations(low, segs)
	if len(segs) == 1 && segs[0] == umpire.Hole {
		p |= umpire.PlaceSystem | umpire.PlaceSystemTop // it may be any path, or the root if it is empty
	}
	home, rest := m.home(low, segs)
	if home {
		p = homePlaces(rest, p)
	} else {
		p = rootPlaces(segs, drive, p)
	}
	for _, v := range m.Moved {
		if rest, ok := below(low, v.Dir); ok {
			as := strings.Split(path.Join(v.As, rest), "/")
			p |= lookup(homeTable, as)
			p |= agents(as, p) | tokens(as)
			if p&umpire.PlaceAgentConfig != 0 {
				p = clientPart(as, true, p)
			}
		}
	}
	if p&umpire.PlaceNull != 0 {
		return umpire.PlaceNull
	}
	named := segs // the parents of a home do not classify its content
	if home {
		named = rest
	}
	if home && len(segs) > 1 && strings.HasPrefix(segs[1], ".") && segs[0] == "home" {
		named = segs[1:] // no user has such a name: ../../.ssh goes one folder too far up
	}
	p |= anywhere(named) | tokens(named)
	if p&umpire.PlaceAgentConfig != 0 {
		p = clientPart(named, home, p)
	}
	if p&umpire.PlaceCredentials != 0 && len(segs) > 0 && public(segs) {
		p &^= umpire.PlaceCredentials
	}
	if p&(umpire.PlaceSystem|umpire.PlaceHome) == 0 {
		below := m.belowWorkspace(low, named)
		if home && p&umpire.PlaceInWorkspace == 0 && len(below) > 0 && strings.HasPrefix(below[0], ".") {
			below = below[1:] // ~/.gradle is not build output of a project, but settings of a program
		}
		p |= generated(below)
	}
	if p&(umpire.PlaceInWorkspace|umpire.PlaceTemp) == 0 {
		p |= umpire.PlaceOutside
		if _, own := below(low, strings.ToLower(m.Home)); home && own && p&(umpire.PlaceCredentials|umpire.PlacePrivate|umpire.PlaceEnvFile|umpire.PlaceHistory|umpire.PlaceTrash|umpire.PlaceStartup|umpire.PlaceUmpire|umpire.PlaceAgentState) == 0 && source(rest) {
			p |= umpire.PlaceSource
		}
	}
	return p
}

// homePlaces adds the classes of a path below a home to the known ones.
func homePlaces(rest []string, p umpire.Place) umpire.Place {
	p |= umpire.PlaceInHome
	switch {
	case len(rest) == 0:
		p |= umpire.PlaceHome
	case len(rest) == 1:
		p |= umpire.PlaceHomeTop
		if all(rest[0]) {
			p |= umpire.PlaceHome
		}
	}
	p |= lookup(homeTable, rest)
	p |= agents(rest, p)
	return p
}

// rootPlaces adds the classes of a path outside all homes to the known ones.
func rootPlaces(segs []string, drive bool, p umpire.Place) umpire.Place {
	if drive {
		p |= lookup(driveTable, segs)
	} else {
		p |= lookup(rootTable, segs)
	}
	if len(segs) == 2 && (segs[0] == "home" || segs[0] == "users") && hasGlob(segs[1]) {
		p |= umpire.PlaceHome | umpire.PlaceInHome
	}
	if p&umpire.PlaceSystem != 0 && leased(segs) {
		p &^= umpire.PlaceSystem
	}
	if p&umpire.PlaceSystem != 0 && (len(segs) == 1 || len(segs) == 2 && all(segs[1])) {
		p |= umpire.PlaceSystemTop
	}
	return p
}

// fold returns a path in lower case, as file systems that ignore case compare it: they treat the
// long s as an s, and some ignore invisible characters.
func fold(s string) string {
	low := strings.ToLower(s)
	for i := range len(low) {
		if low[i] >= utf8.RuneSelf {
			return strings.Map(func(r rune) rune {
				switch {
				case r == '\u017f':
					return 's'
				case r >= '\u200c' && r <= '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u206a' && r <= '\u206f', r == '\ufeff':
					return -1
				}
				return r
			}, low)
		}
	}
	return low
}

// leased reports whether a path is in a folder for software outside the operating system.
func leased(segs []string) bool {
	switch segs[0] {
	case "opt", "srv", "mnt", "media", "volumes", "applications":
		return len(segs) > 1 && !all(segs[1])
	case "usr":
		return len(segs) > 3 && segs[1] == "local" && segs[2] != "bin" && segs[2] != "sbin"
	case "var":
		return len(segs) > 2 && (segs[1] == "www" || segs[1] == "lib" || segs[1] == "opt" || segs[1] == "cache" || segs[1] == "tmp") && !all(segs[2])
	}
	return false
}

// worktree reports whether a path is in a working tree of the project, by the usual names of the
// folder next to the project: proj.worktrees/fix-x/main.go.
func worktree(low, ws string) bool {
	rest, ok := strings.CutPrefix(low, ws)
	if !ok {
		return false
	}
	for _, s := range [...]string{".worktrees/", "__worktrees/", "-worktrees/", "_worktrees/"} {
		if in, ok := strings.CutPrefix(rest, s); ok {
			tree, file, _ := strings.Cut(in, "/")
			return !strings.ContainsAny(tree, "*?[") && !strings.Contains(tree, umpire.Hole) && !all(tree) && file != ""
		}
	}
	return false
}

// inWorktree reports whether a path is a working tree that git lists for the workspace, or below
// one.
func (m Map) inWorktree(low string) bool {
	return m.Worktrees != nil && slices.ContainsFunc(m.Worktrees(), func(tree string) bool {
		_, ok := below(low, tree)
		return ok
	})
}

// InProject reports whether a clean absolute path is the workspace or below it. It is false for
// a workspace that is the root or the home.
func (m Map) InProject(abs string) bool {
	if m.Workspace == "" || m.Workspace == "/" || strings.EqualFold(m.Workspace, m.Home) {
		return false
	}
	_, ok := below(strings.ToLower(abs), strings.ToLower(m.Workspace))
	return ok
}

// relations compares a path with workspace, working directory and temporary folders.
func (m Map) relations(low string, segs []string) (p umpire.Place) {
	ws := strings.ToLower(m.Workspace)
	if ws != "" && ws != "/" && !strings.EqualFold(m.Workspace, m.Home) {
		switch rest, ok := below(low, ws); {
		case !ok:
			if worktree(low, ws) || m.inWorktree(low) {
				p |= umpire.PlaceWorktree
			}
		case rest == "", all(rest):
			p |= umpire.PlaceWorkspace | umpire.PlaceInWorkspace
		default:
			p |= umpire.PlaceInWorkspace
		}
	}
	for _, t := range [...]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders", "/private/var/folders", "/run/user", strings.ToLower(m.Temp)} {
		if t == "" || t == "/" {
			continue
		}
		if rest, ok := below(low, t); ok && rest != "" && p&umpire.PlaceWorkspace == 0 && !holds(m.Home, low, t) && !holds(m.Workspace, low, t) {
			p |= umpire.PlaceTemp
		}
	}
	for i := 0; i+2 < len(segs); i++ { // C:/Users/x/AppData/Local/Temp
		if segs[i] == "local" && segs[i+1] == "temp" {
			p |= umpire.PlaceTemp
		}
	}
	// A folder of the project is as it is for a shell at the project's root. Deleting a temporary
	// folder is usual, even if the shell is in it.
	asElsewhere := ws != "" && p&(umpire.PlaceInWorkspace|umpire.PlaceTemp) != 0
	if m.Workspace != "" && ancestor(segs, ws) || m.Dir != "" && !asElsewhere && ancestor(segs, strings.ToLower(m.Dir)) {
		p |= umpire.PlaceParent
	}
	return p
}

// holds reports whether a path is in a home or a project that is below a temporary folder, as in a
// container. It also contains the files of a person.
func holds(dir, low, temp string) bool {
	dir = strings.ToLower(dir)
	rest, in := below(dir, temp)
	_, ok := below(low, dir)
	return ok && in && rest != ""
}

// below returns the rest of a path after a folder.
func below(low, dir string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(low, dir)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}

// ancestor reports whether the segments, which may contain globs, name a folder strictly above dir.
func ancestor(segs []string, dir string) bool {
	d := strings.Split(strings.Trim(dir, "/"), "/")
	if isDrive(dir) {
		d = d[1:]
	}
	n := len(segs)
	if n > 0 && all(segs[n-1]) {
		n-- // all entries of a folder stand for the folder
		if n == len(d) {
			return false
		}
	}
	if n >= len(d) && !(n == len(segs)-1) {
		return false
	}
	for i := range n {
		if i >= len(d) || !overlap(segs[i], d[i]) {
			return false
		}
	}
	return n < len(d)
}

// home reports whether a path is in a home folder, and returns the rest of the path.
func (m Map) home(low string, segs []string) (bool, []string) {
	if h := strings.ToLower(m.Home); h != "" && h != "/" {
		if rest, ok := below(low, h); ok {
			if rest == "" {
				return true, nil
			}
			return true, strings.Split(rest, "/")
		}
	}
	switch {
	case len(segs) >= 1 && segs[0] == "root":
		return true, segs[1:]
	case len(segs) >= 2 && (segs[0] == "home" || segs[0] == "users" && segs[1] != "shared" && segs[1] != "public"):
		return true, segs[2:]
	case len(segs) >= 2 && segs[0] == "var" && segs[1] == "root":
		return true, segs[2:]
	}
	return false, nil
}

// belowWorkspace returns the segments that may name build output: those below the workspace, or all
// segments if the path is elsewhere.
func (m Map) belowWorkspace(low string, segs []string) []string {
	if ws := strings.ToLower(m.Workspace); ws != "" {
		if rest, ok := below(low, ws); ok {
			if rest == "" {
				return nil
			}
			return strings.Split(rest, "/")
		}
	}
	return segs
}

// all reports whether a segment matches every entry of its folder.
func all(seg string) bool {
	return anyof.Equal(seg, "*", "**", "?*", "*?*", ".*", ".[!.]*", ".[^.]*", ".??*", "{*,.*}", "{,.}*", "*.*", "[!.]*", "..?*")
}

// hasGlob reports whether s is a pattern. strings.ContainsAny is several times slower on short
// texts, and each path is compared with hundreds of names.
func hasGlob(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == '*' || c == '?' || c == '[' {
			return true
		}
	}
	return false
}

// overlap reports whether two globs have a match in common. Character classes count as any
// character.
func overlap(a, b string) bool {
	if a == b {
		return true
	}
	for i := 0; i < len(a) && i < len(b) && !special(a[i]) && !special(b[i]); i++ {
		if a[i] != b[i] {
			return false
		}
	}
	if !hasGlob(a) && !hasGlob(b) && !strings.Contains(a, umpire.Hole) {
		return false
	}
	if len(a) > 256 || len(b) > 256 {
		return true
	}
	x, y := units(strings.ReplaceAll(a, umpire.Hole, "*")), units(b)
	// meet[j] reports whether the rest of x overlaps the rest of y after j units.
	meet := make([]bool, len(y)+1)
	next := make([]bool, len(y)+1)
	for i := len(x); i >= 0; i-- {
		meet, next = next, meet
		for j := len(y); j >= 0; j-- {
			switch {
			case i == len(x) && j == len(y):
				meet[j] = true
			case i < len(x) && x[i] == star:
				meet[j] = next[j] || j < len(y) && meet[j+1]
			case j < len(y) && y[j] == star:
				meet[j] = meet[j+1] || i < len(x) && next[j]
			case i == len(x) || j == len(y):
				meet[j] = false
			default:
				meet[j] = next[j+1] && (x[i] == y[j] || x[i] == 0 || y[j] == 0)
			}
		}
	}
	return meet[0]
}

// disguises reports whether a segment may be another spelling of a name. A wildcard that matches
// nearly anything is a search, not a disguise.
func disguises(seg, name string) bool {
	if seg == name {
		return true
	}
	if !hasGlob(seg) && !strings.Contains(seg, umpire.Hole) {
		return false
	}
	g := strings.ReplaceAll(seg, umpire.Hole, "*")
	literal, lead := 0, 0
	for i := 0; i < len(g); i++ {
		if end := strings.IndexByte(g[i:], ']'); g[i] == '[' && end > 3 { // a class of many characters says little
			i += end
			continue
		}
		if !special(g[i]) {
			if literal++; lead == i {
				lead++
			}
		}
	}
	if strings.Contains(g, "*") && lead < 2 && literal*4 < len(name)*3 {
		return false
	}
	return overlap(g, name)
}

const star = 0xff // not a byte of UTF-8

func units(s string) (out []byte) {
	for s != "" {
		c, n := unit(s)
		if s[0] == '*' {
			c = star
		}
		out, s = append(out, c), s[n:]
	}
	return out
}

// unit returns the first character of a glob, or zero if it may be several, and its length.
func unit(s string) (byte, int) {
	switch s[0] {
	case '?':
		return 0, 1
	case '[':
		if i := strings.IndexByte(s[1:], ']'); i > 0 {
			if i == 1 {
				return s[1], 3
			}
			return 0, i + 2
		}
	case '\\':
		if len(s) > 1 {
			return s[1], 2
		}
	}
	return s[0], 1
}
