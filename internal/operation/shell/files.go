package shell

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// Path resolves a path against the shell's folder. In a container, only mounted folders are the
// host's; on a remote machine, no folder is.
//
// The places are those of both faces of the path: of its spelling, and of its target.
func (sh *shell) Path(w command.Word) (string, umpire.Place) {
	abs, p := sh.spelling(w)
	if !sh.local() {
		return abs, p
	}
	m := sh.env.Map
	m.Dir = sh.dir
	return abs, sh.faced(m.Spell(unmarked(w.Text)), abs, p)
}

// unmarked returns a path whose unknown parts are plain holes, without the mark of a listing.
func unmarked(text string) string {
	return command.Unlisted(strings.ReplaceAll(strings.ReplaceAll(text, command.Number, umpire.Hole), command.Entry, umpire.Hole))
}

// spelling resolves a path by its spelling alone.
func (sh *shell) spelling(w command.Word) (string, umpire.Place) {
	m := sh.env.Map
	m.Dir = sh.dir
	number := "" // a path with a number that only the shell knows has the places of one with 0
	if command.Numbered(w) && !strings.Contains(w.Text, "/proc") {
		number = strings.ReplaceAll(w.Text, command.Number, "0")
	}
	w.Text = unmarked(w.Text)
	if sh.traits&umpire.Container != 0 { // the image's file, unless a mount makes it the host's
		m.Dir = cmp.Or(sh.inside, "/")
		abs, p := m.Resolve(w.Text)
		if host, ok := sh.mounted(abs); ok {
			m.Dir = sh.env.Map.Dir
			return m.Resolve(host)
		}
		return abs, p & (umpire.PlaceNull | umpire.PlaceDevice | umpire.PlaceEnvFile | umpire.PlaceCredentials)
	}
	if sh.traits&umpire.Remote != 0 { // another machine has no workspace, and starts in a home
		m.Workspace, m.Dir = "", m.Home
		return m.Resolve(w.Text)
	}
	if strings.HasPrefix(sh.dir, umpire.Hole) && !path.IsAbs(w.Text) && !strings.HasPrefix(w.Text, umpire.Hole) && !strings.HasPrefix(w.Text, "~") {
		return sh.resolved(m, sh.dir+"/"+w.Text)
	}
	abs, p := sh.resolved(m, w.Text)
	if number != "" {
		_, p = m.Resolve(number)
	}
	for range 8 { // follow the links that this command made
		dir := sh.linked(abs)
		if dir == "" {
			break
		}
		abs, p = sh.resolved(m, sh.links[dir]+abs[len(dir):])
	}
	return abs, p
}

// mounted returns the path on this machine of a path in a container, if a mount shows it there.
func (sh *shell) mounted(inside string) (host string, ok bool) {
	for _, mt := range sh.mounts {
		if rest, ok := strings.CutPrefix(inside, strings.TrimSuffix(mt.Inside, "/")); ok && (rest == "" || rest[0] == '/') {
			return strings.TrimSuffix(mt.Host.Text, "/") + "/" + strings.TrimPrefix(rest, "/"), true
		}
	}
	return "", false
}

// link remembers a link. If the name is already a folder, ln puts the link into it, so the
// reader of ln records both names. The unused one does no harm.
func (sh *shell) link(name, target command.Word) {
	sh.planLink(name, target)
	if sh.traits&(umpire.Remote|umpire.Container) != 0 || !name.Known() || !target.Known() {
		return
	}
	if len(sh.links) >= maxMade {
		sh.exceeds("links")
		return
	}
	abs, p := sh.Path(name)
	to, _ := sh.Path(linkTarget(name, target))
	if p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceWorkspace) != 0 || to == abs || strings.HasPrefix(to, abs+"/") {
		return
	}
	if sh.links == nil {
		sh.links = map[string]string{}
	}
	sh.links[abs] = to
}

// linkTarget returns the target of a link as a path from the current folder. The kernel
// reads a relative target from the folder of the link.
func linkTarget(name, target command.Word) command.Word {
	if t := target.Text; t == "" || strings.ContainsRune(`/\~`, rune(t[0])) || len(t) > 1 && t[1] == ':' {
		return target
	}
	return target.With(path.Dir(name.Text) + "/" + target.Text)
}

// move remembers a move under the new name, and under the new name as a folder: the move goes into
// the name if that is a folder.
func (sh *shell) move(name, from command.Word) {
	sh.planCopy(name, from)
	if sh.traits&(umpire.Remote|umpire.Container) != 0 || !name.Known() && !command.Numbered(name) || !from.Known() {
		return
	}
	if len(sh.moved) >= maxMade {
		sh.exceeds("moved files")
		return
	}
	abs, _ := sh.Path(name)
	was, p := sh.Path(from)
	if sh.moved == nil {
		sh.moved = map[string]umpire.Operation{}
	}
	op := umpire.Operation{Kind: umpire.Delete, Resource: was, Places: p}
	sh.moved[abs] = op
	sh.moved[path.Join(abs, path.Base(was))] = op
	sh.takes(abs, was)
}

// copied records that the content of from also exists under another name.
func (sh *shell) copied(name, from command.Word) {
	if !name.Known() || !from.Known() {
		return
	}
	abs, _ := sh.Path(name)
	was, _ := sh.Path(from)
	if strings.HasSuffix(from.Text, "/") || strings.HasSuffix(from.Text, "/.") { // the content of the folder, without the folder
		sh.renamesFetched(abs, was)
		sh.bringsAlong(abs, was)
		return
	}
	sh.takes(abs, was)
}

// takes records that a folder goes to another name, or into the folder of that name if there is one.
func (sh *shell) takes(abs, was string) {
	sh.movesFetched(abs, was)
	sh.bringsAlong(path.Join(abs, path.Base(was)), was)
	if !sh.local() || sh.isMissing(abs) {
		sh.bringsAlong(abs, was)
	}
}

// deleteMoved emits the delete of a moved file also at its former path: a file that is moved away
// and then deleted is lost.
func (sh *shell) deleteMoved(op umpire.Operation) {
	all := strings.HasSuffix(op.Resource, "/*")
	below := strings.TrimRight(op.Resource, "/*") + "/"
	for _, name := range slices.Sorted(maps.Keys(sh.moved)) {
		if ok, _ := path.Match(op.Resource, name); ok || name == op.Resource || (all || op.Traits&umpire.Recursive != 0) && strings.HasPrefix(name, below) {
			was := sh.moved[name]
			delete(sh.moved, name)
			was.Traits = op.Traits &^ umpire.Filtered
			sh.Emit(was)
		}
	}
}

// linked returns the innermost link of this command that a path leads through, or "".
func (sh *shell) linked(abs string) string {
	longest := ""
	for dir := range sh.links {
		if len(dir) > len(longest) && strings.HasPrefix(abs, dir+"/") {
			longest = dir
		}
	}
	return longest
}

func (sh *shell) follow(w command.Word) command.Word {
	if len(sh.links) == 0 {
		return w
	}
	abs, _ := sh.Path(w)
	if to, ok := sh.links[abs]; ok {
		if sh.local() {
			sh.spelled(abs, to) // an existing link may lead elsewhere
		}
		return w.With(to)
	}
	return w
}

func (sh *shell) chdir(w command.Word) {
	old := sh.dir
	if sh.traits&umpire.Container != 0 {
		m := sh.env.Map
		m.Dir = cmp.Or(sh.inside, "/")
		sh.inside, _ = m.Resolve(w.Text)
		if host, ok := sh.mounted(sh.inside); ok { // its files can be read here
			m.Dir = sh.env.Map.Dir
			sh.dir, _ = m.Resolve(host)
		}
		return
	}
	if !w.Known() {
		sh.made.leaves()
	}
	if !w.Known() && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, umpire.Hole) {
		sh.dir = path.Join(sh.dir, w.Text)
	} else if strings.HasPrefix(w.Text, umpire.Hole) {
		sh.dir = w.Text
	} else {
		m := sh.env.Map
		m.Dir = sh.dir
		sh.dir, _ = m.Resolve(w.Text)
	}
	v := sh.vars["OLDPWD"]
	v.alts = []command.Word{command.Lit(old)}
	sh.vars["OLDPWD"] = v
	// If cd fails, PWD does not change: the value that the command itself set stays possible.
	if p, ok := sh.vars["PWD"]; ok {
		p.alts = union(p.alts, []command.Word{command.Lit(sh.dir)})
		sh.vars["PWD"] = p
	}
}

// File returns the content of a file as far as it is known.
func (sh *shell) File(w command.Word) command.Stream {
	s := sh.content(w, sh.read)
	if s.Disk != "" {
		sh.read(s.Disk)
		s.Disk = ""
	}
	return s
}

// appended returns the content of a file after s is appended. It does not use the text before s:
// several calls may append to one log at the same time.
func (sh *shell) appended(w command.Word, s command.Stream) command.Stream {
	s.After = false
	old := sh.content(w, sh.peek)
	if !old.Pipe && !old.Seen {
		return s
	}
	if abs, _ := sh.Path(w); sh.cache[abs].peeked {
		old.Disk = abs
	}
	emitOut(&old, s)
	return old
}

// content returns the content of a file as far as it is known. It takes what this call has not
// written from read.
func (sh *shell) content(w command.Word, read func(abs string) onDisk) command.Stream {
	if n := fdOf(w.Text); n >= 0 {
		if s, ok := sh.files[w.Text]; ok {
			return s
		}
		if f, ok := sh.fds[n]; ok {
			return f.data
		}
		if n == 0 {
			return sh.stdin
		}
		return command.Stream{}
	}
	if socket(w.Text) != "" {
		return command.Unseen(command.FromNetwork)
	}
	abs, p := sh.Path(w)
	if abs == "/dev/null" {
		return command.Text("")
	}
	var t command.Taint
	if p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		t = command.FromSecret
	}
	if w.Known() && !w.Glob {
		if s, ok := sh.files[abs]; ok {
			s.Taint |= t
			return s
		}
	}
	// A tree contains the content of its parts; a glob may name any file of its folder.
	head := abs
	if i := strings.IndexAny(head, "*?["); i >= 0 {
		head = head[:i]
	}
	if len(sh.files) > 0 {
		for name, s := range sh.files {
			if strings.HasPrefix(name, head) && (w.Glob || strings.HasPrefix(name[len(head):], "/")) {
				t |= s.Taint
			}
		}
	}
	t |= sh.brought(abs, false)
	for _, at := range sh.wild {
		if sh.isMissing(abs) { // it may have been moved
			t |= at.taint
		}
	}
	f := sh.fetched(w)
	if _, q := sh.spelling(w); t == 0 && sh.env.ReadFile != nil && w.Known() && ((p|q)&umpire.PlaceInWorkspace != 0 || p&umpire.PlaceTemp != 0 && sh.local()) && sh.traits&(umpire.Remote|umpire.Container) == 0 {
		if s, ok := read(abs).stream(); ok {
			s.Taint = f
			return s
		}
	}
	return command.Stream{Taint: t | f}
}

// brought returns the taint of a path in a folder that this call fetched as a whole, or to which it
// wrote files of unknown names. If named is true, what is known of such a name must fit.
func (sh *shell) brought(abs string, named bool) (t command.Taint) {
	for _, tree := range sh.trees {
		if strings.HasPrefix(abs, tree) {
			t |= command.FromUnseen
		}
	}
	for _, at := range sh.wild {
		if strings.HasPrefix(abs, at.folder) && (!named || at.isNamed(abs)) {
			t |= at.taint
		}
	}
	return t
}

// broughtToStart returns the taint of a file that a program reads without being told to, if this call
// fetched the folder that has it: the disk does not have its text yet. Files of git do not count: git
// itself makes them in a clone.
func (sh *shell) broughtToStart(w command.Word) command.Taint {
	if len(sh.trees)+len(sh.wild) == 0 || !w.Known() || sh.traits&(umpire.Remote|umpire.Container) != 0 {
		return 0
	}
	abs, p := sh.Path(w)
	if strings.Contains(abs+"/", "/.git/") {
		return 0
	}
	// curl -o "$D/air" hardly writes ~/.curlrc. In the project, a link may give it another name.
	return sh.brought(abs, p&umpire.PlaceInWorkspace == 0) & (command.FromUnseen | command.FromNetwork | command.Fetched | command.FromDecoder)
}

// bringsAlong records the new name of a folder that this call fetched, or that has such a folder.
func (sh *shell) bringsAlong(abs, was string) {
	for _, tree := range slices.Clone(sh.trees) {
		if rest, ok := strings.CutPrefix(tree, was+"/"); ok && len(sh.trees) < maxFetched {
			sh.trees = append(sh.trees, abs+"/"+rest)
		} else if strings.HasPrefix(was, tree) && len(sh.trees) < maxFetched {
			sh.trees = append(sh.trees, abs+"/")
		}
	}
	for _, at := range slices.Clone(sh.wild) {
		to := wild{abs + "/", at.end, at.taint}
		if strings.HasPrefix(was+"/", at.folder) && !strings.HasPrefix(abs, at.folder) && !slices.Contains(sh.wild, to) && len(sh.wild) < maxFetched {
			sh.wild = append(sh.wild, to)
		}
	}
}

// read reads a file from the disk, once for each call. A file beyond the bounds counts as existing,
// with unknown text.
func (sh *shell) read(abs string) onDisk {
	f, ok := sh.cache[abs]
	switch {
	case !ok:
		return sh.load(abs, sh.env.ReadFile)
	case f.peeked:
		f.peeked = false
		sh.cache[abs] = f
		sh.env.ReadFile(abs) // from here on, the text counts
	}
	return f
}

// peek is like read, for a file that the call only appends to.
func (sh *shell) peek(abs string) onDisk {
	if f, ok := sh.cache[abs]; ok || sh.env.Peek == nil {
		if !ok {
			f = sh.read(abs)
		}
		return f
	}
	f := sh.load(abs, sh.env.Peek)
	if f.ok {
		f.peeked = true
		sh.cache[abs] = f
	}
	return f
}

func (sh *shell) load(abs string, read func(path string) ([]byte, bool)) onDisk {
	if read == nil || len(sh.cache) >= maxReads || sh.bytes > maxBytes {
		return onDisk{size: maxBytes + 1}
	}
	b, ok := read(abs)
	f := onDisk{ok: ok, size: len(b)}
	bundle := bundleName(abs)
	switch {
	case ok && len(b) <= maxText:
		f.whole = bundle || bytes.IndexByte(b, 0) < 0 // Node runs JavaScript with a NUL in it
		sh.bytes += len(b)
	case ok && bundle && len(b) <= maxBundle && sh.bundles < maxBundles:
		f.whole = true
		sh.bundles++
	default:
		sh.bytes += min(len(b), maxText)
	}
	if f.whole {
		f.text = command.Plain(string(b))
	}
	if sh.cache == nil {
		sh.cache = map[string]onDisk{}
	}
	sh.cache[abs] = f
	return f
}

// disk returns the text of a file on the disk, and false if the file is too long, binary or
// unreadable.
func (sh *shell) disk(abs string) (command.Stream, bool) { return sh.read(abs).stream() }

// scriptAt implements command.Host. It returns nothing for files of the system and for the user's
// own settings, which are long and trusted; an adversary's files are in folders that calls unpack
// and write.
func (sh *shell) scriptAt(w command.Word) command.Stream {
	abs, p := sh.Path(w)
	if _, q := sh.spelling(w); w.Known() && !w.Glob && q&umpire.PlaceSystem == 0 && sh.unreadable(abs) {
		return command.Stream{Pipe: true}
	}
	if p&(umpire.PlaceSystem|umpire.PlaceCredentials|umpire.PlaceEnvFile|umpire.PlaceStartup|umpire.PlaceCache|umpire.PlaceAgentConfig) != 0 {
		return command.Stream{}
	}
	if rest, ok := strings.CutPrefix(abs, sh.env.Map.Home+"/"); ok && strings.HasPrefix(rest, ".") {
		return command.Stream{}
	}
	return sh.starts(w)
}

// names implements command.Host.
func (sh *shell) names(w command.Word) []string {
	list, abs := sh.someNames(w)
	if len(list) < command.MaxSome || !sh.local() {
		return list
	}
	list = nil
	for _, f := range sh.paths.view.Resolve(abs, true) {
		in, whole := sh.paths.view.Names(f.Path)
		for _, n := range in {
			list = append(list, n.Name)
		}
		if !whole {
			sh.exceeds(abs)
		}
	}
	return list
}

// someNames lists a folder of the workspace, with as many names as ReadDir returns.
func (sh *shell) someNames(w command.Word) (list []string, abs string) {
	if sh.env.ReadDir == nil || !w.Known() || w.Glob || sh.traits&(umpire.Remote|umpire.Container) != 0 {
		return nil, ""
	}
	abs, p := sh.Path(w)
	if p&umpire.PlaceInWorkspace == 0 && p&umpire.PlaceWorkspace == 0 {
		return nil, abs
	}
	if list, ok := sh.lists[abs]; ok {
		return list, abs
	}
	if len(sh.lists) >= maxFolders {
		sh.exceeds(abs)
		return nil, abs
	}
	if sh.lists == nil {
		sh.lists = map[string][]string{}
	}
	sh.lists[abs] = sh.env.ReadDir(abs)
	return sh.lists[abs], abs
}

// wrote reports whether this call itself wrote a file, under this name.
func (sh *shell) wrote(w command.Word) bool {
	if len(sh.files) == 0 || !w.Known() || w.Glob {
		return false
	}
	abs, _ := sh.Path(w)
	_, ok := sh.files[abs]
	return ok
}

// exists reports whether a file is on the disk, or was written by this call.
func (sh *shell) exists(w command.Word) bool {
	abs, _ := sh.Path(w)
	return !sh.made.absent[abs] && (sh.wrote(w) ||
		sh.env.ReadFile != nil && w.Known() && !w.Glob && sh.traits&(umpire.Remote|umpire.Container) == 0 && !sh.noFileAt(w) && (sh.read(abs).ok || sh.unreadable(abs)))
}

// Store records the new content of a file.
func (sh *shell) Store(w command.Word, s command.Stream) {
	abs, p := sh.Path(w)
	if p&umpire.PlaceNull != 0 || fdOf(w.Text) >= 0 {
		s.After = false
		if f, ok := sh.fds[fdOf(w.Text)]; ok && (s.Pipe || s.Taint != 0) {
			f.put(sh, s)
		}
		return
	}
	if s.After {
		s = sh.appended(w, s)
	}
	if sh.traits&umpire.Remote != 0 {
		return
	}
	if w.Known() {
		sh.copiesFetched(abs, s.Taint)
	}
	if p&(umpire.PlaceAgentConfig|umpire.PlaceAgentRules) != 0 {
		sh.agentFile(abs, p, s)
	}
	if !w.Known() {
		if s.Taint&(command.FromNetwork|command.Fetched) != 0 {
			sh.fetchedInto(abs)
		}
		folder, end, _ := strings.Cut(abs, umpire.Hole)
		if i := strings.LastIndex(end, umpire.Hole); i >= 0 {
			end = end[i+len(umpire.Hole):]
		}
		if end = strings.ToLower(end); hasGlob(end) {
			end = ""
		}
		if at := (wild{folder, end, s.Taint}); s.Taint != 0 && !slices.Contains(sh.wild, at) {
			sh.wild = append(sh.wild, at)
		}
		return
	}
	if old, ok := sh.files[abs]; ok && sh.maybe {
		// It may or may not have been written, so both contents are possible.
		if old.Seen && s.Seen {
			s.Text = old.Text + "\n" + s.Text
		}
		s.Taint |= old.Taint
	}
	if len(sh.files) >= maxWritten {
		sh.exceeds("written files")
		return
	}
	sh.files[abs] = s
	if s.Seen && s.Text != "" {
		sh.readPlanted(abs, p, s)
		if sh.enter() {
			sh.readProjectCommands(path.Base(abs), s)
			sh.leave()
		}
	}
}

// noFileAt reports whether no file exists at a path. Programs look for settings at many paths that
// do not exist, and this look-up is far cheaper than Path.
func (sh *shell) noFileAt(w command.Word) bool {
	if !sh.local() || len(sh.links) > 0 || strings.HasPrefix(sh.dir, umpire.Hole) {
		return false
	}
	m := sh.env.Map
	m.Dir = sh.dir
	raw := m.Spell(w.Text)
	return path.IsAbs(raw) && sh.isMissing(raw) && sh.isMissing(path.Clean(raw))
}

// resolved caches m.Resolve, because the readers of one command resolve the same path up to ten
// times.
func (sh *shell) resolved(m place.Map, text string) (string, umpire.Place) {
	key := [2]string{m.Dir, text}
	if r, ok := sh.paths.resolved[key]; ok {
		return r.path, r.places
	}
	abs, p := m.Resolve(text)
	if sh.paths.resolved == nil {
		sh.paths.resolved = map[[2]string]resolved{}
	} else if len(sh.paths.resolved) >= maxPaths {
		clear(sh.paths.resolved)
	}
	sh.paths.resolved[key] = resolved{abs, p}
	return abs, p
}
