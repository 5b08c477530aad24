package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// ComposeFiles are the names of the project's file, in their order.
var ComposeFiles = [...]string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}

// composeFiles returns the compose files of a call, without those that they include.
func composeFiles(c *Call) (files []Started) {
	names := ComposeFiles[:]
	if given := append(c.All("-f"), c.All("--file")...); len(given) > 0 {
		for _, w := range given {
			if CodeAddress(w.Text) {
				c.Op(umpire.Exec, Quote(c.Name, []Word{w}), umpire.UnseenCode)
			}
			if f, ok := c.StartedFile(w.Text); ok {
				files = append(files, f)
			}
		}
	} else if f, ok := c.StartedFile(names...); ok {
		files = append(files, f)
		for _, n := range names {
			if f, ok := c.StartedFile(strings.Replace(n, ".y", ".override.y", 1)); ok {
				files = append(files, f)
			}
		}
	}
	for _, f := range composeNamed(c) {
		if !slices.ContainsFunc(files, func(o Started) bool { return o.Name == f.Name }) {
			files = append(files, f)
		}
	}
	return files
}

// composeServices runs the services of the compose files: all, or the wanted ones and those that
// they depend on. Each is read as a "docker run" with the same mounts and rights.
func composeServices(c *Call) {
	files := composeFiles(c)
	roots := map[string]*datafile.Value{} // by file name, since many services may extend those of one file
	for i := 0; i < len(files); i++ {
		f := files[i]
		if i >= MaxIncludes {
			c.Beyond(f.Name)
			break
		}
		root := f.Tree(datafile.YAML)
		roots[f.Name] = root
		for _, include := range root.Get("include").List() {
			for _, n := range append(include.Get("path").Texts(), include.Text) {
				if more, ok := c.StartedFile(path.Join(path.Dir(f.Name), n)); ok && n != "" {
					files = append(files, more)
				}
			}
		}
		c.ComposeSecrets(root)
		want := c.Operands
		if strings.HasSuffix(c.Name, " run") && len(want) > 1 { // the other words are the command of the service
			want = want[:1]
		}
		root.Get("services").Each(func(name string, s *datafile.Value) {
			if len(want) > 0 && !HasText(want, name) && !needed(s, root, want) {
				return
			}
			composeService(c, f, roots, name, s, 0)
		})
	}
}

// serviceFolders returns the folders of this machine that a service has, and its working folder.
func serviceFolders(c *Call, service string) (mounts []Mount, dir *Word) {
	for _, f := range composeFiles(c) {
		s := f.Tree(datafile.YAML).Get("services", service)
		for _, v := range s.Get("volumes").List() {
			host, inside, _ := strings.Cut(v.Text, ":")
			if v.Str("type") == "bind" {
				host, inside = v.Str("source"), v.Str("target")
			}
			inside, _, _ = strings.Cut(inside, ":")
			if host = composeText(c, host); host != "" && strings.ContainsAny(host[:1], "./~"+umpire.Hole) {
				mounts = append(mounts, Mount{Host: Lit(host), Inside: strings.TrimRight(inside, "/") + "/"})
			}
		}
		if w := s.Str("working_dir"); w != "" {
			at := Lit(composeText(c, w))
			dir = &at
		}
	}
	return mounts, dir
}

// composeNamed returns the files that the environment or the file .env names, unless options
// name files. Other settings can overrule both, so the usual files count as well.
func composeNamed(c *Call) (files []Started) {
	if c.Has("-f", "--file") {
		return nil
	}
	w, set := c.Var("COMPOSE_FILE")
	names := []string{w.Text}
	env := ".env"
	if w, ok := c.Opt("--env-file"); ok {
		env = w.Text
	}
	f, _ := c.StartedFile(env)
	for line := range strings.Lines(f.Text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if name, value, _ := strings.Cut(line, "="); strings.TrimSpace(name) == "COMPOSE_FILE" && !set {
			value, _, _ = strings.Cut(value, " #")
			names = append(names, strings.Trim(value, "\"' \t"))
		}
	}
	for _, n := range names {
		for n := range strings.FieldsFuncSeq(n, func(r rune) bool { return strings.ContainsRune(":;,", r) }) {
			if f, ok := c.StartedFile(n); ok {
				files = append(files, f)
			} else {
				Started{Call: c, Name: n}.RunUnseen()
			}
		}
	}
	return files
}

// ComposeSecrets reads the files of the secrets that services and image builds get.
func (c *Call) ComposeSecrets(root *datafile.Value) {
	root.Get("secrets").Each(func(_ string, v *datafile.Value) {
		if file := v.Str("file"); file != "" {
			c.buildSecret("src=" + composeText(c, file))
		}
	})
	root.Get("services").Each(func(_ string, s *datafile.Value) {
		if b := s.Get("build"); b != nil {
			c.copiedSecrets(composeText(c, cmp.Or(b.Text, b.Str("context"), ".")))
		}
	})
}

// composeService runs one service, after the service that it extends, which may have mounts too.
func composeService(c *Call, f Started, roots map[string]*datafile.Value, name string, s *datafile.Value, depth int) {
	if base := s.Get("extends"); base != nil && depth >= 8 {
		c.Beyond(f.Name)
	} else if base != nil {
		from, of := f, cmp.Or(base.Str("service"), base.Text)
		if n := base.Str("file"); n != "" {
			from, _ = c.StartedFile(path.Join(path.Dir(f.Name), n))
		}
		root := roots[from.Name]
		if root == nil && from.Seen && len(roots) >= MaxIncludes {
			c.Beyond(from.Name)
		} else if root == nil && from.Seen {
			root = from.Tree(datafile.YAML)
			roots[from.Name] = root
		}
		if b := root.Get("services", of); b != nil {
			composeService(c, from, roots, of, b, depth+1)
		}
	}
	args := []string{strings.TrimSuffix(c.Program, "-compose"), "run"}
	for _, v := range s.Get("volumes").List() {
		mount := v.Text
		if len(v.Keys) > 0 && v.Str("type") == "bind" {
			mount = v.Str("source") + ":" + v.Str("target")
		}
		if strings.ContainsAny(mount[:min(len(mount), 1)], "./~$") && mount != "" {
			args = append(args, "-v", composeText(c, mount))
		}
	}
	if s.Str("privileged") == "true" {
		args = append(args, "--privileged")
	}
	for _, key := range []string{"pid", "ipc", "userns_mode"} {
		if v := s.Str(key); v != "" {
			args = append(args, "--"+strings.TrimSuffix(key, "_mode")+"="+composeText(c, v))
		}
	}
	for _, v := range s.Get("cap_add").Texts() {
		args = append(args, "--cap-add="+v)
	}
	for _, v := range s.Get("devices").Texts() {
		args = append(args, "--device="+composeText(c, v))
	}
	command := commandOf(c, s.Get("command"))
	if entry := commandOf(c, s.Get("entrypoint")); len(entry) > 0 {
		args = append(args, "--entrypoint="+entry[0])
		command = append(entry[1:], command...)
	}
	image := cmp.Or(composeText(c, s.Str("image")), name)
	f.Exec(s.Line, append(append(args, image), command...), Run{})
}

// needed reports whether one of the wanted services directly depends on the service s.
func needed(s, root *datafile.Value, want []Word) bool {
	for _, w := range want {
		deps := root.Get("services", w.Text, "depends_on")
		if slices.ContainsFunc(append(deps.Texts(), deps.Names()...), func(n string) bool { return root.Get("services", n) == s }) {
			return true
		}
	}
	return false
}

// commandOf returns the words of a command, which is a list or a text.
func commandOf(c *Call, t *datafile.Value) (out []string) {
	if t == nil {
		return nil
	}
	if len(t.Kids) > 0 {
		for _, s := range t.Texts() {
			out = append(out, composeText(c, s))
		}
		return out
	}
	for _, w := range SplitWords(Lit(composeText(c, t.Text))) {
		out = append(out, w.Text)
	}
	return out
}

// composeText expands the variables in a text. One without a value or a default is unknown.
func composeText(c *Call, s string) string {
	var b strings.Builder
	for b.Len() < MaxLine {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 == len(s) {
			break
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if s[0] == '$' {
			b.WriteByte('$')
			s = s[1:]
			continue
		}
		var name, fallback string
		if s[0] == '{' {
			end := strings.IndexByte(s, '}')
			if end < 0 {
				break
			}
			name, s = s[1:end], s[end+1:]
			if i := strings.IndexAny(name, ":-?+"); i >= 0 {
				name, fallback = name[:i], strings.TrimLeft(name[i:], ":-")
			}
		} else {
			end := 0
			for end < len(s) && (s[end] == '_' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' || s[end] >= '0' && s[end] <= '9') {
				end++
			}
			name, s = s[:end], s[end:]
		}
		switch w, ok := c.Var(name); {
		case ok && w.Text != "":
			b.WriteString(w.Text)
		case fallback != "":
			b.WriteString(fallback)
		case name == "PWD":
			b.WriteByte('.')
		default:
			b.WriteString(umpire.Hole)
		}
	}
	return b.String() + s
}

// Devcontainer runs the commands of a development container: those in the container, with its
// mounts, and the initializeCommand, which runs on this machine.
func Devcontainer(c *Call) {
	f, _ := c.StartedFile(".devcontainer/devcontainer.json", ".devcontainer.json")
	t := f.Tree(datafile.JSON)
	mounts := []string{"docker", "run"}
	for _, m := range t.Get("mounts").List() {
		mount := m.Text
		if len(m.Keys) > 0 {
			mount = "type=" + m.Str("type") + ",source=" + m.Str("source") + ",target=" + m.Str("target")
		}
		mounts = append(mounts, "--mount", mount)
	}
	mounts = append(mounts, t.Get("runArgs").Texts()...)
	for i, m := range mounts {
		mounts[i] = strings.NewReplacer("${localEnv:HOME}", "~", "${env:HOME}", "~", "${localWorkspaceFolder}", ".").Replace(m)
	}
	if len(mounts) > 2 {
		for _, key := range [...]string{"onCreateCommand", "updateContentCommand", "postCreateCommand", "postStartCommand", "postAttachCommand"} {
			if v := t.Get(key); v != nil {
				f.Exec(v.Line, append(append(mounts[:len(mounts):len(mounts)], "devcontainer"), commandOf(c, v)...), Run{})
			}
		}
		f.Exec(0, append(mounts, "devcontainer"), Run{})
	}
	v := t.Get("initializeCommand")
	if v == nil {
		return
	}
	switch {
	case len(v.Keys) > 0:
		v.Each(func(_ string, k *datafile.Value) {
			if len(k.Kids) > 0 {
				f.Exec(k.Line, k.Texts(), Run{})
			} else {
				f.Run(k.Line, k.Text, Run{})
			}
		})
	case len(v.Kids) > 0:
		f.Exec(v.Line, v.Texts(), Run{})
	default:
		f.Run(v.Line, v.Text, Run{})
	}
}

// pickedText stands for containers that a filter picked, in the text of operations.
const pickedText = "(filtered)"

// doContainerList reads ps. If it prints only the IDs of containers that a narrow filter picks, a
// command that removes them removes no others.
func doContainerList(c *Call) {
	quiet, narrow := strings.HasPrefix(c.Name, "docker compose") || c.Program == "docker-compose", false
	for i, w := range c.Args {
		name, value, attached := ValueAt(c.Args, i)
		switch {
		case w.Text == "-q" || w.Text == "-aq" || w.Text == "-qa" || w.Text == "--quiet" || name == "--format" && attached && strings.Contains(value, ".ID"):
			quiet = true
		case name == "--filter" || name == "-f":
			narrow = narrow || narrowFilter(value)
		}
	}
	if quiet && narrow {
		c.SetOut(Unseen(Picked))
	}
}

// narrowFilter reports whether a filter of docker ps picks containers by a specific name, label or
// image, or picks those that do not run or that nothing uses.
func narrowFilter(filter string) bool {
	key, value, _ := strings.Cut(strings.Trim(filter, `'"`), "=")
	switch key {
	case "name", "label", "ancestor":
		plain := strings.Trim(value, "^$/")
		return len(plain) > 2 && strings.Trim(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=:/.") == "" && strings.Trim(plain, ".") == plain && !strings.Contains(plain, "..") && !production(plain)
	case "status":
		return value == "exited" || value == "dead" || value == "created"
	case "dangling":
		return value == "true"
	}
	return false
}

// shown replaces unknown containers that a filter picked by pickedText.
func shown(names []Word) []Word {
	var out []Word
	for _, w := range names {
		if w.Taint&Picked != 0 && !w.Known() {
			w = Lit(pickedText)
		}
		out = append(out, w)
	}
	return out
}

func doComposeRun(c *Call) {
	if len(c.Operands) < 2 {
		c.mounts()
	}
	composeServices(c)
	if len(c.Operands) > 1 {
		c.Operands = append(c.Operands[:1:1], withTool(c.Operands[0], c.Operands[1:])...)
	}
	doContainerExec(c)
}

func doComposeDown(c *Call) {
	t := umpire.Mutate
	if c.Has("-v") {
		if !c.testProject() {
			c.engine("delete", "volumes", nil, umpire.Destroy|umpire.DataStore)
		}
		return
	}
	if w, ok := c.Opt("--rmi"); ok && w.Text == "all" {
		c.engine("delete", "images", nil, t|umpire.Bulk)
	}
	if c.farEngine() {
		c.engine("delete", "containers", nil, t)
	}
}

// testProject reports whether a compose project on this machine is for tests, by its name or by the
// names of all its files.
func (c *Call) testProject() bool {
	if c.farEngine() {
		return false
	}
	if w, ok := c.Opt("-p"); ok {
		return TestName(w.Text) && !strings.HasPrefix(w.Text, umpire.Hole) // an unknown end is the number of a run
	}
	files := c.All("-f")
	for _, w := range files {
		name := strings.TrimSuffix(strings.TrimSuffix(path.Base(w.Text), ".yml"), ".yaml")
		if !w.Known() || !TestName(strings.ReplaceAll(name, ".", "-")) {
			return false
		}
	}
	return len(files) > 0
}
