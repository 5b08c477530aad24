package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// redirected runs f, which reads cmd, with the redirections applied.
func (sh *shell) redirected(list []*syntax.Redirect, cmd syntax.Command, f func()) {
	if len(list) == 0 {
		f()
		return
	}
	fds, stdin, out, net, opened := maps.Clone(sh.fds), sh.stdin, sh.out, sh.netfds, sh.opened
	sh.opened = nil
	sh.redirect(list)
	mine := sh.opened
	f()
	sh.opened = opened
	for _, to := range mine {
		if to.many && (to == sh.fds[1] || !slices.Contains(slices.Collect(maps.Values(sh.fds)), to) || silent(cmd)) { // the command prints nothing there
			sh.empties(to)
		}
	}
	sh.fds, sh.stdin, sh.out, sh.netfds = fds, stdin, out, net
}

// empties records that a redirection empties many files.
func (sh *shell) empties(to *file) {
	abs, _ := sh.Path(to.word)
	for i := range sh.ops {
		if op := &sh.ops[i]; op.Kind == umpire.Write && op.Resource == abs && op.Traits&umpire.Truncate != 0 {
			op.Traits |= umpire.Bulk
		}
	}
}

// redirect applies redirections permanently, as exec does.
func (sh *shell) redirect(list []*syntax.Redirect) {
	for _, r := range list {
		if !sh.step() {
			return
		}
		sh.redirectOne(r)
	}
}

// redirectOne applies one redirection to the descriptors of the shell.
func (sh *shell) redirectOne(r *syntax.Redirect) {
	fd := sh.descriptor(r)
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		sh.attach(fd, &file{data: wordStream(sh.hereDocument(r))})
	case syntax.WordHdoc:
		s := wordStream(sh.one(r.Word))
		s.Text += "\n"
		sh.attach(fd, &file{data: s})
	case syntax.DplIn, syntax.DplOut:
		w := sh.one(r.Word)
		t := strings.TrimSuffix(w.Text, "-")
		if t == "" {
			return
		}
		src := fdOf("/dev/fd/" + t)
		if src >= 0 {
			sh.dup(fd, src)
			return
		}
		if r.Op == syntax.DplOut { // >&file redirects both output streams
			f := sh.create(w, false, umpire.Truncate)
			sh.attach(1, f)
			sh.attach(2, f)
		}
	case syntax.RdrIn:
		w := sh.one(r.Word)
		sh.openRead(fd, w)
	case syntax.RdrInOut:
		w := sh.one(r.Word)
		if host := socket(w.Text); host != "" {
			sh.openRead(fd, w)
			return
		}
		sh.openRead(fd, w)
		f := sh.create(w, true, umpire.Append)
		f.data = sh.fds[fd].data
		sh.attach(fd, f)
	case syntax.RdrOut, syntax.RdrClob:
		sh.attach(fd, sh.create(sh.one(r.Word), false, umpire.Truncate))
	case syntax.AppOut:
		sh.attach(fd, sh.create(sh.one(r.Word), true, umpire.Append))
	case syntax.RdrAll, syntax.RdrAllClob:
		f := sh.create(sh.one(r.Word), false, umpire.Truncate)
		sh.attach(1, f)
		sh.attach(2, f)
	case syntax.AppAll, syntax.AppAllClob:
		f := sh.create(sh.one(r.Word), true, umpire.Append)
		sh.attach(1, f)
		sh.attach(2, f)
	default:
		if r.Word != nil {
			sh.attach(fd, sh.create(sh.one(r.Word), true, umpire.Append))
		}
	}
}

// descriptor returns the number of the redirected descriptor. {name}> takes a free number.
func (sh *shell) descriptor(r *syntax.Redirect) int {
	in := r.Op == syntax.RdrIn || r.Op == syntax.RdrInOut || r.Op == syntax.DplIn || r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc
	fd := 1
	if in {
		fd = 0
	}
	if r.N != nil {
		n := r.N.Value
		if strings.HasPrefix(n, "{") {
			named := strings.Trim(n, "{}")
			fd = 10 + len(sh.fds)
			sh.set(named, command.Lit(strconv.Itoa(fd)))
		} else if len(n) < 6 {
			fd = fdOf("/dev/fd/" + n)
		}
	}
	return fd
}

// hereDocument returns the text of a here-document, expanded unless its delimiter is quoted.
func (sh *shell) hereDocument(r *syntax.Redirect) (w command.Word) {
	if r.Hdoc != nil {
		if quotedDelimiter(r.Word) {
			var b strings.Builder
			for _, p := range r.Hdoc.Parts {
				if l, ok := p.(*syntax.Lit); ok {
					b.WriteString(l.Value)
				}
			}
			w.Text = b.String()
		} else {
			w = sh.quoted(r.Hdoc.Parts)
		}
		if r.Op == syntax.DashHdoc {
			w.Text = stripTabs(w.Text)
		}
	}
	return w
}

func quotedDelimiter(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.Contains(p.Value, `\`) {
				return true
			}
		}
	}
	return false
}

func stripTabs(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimLeft(l, "\t")
	}
	return strings.Join(lines, "")
}

// wordStream returns the content of a here-document, which counts as seen even if it has holes.
func wordStream(w command.Word) command.Stream {
	return command.Stream{Text: w.Listed(), Seen: true, Taint: w.Taint, Pipe: true}
}

func (sh *shell) attach(fd int, f *file) {
	sh.fds[fd] = f
	if fd == 0 {
		sh.stdin = f.data
		sh.stdin.Pipe = true
	}
	if fd == 1 {
		sh.out = nil
	}
	if f.host != "" && fd <= 2 {
		sh.netfds = true
	}
}

func (sh *shell) dup(fd, src int) {
	f, ok := sh.fds[src]
	if !ok {
		switch src {
		case 0:
			f = &file{data: sh.stdin}
		case 1:
			f = &file{out: sh.out}
			if sh.out == nil {
				delete(sh.fds, fd)
				return
			}
		default:
			return
		}
	}
	sh.attach(fd, f)
}

// socket returns the host behind a path: bash's /dev/tcp/HOST/PORT, or a file share of Windows.
func socket(p string) string {
	if host := command.Share(p); host != "" {
		return host
	}
	for _, prefix := range []string{"/dev/tcp/", "/dev/udp/"} {
		if s, ok := strings.CutPrefix(p, prefix); ok {
			return strings.Replace(s, "/", ":", 1)
		}
	}
	return ""
}

func (sh *shell) openRead(fd int, w command.Word) {
	if host := socket(w.Text); host != "" {
		sh.emitNet(host, 0)
		sh.attach(fd, &file{host: host, data: command.Unseen(command.FromNetwork)})
		return
	}
	sh.attach(fd, &file{word: w, data: sh.open(w)})
}

func (sh *shell) emitNet(host string, t umpire.Trait) {
	if strings.Contains(host, umpire.Hole) {
		t |= umpire.Unknown
	}
	sh.Emit(umpire.Operation{Kind: umpire.Network, Resource: host, Traits: t})
}

// open emits the reading of a file and returns its content as far as it is known.
func (sh *shell) open(w command.Word) command.Stream {
	if n := fdOf(w.Text); n >= 0 {
		if f, ok := sh.fds[n]; ok && f.proc == nil {
			return f.data
		}
		if n == 0 {
			return sh.stdin
		}
		if s, ok := sh.files[w.Text]; ok {
			return s
		}
		return command.Stream{}
	}
	abs, p := command.Likely(sh, w)
	t := command.When(!w.Known(), umpire.Unknown)
	if p&umpire.PlaceNull == 0 {
		sh.Emit(umpire.Operation{Kind: umpire.Read, Resource: abs, Places: p, Traits: t})
	}
	s := sh.File(w)
	s.Pipe = true
	if w.Known() && p&umpire.PlaceInWorkspace != 0 {
		s.File = abs
	}
	return s
}

// create emits the writing of a file and returns the file, which collects the content.
func (sh *shell) create(w command.Word, app bool, t umpire.Trait) *file {
	if host := socket(w.Text); host != "" {
		sh.emitNet(host, umpire.Upload)
		return &file{host: host, data: command.Unseen(command.FromNetwork)}
	}
	if n := fdOf(w.Text); n >= 0 {
		if f, ok := sh.fds[n]; ok {
			return f
		}
		if n == 1 && sh.out != nil {
			return &file{out: sh.out}
		}
		return &file{}
	}
	w = sh.follow(w)
	abs, p := command.Likely(sh, w)
	if !w.Known() && !command.Numbered(w) {
		t |= umpire.Unknown
	}
	f := &file{word: w, app: app, data: command.Unseen(0)}
	if t&umpire.Truncate != 0 && command.EmptiesMany(w, abs, p, (&host{sh: sh}).SomeNames, false) {
		t |= umpire.Bulk
	} else {
		f.many = t&umpire.Truncate != 0 && command.EmptiesMany(w, abs, p, (&host{sh: sh}).SomeNames, true)
		sh.opened = append(sh.opened, f)
	}
	if p&umpire.PlaceNull == 0 {
		sh.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: t})
	}
	if !app && p&umpire.PlaceNull == 0 {
		sh.Store(w, command.Stream{Seen: true})
	}
	return f
}
