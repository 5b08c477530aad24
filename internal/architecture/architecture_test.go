// Package architecture tests which packages each package may import, and what the hook may link.
package architecture

import (
	"encoding/json"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

const module = "github.com/umpire-dev/umpire"

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
	Size       int
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Standard"}, args...)...)
	cmd.Dir = programs.Sources(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	var pkgs []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// allowed are the edges between this module's packages, and the third-party modules each
// may use. A package that is not listed may import nothing of either.
var allowed = map[string][]string{
	".":               {},
	"policy":          {".", "internal/hostname"},
	"hooks":           {"internal/jsonfault", "internal/bounded"},
	"guard/telemetry": {"guard", "go.opentelemetry.io/otel"},
	"client":          {".", "internal/lazy"},

	"enforce":                        {".", "policy", "hooks", "guard", "internal/audit", "internal/reload", "internal/disk", "internal/operation", "internal/platform", "internal/question", "internal/snapshot", "internal/taint", "internal/home"},
	"reader":                         {".", "internal/disk", "internal/operation", "internal/platform", "internal/home"},
	"decision":                       {".", "policy", "reader", "internal/reload", "internal/packs/parsed", "internal/policyfile", "internal/snapshot"},
	"internal/secret":                {"internal/regular", "github.com/goccy/go-yaml", "golang.org/x/net"},
	"guard":                          {".", "internal/bounded", "internal/nearest", "internal/normal", "internal/inject", "internal/pii", "internal/ratelimit", "internal/atomicfile", "golang.org/x/text", "github.com/nyaruka/phonenumbers", "internal/lazy"},
	"internal/authority":             {"internal/regular", "internal/atomicfile"},
	"internal/egress/bench":          {},
	"internal/atomicfile":            {},
	"internal/doclink":               {},
	"internal/jsonfault":             {},
	"internal/mcpline":               {"github.com/modelcontextprotocol/go-sdk"},
	"internal/lazy":                  {},
	"internal/plural":                {},
	"internal/anyof":                 {},
	"internal/nearest":               {},
	"internal/filelock":              {"golang.org/x/sys"},
	"internal/procgroup":             {},
	"internal/prune":                 {},
	"internal/singlecpu":             {},
	"internal/seccomp":               {"golang.org/x/sys"},
	"internal/relay":                 {"golang.org/x/sys"},
	"internal/egress":                {"internal/relay", "golang.org/x/net"},
	"internal/sandbox":               {"internal/doclink", "internal/relay", "internal/seccomp", "internal/filelock", "internal/procgroup", "golang.org/x/net", "golang.org/x/sys"},
	"internal/changes":               {"internal/host", "internal/visible", "internal/atomicfile", "internal/filelock", "golang.org/x/sys"},
	"internal/visible":               {},
	"internal/redact":                {},
	"internal/ratelimit":             {},
	"internal/pii":                   {"internal/redact", "internal/lazy"},
	"internal/pii/plan":              {"github.com/nyaruka/phonenumbers"},
	"internal/audit":                 {".", "internal/home", "internal/redact", "golang.org/x/sys", "internal/atomicfile"},
	"internal/describe":              {"internal/operation/command", "internal/operation/command/wording", "internal/lazy"},
	"internal/disk":                  {".", "golang.org/x/sys"},
	"internal/operation":             {".", "internal/disk", "internal/operation/*", "internal/redact"},
	"internal/hostname":              {"."},
	"internal/operation/place":       {".", "internal/hostname"},
	"internal/operation/escape":      {"."},
	"internal/operation/sql":         {".", "internal/operation/escape"},
	"internal/operation/golden":      {"."},
	"internal/operation/code":        {".", "internal/operation/command", "internal/operation/datafile", "internal/operation/escape", "internal/operation/place", "internal/lazy"},
	"internal/operation/powershell":  {".", "internal/operation/command", "internal/operation/command/wording", "internal/operation/escape"},
	"internal/operation/classify":    {".", "internal/anyof", "internal/operation/command", "internal/operation/command/wording", "internal/redact"},
	"internal/operation/projectfile": {".", "internal/anyof", "internal/operation/command", "internal/operation/datafile", "internal/operation/classify"},
	"internal/operation/patch":       {"internal/operation/escape"},
	"internal/operation/datafile":    {"internal/operation/escape"},
	"internal/operation/command":     {".", "internal/operation/command/wording", "internal/operation/datafile", "internal/operation/escape", "internal/operation/patch", "internal/operation/place", "internal/redact"},
	"internal/operation/shell": {".", "internal/disk", "internal/operation/command", "internal/operation/escape", "internal/operation/classify", "internal/operation/place", "internal/operation/projectfile", "internal/operation/sql", "internal/operation/code",
		"internal/operation/powershell", "internal/redact", "mvdan.cc/sh/v3"},
	"internal/packs":                      {"policy"},
	"internal/packs/parsed":               {"internal/policyfile"},
	"internal/packs/compile":              {".", "policy", "internal/packs/parsed", "internal/policyfile"},
	"internal/operation/command/wording":  {"."},
	"internal/operation/command/generate": {"policy", "internal/operation/command", "internal/policyfile"},
	"internal/home":                       {"internal/atomicfile"},
	"internal/snapshot":                   {"policy", "internal/home", "internal/atomicfile", "golang.org/x/sys"},
	"internal/reload":                     {"policy", "internal/packs", "internal/packs/parsed", "internal/policyfile", "internal/snapshot"},
	"internal/policyfile":                 {"internal/regular", "internal/nearest", "internal/doclink", ".", "policy", "internal/operation", "internal/operation/command", "internal/snapshot", "internal/atomicfile", "github.com/goccy/go-yaml", "github.com/rogpeppe/go-internal", "internal/lazy"},
	"internal/platform":                   {"internal/jsonfault", ".", "internal/visible", "internal/home"},
	"internal/platform/*":                 {".", "internal/platform", "internal/platform/dialect", "internal/platform/plugin"},
	"internal/platform/clients":           {"internal/platform", "internal/platform/*"},
	"internal/question":                   {".", "internal/redact", "internal/atomicfile", "internal/filelock", "internal/prune"},
	"internal/host":                       {".", "internal/operation/place", "internal/procgroup", "internal/redact", "internal/visible", "github.com/rogpeppe/go-internal", "golang.org/x/sys", "internal/lazy"},
	"internal/tui":                        {".", "internal/agent", "internal/agent/conversation", "internal/visible", "charm.land/bubbletea/v2", "github.com/charmbracelet/x/ansi", "github.com/yuin/goldmark", "golang.org/x/term", "internal/plural", "internal/nearest"},
	"internal/tui/tuitest":                {},
	"internal/terminal":                   {"golang.org/x/sys", "golang.org/x/term"},
	"internal/gateway":                    {"internal/jsonfault", ".", "policy", "guard", "internal/taint", "internal/approval", "internal/audit", "internal/egress", "internal/grant", "internal/host", "internal/reload", "internal/disk", "internal/operation", "internal/operation/place", "internal/packs/parsed", "internal/platform", "internal/policyfile", "internal/question", "internal/redact", "internal/review", "internal/review/finding", "internal/review/snapshot", "internal/secret", "internal/snapshot", "internal/store", "internal/visible", "internal/atomicfile", "github.com/bmatcuk/doublestar/v4", "github.com/coder/websocket", "github.com/modelcontextprotocol/go-sdk", "github.com/prometheus/client_golang", "golang.org/x/net", "internal/lazy"},
	"internal/web":                        {"internal/approval", "internal/gateway", "internal/login", "internal/redact", "internal/store", "internal/visible"},
	"internal/login":                      {"internal/gateway", "github.com/coreos/go-oidc/v3", "golang.org/x/oauth2"},
	"internal/login/logintest":            {"github.com/go-jose/go-jose/v4"},
	"internal/approval":                   {},
	"internal/store":                      {"internal/approval", "internal/doclink", "internal/filelock", "internal/redact", "internal/visible", "golang.org/x/mod", "github.com/jackc/pgx/v5", "modernc.org/sqlite"},
	"internal/store/storetest":            {},
	"internal/transcript":                 {"internal/regular", ".", "modernc.org/sqlite", "internal/lazy"},
	"internal/chaos":                      {},
	"internal/taint":                      {".", "internal/atomicfile", "internal/prune"},
	"internal/hook":                       {".", "policy", "internal/home", "internal/disk", "internal/operation", "internal/packs", "internal/snapshot", "internal/platform", "internal/platform/clients", "internal/audit", "internal/question", "internal/taint", "internal/visible"},
	"internal/install":                    {"internal/regular", "internal/doclink", "internal/visible", "github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2", "github.com/rogpeppe/go-internal", "internal/atomicfile"},
	"internal/bounded":                    {},
	"internal/regular":                    {},
	"internal/version":                    {},
	"internal/gatewayclient":              {"internal/atomicfile", "internal/audit", "internal/doclink", "internal/gateway", "internal/procgroup", "internal/visible"},
	"internal/answer":                     {"internal/version", "internal/regular", ".", "policy", "internal/audit", "internal/doclink", "internal/gatewayclient", "internal/home", "internal/hook", "internal/policyfile", "internal/project", "internal/question", "internal/redact", "internal/snapshot", "internal/terminal", "internal/visible", "mvdan.cc/sh/v3"},
	"internal/judgeconfig":                {"internal/home", "internal/judge", "internal/model", "internal/policyfile", "internal/project", "internal/visible"},
	"internal/slowpath":                   {".", "guard", "policy", "internal/answer", "internal/hook", "internal/install", "internal/judge", "internal/judgeconfig", "internal/platform", "internal/platform/clients", "internal/home"},
	"internal/replay":                     {".", "policy", "internal/atomicfile", "internal/grant", "internal/operation", "internal/platform", "internal/project", "internal/redact", "internal/transcript", "internal/visible"},
	"internal/box":                        {"internal/regular", ".", "internal/answer", "internal/approval", "internal/audit", "internal/authority", "internal/changes", "internal/egress", "internal/gateway", "internal/gatewayclient", "internal/home", "internal/host", "internal/operation/place", "internal/packs", "internal/plural", "internal/project", "internal/question", "internal/sandbox", "internal/secret", "internal/snapshot", "internal/visible"},
	"internal/shim":                       {".", "internal/answer", "internal/disk", "internal/hook", "internal/operation", "internal/platform", "internal/question", "internal/slowpath", "internal/terminal", "internal/visible", "mvdan.cc/sh/v3", "internal/home"},
	"internal/guardconfig":                {"internal/atomicfile", "internal/nearest", ".", "guard", "internal/audit", "internal/guardmodel", "internal/guardserver", "internal/judgeconfig", "internal/model", "internal/modelproxy", "internal/project", "internal/version", "internal/wire", "github.com/goccy/go-yaml"},
	"internal/project":                    {"internal/regular", "internal/nearest", ".", "decision", "policy", "reader", "internal/atomicfile", "internal/packs", "internal/packs/parsed", "internal/platform", "internal/policyfile", "internal/snapshot", "internal/visible", "internal/home"},
	"internal/live":                       {"internal/procgroup", "internal/audit", "internal/home", "internal/redact", "internal/visible"},
	"internal/live/livetest":              {},
	"internal/doctor":                     {"internal/doclink", ".", "policy", "internal/audit", "internal/home", "internal/install", "internal/model", "internal/disk", "internal/operation", "internal/packs", "internal/platform", "internal/platform/clients", "internal/policyfile", "internal/question", "internal/snapshot", "internal/visible", "internal/prune", "golang.org/x/mod", "internal/bounded"},
	"internal/wire":                       {"internal/redact", "internal/visible", "internal/bounded"},
	"internal/model":                      {"internal/regular", "internal/redact", "internal/visible", "internal/wire", "internal/atomicfile", "internal/filelock"},
	"internal/judge":                      {"internal/regular", ".", "policy", "internal/model", "internal/redact", "internal/visible", "internal/atomicfile"},
	"internal/normal":                     {"golang.org/x/text", "internal/lazy"},
	"internal/inject":                     {"internal/normal", "internal/lazy", "golang.org/x/text"},
	"internal/guardscore":                 {"*"},
	"internal/review":                     {"internal/review/clean", "internal/review/finding", "internal/review/snapshot", "internal/review/static"},
	"internal/review/finding":             {},
	"internal/review/snapshot":            {"internal/regular", "internal/operation/patch", "internal/visible", "internal/wire", "golang.org/x/text", "internal/lazy", "internal/bounded"},
	"internal/grant":                      {".", "policy"},
	"internal/review/clean":               {"internal/visible", "internal/redact", "internal/review/finding", "internal/review/static", "internal/lazy"},
	"internal/review/comment":             {"internal/review/snapshot"},
	"internal/review/format":              {"internal/review", "internal/review/finding", "internal/visible", "internal/bounded"},
	"internal/review/kept":                {"internal/review", "internal/review/finding", "internal/atomicfile"},
	"internal/review/sarif":               {"internal/review", "internal/review/finding", "internal/lazy"},
	"internal/review/score":               {"internal/review/snapshot", "internal/review/static", "internal/review/finding"},
	"internal/review/static":              {".", "policy", "internal/inject", "internal/normal", "internal/operation", "internal/packs", "internal/redact", "internal/review/finding", "internal/review/snapshot", "internal/visible", "github.com/tailscale/hujson", "github.com/goccy/go-yaml", "internal/lazy", "internal/bounded"},
	"examples":                            {},
	"examples/*":                          {".", "policy", "reader", "decision", "guard", "hooks", "enforce", "client"},
	"internal/tools/faultos":              {"internal/seccomp", "golang.org/x/sys"},
	"internal/tools/filled":               {},
	"internal/tools/mutate":               {},
	"internal/score":                      {".", "policy", "internal/operation", "internal/platform", "internal/policyfile"},
	"internal/bench":                      {".", "policy", "internal/home", "internal/operation", "internal/packs", "internal/policyfile", "internal/snapshot"},
	"internal/guardmodel":                 {"guard", "internal/model", "internal/redact", "internal/wire"},
	"internal/guardserver":                {"internal/jsonfault", ".", "guard", "internal/modelproxy", "github.com/google/jsonschema-go", "github.com/prometheus/client_golang", "internal/bounded"},
	"internal/modelproxy":                 {"guard", "internal/operation/escape"},
	"internal/agent":                      {".", "policy", "hooks", "enforce", "guard", "internal/bounded", "internal/grant", "internal/visible", "github.com/google/jsonschema-go", "internal/plural", "internal/lazy"},
	"internal/agent/conversation":         {".", "hooks", "internal/agent", "internal/agent/file", "internal/agent/folder", "internal/agent/session", "internal/agent/tool", "internal/agent/undo", "internal/plural", "internal/lazy"},
	"internal/agent/acp":                  {"internal/agent", "internal/agent/session", "internal/agent/conversation", "internal/visible", "github.com/coder/acp-go-sdk"},
	"internal/agent/folder":               {"internal/regular", "internal/agent", "github.com/rogpeppe/go-internal"},
	"internal/agent/session":              {"internal/regular", "internal/agent", "internal/filelock", "golang.org/x/sys"},
	"internal/agent/provider":             {"internal/doclink", "internal/agent", "internal/visible", "internal/wire"},
	"internal/agent/file":                 {"golang.org/x/sys"},
	"internal/agent/tool":                 {"internal/agent", "internal/agent/file", "internal/host", "internal/redact", "internal/sandbox", "internal/visible", "github.com/aymanbagabas/go-udiff", "github.com/bmatcuk/doublestar/v4", "github.com/google/jsonschema-go", "internal/bounded"},
	"internal/agent/undo":                 {"internal/agent/file", "internal/atomicfile"},
	"internal/agent/mcpclient":            {"internal/regular", "internal/mcpline", "internal/agent", "internal/host", "internal/sandbox", "internal/visible", "internal/atomicfile", "github.com/google/jsonschema-go", "github.com/modelcontextprotocol/go-sdk", "internal/lazy"},
	"internal/agent/*":                    {".", "internal/agent", "internal/redact", "internal/visible"},
	"internal/architecture":               {},
	"internal/release":                    {"github.com/google/go-containerregistry", "golang.org/x/crypto/x509roots"},
	"internal/tools/poll":                 {},
	"internal/tools/programs":             {},
	"internal/tools/prose":                {},

	"internal/quarantine":           {"internal/quarantine/secret", "internal/review/finding", "internal/visible", "internal/filelock", "golang.org/x/sys", "internal/lazy"},
	"internal/quarantine/reading":   {"internal/visible"},
	"internal/quarantine/attacks":   {},
	"internal/quarantine/cell":      {"internal/seccomp", "golang.org/x/sys"},
	"internal/quarantine/engine":    {"internal/doclink", "internal/egress", "internal/agent", "internal/agent/provider", "internal/procgroup", "internal/quarantine", "internal/quarantine/cell", "internal/quarantine/reading", "internal/quarantine/secret", "internal/review", "internal/review/finding", "internal/review/snapshot", "internal/visible", "internal/wire", "github.com/modelcontextprotocol/go-sdk", "internal/bounded"},
	"internal/quarantine/modeltest": {},
	"internal/quarantine/secret":    {"golang.org/x/sys"},

	"docs":            {},
	"journeys":        {},
	"cmd/umpire-hook": {"internal/home", "internal/hook", "internal/platform", "internal/platform/clients", "internal/singlecpu", "internal/version"},
	"cmd/umpire":      {"*"},
	"cmd/umpire/*":    {"*"},
}

func TestImports(t *testing.T) {
	for _, p := range list(t, "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if name == "" {
			name = "."
		}
		may, ok := allowed[name]
		if !ok { // one rule for all that are alike
			may, ok = allowed[path.Dir(name)+"/*"]
		}
		if !ok {
			t.Errorf("%s is not in the list of packages: add it with what it may import", name)
		}
		for _, imp := range p.Imports {
			if !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
				continue // the standard library
			}
			short := imp
			if imp == module {
				short = "."
			} else if rest, ours := strings.CutPrefix(imp, module+"/"); ours {
				short = rest
			}
			if short == "internal/plural" || short == "internal/anyof" {
				continue // words for numbers and durations, and questions about texts, for every package
			}
			if !slices.ContainsFunc(may, func(m string) bool {
				prefix, any := strings.CutSuffix(m, "*")
				return m == short || any && strings.HasPrefix(short, prefix) || strings.Contains(m, ".") && m != "." && strings.HasPrefix(short, m+"/")
			}) {
				t.Errorf("%s must not import %s", name, short)
			}
		}
	}
}

// The hook's start is felt hundreds of times a session: each of these costs more than
// all of its work.
func TestHookLinksLittle(t *testing.T) {
	forbidden := []string{
		"net/http", "net", "crypto/tls", "crypto/x509", "os/exec", "text/template", "html/template", "encoding/gob", "encoding/xml", "database/sql", "go/ast", "go/parser", "log/slog", "testing", "flag",
		"github.com/goccy/go-yaml", "github.com/spf13/cobra", "github.com/spf13/pflag", module + "/internal/policyfile",
	}
	seen := false
	for _, p := range list(t, "-deps", "./cmd/umpire-hook") {
		seen = seen || p.ImportPath == "mvdan.cc/sh/v3/syntax"
		for _, f := range forbidden {
			if p.ImportPath == f {
				t.Errorf("umpire-hook links %s", f)
			}
		}
	}
	if !seen {
		t.Error("the list of what umpire-hook links lacks what it must have: this test looks at nothing")
	}
}

// Commands share code through cmd/umpire/cli or an internal package. These groups offer a command
// of another group within their own.
var betweenGroups = map[string]string{
	"approve": "queue",      // answers requests of a gateway
	"demo":    "setup",      // finds the hook
	"run":     "changes",    // offers the review of changes
	"setup":   "completion", // installs completions
	"status":  "setup",      // finds the hook
	"doctor":  "setup",      // finds the hook
}

// A command decides nothing that another program needs: no package outside the commands imports one.
func TestCommandsAreLeaves(t *testing.T) {
	const commands = module + "/cmd/umpire"
	groups := 0
	for _, p := range list(t, "./...") {
		group, within := strings.CutPrefix(p.ImportPath, commands+"/")
		if within {
			groups++
		}
		for _, imp := range p.Imports {
			used, command := strings.CutPrefix(imp, commands)
			if !command || strings.HasPrefix(used, "-") || p.ImportPath == commands {
				continue
			}
			if used = strings.TrimPrefix(used, "/"); !within || used != "cli" && betweenGroups[group] != used {
				t.Errorf("%s must not import %s", p.ImportPath, imp)
			}
		}
	}
	if groups < 20 {
		t.Errorf("found %d groups of commands: this test looks at nothing", groups)
	}
}
