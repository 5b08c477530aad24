package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// doTerraform reads Terraform and programs with the same commands.
func doTerraform(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	all := lowers(ops)
	for len(all) > 1 && (all[0] == "run-all" || all[0] == "run" || all[0] == "stack" || all[0] == "exec" || all[0] == "terraform") {
		all, ops = all[1:], ops[1:]
	}
	destroyFlag := c.Has("-destroy", "--destroy") && c.given("-destroy")
	for _, name := range []string{"TF_CLI_ARGS", "TF_CLI_ARGS_" + all[0]} {
		if v, ok := c.Var(name); ok && strings.Contains(v.Text, "-destroy") {
			destroyFlag = true
		}
	}
	const gone = umpire.Destroy | umpire.Mutate | umpire.Irreversible | umpire.DataStore
	rest := ops[1:]
	switch all[0] {
	case "console":
		doExpression(c)
	case "destroy", "destroy-all":
		c.infra("destroy", nil, rest, gone|umpire.Bulk)
	case "apply", "apply-all", "deploy", "up":
		if destroyFlag {
			c.infra("destroy", nil, rest, gone|umpire.Bulk)
			return
		}
		t := umpire.Mutate
		if c.Has("-auto-approve", "--auto-approve") {
			t |= umpire.Force
			for _, w := range c.Args {
				if production(w.Text) || strings.Contains(w.Text, "prod") && strings.HasPrefix(w.Text, "-") {
					t |= umpire.Production
				}
			}
			if c.Has("-replace") {
				t |= gone
			}
		}
		c.infra("apply", nil, rest, t)
	case "state":
		if len(all) < 2 {
			return
		}
		switch all[1] {
		case "rm":
			c.infra("remove", []string{"state"}, rest[1:], umpire.Destroy|umpire.Mutate)
		case "push", "mv", "replace-provider":
			c.infra(all[1], []string{"state"}, rest[1:], umpire.Mutate)
		case "pull":
			c.reveals("state")
		}
	case "force-unlock", "import", "taint", "untaint", "refresh":
		c.infra(all[0], []string{"state"}, rest, umpire.Mutate)
	case "workspace":
		if len(all) > 1 && all[1] == "delete" {
			c.infra("delete", []string{"workspace"}, rest[1:], umpire.Destroy|umpire.Mutate)
		}
	case "output":
		switch {
		case len(rest) > 0 && (secretName(rest[0].Text) || strings.HasSuffix(strings.ToLower(rest[0].Text), "_key")):
			if c.Has("-raw", "-json") { // without them Terraform prints <sensitive>
				c.reveals("output")
			}
		case len(rest) == 0 && c.Has("-json"):
			c.reveals("output")
		case c.Has("-raw", "-json"):
			c.Taints(FromUnseen)
		}
	case "show":
		switch {
		case c.Has("-json") && len(rest) > 0 && !strings.Contains(rest[0].Text, "state"): // a plan may hold secrets, but people keep it in files
			c.infra("reveal", []string{"plan"}, nil, umpire.CarriesSecret)
			c.Taints(FromSecret)
		case c.Has("-json"):
			c.reveals("state")
		}
	}
}

// reveals records that a program prints secrets from its own store.
func (c *Call) reveals(noun string) {
	c.Taints(FromSecret)
	c.infra("reveal", []string{noun}, nil, umpire.CarriesSecret)
}

// doExpression reads an expression of Nix, or of Terraform on standard input: the files that it reads,
// and the secrets that it shows.
func doExpression(c *Call) {
	w, _ := c.Opt("--expr")
	text := w.Text + c.Stdin.Text
	if strings.Contains(text, "nonsensitive(") {
		c.reveals("variable")
	}
	if !anyof.Contains(text, "file(", "file64(", "filebase64(", "readFile", "readDir") {
		return
	}
	for f := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("()[]{};,\"' \n\t", r) }) {
		if strings.ContainsAny(f, "/~.") && !strings.HasPrefix(f, "builtins.") {
			c.ReadFile(Lit(f))
		}
	}
}

// doStack reads programs that deploy a project's stacks as a whole.
func doStack(c *Call) {
	ops := c.Operands
	if len(ops) == 0 {
		return
	}
	all := lowers(ops)
	rest := ops[1:]
	if c.Program == "infracost" || len(all) > 0 && (all[0] == "preview" || all[0] == "local" || all[0] == "dev" || all[0] == "invoke" && len(all) > 1 && all[1] == "local") {
		return
	}
	if c.Has("--show-secrets") || all[0] == "config" && len(all) > 2 && all[1] == "get" && secretName(all[2]) {
		c.reveals("config")
		return
	}
	switch all[0] {
	case "destroy", "delete", "remove", "down", "teardown", "undeploy", "rm", "nuke":
		c.infra("destroy", []string{"stack"}, rest, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
	case "deploy", "up", "update", "apply", "import", "refresh", "cancel", "rollback", "bootstrap", "promote", "sync", "publish", "watch":
		c.infra(all[0], []string{"stack"}, rest, umpire.Mutate)
	case "stack", "state", "env", "secrets", "secret", "config":
		if len(all) < 2 {
			return
		}
		switch d := wording.DeedIn(all[1]); {
		case all[0] == "config":
		case d == wording.Destroys:
			t := d.Traits()
			if all[0] == "stack" {
				t |= umpire.Irreversible
			}
			c.infra("delete", []string{all[0]}, rest[1:], t)
		case d == wording.Changes && all[1] != "set":
			c.infra(all[1], []string{all[0]}, rest[1:], umpire.Mutate)
		}
	}
}

// doAnsible reads an ad-hoc command: a module that runs on every host that a pattern names.
func doAnsible(c *Call) {
	module, _ := c.Opt("-m")
	args, _ := c.Opt("-a")
	t := umpire.Remote
	host := c.Arg(0)
	if host.Text == "all" || strings.Contains(host.Text, "*") {
		t |= umpire.Bulk
	}
	if c.Has("-b") {
		t |= umpire.Privilege
	}
	name := module.Text[strings.LastIndexByte(module.Text, '.')+1:]
	switch name {
	case "", "command", "shell", "raw", "script", "win_shell", "expect":
		c.Shell(args, Run{Traits: t, Out: true})
		c.infra("run", []string{"hosts"}, []Word{host}, t|umpire.Mutate)
	case "ping", "setup", "debug", "stat", "gather_facts", "getent", "service_facts", "package_facts", "find", "slurp", "win_ping":
	case "file":
		if strings.Contains(args.Text, "state=absent") {
			for f := range strings.FieldsSeq(args.Text) {
				if p, ok := strings.CutPrefix(f, "path="); ok {
					c.Exec([]Word{Lit("rm"), Lit("-rf"), args.With(p)}, Run{Traits: t})
				}
			}
		}
		c.infra("file", []string{"hosts"}, []Word{host}, t|umpire.Mutate)
	case "reboot", "shutdown":
		c.Op(umpire.System, "power reboot", t)
	default:
		c.infra(name, []string{"hosts"}, []Word{host}, t|umpire.Mutate)
	}
}

// doSalt reads "salt TARGET cmd.run TEXT".
func doSalt(c *Call) {
	ops := c.Operands
	if c.Program == "salt-key" {
		if c.Has("-d", "-D") {
			c.infra("delete", []string{"key"}, nil, umpire.Destroy|umpire.Mutate)
		}
		return
	}
	t := umpire.Remote
	if c.Program == "salt" || c.Program == "salt-ssh" {
		if len(ops) == 0 {
			return
		}
		if strings.Contains(ops[0].Text, "*") {
			t |= umpire.Bulk
		}
		ops = ops[1:]
	}
	if len(ops) == 0 {
		return
	}
	f := ops[0].Text
	switch {
	case strings.HasPrefix(f, "cmd."):
		if len(ops) > 1 {
			c.Shell(ops[1], Run{Traits: t, Out: true})
		}
		c.infra("run", []string{"hosts"}, ops, t|umpire.Mutate)
	case f == "state.apply" || f == "state.highstate" || f == "state.sls":
		if !slices.ContainsFunc(ops, func(w Word) bool { return w.Text == "test=True" || w.Text == "test=true" }) {
			c.infra("apply", []string{"state"}, ops, t|umpire.Mutate)
		}
	case f == "file.remove":
		if len(ops) > 1 {
			c.Exec([]Word{Lit("rm"), Lit("-rf"), ops[1]}, Run{Traits: t})
		}
	case f == "system.reboot" || f == "system.shutdown" || f == "system.poweroff" || f == "system.halt":
		c.Op(umpire.System, "power off", t)
	case strings.HasPrefix(f, "test."), strings.HasPrefix(f, "grains."), strings.HasPrefix(f, "status."), strings.HasPrefix(f, "pillar."), strings.HasPrefix(f, "disk."):
	default:
		c.infra(f, []string{"hosts"}, ops[1:], t|umpire.Mutate)
	}
}

// doAgentTool reads Puppet, Chef and Bolt.
func doAgentTool(c *Call) {
	ops := c.Operands
	switch c.Program {
	case "knife":
		if len(ops) > 2 && ops[0].Text == "ssh" {
			c.Shell(ops[2], Run{Traits: umpire.Remote | umpire.Bulk})
			c.infra("run", []string{"hosts"}, ops[1:], umpire.Mutate|umpire.Remote)
			return
		}
		c.cloud(ops)
	case "bolt":
		if len(ops) > 2 && ops[0].Text == "command" && ops[1].Text == "run" {
			c.Shell(ops[2], Run{Traits: umpire.Remote})
			c.infra("run", []string{"hosts"}, ops[2:], umpire.Mutate|umpire.Remote)
		}
	case "puppet":
		if len(ops) > 0 && (ops[0].Text == "apply" || ops[0].Text == "agent") {
			c.infra(ops[0].Text, nil, ops[1:], umpire.Mutate)
		}
	case "chef-client", "chef-solo", "cinc-client", "cf-agent":
		if !c.Inert() {
			c.infra("apply", nil, nil, umpire.Mutate)
		}
	}
}

func doVagrant(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	vagrantTriggers(c)
	switch c.Operands[0].Text {
	case "destroy":
		c.infra("destroy", []string{"machine"}, c.Operands[1:], umpire.Destroy|umpire.Mutate)
	case "ssh":
		if w, ok := c.Opt("-c"); ok {
			c.Shell(w, Run{Traits: umpire.Remote, Out: true})
		}
	case "winrm":
		if w, ok := c.Opt("-c"); ok {
			c.Code("powershell", w, Run{Traits: umpire.Remote, Out: true})
		}
	case "scp":
		c.copiesOut(c.Operands[1:])
	case "box", "snapshot":
		if len(c.Operands) > 1 && wording.DeedIn(c.Operands[1].Text) == wording.Destroys && c.Operands[1].Text != "prune" { // old versions of a box
			c.infra("delete", []string{c.Operands[0].Text}, c.Operands[2:], umpire.Destroy|umpire.Mutate)
		}
	case "global-status", "status":
	}
}

func doRelease(c *Call) {
	for _, w := range c.Operands {
		switch w.Text {
		case "release", "deploy", "deliver", "supply", "upload_to_app_store", "upload_to_play_store", "beta", "pilot", "submit":
			c.infra("publish", []string{"app"}, c.Operands, umpire.Mutate)
			return
		case "match":
			if slices.ContainsFunc(c.Operands, func(x Word) bool { return x.Text == "nuke" }) {
				c.infra("delete", []string{"certificates"}, c.Operands, umpire.Destroy|umpire.Mutate|umpire.Irreversible)
				return
			}
		}
	}
}

// doDeploy reads deployment tools, whose operands name tasks.
func doDeploy(c *Call) {
	if (c.Program == "cap" || c.Program == "capistrano" || c.Program == "mina") && (HasText(c.Args, "-T") || HasText(c.Args, "--tasks")) {
		return // it lists the tasks that match
	}
	if c.Program == "cap" && len(c.Operands) > 0 { // cap is Capistrano or Capacitor; these verbs are Capacitor's, and deploy nothing
		if anyof.Equal(c.Operands[0].Text, "sync", "copy", "add", "open", "run", "init", "update", "ls", "doctor", "build", "serve", "migrate") {
			return
		}
	}
	for i, w := range c.Operands {
		low := strings.ToLower(w.Text)
		d := wording.DeedIn(low)
		switch {
		case low == "exec" && (c.Program == "kamal" || c.Program == "mrsk") && i+1 < len(c.Operands):
			c.Shell(c.Operands[i+1], Run{Traits: umpire.Remote | umpire.Container})
			return
		case d == wording.Destroys:
			c.infra(low, nil, c.Operands, umpire.Destroy|umpire.Mutate|umpire.Irreversible)
			return
		case d == wording.Changes, low == "setup", low == "boot":
			if anyof.Equal(c.Program, "nixos-rebuild", "darwin-rebuild") && low != "switch" {
				return
			}
			c.infra(low, nil, c.Operands, umpire.Mutate)
			return
		}
	}
}

// doScancel reads scancel. The user's own jobs, or jobs by number, are everyday work; other filters
// can end the jobs of other people.
func doScancel(c *Call) {
	if len(c.Operands) > 0 || c.Has("--me") {
		return
	}
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has || o.name == "-s" || o.name == "--signal" {
			continue
		}
		if me, ok := c.Var("USER"); ok && (o.raw == "-u" || o.raw == "--user") && o.value.Text == me.Text {
			return
		}
	}
	c.infra("cancel", []string{"jobs"}, c.Args, umpire.Destroy|umpire.Mutate|umpire.Bulk)
}

// doDbt reads dbt run-operation, which runs a macro of the project. Its name suggests what it does.
func doDbt(c *Call) {
	if c.Arg(0).Text != "run-operation" {
		return
	}
	if verb, _ := wording.DestroyingPart(wording.Parts(c.Arg(1).Text)); verb != "" {
		c.infra(verb, nil, c.Operands[1:], umpire.Destroy|umpire.Mutate)
	}
}

// doJupyter reads the address on which a notebook server listens. Anyone who reaches it can run
// code.
func doJupyter(c *Call) {
	for i := range c.Args {
		name, at, _ := ValueAt(c.Args, i)
		name = strings.TrimLeft(name, "-")
		if name != "ip" && !strings.HasSuffix(name, "App.ip") {
			continue
		}
		switch strings.Trim(at, `'"`) {
		case "localhost", "127.0.0.1", "::1":
		default:
			c.Net(Lit("0.0.0.0:8888"), umpire.Listen|umpire.HostAccess, 0)
		}
	}
}

// doHdfs reads hdfs dfs and hadoop fs, whose commands are like those of a shell, but work on the
// files of the cluster.
func doHdfs(c *Call) {
	if len(c.Operands) == 0 || c.Operands[0].Text != "dfs" && c.Operands[0].Text != "fs" {
		if c.Arg(0).Text == "namenode" && slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "-format" }) {
			c.infra("format", nil, nil, umpire.Destroy|umpire.Mutate|umpire.Irreversible|umpire.DataStore)
		}
		return
	}
	ws := c.Following()
	if len(ws) == 0 {
		return
	}
	switch ws[0].Text {
	case "-rm", "-rmr", "-expunge", "-truncate":
		t := umpire.Destroy | umpire.Mutate
		for _, w := range ws {
			if anyof.Equal(w.Text, "-r", "-R", "-skipTrash", "-expunge", "-rmr") {
				t |= umpire.Irreversible | umpire.DataStore
			}
		}
		c.infra("delete", nil, ws[1:], t)
	case "-chmod", "-chown", "-setrep", "-mv":
		c.infra(strings.TrimPrefix(ws[0].Text, "-"), nil, ws[1:], umpire.Mutate)
	}
}

// vagrantTriggers runs the commands that a Vagrantfile starts on this machine before or after a step.
func vagrantTriggers(c *Call) {
	f, _ := c.StartedFile("Vagrantfile")
	for line, rest := range f.After(".run") {
		block, _, _ := strings.Cut(strings.TrimLeft(rest, " ="), "}")
		for _, key := range [...]string{"inline", "path"} {
			_, value, found := strings.Cut(block, key)
			words := QuotedWords(strings.TrimLeft(value, " :=>"))
			switch {
			case !found || !strings.HasPrefix(block, "{") || len(words) == 0:
			case key == "path":
				f.Run(line, "sh"+Quote("", Lits(words[0])), Run{})
			default:
				f.Run(line, words[0], Run{})
			}
		}
	}
}
