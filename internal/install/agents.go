package install

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// HookTimeout is the timeout in seconds of umpire-hook in the agents' settings.
const HookTimeout = 60

// Agent is a coding agent that umpire can be installed for.
type Agent struct {
	Name     string // the agent's name in umpire-hook
	Title    string
	Observed string // the newest release that the settings were tested with; "" if none was
	Next     string // further steps or notes for the user

	programs []string
	folder   func(env Env) string // its settings in the home folder; "" if they are elsewhere
	marks    []string             // files in the folder that identify this agent; none means the folder itself
	events   []hookEvent          // without their wanted content
	files    func(a *Agent, env Env, scope Scope, o Options) []target
	looks    func(env Env) []target // further files that can turn hooks off, or contain hooks
}

// Agents returns all agents, the observed ones first.
func Agents() []Agent { return slices.Clone(agents) }

func find1(name string) (*Agent, error) {
	var known []string
	for i := range agents {
		if agents[i].Name == name {
			return &agents[i], nil
		}
		known = append(known, agents[i].Name)
	}
	return nil, fmt.Errorf("unknown agent %q; known agents: %s", name, strings.Join(known, " "))
}

// Found returns the agents that are on the machine: their program is in PATH, or their
// settings folder exists.
func Found(env Env) []Agent {
	var list []Agent
	for _, a := range agents {
		if a.present(env) {
			list = append(list, a)
		}
	}
	return list
}

// Program returns the path of the agent's program, or exec.ErrNotFound.
func (a *Agent) Program(env Env) (string, error) {
	for _, p := range a.programs {
		if env.LookPath != nil {
			if path, err := env.LookPath(p); err == nil {
				return path, nil
			}
		}
	}
	return "", exec.ErrNotFound
}

func (a *Agent) present(env Env) bool {
	if _, err := a.Program(env); err == nil {
		return true
	}
	folder := a.folder(env)
	for _, mark := range a.marks {
		if _, err := os.Lstat(filepath.Join(folder, mark)); err == nil { // also a link that leads nowhere
			return true
		}
	}
	info, err := os.Stat(folder)
	return err == nil && info.IsDir() && len(a.marks) == 0
}

// Has reports whether the agent has settings of that scope.
func (a *Agent) Has(scope Scope) bool {
	return len(a.files(a, Env{Home: "/", Dir: "/", Hook: "/umpire-hook"}, scope, Options{})) > 0 || a.Name == "kiro" && scope != Managed
}

func (env Env) getenv(name string) string {
	if env.Getenv == nil {
		return ""
	}
	return env.Getenv(name)
}

// home returns a folder below the user's home, unless a variable names another.
func home(name, variable string) func(env Env) string {
	return func(env Env) string {
		if dir := env.getenv(variable); variable != "" && filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(env.Home, name)
	}
}

// homeBelow is like home, for variables that name the agent's home folder.
func homeBelow(name, variable string) func(env Env) string {
	return func(env Env) string {
		if dir := env.getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, name)
		}
		return filepath.Join(env.Home, name)
	}
}

// config returns a folder below the XDG configuration folder.
func config(name string) func(env Env) string {
	return func(env Env) string {
		return filepath.Join(home(".config", "XDG_CONFIG_HOME")(env), name)
	}
}

// machine returns a machine-wide path: that of Linux, of macOS, or "" on other systems.
func machine(env Env, linux, darwin string) string {
	path := linux
	if runtime.GOOS == "darwin" && darwin != "" {
		path = darwin
	}
	if runtime.GOOS == "windows" {
		return ""
	}
	return filepath.Join("/", env.Root, path)
}

// line returns the command line that an agent starts. It is the same in every version of umpire,
// because some agents trust its hash.
func (a *Agent) line(env Env) string { return quote(env.Hook) + " " + a.Name }

// quote quotes a path as one word for sh.
func quote(path string) string {
	if runtime.GOOS == "windows" {
		path = strings.ReplaceAll(path, `\`, "/") // Git's sh and cmd both accept it
		if strings.ContainsAny(path, " &()^") {
			return `"` + path + `"`
		}
		return path
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@%", r)
	}
	if path != "" && strings.TrimFunc(path, plain) == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// handler is a hook in the agents' forms; each agent uses some of the fields.
type handler struct {
	Matcher    *string   `json:"matcher,omitempty"`
	Hooks      []handler `json:"hooks,omitempty"`
	Tool       string    `json:"tool,omitempty"`
	Action     string    `json:"action,omitempty"`
	To         string    `json:"to,omitempty"`
	Type       string    `json:"type,omitempty"`
	Name       string    `json:"name,omitempty"`
	Command    string    `json:"command,omitempty"`
	Bash       string    `json:"bash,omitempty"`
	PowerShell string    `json:"powershell,omitempty"`
	Timeout    int       `json:"timeout,omitempty"`
	TimeoutSec int       `json:"timeoutSec,omitempty"`
	TimeoutMS  int       `json:"timeout_ms,omitempty"`
	OnFailure  string    `json:"onFailure,omitempty"`
	FailClosed bool      `json:"failClosed,omitempty"`
	ShowOutput bool      `json:"show_output,omitempty"`
}

func (h handler) text() string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(h)
	return strings.TrimSpace(b.String())
}

// group is a handler below a matcher, as in Claude Code. Only tools are matched: for other events a
// matcher means something else.
func group(name, matcher string, h handler) handler {
	g := handler{Hooks: []handler{h}}
	if tools := strings.Contains(name, "Tool") || name == "PermissionRequest"; tools && matcher != "" {
		g.Matcher = &matcher
	}
	return g
}

// fill sets the wanted content of an agent's events, without the unwanted ones.
func fill(list []hookEvent, o Options, want func(e hookEvent) handler) []hookEvent {
	var out []hookEvent
	for _, e := range list {
		if e.kind != onMore || o.AllEvents {
			e.want = want(e).text()
			out = append(out, e)
		}
	}
	return out
}

// grouped is fill for agents with the same handler in each group: h, which starts umpire.
func (a *Agent) grouped(env Env, o Options, matcher string, h handler) []hookEvent {
	h.Type, h.Command = "command", a.line(env)
	return fill(a.events, o, func(e hookEvent) handler { return group(e.name, matcher, h) })
}

func names(calls, sessions, more string) (list []hookEvent) {
	for k, names := range []string{calls, sessions, more} {
		for _, name := range strings.Fields(names) {
			list = append(list, hookEvent{name: name, kind: hookPurpose(k)})
		}
	}
	return list
}

const (
	userMode   = 0o600
	sharedMode = 0o644
	// absolute is the note about a project's settings.
	absolute = "it names a path on this machine: do not commit it"
)

// one returns a single settings file for a scope, or none.
func one(path string, scope Scope, f form) []target {
	if path == "" {
		return nil
	}
	t := target{path: path, scope: scope, mode: userMode, form: f}
	if scope != User {
		t.mode = sharedMode
	}
	if scope == Project {
		t.note = absolute
	}
	return []target{t}
}

// choose returns the path of a scope; "" means none.
func choose(scope Scope, user, project, managed string) string {
	return [...]string{user, project, managed}[scope]
}

// agents lists all agents. The formats and the units of the timeouts are theirs.
var agents = []Agent{
	{
		Name: "claude", Title: "Claude Code", Observed: "2.1.332",
		programs: []string{"claude"}, folder: home(".claude", "CLAUDE_CONFIG_DIR"),
		events: names("PreToolUse", "SessionStart SessionEnd", "PermissionRequest PostToolUse PostToolUseFailure UserPromptSubmit SubagentStart SubagentStop"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "settings.json"), filepath.Join(env.Dir, ".claude", "settings.local.json"),
				machine(env, "etc/claude-code/managed-settings.json", "Library/Application Support/ClaudeCode/managed-settings.json"))
			s := &settings{path: []string{"hooks"}, groups: true, extra: claudeSwitches, events: fill(a.events, o, func(e hookEvent) handler {
				h := handler{Type: "command", Command: a.line(env), Timeout: HookTimeout}
				if e.kind == onCall {
					h.OnFailure = "block"
				}
				return group(e.name, "*", h)
			})}
			if scope == Managed {
				s.sets = []set{{[]string{"disableAllHooks"}, "false"}}
			}
			return one(path, scope, s)
		},
		looks: func(env Env) []target {
			return []target{{path: filepath.Join(env.Dir, ".claude", "settings.json"), scope: Project, form: claudeForm}}
		},
	},
	{
		Name: "codex", Title: "Codex CLI", Observed: "0.171.0",
		Next:     "Codex silently skips a hook until you trust it: start codex once and accept it, or run umpire init codex --trust",
		programs: []string{"codex"}, folder: home(".codex", "CODEX_HOME"),
		events: names("PreToolUse", "SessionStart SessionEnd", "PermissionRequest PostToolUse UserPromptSubmit SubagentStart SubagentStop"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			if scope == Managed {
				t := &hookTables{groups: true, enable: true, extra: codexSwitches}
				for _, e := range a.events {
					if e.kind != onMore || o.AllEvents {
						t.hooks = append(t.hooks, hookTable{event: e.name, kind: e.kind, matcher: codexMatcher(e.name), command: a.line(env), timeout: codexTimeout(e.name)})
					}
				}
				return one(machine(env, "etc/codex/requirements.toml", ""), scope, t)
			}
			return one(choose(scope, filepath.Join(a.folder(env), "hooks.json"), filepath.Join(env.Dir, ".codex", "hooks.json"), ""), scope,
				&settings{path: []string{"hooks"}, groups: true, events: fill(a.events, o, func(e hookEvent) handler {
					return group(e.name, codexMatcher(e.name), handler{Type: "command", Command: a.line(env), Timeout: codexTimeout(e.name)})
				})})
		},
		looks: func(env Env) []target {
			look := func(path string, scope Scope) target {
				return target{path: path, scope: scope, form: &hookTables{groups: true, extra: codexSwitches}}
			}
			return []target{
				look(filepath.Join(home(".codex", "CODEX_HOME")(env), "config.toml"), User), look(filepath.Join(env.Dir, ".codex", "config.toml"), Project),
				look(machine(env, "etc/codex/config.toml", ""), Managed), look(machine(env, "etc/codex/managed_config.toml", ""), Managed),
			}
		},
	},
	{
		Name: "gemini", Title: "Gemini CLI", Observed: "0.61.0",
		programs: []string{"gemini"}, folder: homeBelow(".gemini", "GEMINI_CLI_HOME"), marks: []string{"settings.json", "oauth_creds.json", "tmp"},
		events: names("BeforeTool", "SessionStart SessionEnd", "AfterTool BeforeAgent"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "settings.json"), filepath.Join(env.Dir, ".gemini", "settings.json"),
				machine(env, "etc/gemini-cli/settings.json", "Library/Application Support/GeminiCli/settings.json"))
			s := &settings{path: []string{"hooks"}, groups: true, extra: geminiSwitches, events: a.grouped(env, o, ".*", handler{Name: "umpire", Timeout: HookTimeout * 1000})}
			if scope == Managed {
				s.sets = []set{{[]string{"hooksConfig", "enabled"}, "true"}}
			}
			return one(path, scope, s)
		},
	},
	{
		Name: "qwen", Title: "Qwen Code", Observed: "0.24.4",
		programs: []string{"qwen"}, folder: home(".qwen", "QWEN_HOME"),
		events: names("PreToolUse", "SessionStart SessionEnd", "PostToolUse UserPromptSubmit"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "settings.json"), filepath.Join(env.Dir, ".qwen", "settings.json"),
				machine(env, "etc/qwen-code/settings.json", "Library/Application Support/QwenCode/settings.json"))
			s := &settings{path: []string{"hooks"}, groups: true, extra: geminiSwitches, events: a.grouped(env, o, "*", handler{Name: "umpire", Timeout: HookTimeout * 1000})}
			if scope == Managed {
				s.sets = []set{{[]string{"disableAllHooks"}, "false"}}
			}
			return one(path, scope, s)
		},
	},
	{
		Name: "copilot", Title: "GitHub Copilot CLI", Observed: "1.0.102",
		programs: []string{"copilot"}, folder: home(".copilot", "COPILOT_HOME"),
		events: names("preToolUse", "sessionStart sessionEnd", "permissionRequest postToolUse postToolUseFailure userPromptSubmitted subagentStart subagentStop"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "hooks", "umpire.json"), filepath.Join(env.Dir, ".github", "hooks", "umpire.json"),
				machine(env, "etc/github-copilot/policy.d/umpire.json", ""))
			return one(path, scope, &settings{path: []string{"hooks"}, sets: []set{{[]string{"version"}, "1"}}, events: fill(a.events, o, func(hookEvent) handler {
				return handler{Type: "command", Bash: a.line(env), PowerShell: "& '" + strings.ReplaceAll(env.Hook, "'", "''") + "' " + a.Name, TimeoutSec: HookTimeout}
			})})
		},
		looks: func(env Env) []target {
			flat := &settings{path: []string{"hooks"}, extra: copilotSwitches}
			list := []target{
				{path: filepath.Join(home(".copilot", "COPILOT_HOME")(env), "settings.json"), scope: User, form: flat},
				{path: filepath.Join(env.Dir, ".github", "copilot", "settings.json"), scope: Project, form: flat},
				{path: filepath.Join(env.Dir, ".claude", "settings.json"), scope: Project, form: &settings{path: []string{"hooks"}, groups: true, extra: copilotSwitches}},
			}
			for _, in := range []struct {
				dir   string
				scope Scope
			}{{filepath.Join(home(".copilot", "COPILOT_HOME")(env), "hooks"), User}, {filepath.Join(env.Dir, ".github", "hooks"), Project}} {
				for _, path := range glob(in.dir, "*.json") {
					if filepath.Base(path) != "umpire.json" {
						list = append(list, target{path: path, scope: in.scope, form: flat})
					}
				}
			}
			return list
		},
	},
	{
		Name: "droid", Title: "Factory Droid", Observed: "0.225.2",
		programs: []string{"droid"}, folder: homeBelow(".factory", "FACTORY_HOME_OVERRIDE"),
		events: names("PreToolUse", "SessionStart SessionEnd", "PostToolUse UserPromptSubmit"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "settings.json"), filepath.Join(env.Dir, ".factory", "settings.json"), "")
			return one(path, scope, &settings{path: []string{"hooks"}, groups: true, events: a.grouped(env, o, "*", handler{Timeout: HookTimeout})})
		},
		looks: func(env Env) []target {
			whole := &settings{groups: true}
			return []target{
				{path: filepath.Join(homeBelow(".factory", "FACTORY_HOME_OVERRIDE")(env), "hooks.json"), scope: User, form: whole},
				{path: filepath.Join(env.Dir, ".factory", "hooks.json"), scope: Project, form: whole},
			}
		},
	},
	{
		Name: "cline", Title: "Cline", Observed: "3.0.65",
		programs: []string{"cline"}, folder: home(".cline", "CLINE_DIR"),
		events: names("PreToolUse", "TaskStart TaskResume SessionShutdown", "PostToolUse UserPromptSubmit"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			if scope == Managed || runtime.GOOS == "windows" {
				return nil
			}
			dir := choose(scope, filepath.Join(a.folder(env), "hooks"), filepath.Join(env.Dir, ".cline", "hooks"), "")
			var list []target
			for _, e := range a.events {
				if e.kind == onMore && !o.AllEvents {
					continue
				}
				t := target{path: filepath.Join(dir, e.name+".sh"), scope: scope, mode: 0o755, optional: e.kind != onCall}
				t.form = &script{event: e.name, text: clineScript(a.line(env), e.kind == onCall), command: a.line(env), mark: scriptMark}
				for _, ext := range []string{"", ".py", ".js", ".ts", ".mjs", ".cjs", ".ps1", ".bash"} {
					t.others = append(t.others, filepath.Join(dir, e.name+ext))
				}
				if scope == Project {
					t.note = absolute
				}
				list = append(list, t)
			}
			return list
		},
		looks: func(env Env) []target {
			var list []target
			for dir, scope := range map[string]Scope{
				filepath.Join(home(".cline", "CLINE_DIR")(env), "hooks"): User, filepath.Join(env.Dir, ".cline", "hooks"): Project, filepath.Join(env.Dir, ".clinerules", "hooks"): Project,
			} {
				for _, path := range glob(dir, "*") {
					name, ext, _ := strings.Cut(filepath.Base(path), ".")
					if ext == "sh" && filepath.Base(filepath.Dir(dir)) == ".cline" && slices.ContainsFunc(clineEvents, func(e hookEvent) bool { return e.name == name }) {
						continue // already inspected
					}
					list = append(list, target{path: path, scope: scope, form: &script{event: name, mark: scriptMark}})
				}
			}
			slices.SortFunc(list, func(a, b target) int { return strings.Compare(a.path, b.path) })
			return list
		},
	},
	{
		Name: "opencode", Title: "OpenCode", Observed: "1.18.33",
		programs: []string{"opencode"}, folder: config("opencode"),
		events: names("tool.execute.before", "", ""),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			return pluginFile(a, env, scope, o, filepath.Join(a.folder(env), "plugin", "umpire.js"), filepath.Join(env.Dir, ".opencode", "plugin", "umpire.js"))
		},
		looks: func(env Env) []target {
			return plugins(map[string]Scope{
				filepath.Join(config("opencode")(env), "plugin"): User, filepath.Join(config("opencode")(env), "plugins"): User,
				filepath.Join(env.Dir, ".opencode", "plugin"): Project, filepath.Join(env.Dir, ".opencode", "plugins"): Project,
			}, "umpire.js")
		},
	},
	{
		Name: "pi", Title: "Pi", Observed: "0.73.1",
		programs: []string{"pi"}, folder: home(".pi", ""),
		events: names("tool_call", "", ""),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			return pluginFile(a, env, scope, o, filepath.Join(home(".pi/agent", "PI_CODING_AGENT_DIR")(env), "extensions", "umpire.ts"), filepath.Join(env.Dir, ".pi", "extensions", "umpire.ts"))
		},
		looks: func(env Env) []target {
			return plugins(map[string]Scope{
				filepath.Join(home(".pi/agent", "PI_CODING_AGENT_DIR")(env), "extensions"): User, filepath.Join(env.Dir, ".pi", "extensions"): Project,
			}, "umpire.ts")
		},
	},
	{
		Name: "cursor", Title: "Cursor",
		programs: []string{"cursor", "cursor-agent"}, folder: home(".cursor", ""),
		events: names("preToolUse", "sessionStart sessionEnd", "postToolUse postToolUseFailure beforeSubmitPrompt"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "hooks.json"), filepath.Join(env.Dir, ".cursor", "hooks.json"),
				machine(env, "etc/cursor/hooks.json", "Library/Application Support/Cursor/hooks.json"))
			return one(path, scope, &settings{path: []string{"hooks"}, sets: []set{{[]string{"version"}, "1"}}, events: fill(a.events, o, func(e hookEvent) handler {
				return handler{Command: a.line(env), Timeout: HookTimeout, FailClosed: e.kind == onCall}
			})})
		},
	},
	{
		Name: "vscode", Title: "VS Code agent hooks", Next: "VS Code reads Claude Code's user settings as well: umpire init claude serves both",
		programs: []string{"code"}, folder: config("Code"),
		events: names("PreToolUse", "SessionStart", "PostToolUse UserPromptSubmit SubagentStart SubagentStop"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			if scope != Project {
				return nil
			}
			return one(filepath.Join(env.Dir, ".github", "hooks", "umpire-vscode.json"), scope, &settings{path: []string{"hooks"}, events: fill(a.events, o, func(hookEvent) handler {
				return handler{Type: "command", Command: a.line(env), Timeout: HookTimeout}
			})})
		},
	},
	{
		Name: "windsurf", Title: "Windsurf",
		programs: []string{"windsurf"}, folder: home(".codeium/windsurf", ""),
		events: names("pre_run_command pre_write_code pre_read_code pre_mcp_tool_use", "", "post_run_command post_write_code post_read_code post_mcp_tool_use pre_user_prompt"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "hooks.json"), filepath.Join(env.Dir, ".windsurf", "hooks.json"), machine(env, "etc/windsurf/hooks.json", ""))
			return one(path, scope, &settings{path: []string{"hooks"}, events: fill(a.events, o, func(e hookEvent) handler {
				return handler{Command: a.line(env), ShowOutput: e.kind == onCall}
			})})
		},
	},
	{
		Name: "kiro", Title: "Kiro CLI", Next: "Kiro's hooks belong to an agent: after you add an agent, run umpire init kiro again",
		programs: []string{"kiro-cli"}, folder: home(".kiro", ""),
		events: names("preToolUse", "agentSpawn", "postToolUse userPromptSubmit"),
		files: func(a *Agent, env Env, scope Scope, o Options) (list []target) {
			if scope == Managed {
				return nil
			}
			all := "*"
			s := &settings{path: []string{"hooks"}, events: fill(a.events, o, func(e hookEvent) handler {
				h := handler{Command: a.line(env), TimeoutMS: HookTimeout * 1000}
				if strings.HasSuffix(e.name, "ToolUse") {
					h.Matcher = &all
				}
				return h
			})}
			for _, path := range glob(choose(scope, filepath.Join(a.folder(env), "agents"), filepath.Join(env.Dir, ".kiro", "agents"), ""), "*.json") {
				list = append(list, one(path, scope, s)...)
			}
			return list
		},
	},
	{
		Name: "amp", Title: "Amp", Next: "recent releases of Amp run tools without asking anybody, unless amp.dangerouslyAllowAll is off",
		programs: []string{"amp"}, folder: config("amp"),
		events: names("amp.permissions", "", ""),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			if scope == Managed || runtime.GOOS == "windows" {
				return nil
			}
			dir := choose(scope, a.folder(env), filepath.Join(env.Dir, ".amp"), "")
			delegate := filepath.Join(dir, "umpire-amp")
			list := one(delegate, scope, &script{event: "delegate", text: "#!/bin/sh\n" + scriptMark + "\nexec " + a.line(env) + "\n", command: a.line(env), mark: scriptMark})
			list[0].mode = 0o755
			return append(list, one(filepath.Join(dir, "settings.json"), scope, &settings{front: true, events: fill(a.events, o, func(hookEvent) handler {
				return handler{Tool: "*", Action: "delegate", To: delegate}
			})})...)
		},
	},
	{
		Name: "antigravity", Title: "Antigravity CLI",
		programs: []string{"agy", "antigravity"}, folder: homeBelow(".gemini", ""), marks: []string{"config", "antigravity", "antigravity-cli"},
		events: names("PreToolUse", "", "PostToolUse"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "config", "hooks.json"), filepath.Join(env.Dir, ".agents", "hooks.json"), "")
			return one(path, scope, &settings{path: []string{"umpire"}, groups: true, events: a.grouped(env, o, "*", handler{Timeout: HookTimeout})})
		},
	},
	{
		Name: "crush", Title: "Crush", Next: "Crush runs no hook for calls of its sub-agents",
		programs: []string{"crush"}, folder: config("crush"),
		events: names("PreToolUse", "", ""),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			path := choose(scope, filepath.Join(a.folder(env), "crush.json"), filepath.Join(env.Dir, "crush.json"), "")
			return one(path, scope, &settings{path: []string{"hooks"}, events: fill(a.events, o, func(hookEvent) handler {
				return handler{Command: a.line(env), Timeout: HookTimeout}
			})})
		},
	},
	{
		Name: "kimi", Title: "Kimi Code",
		programs: []string{"kimi"}, folder: home(".kimi-code", ""),
		events: names("PreToolUse", "SessionStart SessionEnd", "PostToolUse PostToolUseFailure UserPromptSubmit SubagentStart SubagentStop"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			t := &hookTables{}
			for _, e := range a.events {
				if e.kind != onMore || o.AllEvents {
					t.hooks = append(t.hooks, hookTable{event: e.name, kind: e.kind, command: a.line(env), timeout: HookTimeout})
				}
			}
			return one(choose(scope, filepath.Join(a.folder(env), "config.toml"), "", ""), scope, t)
		},
	},
	{
		Name: "devin", Title: "Devin CLI",
		programs: []string{"devin"}, folder: config("devin"),
		events: names("PreToolUse", "SessionStart SessionEnd", "PermissionRequest PostToolUse UserPromptSubmit"),
		files: func(a *Agent, env Env, scope Scope, o Options) []target {
			s := &settings{groups: true, events: a.grouped(env, o, "", handler{Timeout: HookTimeout})}
			if scope == User {
				s.path = []string{"hooks"}
			}
			return one(choose(scope, filepath.Join(a.folder(env), "config.json"), filepath.Join(env.Dir, ".devin", "hooks.v1.json"), ""), scope, s)
		},
	},
}

// claudeForm returns settings in Claude Code's form that umpire only inspects.
var claudeForm = &settings{path: []string{"hooks"}, groups: true, extra: claudeSwitches}

var clineEvents = names("PreToolUse", "TaskStart TaskResume SessionShutdown", "PostToolUse UserPromptSubmit")

// plugins returns the files in plugin folders, each of which may guard calls or disable the guard.
func plugins(dirs map[string]Scope, own string) (list []target) {
	for dir, scope := range dirs {
		for _, path := range slices.Concat(glob(dir, "*.js"), glob(dir, "*.ts"), glob(dir, "*.mjs")) {
			if filepath.Base(path) != own {
				list = append(list, target{path: path, scope: scope, form: &script{event: "plugin", mark: pluginMark}})
			}
		}
	}
	slices.SortFunc(list, func(a, b target) int { return strings.Compare(a.path, b.path) })
	return list
}

// glob lists files of a folder whose path may contain any characters.
func glob(dir, pattern string) (list []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok && !e.IsDir() && len(list) < 200 {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}
