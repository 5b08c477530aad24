package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// Undescribed reads a program without a description by its words. The weights of its verb, its
// object and the options that skip a question must add up to least: "clean" alone is part of a
// build, "tenant purge --prod" is not. The operation leads to a question. It never claims that a
// loss is irreversible, because the effects of the program are unknown.
func (c *Call) Undescribed(least int) {
	if c.Inert() || c.triesOnly() {
		return
	}
	if c.top == nil {
		c.queries()
	}
	s := sentence{}
	s.operands(c)
	if !s.reads {
		s.options(c)
	}
	if s.verb == "" && !s.reads {
		s.ownName(c)
	}
	if c.top == nil && s.verb == "" {
		s.short(c)
		s.raw(c)
	}
	if c.top == nil && s.verb == "" {
		s = c.console(s)
	}
	if s.reads || s.verb == "" || wording.ReadingName(c.Program) || s.weight(c) < least {
		return
	}
	t := umpire.Destroy | umpire.Mutate
	if s.all {
		t |= umpire.Bulk
	}
	c.infra(s.verb, s.before, s.rest, t)
}

// sentence is what the words of a command line mean.
type sentence struct {
	verb   string   // a verb that destroys
	grave  int      // the weight of the verb alone: 2 needs no further word
	tidies bool     // the verb is as common for things that programs recreate
	reads  bool     // a harmless verb comes first
	before []string // the words before the verb
	rest   []Word   // the words after the verb
	nouns  []string // words for the object: kinds and names
	kinds  []string // the kinds among them
	all    bool     // the command applies to everything
	sure   bool     // an option skips the question
	dares  bool     // an option acknowledges the danger: --yes-i-really-mean-it
	named  bool     // the name of one thing follows the verb
}

// operands looks for the verb among the first operands.
func (s *sentence) operands(c *Call) {
	ops, values := c.spoken()
	within := 4 // a verb comes early; a later one is part of prose
	for i, w := range ops {
		if strings.IndexByte(w.Text, '=') > 0 {
			within = 6
		}
		if i >= 6 {
			break
		}
		low := strings.ToLower(w.Text)
		if s.verb == "" && i < within && PlainWord(w) {
			parts := wording.Parts(w.Text)
			if off, rest := turnsOff(ops[i:]); off {
				s.take("poweroff", lowers(ops[:i]), rest)
				s.grave = 2
				return
			}
			if verb, nouns := wording.DestroyingPart(parts); verb != "" && !(low == "archive" && i+1 < len(ops) && PlainWord(ops[i+1])) {
				s.take(verb, lowers(ops[:i]), ops[i+1:])
				s.means(nouns)
				s.all = s.all || slices.Contains(nouns, "all") || len(nouns) > 0 && wording.Several(nouns[len(nouns)-1]) && !s.tidies
				s.named = i < 2 && len(s.rest) > 0 && properName(s.rest[0]) && (verb == "delete" || anyof.Equal(verb, "remove", "rm", "del") && wording.Administers(c.Program))
				continue
			}
			if anyof.Equal(low, "publish", "tag", "post", "query", "export", "dump", "report") && i+1 < len(ops) && wording.Destroying(ops[i+1].Text) > 0 {
				continue // a noun here, before the verb: publish drop bookworm
			}
			if wording.HarmlessVerb(low) || len(parts) > 1 && wording.HarmlessVerb(parts[0]) {
				s.reads = len(parts) == 1 || i == 0 || s.verb == ""
				return
			}
		}
		setting := strings.IndexByte(low, '=') > 0 // slot=0
		if PlainWord(w) || !strings.Contains(low, "/") {
			s.noun(low)
		}
		if s.verb == "" && !PlainWord(w) && !setting && !values[i] && !(i == 0 && strings.HasPrefix(low, "/")) {
			break // a file or a text: more of them follow
		}
	}
}

// spoken returns the operands, and the indexes of those that may be the value of the option before.
func (c *Call) spoken() (ops []Word, values map[int]bool) {
	ops, values = unfold(c.Operands), map[int]bool{}
	if len(ops) != len(c.Operands) {
		return ops, values
	}
	at := 0
	for i, w := range c.Args {
		if at < len(ops) && w.Text == ops[at].Text {
			values[at] = i > 0 && strings.HasPrefix(c.Args[i-1].Text, "-") && !strings.Contains(c.Args[i-1].Text, "=")
			at++
		}
	}
	return ops, values
}

// queries reads SQL in the arguments, if the name of an option or of the program says that it runs
// statements.
func (c *Call) queries() {
	own := c.Program
	if i := strings.LastIndexAny(own, "-_"); i >= 0 {
		own = own[i+1:]
	}
	for i, w := range c.Args {
		name, text := "", w.Text
		if strings.HasPrefix(text, "-") {
			name, text, _ = strings.Cut(text, "=")
		} else if i > 0 {
			name = c.Args[i-1].Text
		}
		if len(text) < 8 || !wording.StartsStatement(text) {
			continue
		}
		switch strings.TrimLeft(name, "-") {
		case "e", "c", "q", "sql", "query", "execute", "exec", "command", "statement", "eval", "run", "shell":
			c.Code("sql:", w.With(text), Run{})
		default:
			if len(c.Operands) == 1 && (strings.HasSuffix(own, "sql") || strings.HasSuffix(own, "db") || own == "console" || own == "shell") {
				c.Code("sql:", w.With(text), Run{})
			}
		}
	}
}

// properName reports whether a word is the name of one thing. A number is not: it may be an entry
// in a list of the user's own. A file name is not, either.
func properName(w Word) bool {
	return PlainWord(w) && strings.Trim(w.Text, "0123456789") != "" && !wording.Versioned(w.Text) || w.Known() && (strings.HasPrefix(w.Text, "/") || wording.IsAddress(w.Text))
}

// ownName reads the name of the program itself: delete-tenant, wipe_prod, agent-uninstall.sh.
func (s *sentence) ownName(c *Call) {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(c.Program), ".sh"), ".py")
	parts := wording.Parts(name)
	if noun, ok := strings.CutSuffix(name, "delete"); ok && len(parts) == 1 && len(noun) > 1 && len(c.Operands) > 0 { // ldapdelete
		parts = []string{noun, "entry", "delete"}
	}
	for len(parts) > 2 && wording.Destroying(parts[0]) == 0 && wording.Destroying(parts[len(parts)-1]) == 0 {
		parts = parts[1:] // acme-delete-tenant
	}
	if len(parts) < 2 {
		return
	}
	verb, nouns := wording.DestroyingPart(parts)
	if wording.CmdletName(c.Program) && anyof.Equal(verb, "remove", "uninstall") && len(c.Args) > 0 && !slices.ContainsFunc(nouns, installable) { // Remove-GPO -Name X
		s.take(verb, nil, unfold(c.Operands))
		s.grave = 2
		return
	}
	if verb == "" || !anyof.Equal(verb, "nuke", "wipe", "purge", "destroy", "erase", "obliterate", "teardown") && !slices.ContainsFunc(slices.Concat(nouns, s.nouns), wording.GraveNoun) && !production(name) && !(verb == "uninstall" && parts[0] != verb && len(c.Args) == 0) {
		return
	}
	s.take(verb, nil, unfold(c.Operands))
	s.grave = 1
	if verb == "uninstall" {
		nouns = append(nouns, "installation")
	}
	s.means(nouns)
}

// installable reports whether a noun is that of something that a package manager brings back.
func installable(noun string) bool {
	return anyof.Equal(noun, "module", "package", "psresource", "resource", "script", "appx")
}

// object reports whether the words after the verb contain more than a word for everything.
func (s *sentence) object() bool {
	return slices.ContainsFunc(s.rest, func(w Word) bool { return !strings.EqualFold(w.Text, "all") && w.Text != "*" })
}

// take sets the verb of the sentence, and the words before and after it.
func (s *sentence) take(verb string, before []string, rest []Word) {
	s.verb, s.before, s.rest = verb, before, rest
	s.grave, s.tidies = wording.Destroying(verb), wording.Tidies(verb)
	s.kinds = append(s.kinds, s.nouns...)
	if len(s.nouns) == 0 && len(rest) > 0 {
		parts := wording.Parts(rest[0].Text)
		if len(rest) > 1 || len(parts) == 2 && wording.MildNoun(parts[0]) && strings.Trim(parts[1], "0123456789") == "" { // draft-12
			s.kinds = append(s.kinds, parts...)
		}
	}
}

// means adds nouns that are part of the verb's own word.
func (s *sentence) means(nouns []string) {
	s.nouns, s.kinds = append(s.nouns, nouns...), append(s.kinds, nouns...)
}

// options looks for verbs among the options, and for options that skip questions.
func (s *sentence) options(c *Call) {
	var objects []string // delete --cert-name shop
	defer func() { s.means(objects) }()
	for i, a := range c.Args {
		t := a.Text
		if t == "--" {
			return
		}
		switch {
		case t == "*" || strings.EqualFold(t, "all") || strings.EqualFold(t, "everything"):
			s.all = true
			continue
		case strings.EqualFold(t, "force"), strings.EqualFold(t, "yes"), t == "forced", t == "noprompt":
			s.sure = s.sure || s.verb != ""
			continue
		case len(t) < 2 || t[0] != '-':
			continue
		}
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimLeft(t, "-")), "=")
		if value == "false" || value == "no" || value == "0" {
			continue
		}
		if strings.EqualFold(value, "all") {
			s.all = true
		}
		if s.verb == "" && (t == "-rm" || t == "-rmr" || t == "-del") {
			s.take(name, lowers(c.Operands[:min(1, len(c.Operands))]), c.Operands[min(1, len(c.Operands)):])
			continue
		}
		if t[1] != '-' && len(t) <= 5 && !strings.Contains(t, "=") {
			s.letters(c, t[1:], i)
			if name != "all" && name != "yes" {
				continue
			}
		}
		parts := wording.Parts(name)
		if len(parts) > 1 && anyof.Equal(parts[len(parts)-1], "empty", "duplicates", "na", "null", "nulls", "blank", "comments", "whitespace") {
			continue // --drop-empty: which of the results to show
		}
		s.dares = s.dares || wording.Dares(name)
		switch wording.FirstOf(parts) {
		case "all", "everything":
			s.all = true
			s.nouns = append(s.nouns, parts[1:]...) // --all-users
		case "force", "forced", "yes", "assume", "confirm", "confirmed", "noconfirm", "noprompt", "noinput", "unattended", "really", "hard", "permanent", "permanently", "cascade", "execute", "approve", "skip", "recursive", "without":
			s.sure = s.sure || parts[0] != "skip" && parts[0] != "without" || slices.ContainsFunc(parts, wording.IsQuestion)
		case "i":
			s.sure = len(parts) > 2 // --i-know-what-i-am-doing
		case "no", "non", "auto", "omit", "skiptrash":
			s.sure = s.sure || name == "skiptrash" || slices.ContainsFunc(parts, wording.IsQuestion)
		}
		s.named = s.named || value != "" && slices.Contains(s.nouns, name) // delete-workspace -workspace=w1
		if s.verb != "" && len(s.nouns) == 0 && i+1 < len(c.Args) && (len(s.rest) == 0 || s.rest[0].Text == c.Args[i+1].Text) {
			objects = append(objects, parts...)
		}
		verb, nouns := wording.DestroyingPart(parts)
		if verb != "" && s.verb != "" && !s.tidies && len(nouns) == 0 { // forget --keep-none --prune
			s.sure = true
		}
		if verb != "" && (s.verb == "" || s.tidies && len(nouns) > 0 && !slices.ContainsFunc(nouns, wording.MildNoun)) && (wording.DestroyingOption(verb) || verb != "disable" && slices.Contains(nouns, "all")) { // down --destroy-data; --disable-all chooses checks
			s.take(verb, lowers(c.Operands[:min(2, len(c.Operands))]), c.Operands[min(2, len(c.Operands)):])
			s.grave = 1
			s.means(nouns)
			s.all = s.all || slices.Contains(parts, "all")
		}
	}
}

// letters reads a cluster of short options. An f before the name of a file is not "force".
func (s *sentence) letters(c *Call, letters string, i int) {
	file := i+1 < len(c.Args) && c.looksLikeFile(c.Args[i+1].Text)
	every := false
	for _, l := range letters {
		switch {
		case l == 'y', (l == 'f' || l == 'F') && !file:
			s.sure = true
		case l == 'a' && s.verb != "" && (!s.tidies || s.verb == "down"):
			every = true
		case l == 'n' && len(letters) == 1 && strings.Contains(c.Arg(0).Text, ":"): // --no-interaction of consoles such as Symfony's
			s.sure = true
		}
	}
	s.all = s.all || every && (s.sure || len(s.rest) == 0)
}

// noun adds the parts of a word to the nouns for the object.
func (s *sentence) noun(low string) {
	if len(s.nouns) < 12 && !FileName(low) {
		s.nouns = append(s.nouns, wording.Parts(low)...)
	}
}

// weight adds up the weights of the sentence's words.
func (s *sentence) weight(c *Call) int {
	n := s.grave
	live := slices.ContainsFunc(c.Args, func(w Word) bool { return production(w.Text) })
	grave, mild := slices.ContainsFunc(s.nouns, wording.GraveNoun), slices.ContainsFunc(s.kinds, wording.MildNoun)
	local := slices.ContainsFunc(s.kinds, wording.LocalName) || wording.MadeForWork(c.Program)
	if s.verb == "cancel" || s.verb == "abort" { // a program that runs once can run again
		mild = mild || slices.ContainsFunc(s.kinds, func(w string) bool {
			return anyof.Equal(w, "run", "runs", "job", "jobs", "build", "builds", "task", "query")
		})
	}
	if s.dares && !mild { // the program itself treats the call as dangerous
		n++
	}
	for _, w := range s.rest { // a version of a tool can be fetched again
		mild = mild || (s.verb == "uninstall" || s.verb == "remove") && wording.Versioned(w.Text)
	}
	for _, a := range c.Args {
		name := strings.TrimLeft(a.Text, "-")
		_, value, _ := strings.Cut(name, "=")
		local = local || wording.LocalName(name) || wording.LocalName(value)
	}
	for _, name := range []string{"APP_ENV", "RAILS_ENV", "RACK_ENV", "NODE_ENV", "ENVIRONMENT"} {
		if w, ok := c.Var(name); ok {
			local, live = local || wording.LocalName(w.Text), live || production(w.Text)
		}
	}
	if s.all && (!s.tidies || grave || s.sure || s.object()) {
		n++
	}
	if live {
		n++
	}
	named := len(s.nouns) > 0 || len(s.rest) > 0 // without an object, -f may not skip a question
	if s.sure && (named || live || s.all) && !(s.tidies && !grave) {
		n++
	}
	if grave && !mild || s.named && !s.sure && !mild {
		n++
	}
	switch s.verb {
	case "uninstall", "revert", "rollback", "downgrade", "undeploy", "delete", "reset": // they apply to the whole if nothing is named
		if !named && (s.sure || s.verb == "uninstall" && wording.Administers(c.Program)) {
			n++
		}
	case "purge", "revoke": // rush purge, direnv revoke
		if !s.sure && !named && len(c.Args) < 2 {
			n--
		}
	}
	if mild {
		n -= 2
	}
	if local && !live {
		n -= 2
	}
	return n
}

// triesOnly reports whether an option asks for a dry run, for help or for the version.
func (c *Call) triesOnly() bool {
	for i, a := range c.Args {
		if len(a.Text) < 3 || a.Text[0] != '-' {
			continue
		}
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimLeft(a.Text, "-")), "=")
		switch strings.ReplaceAll(strings.ReplaceAll(name, "-", ""), "_", "") {
		case "version": // with a value, the version of the object to delete
			return value == "" && (i == 0 || i == len(c.Args)-1)
		case "dryrun", "dry", "simulate", "noop", "whatif", "pretend", "preview", "help", "plan", "justprint", "testrun":
			return value != "false" && value != "no" && value != "0" && value != "none"
		}
	}
	return false
}

// PlainWord reports whether a word may be a verb or a noun of a command line.
func PlainWord(w Word) bool {
	return w.Known() && w.Text != "" && len(w.Text) <= 40 && w.Text[0] != '-' && !strings.ContainsAny(w.Text, " /=@\n\t,;'\"(){}[]<>|$*") && !FileName(w.Text)
}

// turnsOff reports whether words begin with a command to cut the power or reset a machine, and
// returns the words after it.
func turnsOff(ws []Word) (off bool, rest []Word) {
	switch strings.ToLower(ws[0].Text) {
	case "poweroff", "power-off", "power_off", "powercycle", "power-cycle":
		return true, ws[1:]
	case "power":
		if len(ws) > 1 && anyof.Equal(strings.ToLower(ws[1].Text), "off", "down", "cycle", "reset", "soft") {
			return true, ws[2:]
		}
	}
	return false, nil
}

// short reads a -d or -D before the last argument as "delete": after a noun, as in "branch -D x",
// or before ALL.
func (s *sentence) short(c *Call) {
	for i, a := range c.Args {
		if a.Text != "-d" && a.Text != "-D" || i+2 != len(c.Args) || !PlainWord(c.Args[i+1]) {
			continue
		}
		name := c.Args[i+1]
		kinds := wording.Parts(strings.ToLower(c.Args[max(i-1, 0)].Text))
		switch {
		case name.Text == "ALL":
			s.all = true
		case i == 0 || strings.Trim(name.Text, "0123456789") == "" || !slices.ContainsFunc(kinds, func(w string) bool { return wording.GraveNoun(w) || w == "branch" || w == "tag" || w == "volume" }):
			continue
		}
		s.take("delete", lowers(c.Operands[:min(i, 1, len(c.Operands))]), []Word{name})
		s.named = true
		return
	}
}

// raw reads a call that names a disk. A verb that overwrites, in the name of the program, an option
// or an operand, erases the disk.
func (s *sentence) raw(c *Call) {
	disk := slices.IndexFunc(c.Args, func(w Word) bool {
		if !strings.HasPrefix(w.Text, "/dev/") {
			return false
		}
		_, p := c.Path(w)
		return p&umpire.PlaceDevice != 0 && !strings.HasPrefix(w.Text, "/dev/tty") && !strings.HasPrefix(w.Text, "/dev/cu.")
	})
	if disk < 0 {
		return
	}
	if wording.Overwrites(c.Program) {
		s.take("erase", nil, c.Args[disk:])
		return
	}
	for i, w := range c.Args {
		text := w.Text
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "--") && strings.HasPrefix(text[2:], "format") && i+1 != disk {
			continue // --format json selects the output's format
		}
		if wording.Overwrites(text) {
			s.take("erase", nil, c.Args[disk:])
			return
		}
	}
}

// console reads the commands that a program's console gets by an option or on standard input. It
// returns the first that destroys something, or s.
func (c *Call) console(s sentence) sentence {
	var texts []string
	for i, a := range c.Args {
		if i+1 < len(c.Args) && anyof.Equal(a.Text, "-c", "-e", "-v", "--eval", "--execute", "--command", "--exec") {
			texts = append(texts, c.Args[i+1].Text)
		}
	}
	if c.Stdin.Seen && len(c.Operands) == 1 && anyof.Equal(c.Operands[0].Text, "shell", "console", "cli", "repl") {
		texts = append(texts, c.Stdin.Text)
	}
	for _, text := range texts {
		lines := strings.FieldsFunc(text[:min(len(text), maxHanded)], func(r rune) bool { return r == '\n' || r == ';' })
		for _, line := range lines[:min(len(lines), 16)] {
			order := *c
			order.Args = Lits(strings.Fields(line)...)
			order.Operands = slices.DeleteFunc(slices.Clone(order.Args), func(w Word) bool { return strings.HasPrefix(w.Text, "-") })
			said := sentence{}
			said.operands(&order)
			if said.verb != "" && !said.reads {
				said.options(&order)
				return said
			}
		}
	}
	return s
}
