// Package clients lists the coding agents that umpire supports.
package clients

import (
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/amp"
	"github.com/umpire-dev/umpire/internal/platform/antigravity"
	"github.com/umpire-dev/umpire/internal/platform/claude"
	"github.com/umpire-dev/umpire/internal/platform/cline"
	"github.com/umpire-dev/umpire/internal/platform/codex"
	"github.com/umpire-dev/umpire/internal/platform/copilot"
	"github.com/umpire-dev/umpire/internal/platform/crush"
	"github.com/umpire-dev/umpire/internal/platform/cursor"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
	"github.com/umpire-dev/umpire/internal/platform/droid"
	"github.com/umpire-dev/umpire/internal/platform/gemini"
	"github.com/umpire-dev/umpire/internal/platform/generic"
	"github.com/umpire-dev/umpire/internal/platform/kiro"
	"github.com/umpire-dev/umpire/internal/platform/opencode"
	"github.com/umpire-dev/umpire/internal/platform/pi"
	"github.com/umpire-dev/umpire/internal/platform/qwen"
	"github.com/umpire-dev/umpire/internal/platform/vscode"
	"github.com/umpire-dev/umpire/internal/platform/windsurf"
)

// Clients with Claude Code's form that were not tested: they follow their documentation.
var (
	// Kimi Code runs the call if anything goes wrong.
	kimi = dialect.DenyOnly("kimi", "Kimi Code")
	// The reaction of Devin CLI to more than a denial is not documented.
	devin = dialect.DenyOnly("devin", "Devin CLI")
)

// All returns every client: the observed ones, those from documentation, and the generic form.
func All() []*platform.Client {
	return []*platform.Client{
		claude.Client, codex.Client, gemini.Client, qwen.Client, copilot.Client, droid.Client, cline.Client, opencode.Client, pi.Client,
		cursor.Client, vscode.Client, windsurf.Client, kiro.Client, amp.Client, antigravity.Client, crush.Client, kimi, devin,
		generic.Client,
	}
}

// Find returns the client of that name, or nil.
func Find(name string) *platform.Client {
	for _, c := range All() {
		if c.Name == name {
			return c
		}
	}
	return nil
}
