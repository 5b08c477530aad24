package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/code"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/sql"
)

// sql reads statements for a database. Redis and MongoDB have their own languages.
func (sh *shell) sql(engine, text string) {
	engine, far := strings.CutSuffix(engine, command.FarStore)
	if far {
		defer func(was bool) { sh.far = was }(sh.far)
		sh.far = true
	}
	engine, made := strings.CutSuffix(engine, command.MadeStore)
	if made && !command.LeavesStore(text) { // a script may
		defer func(was bool) { sh.throwaway = was }(sh.throwaway)
		sh.throwaway = true
	}
	engine, tests := strings.CutSuffix(engine, command.TestStore)
	if tests && !command.LeavesStore(text) {
		defer func(was string) { sh.tests = was }(sh.tests)
		sh.tests = engine
	}
	switch engine {
	case "redis":
		for line := range strings.SplitSeq(text, "\n") {
			if f := strings.Fields(line); len(f) > 0 {
				s := sql.Redis(f)
				if s.Verb == "flushdb" && !sh.far && sh.traits&(umpire.Remote|umpire.Production) == 0 { // one numbered database of a cache on this machine
					s.Traits &^= umpire.Irreversible
				}
				sh.statement(s)
			}
		}
		return
	case "mongo", "mongodb", "mongosh":
		for _, s := range sql.Mongo(text) {
			sh.statement(s)
		}
		return
	}
	memory := false // the database ends with the program, unless the statements open another
	if engine == "memory" {
		engine = "sqlite"
		low := strings.ToLower(text)
		memory = !strings.Contains(low, "attach") && !strings.Contains(low, ".open")
	}
	for _, s := range sql.Read(engine, text) {
		if memory && s.Runs == "" && s.Reads == nil && s.Writes == nil {
			continue
		}
		sh.statement(s)
	}
}

// passing reports whether a SQLite database is temporary.
func (sh *shell) passing(w command.Word) bool {
	_, p := sh.Path(w)
	return w.Text == ":memory:" || p&umpire.PlaceTemp != 0
}

// scratch reports whether the object that a statement drops or empties is for tests: a database
// whose name says so, or a table in one. Roles belong to a server, not to a database.
func (sh *shell) scratch(resource string) bool {
	verb, names, _ := strings.Cut(resource, " ")
	switch verb {
	case "drop-database", "drop-schema":
		all := names != ""
		for name := range strings.FieldsSeq(names) {
			all = all && command.TestName(name)
		}
		return all || (verb == "drop-schema" || sh.tests == "mongo" && names == "db") && sh.inTestStore(names)
	case "flushdb":
		return sh.tests == "redis"
	case "drop-table", "drop-view", "drop-index", "drop-type", "drop-sequence", "drop-function", "drop-trigger", "drop-collection", "truncate", "delete", "update", "alter-drop", "alter":
		return sh.inTestStore(names)
	}
	return false
}

// inTestStore reports whether a table belongs to the test database that statements go to. In MySQL
// and similar a dot leads to another database.
func (sh *shell) inTestStore(name string) bool {
	return sh.tests != "" && (!strings.Contains(name, ".") || sh.tests == "postgres" && strings.Count(name, ".") == 1)
}

// statement emits the operations of a statement: on the database, and on the files and commands
// that its client uses.
func (sh *shell) statement(s sql.Statement) {
	if s.Verb == "" || !sh.step() {
		return
	}
	if s.Runs == "" && s.Reads == nil && s.Writes == nil || s.Traits&(umpire.Destroy|umpire.Mutate|umpire.LoadsCode) != 0 {
		res := s.Verb
		if s.Object != "" {
			res += " " + s.Object
		}
		t := s.Traits
		if sh.far {
			t |= umpire.Remote
		} else if sh.throwaway {
			t &^= umpire.Destroy | umpire.Irreversible | umpire.DataStore | umpire.NoWhere | umpire.Bulk
		}
		sh.Emit(umpire.Operation{Kind: umpire.Database, Resource: res, Traits: t})
	}
	for _, f := range s.Reads {
		w := command.Lit(f)
		st := sh.readFile(w)
		if s.Script {
			if !st.Seen || st.Taint != 0 {
				sh.Emit(umpire.Operation{Kind: umpire.Database, Resource: "script " + f, Traits: umpire.UnseenCode | codeTraits(st.Taint)})
			}
			if st.Seen && sh.enter() {
				sh.sql("", st.Text)
				sh.leave()
			}
		}
	}
	for _, f := range s.Writes {
		sh.writeFile(command.Lit(f), command.Unseen(0), s.Traits&umpire.Truncate)
	}
	if s.Runs != "" && sh.enter() {
		c := sh.within(s.Verb)
		c.run("sh", command.Text(s.Runs))
		sh.leave()
	}
}

// within returns a subshell for the effects of a program in another language.
func (sh *shell) within(via string) *shell {
	c := sh.clone()
	c.out = nil
	delete(c.fds, 1)
	if via != "" {
		c.via = append(c.via, via)
	}
	return c
}

// readFile emits the reading of a file and returns its content.
func (sh *shell) readFile(w command.Word) command.Stream {
	w = sh.follow(w)
	abs, p := sh.Path(w)
	t := command.When(!w.Known(), umpire.Unknown)
	sh.Emit(umpire.Operation{Kind: umpire.Read, Resource: abs, Places: p, Traits: t})
	return sh.File(w)
}

// writeFile emits the writing of a file, with its new content. If the name is a link that this
// command made, the write goes to the link's target; a call that overwrites may be a rename, which
// replaces the link, or a copy.
func (sh *shell) writeFile(w command.Word, s command.Stream, t umpire.Trait) {
	to := sh.follow(w)
	if t&umpire.Overwrite != 0 && to.Text != w.Text {
		sh.writeAt(w, s, t)
	}
	sh.writeAt(to, s, t)
}

func (sh *shell) writeAt(w command.Word, s command.Stream, t umpire.Trait) {
	if host := socket(w.Text); host != "" {
		sh.emitNet(host, umpire.Upload)
	}
	abs, p := sh.Path(w)
	t |= command.When(!w.Known(), umpire.Unknown)
	empties := t&umpire.Truncate != 0 && s.Seen && strings.TrimSpace(s.Text) == ""
	t |= command.When(empties && command.EmptiesMany(w, abs, p, (&host{sh: sh}).SomeNames, true) && !sh.hasRead(abs), umpire.Bulk)
	t |= command.When(s.Taint&command.FromNetwork != 0, umpire.FromNetwork)
	t |= command.When(s.Taint&(command.FromSecret|command.FromEnv) != 0, umpire.CarriesSecret)
	sh.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: t})
	if t&(umpire.Permissions|umpire.Ownership) == 0 {
		s.After = t&umpire.Append != 0 && t&umpire.Truncate == 0
		sh.Store(w, s)
	}
}

// hasRead reports whether the command line reads a file: what it writes there next is an edit.
func (sh *shell) hasRead(abs string) bool {
	return slices.ContainsFunc(sh.ops, func(op umpire.Operation) bool {
		return op.Kind == umpire.Read && op.Resource == abs && op.Traits&umpire.Inert == 0
	})
}

// code reads a program in a scripting language that runs in this shell, with the shell's
// environment, standard input and files.
func (sh *shell) code(lang, text string) {
	if !sh.step() {
		return
	}
	if lang == "js" && len(text) > code.MaxText && sh.file != "" {
		sh.bundled(text, sh.module)
		return
	}
	if sh.file == "" {
		defer func(was string) { sh.importer = was }(sh.importer)
		sh.importer = text
	}
	sh.imports(lang, text)
	text = placed(lang, text, cmp.Or(sh.file, sh.dir+"/-"))
	p := &program{sh: sh.within(""), lang: lang}
	env := code.Env{Getenv: p.getenv, Stdin: sh.stdin, Args: sh.params, Do: p.do}
	if !sh.module && (lang == "python" || lang == "js") {
		dir := sh.dir
		if sh.file != "" {
			dir = path.Dir(sh.file)
		}
		env.Modules = (&library{program: p, read: map[string]*code.Module{}}).modulesOf(dir)
	}
	if sh.module { // python -c "import x" runs only what the file does by itself
		env.Importer = sh.importer
	}
	r := code.Read(lang, text, env)
	sh.print(r.Out)
}

// program is a script that is read; do turns its effects into operations.
type program struct {
	sh   *shell
	lang string
}

func (p *program) getenv(name string) (command.Word, bool) {
	w, ok := p.sh.get(name)
	return w, ok && w.Text != ""
}

// do emits the operations of one effect and returns its result.
func (p *program) do(e code.Effect) command.Stream {
	sh := p.sh
	none := command.Stream{}
	e.Arg = command.OfText(e.Arg)
	switch e.Kind {
	case code.Delete, code.Unlink:
		p.delete(e)
	case code.Link:
		sh.link(e.Arg, e.Args[0])
	case code.Write:
		p.write(e)
	case code.ReadFile:
		return sh.readFile(e.Arg)
	case code.Network:
		p.connect(e)
		return command.Unseen(command.FromNetwork)
	case code.Shell, code.Exec:
		return p.run(e)
	case code.Eval:
		if sh.module && sh.importer != "" && e.Traits&umpire.Obfuscated != 0 { // the module is long, as many are
			break
		}
		t := e.Traits | codeTraits(e.Arg.Taint)
		if t == 0 || (sh.task || sh.module) && t&^(umpire.UnseenCode|umpire.Unknown) == 0 {
			t = p.unseen()
		}
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: p.lang + " " + e.Arg.Text, Traits: t})
	case code.Source:
		if p.lang == "ruby" && sh.imported(e.Arg) {
			return command.Unseen(0)
		}
		file, ok := p.included(e.Arg)
		if !ok {
			return command.Unseen(0)
		}
		s := sh.readFile(file)
		abs, at := sh.Path(file)
		if gone := s.Taint == 0 && at&umpire.PlaceInWorkspace != 0 && sh.absent(abs); (!s.Seen || s.Taint != 0) && !gone && p.lang != "c" { // headers are long, and few have code
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: p.lang + " " + e.Arg.Text, Traits: p.unseen() | codeTraits(s.Taint)})
		}
		return s
	case code.Import: // a module of the project may have addresses, as others have names of packages
		if sh.file == "" || sh.wrote(command.Lit(sh.file)) {
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: p.lang + " " + e.Arg.Text, Traits: umpire.RemoteCode})
		}
	case code.EnvDump:
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: p.lang + " environment", Traits: umpire.EnvDump})
	case code.ReverseShell:
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: p.lang + " shell " + e.Arg.Text, Traits: umpire.RemoteShell})
	case code.Kill:
		sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "process kill " + e.Arg.Text, Traits: e.Traits})
	case code.Bomb:
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: p.lang, Traits: umpire.ResourceBomb | umpire.Bulk})
	case code.SQL:
		if e.Traits&umpire.DataStore != 0 {
			sh.statement(sql.Redis([]string{e.Arg.Text}))
		} else if len(e.Args) > 0 && e.Args[0].Known() && sh.passing(e.Args[0]) {
			sh.sql("memory", e.Arg.Text)
		} else {
			sh.sql("", e.Arg.Text)
		}
	case code.Mongo:
		sh.sql("mongo", e.Arg.Text)
	case code.Infra:
		noun, name, _ := strings.Cut(e.Arg.Text, " ")
		t := e.Traits
		if dataNoun(noun) {
			t |= umpire.DataStore | umpire.Irreversible
		}
		sh.Emit(umpire.Operation{Kind: umpire.Infra, Resource: strings.TrimSpace("client delete " + noun + " " + name), Traits: t})
	case code.Chdir:
		sh.chdir(e.Arg)
	case code.Setenv:
		sh.set(e.Args[0].Text, e.Arg)
		v := sh.vars[e.Args[0].Text]
		v.exported = true
		sh.vars[e.Args[0].Text] = v
	case code.Listen:
		sh.Emit(umpire.Operation{Kind: umpire.Network, Resource: "localhost", Traits: umpire.Listen})
	case code.Browse:
		if strings.Contains(e.Arg.Text, "://") {
			command.NewCall(&host{sh: sh}, nil, p.lang, nil, none).Net(e.Arg, 0, 0)
		}
	}
	return none
}

// included returns the file that code of a file includes, which may lie beside that file. It reports
// false if neither is on the disk: a repository often comes without its vendor folder.
func (p *program) included(w command.Word) (command.Word, bool) {
	abs, pl := p.sh.Path(w)
	if p.sh.file == "" || !w.Known() || w.Taint != 0 || pl&umpire.PlaceInWorkspace == 0 || p.sh.exists(w) {
		return w, true
	}
	if beside := w.With(path.Join(path.Dir(p.sh.file), w.Text)); p.sh.exists(beside) {
		return beside, true
	}
	return w, !p.sh.isMissing(abs)
}

// everyName returns the folder of a path that ends in names of a listing: it stands for all files in
// the folder, or below it.
func everyName(text string) (dir string, ok bool) {
	for dir = text; ; ok = true {
		i := strings.LastIndexByte(dir, '/')
		if name := dir[i+1:]; name != command.Entry && name != "*" && name != "**" {
			return cmp.Or(dir, "/"), ok
		} else if i < 0 {
			return ".", true
		}
		dir = dir[:i]
	}
}

// write emits a write of a file. One that is emptied under each name of a listing of the project is all of its
// files.
func (p *program) write(e code.Effect) {
	w := e.Arg
	w.Text = strings.ReplaceAll(w.Text, command.Entry, umpire.Hole)
	if abs, _ := p.sh.Path(w); e.Empties() && !p.sh.hasRead(abs) {
		if all := p.everyFile(e); all != e.Arg.Text {
			w.Text = all
		}
	}
	p.sh.writeFile(w, e.Data, e.Traits)
}

// everyFile returns the pattern for all files of the project, or of a folder above it, if the path of an effect
// stands for them.
func (p *program) everyFile(e code.Effect) string {
	if dir, ok := everyName(e.Arg.Text); ok && e.Whole {
		if _, pl := p.sh.Path(e.Arg.With(dir)); pl&(umpire.PlaceWorkspace|umpire.PlaceParent|umpire.PlaceHome|umpire.PlaceRoot) != 0 {
			return dir + "/*"
		}
	}
	return e.Arg.Text
}

// delete emits the removal of a file or folder.
func (p *program) delete(e code.Effect) {
	sh := p.sh
	if dir, ok := strings.CutSuffix(e.Arg.Text, "/"+command.Entry); ok { // what a build made, or all of a home, however the program selects it
		if _, pl := sh.Path(e.Arg.With(dir + "/")); pl&(umpire.PlaceGenerated|umpire.PlaceHome|umpire.PlaceRoot) != 0 {
			e.Arg.Text = dir + "/*"
		}
	}
	e.Arg.Text = p.everyFile(e)
	if (sh.task || sh.module && sh.importer != "") && strings.HasPrefix(e.Arg.Text, umpire.Hole) {
		e.Traits &^= umpire.Recursive // the code is only scanned: a test fixture with an unknown path does not deserve a question
	}
	command.NewCall(&host{sh: sh}, nil, p.lang, nil, command.Stream{}).Delete(e.Arg, e.Traits|p.origin(e.Arg))
}

// connect emits a connection, and the data that goes through it. An HTTP request means what the same
// request of curl means.
func (p *program) connect(e code.Effect) {
	c := command.NewCall(&host{sh: p.sh}, nil, p.lang, nil, command.Stream{})
	if !strings.HasPrefix(e.Arg.Text, "http") || !strings.Contains(e.Arg.Text, "://") {
		c.Net(e.Arg, e.Traits, e.Data.Taint)
		return
	}
	method := "GET"
	switch {
	case e.Traits&umpire.Destroy != 0:
		method = "DELETE"
	case e.Data.Seen || e.Traits&umpire.Upload != 0:
		method = "POST"
	}
	c.Request(method, e.Arg, e.Data, e.Traits&^(umpire.Destroy|umpire.Mutate))
}

// unseen returns the trait of code whose text is unknown. In a file that a program reads by
// default, and in the functions of a module, such code is common: setup.py reads a version that way.
func (p *program) unseen() umpire.Trait {
	if p.sh.task || p.sh.module {
		return umpire.Unknown
	}
	return umpire.UnseenCode
}

func (p *program) origin(w command.Word) umpire.Trait {
	if w.Taint&command.FromNetwork != 0 {
		return umpire.FromNetwork
	}
	return 0
}

// run starts a command from a program and returns its output.
func (p *program) run(e code.Effect) command.Stream {
	if !p.sh.enter() {
		return command.Stream{}
	}
	defer p.sh.leave()
	c := p.sh.within(p.lang)
	var out command.Stream
	c.out = &out
	c.traits |= e.Traits
	if e.Data.Pipe || e.Data.Seen || e.Data.Taint != 0 {
		c.stdin = e.Data
		delete(c.fds, 0)
	}
	if e.Kind == code.Exec {
		if w := e.Args[0]; w.Taint&(command.FromNetwork|command.FromDecoder) != 0 {
			p.do(code.Effect{Kind: code.Eval, Arg: w})
		}
		c.simple(e.Args)
		return out
	}
	c.run("sh", command.Stream{Text: e.Arg.Text, Seen: true, Taint: e.Arg.Taint, Pipe: true})
	return out
}

// dataNoun reports whether the name of a resource says that it stores data that cannot be
// recreated.
func dataNoun(n string) bool {
	return anyof.Contains(n, "index", "bucket", "database", "db", "cluster", "volume", "snapshot", "table", "namespace", "project", "repo", "key", "secret", "collection", "vault", "backup", "zone", "filesystem", "stack", "indices", "org")
}
