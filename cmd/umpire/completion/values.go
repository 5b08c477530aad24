package completion

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/quarantine/engine"
	"github.com/umpire-dev/umpire/internal/wire"
)

// source returns the completions at the cursor; args are the arguments before it.
type source = cobra.CompletionFunc

var (
	text  = cobra.NoFileCompletions // free text: nothing to propose
	files = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	folders = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
)

// words returns a closed set, in the order of the help.
func words(list ...string) source {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
}

// matching keeps the words that begin with the typed text, because not every shell filters.
func matching(s source) source {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		list, how := s(c, args, typed)
		return slices.DeleteFunc(slices.Clone(list), func(one string) bool { return !strings.HasPrefix(one, typed) }), how
	}
}

// closed lists the flags with a closed set of values, by name or by command and name.
var closed = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"agent --output":        {"text", "json", "stream-json"},
		"apply":                 {"ask", "rules", "never"},
		"audit export --format": {"jsonl", "csv"},
		"category":              categories(),
		"effect":                {"deny", "ask", "allow"},
		"effort":                agent.Efforts,
		"engine":                slices.Concat([]string{"builtin"}, engine.Clients(), []string{"none"}),
		"events":                {"calls", "all"},
		"fail-on":               {"low", "medium", "high", "critical", "never"},
		"for":                   {"input", "tool-output", "request"},
		"guard scan --kind":     {"input", "tool_output", "output", "pii"},
		"hidden":                {"keep", "show", "remove"},
		"isolate":               {"auto", "require", "off"},
		"kind":                  {"decision", "approval", "config", "session", "result", "error", "torn", "gap", "rotate"},
		"provider":              wire.Names(),
		"queue approve --all":   {"network", "filesystem", "git"},
		"queue deny --all":      {"network", "filesystem", "git"},
		"review --format":       {"text", "json", "sarif", "markdown", "github"},
		"review --provider":     slices.Concat(wire.Names(), []string{"gemini"}),
		"role":                  {"viewer", "approver", "admin"},
		"scope":                 {"once", "session", "always"},
		"state":                 {"pending", "approved", "denied", "used", "abandoned"},
		"status":                {"approved", "denied", "expired", "superseded", "cancelled", "conflict"},
		"taint-provider":        wire.Names(),
	}
})

// flags lists the completions of other flags, in the same way.
var flags = sync.OnceValue(func() map[string]source {
	return map[string]source{
		"agent": text, "agents": text, "api-key-env": variables, "anthropic-upstream": text, "base-url": text, "canary": text, "tenant": text, "user": text, "command": text,
		"comment": text, "digest": text, "env": variables, "expiry": text, "guard-bodies": text, "host": text, "intercept": text,
		"listen": text, "max-uptime": text, "memory": text, "disk": text, "model": text, "note": text, "notify": text,
		"oidc-client-id": text, "oidc-issuer": text, "oidc-name": text, "oidc-redirect": text, "oidc-role": text, "oidc-scope": text,
		"older": text, "openai-upstream": text, "operator": text, "pass-through": text, "people": text, "print": text, "private": text, "proxy": text,
		"push": text, "server": text, "since": text, "small-model": text, "taint-api-key-env": variables, "taint-base-url": text, "taint-model": text,
		"text": text, "token-env": variables, "tree": text, "until": text, "anchor": text, "system": text,
		"queue approve --rule": text, "queue deny --rule": text,

		"also": files, "audit": files, "baseline": files, "config": files, "database": files, "documents": files, "from": files, "guard-config": files,
		"hook": files, "html": files, "instructions": files, "merge": files, "notify-secret": files, "oidc-client-secret-file": files,
		"output": files, "policy": files, "push-credentials": files, "push-to": files, "read-only": files, "secrets": files,
		"tls-cert": files, "tls-key": files, "token-file": files, "writable": files, "audit verify --proof": files,

		"archive": folders, "base": folders, "cache": folders, "cases": folders, "corpora": folders, "dir": folders, "home": folders, "root": folders,
		"workspace": folders,

		"bin":     clientPrograms,
		"client":  known(clientNames),
		"pack":    known(packs),
		"profile": known(profiles),
		"resume":  known(agentSessions),
		"rule":    known(rules),
		"run":     known(runs),
		"session": known(recordedSessions),
		"tool":    known(recordedTools),
	}
})

// arguments lists the completions of arguments, by command.
var arguments = sync.OnceValue(func() map[string]source {
	return map[string]source{
		"agent":              text,
		"approve":            each(known(questions, requests)),
		"audit prove":        text,
		"changes apply":      each(known(changed)),
		"changes discard":    each(known(changed)),
		"changes review":     each(known(changed)),
		"changes show":       each(known(changed)),
		"check":              text,
		"completion install": each(words("bash", "fish", "zsh")),
		"deny":               each(known(questions, requests)),
		"describe":           first(programs),
		"doctor":             each(known(clientNames)),
		"exec":               programs,
		"guard evaluate":     files,
		"guard scan":         first(files),
		"help":               nil, // cobra's own
		"hook":               first(known(clientNames)),
		"init":               each(known(clientNames)),
		"judge":              text,
		"judge use":          first(words(append(wire.Names(), "off")...)),
		"man":                first(folders),
		"policy check":       first(files),
		"policy explain":     first(known(rules)),
		"policy revoke":      first(known(answers)),
		"policy test":        first(files),
		"queue approve":      each(known(requests)),
		"queue deny":         each(known(requests)),
		"queue output":       first(known(approved)),
		"queue show":         first(known(requests, settled)),
		"queue stop":         first(known(approved)),
		"replay":             files,
		"review":             first(files),
		"review show":        first(known(findings)),
		"rules add":          typeAnd(nil),
		"rules remove":       typeAnd(storedRules),
		"rules test":         typeAnd(nil),
		"run":                programs,
		"shims":              shimArguments,
		"token end":          each(known(browserSessions)),
		"token revoke":       each(known(tokens)),
		"trust":              first(files),
		"uninstall":          each(known(clientNames)),
	}
})

func categories() (list []string) {
	for _, c := range approval.Categories() {
		list = append(list, string(c))
	}
	return list
}

// Attach adds completion of flags and arguments to every command below root. A command without
// arguments proposes nothing; otherwise the shell would propose files.
func Attach(root *cobra.Command) {
	for _, c := range root.Commands() {
		path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { attachFlag(c, path, f) })
		switch complete, ok := arguments()[path]; {
		case complete != nil:
			c.ValidArgs, c.ValidArgsFunction = nil, matching(complete)
		case !ok:
			c.ValidArgsFunction = text
		}
		Attach(c)
	}
}

func attachFlag(c *cobra.Command, path string, f *pflag.Flag) {
	if f.Value.Type() == "bool" || c.PersistentFlags().Lookup(f.Name) == nil && c.InheritedFlags().Lookup(f.Name) != nil {
		return
	}
	complete := flags()[f.Name]
	if own, ok := flags()[path+" --"+f.Name]; ok {
		complete = own
	}
	if list, ok := ClosedSet(path, f.Name); ok {
		complete = words(list...)
	}
	if anyof.Equal(f.Value.Type(), "duration", "int", "int64", "float64", "intSlice", "stringToInt") {
		complete = text
	}
	if complete == nil {
		return // TestEveryValueCompletes reports it
	}
	if err := c.RegisterFlagCompletionFunc(f.Name, matching(complete)); err != nil {
		panic(err) // a completion was registered twice
	}
}

// ClosedSet returns the values of a command's flag if they are a closed set.
func ClosedSet(path, flag string) ([]string, bool) {
	if list, ok := closed()[path+" --"+flag]; ok {
		return list, true
	}
	list, ok := closed()[flag]
	return list, ok
}

// Bind makes each flag with a closed set of values refuse all others, in c and its commands.
func Bind(c *cobra.Command) {
	path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if list, ok := ClosedSet(path, f.Name); ok && f.Value.Type() == "string" {
			f.Value = oneOf{f.Value, list, f.DefValue == ""}
		}
	})
	for _, sub := range c.Commands() {
		Bind(sub)
	}
}

// oneOf is the value of a flag with a closed set of values.
type oneOf struct {
	pflag.Value
	known []string
	unset bool // the empty value is an unset flag
}

// Set implements pflag.Value.
func (o oneOf) Set(s string) error {
	if !slices.Contains(o.known, s) && (s != "" || !o.unset) {
		return errors.New("must be one of " + strings.Join(o.known, ", "))
	}
	return o.Value.Set(s)
}

// Names returns the names in the tables: of commands, of flags, and "COMMAND --FLAG".
func Names() []string {
	return slices.Concat(slices.Collect(maps.Keys(closed())), slices.Collect(maps.Keys(flags())), slices.Collect(maps.Keys(arguments())))
}
