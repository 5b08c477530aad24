package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// gitPrograms runs the programs that the repository and the settings of the call make git start.
// With one -c, an agent can run anything.
func gitPrograms(c *Call) {
	gitStarts(c)
	if file, ok := ConfigValue(c, "--output"); ok {
		if _, listed := c.Model.option("--output"); !listed { // stash show, range-diff
			c.WriteFile(Lit(file), umpire.Truncate, Unseen(0))
		}
	}
	settings := gitSettings(c)
	if c.Arg(0).Text == "clone" || strings.HasSuffix(c.Name, "clone") { // they hold from its first checkout on
		settings = append(settings, c.All("-c")...)
	}
	if w, ok := c.Opt("--template"); ok && w.Text != "" { // of clone and init, with hooks
		settings = append(settings, w.With("init.templatedir="+w.Text))
	}
	for _, w := range settings {
		key, value, ok := strings.Cut(w.Text, "=")
		if !ok {
			continue
		}
		runs, bad := gitSetting(key, value)
		if runs != "" {
			c.Shell(w.With(runs), Run{Traits: umpire.RunsProgram})
		}
		if bad != 0 {
			c.Op(umpire.Git, Quote("config", Lits(key, value)), bad)
		}
	}
	for _, s := range switches {
		if w, ok := c.Var(s.name); ok && c.Assigned(s.name) && w.Text != "" && (s.off == "" || anyof.Listed(s.off, w.Text)) && anyof.Listed(s.commands, strings.TrimPrefix(c.Name, "git ")) {
			c.Op(umpire.Git, Quote("config", []Word{Lit(s.name), w}), umpire.SkipsCheck)
		}
	}
}

// switches are the variables by which git, or a program that its hooks start, skips its checks in
// some commands: with one of the values in off, or with any.
var switches = [...]struct{ name, off, commands string }{
	{"HUSKY", "0", "commit push merge"},
	{"HUSKY_SKIP_HOOKS", "", "commit push merge"},
	{"LEFTHOOK", "0 false", "commit push merge"},
	{"SKIP", "", "commit push merge"}, // of pre-commit
	{"GIT_SSL_NO_VERIFY", "", "clone fetch pull push ls-remote submodule"},
}

// gitSetting returns the command that a setting makes git run, or "", and the traits of its other
// risks.
func gitSetting(key, value string) (runs string, t umpire.Trait) {
	k := strings.ToLower(key)
	section, _, _ := strings.Cut(k, ".")
	last := k[strings.LastIndexByte(k, '.')+1:]
	switch {
	case k == "core.pager" || k == "core.editor" || k == "sequence.editor" || k == "core.sshcommand" || k == "core.gitproxy" || k == "core.askpass" || k == "diff.external" || k == "gpg.program" || k == "gpg.ssh.program" ||
		k == "gpg.ssh.defaultkeycommand" || k == "sendemail.sendmailcmd" || k == "uploadpack.packobjectshook" || k == "core.alternaterefscommand" || k == "interactive.difffilter" || section == "pager" ||
		last == "textconv" || (section == "filter" || section == "lfs") && anyof.Equal(last, "clean", "smudge", "process", "path") || (section == "merge" && last == "driver") || (section == "diff" && last == "command") ||
		((section == "difftool" || section == "mergetool" || section == "browser" || section == "man") && (last == "cmd" || last == "path")) || last == "uploadpack" || last == "receivepack" || last == "vcs" || section == "trailer" && (last == "command" || last == "cmd"):
		if everydayHelper(value) {
			return "", 0
		}
		return value, 0
	case k == "core.fsmonitor":
		if value != "true" && value != "false" && value != "" {
			return value, 0
		}
	case last == "helper" && section == "credential":
		if strings.HasPrefix(value, "!") {
			return value[1:], 0
		}
		if strings.ContainsAny(value, "/") {
			return value, 0
		}
	case k == "core.hookspath":
		if value == "/dev/null" {
			return "", umpire.SkipsCheck
		}
		return "", umpire.RunsProgram
	case k == "init.templatedir":
		return "", umpire.RunsProgram
	case k == "protocol.ext.allow" && value != "never":
		return "", umpire.RunsProgram
	case k == "http.sslverify" && (value == "false" || value == "0"):
		return "", umpire.SkipsCheck
	case (section == "include" || section == "includeif") && last == "path": // the file can hold any of these settings
		return "", umpire.RunsProgram
	case section == "url" && (last == "insteadof" || last == "pushinsteadof"), k == "http.proxy":
		if section == "url" && parseAddress(strings.TrimSuffix(k[len("url."):], "."+last)).Host == parseAddress(strings.ToLower(value)).Host {
			return "", 0 // another protocol or user of the same host
		}
		return "", umpire.UntrustedSource
	case section == "alias" && strings.HasPrefix(value, "!"):
		return "", 0
	}
	return "", 0
}

// everydayHelper reports whether the value of a setting is a program that people commonly set.
func everydayHelper(value string) bool {
	return Customary(value) || plainSSH(value) || anyof.Equal(value, "", "gpg", "gpg2", "never",
		"git-lfs clean -- %f", "git-lfs smudge -- %f", "git-lfs smudge --skip -- %f", "git-lfs filter-process", "git-lfs filter-process --skip")
}

// Customary reports whether a command line names a pager, an editor, a browser or a viewer of
// differences in the usual way: by its bare name, with options for display and waiting only.
// vim -S and -s run the file that the caller adds, so editors have options of their own.
func Customary(text string) bool {
	f := strings.Fields(text)
	if len(f) == 0 {
		return false
	}
	options := "-w -nw -f -t -d --wait --nofork --diff"
	switch {
	case anyof.Listed("cat less more most bat batcat delta moor moar true false : echo diff difft colordiff icdiff", f[0]):
		options = "-R -F -X -S -FR -RF -FX -FRX -RFX -FRSX -SR -s -p -f --plain --quit-if-one-screen --no-init --paging=never --RAW-CONTROL-CHARS"
	case !anyof.Listed("vim vi nvim vimdiff nano pico emacs emacsclient micro hx helix kak code subl zed meld kdiff3 opendiff bcompare firefox chromium google-chrome", f[0]):
		return false
	case !anyof.Listed("vim vi nvim vimdiff", f[0]): // -f of others names a file of settings, code or keys
		options = "-w -nw -t -d --wait --nofork --diff"
	}
	return !slices.ContainsFunc(f[1:], func(o string) bool { return !anyof.Listed(options, o) })
}

// HelperTraits returns the traits of the program that an option, a variable or a setting names: an
// agent that names another program than the customary ones can run any code with it.
func HelperTraits(w Word) umpire.Trait {
	return When(!w.Known() || !Customary(w.Text) && !plainSSH(w.Text), umpire.RunsProgram)
}

// plainSSH reports whether a command line is ssh or plink with options that choose a key, a user or a port,
// or how the connection behaves. No such option names a program, a file of settings or a host.
func plainSSH(text string) bool {
	f := strings.Fields(text)
	if len(f) == 0 || !anyof.Equal(f[0], "ssh", "plink") || strings.ContainsAny(text, "'\"`\\$;|&<>(){}*?[\n") {
		return false
	}
	for i := 1; i < len(f); i++ {
		if anyof.Listed("-4 -6 -C -a -q -T -v -x", f[i]) || f[0] == "plink" && anyof.Listed("-ssh -batch", f[i]) {
			continue
		}
		option, value := f[i][:min(2, len(f[i]))], f[i][min(2, len(f[i])):]
		if value == "" && i+1 < len(f) {
			i++
			value = f[i]
		}
		if option == "-o" {
			name, of, ok := strings.Cut(strings.ToLower(value), "=")
			if name == "userknownhostsfile" { // ssh appends to it
				ok = of == "/dev/null"
			}
			if ok && anyof.Listed("addkeystoagent batchmode compression connecttimeout identitiesonly identityfile loglevel passwordauthentication port preferredauthentications pubkeyauthentication serveralivecountmax serveraliveinterval stricthostkeychecking user userknownhostsfile", name) {
				continue
			}
			return false
		}
		if value == "" || !anyof.Listed("-i -l -p", option) && (f[0] != "plink" || option != "-P") {
			return false
		}
	}
	return true
}

func doGitConfig(c *Call) {
	if f, ok := c.Opt("-f"); ok { // git prints settings from any file, or a line that it cannot parse
		c.ReadFile(f)
	}
	ops := c.Operands
	if len(ops) > 0 {
		switch ops[0].Text {
		case "list", "get":
			return
		case "set":
			ops = ops[1:]
		case "edit":
			git(c, 0)
			return
		}
	}
	if c.Has("--get", "--get-all", "--get-regexp", "--list") || len(ops) < 2 && !c.Has("--unset", "--unset-all", "-e", "--remove-section") {
		return
	}
	t := When(c.Has("--global", "--system"), umpire.Global)
	if i := slices.IndexFunc(ops, func(w Word) bool { return strings.EqualFold(w.Text, "core.hooksPath") }); i >= 0 && (c.Has("--unset", "--unset-all") || i > 0 && ops[0].Text == "unset") {
		t |= umpire.SkipsCheck // the hooks of the project no longer run
	}
	if len(ops) >= 2 {
		if key := strings.ToLower(ops[0].Text); strings.HasPrefix(key, "alias.") || key == "core.hookspath" {
			c.Define("git "+key, ops[1])
		} else if name, ok := remoteURL(key); ok {
			gitRemote(c, ops[1])
			setsRemote(c, Lit(name), ops[1])
		}
		runs, bad := gitSetting(ops[0].Text, ops[1].Text)
		if strings.EqualFold(ops[0].Text, "core.hooksPath") && readsHooks(c, ops[1]) {
			bad &^= umpire.RunsProgram
		}
		if strings.HasPrefix(strings.ToLower(ops[0].Text), "include") && ops[1].Known() && !strings.ContainsAny(ops[1].Text[:min(1, len(ops[1].Text))], `/~\`) {
			bad &^= umpire.RunsProgram // a file in .git, which later calls read here with the other settings
		}
		t |= bad
		if runs != "" {
			t |= umpire.RunsProgram
			c.Shell(ops[1].With(runs), Run{Traits: umpire.RunsProgram})
		}
		if sh, ok := strings.CutPrefix(ops[1].Text, "!"); ok && strings.HasPrefix(strings.ToLower(ops[0].Text), "alias.") {
			c.Shell(ops[1].With(sh), Run{})
		}
	}
	if f, ok := c.Opt("-f"); ok { // may be a start-up file of a shell
		c.WriteFile(f, umpire.Append, Stream{})
	}
	git(c, t)
}

func doGitCredential(c *Call) {
	switch c.Arg(0).Text {
	case "fill", "get":
		c.Op(umpire.Read, "git-credential", 0)
		c.Emit(umpire.Operation{Kind: umpire.Read, Resource: "git-credential", Places: umpire.PlaceCredentials, Traits: c.Traits})
		c.Taints(FromSecret)
	case "erase", "reject":
		git(c, umpire.Mutate)
	}
}

// gitAddress reports whether git reads a text as the address of a repository on another machine or
// behind a remote helper, and not as a path or the name of a remote: a URL, HELPER::TEXT, or
// [USER@]HOST:PATH with no slash before the colon (see GIT URLS in git-fetch(1)). Git for Windows
// opens //HOST/SHARE on that host, also in a file URL.
func gitAddress(s string) bool {
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		return !strings.EqualFold(scheme, "file") || shareHost("//"+rest) != ""
	}
	if shareHost(s) != "" {
		return true
	}
	colon := strings.IndexByte(s, ':')
	if colon <= 1 { // C:\REPO is a path
		return false
	}
	slash := strings.IndexByte(s, '/')
	return slash < 0 || colon < slash
}

// shareHost returns the host of a Windows network share, \\HOST\SHARE, or "" if a text is none or
// names this machine.
func shareHost(s string) string {
	host, ok := strings.CutPrefix(strings.ReplaceAll(s, `\`, "/"), "//")
	if host, _, _ = strings.Cut(host, "/"); !ok || host == "localhost" {
		return ""
	}
	return host
}

// gitRemote records contact with an address of git. Remote helpers and options of ssh in it run
// programs. Names of remotes and paths have no effect here.
func gitRemote(c *Call, w Word) {
	head, rest, helper := strings.Cut(w.Text, "::")
	switch {
	case helper && head == "ext":
		words := extWords(rest)
		for i := range words {
			words[i].Taint = w.Taint
		}
		c.Exec(words, Run{Traits: umpire.RunsProgram})
	case helper && gitAddress(w.Text) && !strings.ContainsAny(head, "@[/."): // git-remote-NAME reads the rest
		c.Exec(append(Lits("git-remote-"+head), w.With(rest)), Run{})
		gitRemote(c, w.With(rest))
	case strings.Contains(w.Text, "://-") || strings.HasPrefix(w.Text, "-"):
		c.Op(umpire.Exec, Quote("ssh", []Word{w}), umpire.RunsProgram|umpire.Obfuscated)
	case gitAddress(w.Text) && shareHost(strings.TrimPrefix(strings.ToLower(w.Text), "file:")) != "":
		c.Net(w.With(shareHost(strings.TrimPrefix(strings.ToLower(w.Text), "file:"))), 0, w.Taint)
	case strings.Contains(w.Text, "://") && gitAddress(w.Text):
		c.Net(w, 0, w.Taint)
	case gitAddress(w.Text):
		host, _, _ := strings.Cut(w.Text, ":")
		if user, inner, ok := strings.Cut(w.Text, "["); ok && len(user) < len(host) { // [HOST:PORT]:PATH
			host, _, _ = strings.Cut(inner, "]")
		}
		c.Net(w.With(host), 0, w.Taint)
	}
}

// extWords returns the command of an ext:: URL. git splits it without a shell; % quotes a blank or
// a percent sign.
func extWords(cmd string) []Word {
	words := strings.Fields(strings.NewReplacer("%%", "%", "% ", "\x00").Replace(cmd))
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "\x00", " ")
	}
	return Lits(words...)
}

// remoteURL returns the name of the remote whose address a setting of git holds, and whether the
// setting holds an address. The name is "" for settings with the default remote of a pull or push.
func remoteURL(key string) (name string, ok bool) {
	section, rest, _ := strings.Cut(key, ".")
	switch {
	case section == "branch":
		return "", strings.HasSuffix(rest, ".remote") || strings.HasSuffix(rest, ".pushremote")
	case section != "remote":
		return "", false
	case rest == "pushdefault":
		return "", true
	}
	if short, ok := strings.CutSuffix(rest, ".pushurl"); ok {
		return short, true
	}
	return strings.CutSuffix(rest, ".url")
}

// sameRepository reports whether two addresses are the same without the name of a user, a trailing
// slash and .git.
func sameRepository(a, b string) bool { return plainAddress(a) == plainAddress(b) }

// plainAddress returns an address in the form that sameRepository compares.
func plainAddress(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest = "", s
	}
	if i := strings.IndexByte(rest, '@'); i >= 0 && !strings.ContainsAny(rest[:i], "/:") { // a password makes it another address
		rest = rest[i+1:]
	}
	return scheme + "://" + strings.TrimSuffix(strings.TrimSuffix(rest, "/"), ".git")
}

// remotesSet is the key under which a command line remembers the addresses that it gave to
// remotes: SETTING=ADDRESS.
const remotesSet = "git remote"

// setsRemote remembers that a command gives a remote an address.
func setsRemote(c *Call, name, address Word) {
	c.Define(remotesSet, address.With("remote."+name.Text+".url="+address.Text))
}

func doGitRemote(c *Call) {
	switch c.Arg(0).Text {
	case "add", "set-url":
		if len(c.Operands) >= 3 {
			gitRemote(c, c.Operands[2])
			setsRemote(c, c.Operands[1], c.Operands[2])
			git(c, umpire.UntrustedSource)
			return
		}
	case "remove", "rm":
		git(c, umpire.Mutate)
		return
	}
	git(c, 0)
}

func doGitFetch(c *Call) {
	gitRemote(c, c.Arg(0))
	t := umpire.Trait(0)
	for _, w := range c.Operands {
		if _, dst, ok := strings.Cut(w.Text, ":"); ok && strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(dst, "refs/remotes/") {
			t |= umpire.Force // replaces a local branch
		}
	}
	git(c, t)
	c.Taints(FromNetwork)
	if !strings.HasSuffix(c.Name, "clone") {
		return
	}
	if dir := c.checksOut(c.Operands); dir.Text != "" {
		abs, _ := c.Path(dir)
		c.Define(clones, Lit(abs))
		if source, p := c.Path(c.Operands[0]); !gitAddress(c.Operands[0].Text) && p&umpire.PlaceTemp != 0 {
			setsRemote(c, Lit("origin"), c.Operands[0].With(source))
		}
	}
}

// doGitRequestPull reads git request-pull, which asks the remote in its second operand for its
// branches, as ls-remote does, and prints a text.
func doGitRequestPull(c *Call) {
	gitRemote(c, c.Arg(1))
	git(c, 0)
	c.Taints(FromNetwork)
}

// checksOut records the folder that a copy of a repository fills: the second operand, or one that is
// named after the repository. It returns an empty Word if there is none.
func (c *Call) checksOut(ops []Word) (dir Word) {
	switch {
	case len(ops) == 0:
		return dir
	case len(ops) > 1:
		dir = ops[1]
	default:
		dir = ops[0].With(strings.TrimSuffix(LastName(ops[0].Text), ".git"))
	}
	if dir.Text != "" {
		c.WriteFile(dir, umpire.Recursive, Unseen(FromNetwork))
		c.makes(dir)
	}
	return dir
}

// doCheckout reads a copy of a repository by a program other than git.
func doCheckout(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	if !c.Inert() {
		c.checksOut(c.Operands)
	}
}

// doTemplate reads a copy of a repository without its history, which fills the working folder unless
// the call names another.
func doTemplate(c *Call) {
	if len(c.Operands) > 0 && !c.Inert() {
		c.checksOut([]Word{c.Operands[0], append(WordsAfter(c, 1), Lit("."))[0]})
	}
}
