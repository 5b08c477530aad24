package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// gitPrograms runs the programs that the repository and the settings of the call make git start.
// With one -c, an agent can run anything.
func gitPrograms(c *Call) {
	gitStarts(c)
	for _, w := range gitSettings(c) {
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
		last == "textconv" || (section == "filter" && (last == "clean" || last == "smudge" || last == "process")) || (section == "merge" && last == "driver") || (section == "diff" && last == "command") ||
		((section == "difftool" || section == "mergetool" || section == "browser" || section == "man") && (last == "cmd" || last == "path")) || last == "uploadpack" || last == "receivepack" || last == "vcs" || section == "trailer" && (last == "command" || last == "cmd"):
		if everydayPager(value) {
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

// everydayPager reports whether a command is a pager, editor or other program that people commonly
// set.
func everydayPager(value string) bool {
	return anyof.Equal(value, "cat", "less", "more", "vim", "vi", "nano", "true", "false", ":", "", "delta", "code --wait", "less -R", "less -FRX", "ssh", "gpg", "gpg2", "never")
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
	t := umpire.Trait(0)
	if c.Has("--global", "--system") {
		t |= umpire.Global
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
