package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// Settings that turn hooks off, as observed on the real agents. The caller adds the file's path.

// steering lists variables by which a project's settings bypass umpire: they move its folders or
// the agent's settings, or make the loader, the shell or an interpreter that starts a hook run
// something first.
var steering = []string{
	"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "PATH", "SHELL", "CLAUDE_PROJECT_DIR",
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "QWEN_HOME", "COPILOT_HOME", "CLINE_DIR", "GEMINI_CLI_HOME", "FACTORY_HOME_OVERRIDE", "CLAUDE_CODE_SIMPLE", "OPENCODE_PURE",
	"BASH_ENV", "ENV", "ZDOTDIR", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PERL5OPT", "PERL5LIB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS",
}

// steeringPrefixes lists prefixes of such variables.
var steeringPrefixes = []string{"LD_", "DYLD_", "BASH_FUNC_", "GIT_CONFIG", "UMPIRE_"}

// steers lists the variables in a file that bypass umpire.
func steers(env *hujson.Object) (list []Problem) {
	if env == nil {
		return nil
	}
	var names []string
	for i := range env.Members {
		name := text(&env.Members[i].Name)
		if upper := strings.ToUpper(name); slices.Contains(steering, upper) || anyof.HasPrefix(upper, steeringPrefixes...) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		list = append(list, Problem{Kind: Steered, Text: "env sets " + strings.Join(names, ", ") + " for the agent and for umpire's hook", Next: "take it out of there, unless you know why it is there"})
	}
	return list
}

func claudeSwitches(o *hujson.Object) (list []Problem) {
	list = steers(objectOf(member(o, "env")))
	if isTrue(member(o, "disableAllHooks")) {
		list = append(list, Problem{Kind: Off, Text: "disableAllHooks switches every hook off", Next: "set it to false, or run umpire init claude --managed as root: hooks there stay on"})
	}
	if isTrue(member(o, "allowManagedHooksOnly")) {
		list = append(list, Problem{Kind: Off, Text: "allowManagedHooksOnly switches the hooks of users and projects off", Next: "run umpire init claude --managed as root"})
	}
	if hooks := objectOf(member(o, "hooks")); hooks != nil {
		for i := range hooks.Members {
			groups := arrayOf(&hooks.Members[i].Value)
			if groups == nil {
				continue
			}
			for j := range groups.Elements {
				handlers := arrayOf(member(objectOf(&groups.Elements[j]), "hooks"))
				if handlers == nil {
					continue
				}
				for k := range handlers.Elements {
					if v := member(objectOf(&handlers.Elements[k]), "onFailure"); v != nil && text(v) != "block" && text(v) != "continue" {
						list = append(list, Problem{Kind: Broken, Text: fmt.Sprintf("onFailure has the value %s: Claude Code ignores the whole file", v.String()), Next: `make it "block" or "continue"`})
					}
				}
			}
		}
	}
	return list
}

// geminiSwitches are those of Gemini CLI and of its fork, Qwen Code.
func geminiSwitches(o *hujson.Object) (list []Problem) {
	list = steers(objectOf(member(o, "env")))
	if isTrue(member(o, "disableAllHooks")) {
		list = append(list, Problem{Kind: Off, Text: "disableAllHooks switches every hook off", Next: "set it to false"})
	}
	if isFalse(find(o, "hooksConfig", "enabled")) {
		list = append(list, Problem{Kind: Off, Text: "hooksConfig.enabled switches every hook off", Next: "set it to true, or run umpire init --managed as root: hooks there stay on"})
	}
	for _, path := range [][]string{{"hooksConfig", "disabled"}, {"hooks", "disabled"}} {
		if names := arrayOf(find(o, path...)); names != nil {
			for i := range names.Elements {
				if s := text(&names.Elements[i]); s == "umpire" || isOwn(s) {
					list = append(list, Problem{Kind: Off, Text: path[0] + ".disabled has umpire in it", Next: "take it out of there"})
				}
			}
		}
	}
	return list
}

func copilotSwitches(o *hujson.Object) (list []Problem) {
	list = steers(objectOf(member(o, "env")))
	if isTrue(member(o, "disableAllHooks")) {
		list = append(list, Problem{Kind: Off, Text: "disableAllHooks switches every hook off where the folder is trusted", Next: "set it to false, or run umpire init copilot --managed as root: hooks there stay on"})
	}
	return list
}

func codexSwitches(m map[string]any) (list []Problem) {
	if f, ok := m["features"].(map[string]any); ok && (f["hooks"] == false || f["codex_hooks"] == false) {
		list = append(list, Problem{Kind: Off, Text: "features.hooks switches every hook off", Next: "set it to true, or run umpire init codex --managed as root: hooks there stay on"})
	}
	if m["allow_managed_hooks_only"] == true {
		list = append(list, Problem{Kind: Off, Text: "allow_managed_hooks_only switches the hooks of users and projects off", Next: "run umpire init codex --managed as root"})
	}
	return list
}
