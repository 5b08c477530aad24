package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// maxLeftovers limits how many paths of one call are compared with its operations. Later paths
// count only if they are in a place of secrets.
const maxLeftovers = 200

const privatePlace = umpire.PlaceCredentials | umpire.PlaceEnvFile

// Leftovers records the paths and addresses of the command line that no operation names. A
// description that misses an operand or an option would otherwise hide the file. said reports
// whether an operation names a path, given as written and as an absolute path. For the value of an
// option, value is true.
//
// Leftovers skips an operand to which the description gives a role, unless it follows an
// undescribed option, whose value it may be. The value of a described option counts as named but
// not as shown (Inert), because the option may be a flag in some version of the program. So do
// the file of a call that only tries or lists, and the value of an undescribed option where the
// operations are all that the program does (described).
func (c *Call) Leftovers(said func(text, abs string, value bool) bool, described bool) {
	if c.top != nil && c.style()&CaseFold != 0 {
		return
	}
	described = described && c.top != nil && !c.Inert()
	unparsed := c.top != nil && c.style()&NoOptions != 0
	if unparsed && c.Model.Opts == "" || described && len(c.opts) == 0 && !c.untold() && !unparsed {
		return
	}
	data, values := c.data()
	if c.top == nil {
		c.Args = c.withResponses()
	}
	looked, written := 0, -1
	if c.shape()&Converts != 0 || c.top == nil {
		written = c.lastFile()
		if c.shape()&Converts == 0 && !c.converts() && !c.isOther(written) {
			written = -1
		}
	}
	for i, a := range c.Args {
		name, text := "", a.Text
		if len(text) > 1 && text[0] == '-' {
			if name, text = attached(text); text == "" {
				continue
			}
		} else if i > 0 && len(c.Args[i-1].Text) > 1 && c.Args[i-1].Text[0] == '-' && !strings.Contains(c.Args[i-1].Text, "=") {
			name = c.Args[i-1].Text
		}
		if file, ok := fileWithin(a.With(text)); ok {
			text = file.Text
		} else if form, file := formAndFile(text); form != "" && (c.top == nil || c.mayTake(name)) && (writesTo(strings.Trim(name, "-")) || writesTo(form)) {
			name, text = "output", file
		}
		if strings.Contains(text, "://") {
			if c.top == nil {
				t := When(c.sends(i) && !parseAddress(text).local(), umpire.Upload)
				c.Net(a.With(text), t, 0)
			}
			continue
		}
		if name != "" {
			text = c.givenFile(a, text)
		} else if key, value, ok := strings.Cut(text, "="); ok && c.top == nil { // key=@FILE
			value = c.givenFile(a, value)
			if _, p, ok := c.namesFile(a.With(value)); ok && p&privatePlace != 0 {
				name, text = key, value
			}
		}
		w := a.With(text)
		told := data[a.Text] || data[text] || described && !values[text] && a.Text == text && !c.untold()
		value := c.mayTake(name)
		if (told || unparsed) && !value || strings.Contains(name, "/") {
			continue
		}
		abs, p, ok := c.namesFile(w)
		if !ok {
			abs, p, ok = c.namesOwnFile(name, w, a)
		}
		if !ok {
			continue
		}
		if looked++; looked > maxLeftovers && p&privatePlace == 0 {
			continue
		}
		if looked > maxLeftovers || !said(text, abs, value || values[text] || a.Text != text) {
			if i == written || i > 0 && c.Args[i-1].Text == "output" { // pdftk a.pdf cat output b.pdf
				name = "output"
			}
			c.leftover(name, w, abs, p, values[text] || value && described)
		}
	}
}

// mayTake reports whether the word after an option may be its value, because no description lists
// the option.
func (c *Call) mayTake(option string) bool {
	if len(option) < 2 || option == "--" || c.top == nil {
		return false
	}
	for _, m := range [...]*Model{c.Model, c.top} {
		if o, ok := m.option(option); ok && !o.short {
			return false
		}
	}
	if option[1] == '-' || c.style()&(LongDash|NoOptions) != 0 {
		return true
	}
	return slices.ContainsFunc(c.opts, func(o setOption) bool { // of a cluster
		return len(o.raw) == 2 && strings.Contains(option[1:], o.raw[1:]) && o.model != nil && !o.model.lists(o.raw)
	})
}

// untold reports whether a description has no role for any operand, so that no operation names an
// operand.
func (c *Call) untold() bool {
	return c.Model == nil || (c.Model.Args == "" || c.Model.Args == addresses) && c.Model.Do == nil
}

// addresses are the roles of operands that only matter if they name a host.
const addresses = "R*"

// sends reports whether a word before the argument at index i says that the program sends something
// there.
func (c *Call) sends(i int) bool {
	return slices.ContainsFunc(c.Args[:i], func(w Word) bool { return anyof.Listed("push upload publish send submit", w.Text) })
}

// style returns how the program and its sub-command parse the command line.
func (c *Call) style() Style { return c.top.Style | c.Model.Style }

// shape returns the style of the program, even if its description says nothing about its arguments.
func (c *Call) shape() Style {
	if c.top != nil {
		return c.style()
	}
	if m := Index(c.Program); m != nil {
		return m.Style
	}
	return 0
}

// converts reports whether a program without a description writes the last of its files, by the
// name of the program or by its first word.
func (c *Call) converts() bool {
	from, to, _ := strings.Cut(c.Program, "2")
	if from != "" && strings.Trim(to, "0123456789.-") != "" || anyof.Equal(c.FirstArg(), "convert", "conv", "transcode", "encode", "decode", "compress", "decompress", "resize", "optimize", "pull") {
		return true
	}
	for _, format := range [...]string{"pdf", "ps", "svg", "pnm", "ppm", "png", "jpg", "jpeg", "tiff", "html", "xml", "csv", "json", "md", "rst", "dvi", "wav"} {
		if strings.HasPrefix(c.Program, format+"to") {
			return true
		}
	}
	return slices.ContainsFunc(wording.Split(c.Program), func(part string) bool {
		return anyof.Equal(part, "convert", "converter", "conv", "translate", "transcode", "encode", "encoder", "decode", "decoder", "compress", "decompress")
	})
}

// isOther reports whether the argument at index i is another form of a file before it, by its name:
// song.wav song.opus, or in.jpg out.jpg.
func (c *Call) isOther(i int) bool {
	if i < 1 || strings.Contains(c.Program, "lint") || strings.HasPrefix(c.Args[i-1].Text, "-") {
		return false
	}
	name := c.Args[i].Text
	if _, p := c.Path(c.Args[i]); p&privatePlace != 0 {
		return false
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	return path.Base(stem) == "out" || slices.ContainsFunc(c.Args[:i], func(a Word) bool {
		return a.Text != name && path.Ext(a.Text) != "" && strings.TrimSuffix(a.Text, path.Ext(a.Text)) == stem
	})
}

// lastFile returns the index of the last argument that looks like a file, which a converter writes.
// A file that follows an option may be its value, and counts only if too few others are left. It
// returns -1 if the file is the only one, belongs to an option for the input, or is for a command
// that only looks, and if an option names the output.
func (c *Call) lastFile() int {
	last, files, plain, operand := -1, 0, 0, -1
	for i, a := range c.Args {
		if len(a.Text) > 1 && a.Text[0] == '-' && a.Text != "-O" && writesTo(strings.Trim(a.Text, "-")) {
			return -1
		}
		_, _, ok := c.namesFile(a)
		if !ok {
			_, _, ok = c.namesOwnFile("", a, a)
		}
		if !ok {
			continue
		}
		last, files = i, files+1
		if i == 0 || !strings.HasPrefix(c.Args[i-1].Text, "-") {
			operand, plain = i, plain+1
		}
	}
	if plain > 1 {
		last = operand
	}
	if files < 2 || last > 0 && c.Args[last-1].Text == "-i" || anyof.Equal(c.FirstArg(), "identify", "display", "animate", "info") {
		return -1
	}
	return last
}

// leftover records that a little-known program gets a file, by an option or as an operand. The
// option's name says whether the program writes it or only uses it as a key. The value of a
// described option counts as well.
func (c *Call) leftover(name string, w Word, abs string, p umpire.Place, used bool) {
	if i := strings.IndexByte(name, '='); i < 0 && len(name) > 2 && (name[:2] == "-P" || name[:2] == "-D") {
		name = name[2:] // a property: -Psigning.keystore=x
	}
	name = strings.TrimLeft(name, "-")
	saves := name != "" && p&umpire.PlaceInWorkspace == 0 && c.saves() && !says(name, "key", "config", "credentials", "credential", "env", "file", "input")
	writes := writesTo(name) || len(name) == 2 && name[1] == 'o'                 // a cluster: -eo x
	if saves && !writes && p&umpire.PlaceDevice == 0 && !c.Has("--help", "-h") { // -D x of gh run download: the name does not say whether it is the source
		u := c.Traits
		if c.top != nil {
			u &^= umpire.Inert
		}
		c.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: u})
	}
	name = strings.ToLower(name)
	// Servers and signers get a key of the project, or a temporary one, by an option that says so.
	key := (c.top != nil || p&(umpire.PlaceInWorkspace|umpire.PlaceTemp) != 0 && p&umpire.PlaceCredentials != 0) && says(name, "key", "keyfile", "keystore", "ks", "cert", "ssl", "tls", "signing", "truststore") ||
		c.top != nil && says(name, "identity", "cacert", "ca", "credentials", "credential", "kubeconfig", "config", "passfile", "auth", "password", "env", "netrc", "token")
	t := c.Traits
	if c.top == nil {
		t &^= umpire.Inert // the effect of --help on an unknown program is unknown
	}
	switch {
	case used && (len(name) < 2 || !writes || p&umpire.PlaceInWorkspace != 0):
		t |= umpire.Inert
	case p&umpire.PlaceDevice != 0: // programs query a disk far more often than they read it
		return
	case writes && c.Inert() && c.top != nil && p&umpire.PlaceInWorkspace == 0 && !c.Has("--help", "-h"): // a trial run writes its report
		c.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: t &^ umpire.Inert})
		return
	case c.Inert() && c.top != nil:
	case writes:
		c.WriteFile(w, 0, Unseen(c.Stdin.Taint))
		return
	case p&umpire.PlaceInWorkspace == 0 && w.Known() && c.editsInPlace():
		c.WriteFile(w, When(c.isFolder(w), umpire.Recursive), Unseen(0))
		return
	case p&privatePlace == 0:
		switch {
		case !w.Known():
			t |= umpire.Unknown
		case p&umpire.PlaceInWorkspace != 0: // a rule for the program covers the project's own files
			t |= umpire.Inert
		}
	case key:
		t |= umpire.Inert
	default: // a rule asks about the project's own keys; FILE:~/.ssh/id_rsa only looks like one
		own := p&umpire.PlaceInWorkspace != 0 && p&umpire.PlaceCredentials != 0 && w.Known() && !strings.ContainsAny(w.Text, ":~@=%")
		t |= When(!own, umpire.Unknown)
		c.Taints(FromSecret)
	}
	c.Emit(umpire.Operation{Kind: umpire.Read, Resource: abs, Places: p, Traits: t})
}

// Edits records that a program changes files of the project in place, and everything in the folders
// that it gets. Without an operand it gets the current folder. Rules of the user may protect a file
// there. The built-in ones protect places against what an agent writes, and a formatter writes
// nothing of its own, so these places do not count.
func (c *Call) Edits() {
	if c.Inert() || !c.editsInPlace() {
		return
	}
	files := c.Operands
	if len(files) > 0 && PlainWord(files[0]) && len(c.SomeNames(files[0])) == 0 { // a sub-command
		files = files[1:]
	}
	if len(files) == 0 {
		files = Lits(".")
	}
	for _, w := range files {
		if tree, ok := strings.CutSuffix(w.Text, "/..."); ok { // a pattern of Go
			w = w.Part(tree)
		}
		op := c.onPath(umpire.Write, w, When(c.isFolder(w), umpire.Recursive))
		if op.Places&umpire.PlaceInWorkspace != 0 {
			op.Places &= umpire.PlaceInWorkspace | umpire.PlaceInHome | umpire.PlaceGenerated
			c.Emit(op)
		}
	}
}

// editsInPlace reports whether the program changes its files in place, by its style or because a
// sub-command or an option says so.
func (c *Call) editsInPlace() bool {
	edits := c.shape()&InPlace != 0 || anyof.Equal(c.Verb(), "fmt", "format", "fix")
	for _, a := range c.Args {
		if c.Program == "PlistBuddy" && anyof.HasPrefix(a.Text, "Set ", "Add ", "Delete ", "Import ", "Merge ", "Clear") {
			return true
		}
		switch name, _, _ := strings.Cut(a.Text, "="); name {
		case "--write", "--fix", "--autocorrect", "--autocorrect-all", "--auto-correct", "--in-place", "--inplace", "--overwrite", "--overwrite_original", "--replace", "-replace", "-insert", "-remove":
			return true
		case "-i", "-w": // of formatters
			if strings.HasSuffix(c.Program, "fmt") && c.Program != "fmt" || strings.HasSuffix(c.Program, "format") || anyof.Equal(c.Program, "yapf", "autopep8", "goimports", "gofumpt") {
				return true
			}
		case "--check", "-check", "--check-only", "--diff", "--stdout", "--simulate", "--verify-no-changes", "--check-formatted", "-c", "-":
			edits = false
		}
	}
	return edits
}

// writesTo reports whether an option of that name says that the program writes to the value, by its
// first word, or by its last that means more than "file": --log-file, --state-out, but not
// --log-config.
func writesTo(name string) bool {
	parts := wording.Split(name)
	for n := len(parts) - 1; n >= 0; n-- {
		switch parts[n] {
		case "file", "path", "dir", "directory", "folder", "filename", "name", "json", "html", "xml", "png", "pdf", "only":
			continue
		case "out", "output", "outfile", "outdir", "dest", "destination", "o", "log", "logfile", "logdir", "report", "result", "results", "save", "write", "dump", "dumpfile", "pid", "pidfile", "export", "w", "mf", "junit", "junitxml", "download", "downloads", "artifacts":
			return true
		}
		return anyof.Equal(parts[0], "write", "save", "export")
	}
	return false
}

// withResponses returns the arguments with the words of response files in place of @FILE, as
// compilers read them.
func (c *Call) withResponses() (out []Word) {
	for _, w := range c.Args {
		name, ok := strings.CutPrefix(w.Text, "@")
		if s := c.File(w.With(name)); ok && name != "" && s.Seen && len(s.Text) <= maxHanded {
			out = append(out, Lits(strings.Fields(s.Text)...)...)
		} else {
			out = append(out, w)
		}
	}
	return out
}

// saves reports whether a sub-command says that the program writes what it gets from elsewhere to a
// file: gh run download -D x.
func (c *Call) saves() bool {
	return slices.ContainsFunc(c.Args, func(w Word) bool { return anyof.Equal(w.Text, "download", "export", "dump", "save") })
}

// formAndFile splits a value into the name of a format or setting and the path after it: html:/x,
// json=~/x, output=../x.
func formAndFile(value string) (form, file string) {
	i := strings.IndexAny(value, "=:")
	if i < 2 || strings.Contains(value, "://") || !PlainWord(Lit(value[:i])) || !anyof.HasPrefix(value[i+1:], "/", "~", "./", "../") {
		return "", ""
	}
	return value[:i], value[i+1:]
}

// says reports whether a part of an option's name is one of the words: ssl-key-file contains key.
func says(name string, words ...string) bool {
	if slices.Contains(words, name) {
		return true
	}
	for _, part := range wording.Split(name) {
		if slices.ContainsFunc(words, func(w string) bool { return len(w) > 1 && part == w }) {
			return true
		}
	}
	return false
}

// data returns the operands to which the program's description gives a role, and the values of the
// options that it describes.
func (c *Call) data() (operands, values map[string]bool) {
	if c.top == nil {
		return nil, nil
	}
	values = map[string]bool{}
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has || o.model == nil {
			continue
		}
		if g, ok := o.model.option(o.raw); ok && g.role != 0 {
			values[o.value.Text] = true
		}
	}
	operands = map[string]bool{}
	roles := strings.Fields(c.Model.Args)
	for i, w := range c.Operands {
		if c.Model.Args == addresses {
			break // those without a host may be files
		}
		if c.Inert() && c.Model.Args != "_*" && c.Model.Args != "_" {
			break // no operation names them
		}
		if i < len(roles) || strings.Contains(c.Model.Args, "*") {
			operands[w.Text] = true
		}
	}
	return operands, values
}

// attached splits a word into an option and its value: --file=x, -f=x and -f/x.
func attached(text string) (name, value string) {
	if name, value, ok := strings.Cut(text, "="); ok {
		return name, value
	}
	if text[1] != '-' && len(text) > 3 {
		if i := strings.IndexAny(text, "/~"); i == 3 && text[2] == 'o' { // a cluster: -eo/x
			return text[:3], text[3:]
		}
		return text[:2], text[2:]
	}
	return text, ""
}

// notInPath contains characters of statements, patterns and code.
const notInPath = " \t\n\"'`$()|;<>^{}\\,!=#&"

// namesFile reports whether a word looks like the path of a file or folder, or names a place of
// secrets, and returns that path.
func (c *Call) namesFile(w Word) (abs string, p umpire.Place, ok bool) {
	t := w.Text
	if t == "" || len(t) > 512 || t[0] == '-' || !strings.ContainsAny(t, "./~") || strings.ContainsAny(t, notInPath) || strings.Contains(t, "...") {
		return "", 0, false
	}
	abs, p = c.Path(w)
	return abs, p, p&privatePlace != 0 || w.Known() && c.looksLikeFile(t)
}

// givenFile returns the path in a value that a prefix marks as one: -e @vars.yml, -pass
// file:pass.txt. It leaves names of modules alone: @/components, @types/node.
func (c *Call) givenFile(option Word, value string) string {
	for _, mark := range [...]string{"@", "file:", "fileb:"} {
		rest, ok := strings.CutPrefix(value, mark)
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, "//")
		if _, p := c.Path(option.With(rest)); strings.Contains(path.Base(rest), ".") || p&privatePlace != 0 {
			return rest
		}
	}
	return value
}

// namesOwnFile reports whether a word may be a file of the project, by its extension or by the name
// of its option. A wrong guess is cheap: a file of the project leads to no question.
func (c *Call) namesOwnFile(option string, w, whole Word) (abs string, p umpire.Place, ok bool) {
	if !w.Known() || strings.ContainsAny(w.Text, notInPath+":%*@") || anyof.Equal(option, "-D", "-P", "-X", "-m") || // properties and modules
		option == "" && wording.Doing(strings.TrimPrefix(path.Ext(w.Text), ".")) || // a task: mix hex.publish
		!endsAsFile(path.Base(w.Text)) && !(option == "" && len(w.Text) > 1 && strings.HasSuffix(w.Text, "/")) && (option == "" || option == "--" || w.Text == "." || !PlainWord(w) || !c.givenAsFile(option, w, whole)) {
		return "", 0, false
	}
	abs, p = c.Path(w)
	return abs, p, p&umpire.PlaceInWorkspace != 0
}

// givenAsFile reports whether an option's name says that its value is a file or a folder:
// --cache-dir tmp. The value of an output option may be a format. It counts as a file if the call
// has an input file and the value is not a common format: -o prog main.hs.
func (c *Call) givenAsFile(option string, w, whole Word) bool {
	parts := wording.Split(strings.TrimLeft(option, "-"))
	switch wording.FirstOf(parts[max(0, len(parts)-1):]) {
	case "dir", "directory", "folder", "path", "file", "outdir", "outfile":
		return true
	case "o", "out", "output":
		return option != "-O" && (whole.Text == w.Text || strings.Contains(whole.Text, "=")) && !anyof.Listed(formats, w.Text) &&
			slices.ContainsFunc(c.Operands, func(w Word) bool { return endsAsFile(path.Base(w.Text)) })
	}
	return false
}

// formats lists values of --output that are not files.
const formats = "json yaml yml wide name table text csv tsv xml html pretty plain raw github ro rw stdout stderr"

// endsAsFile reports whether a name ends like a file's, and not like a host's or a version.
func endsAsFile(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 1 || len(name)-i > 9 || strings.Contains(name, "..") || strings.Trim(name, "0123456789.v") == "" {
		return false
	}
	end := name[i+1:]
	return strings.Trim(end, "0123456789") != "" && strings.Trim(end, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" &&
		!anyof.Equal(end, "com", "org", "net", "io", "dev", "ai", "app", "co", "edu", "gov", "eu", "de", "fr", "uk", "nl", "local", "internal", "example", "test", "invalid", "localhost", "lan")
}

func (c *Call) looksLikeFile(t string) bool {
	switch {
	case t == "." || strings.Contains(t, "@"):
		return false
	case t == "/" || t == ".." || t == "~":
		return true
	case strings.HasPrefix(t, "/"):
		return c.top == nil || c.style()&Windows == 0 || strings.Contains(t[1:], "/")
	case strings.HasPrefix(t, "~/"), strings.HasPrefix(t, "./"), strings.HasPrefix(t, "../"):
		return true
	case strings.Contains(t, ":"):
		return false
	}
	return FileName(path.Base(t))
}

// FileName reports whether a name has one of the most common file extensions.
func FileName(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return false
	}
	return anyof.Equal(strings.ToLower(name[i+1:]), "txt", "md", "rst", "json", "jsonl", "yaml", "yml", "toml", "ini", "cfg", "conf", "xml", "csv", "tsv", "html", "htm", "css", "scss", "svg", "png", "jpg", "jpeg", "gif", "pdf",
		"js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "svelte", "py", "ipynb", "rb", "php", "pl", "lua", "go", "rs", "c", "h", "cc", "cpp", "hpp", "java", "kt", "scala", "swift", "cs", "sh", "bash", "zsh", "ps1",
		"sql", "db", "sqlite", "log", "lock", "pem", "key", "crt", "pub", "tar", "gz", "tgz", "zip", "bz2", "xz", "zst", "jar", "war", "bin", "iso", "img", "wasm", "o", "so", "a", "tf", "tfvars", "tfstate", "hcl", "proto", "graphql", "tpl", "tmpl", "patch", "diff", "bak", "dump", "out", "mp3", "mp4", "wav", "webm", "mov")
}
