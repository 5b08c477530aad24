package gateway

import (
	"fmt"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/visible"
)

// describe is the line that people read below the action.
func describe(e *Effective, d umpire.Decision) string {
	var parts []string
	if e.Dir != "" {
		parts = append(parts, "in "+visible.Line(e.Dir))
	}
	if c := e.Call; c != nil {
		by := c.Platform
		if by == "" {
			by = "an agent"
		}
		if c.Agent != "" {
			by += ", sub-agent " + c.Agent
		}
		parts = append(parts, "a tool call of "+visible.Line(by))
		if c.Dir != "" {
			parts = append(parts, "in "+visible.Line(c.Dir))
		}
	}
	if e.Scripts {
		parts = append(parts, "the packages may run scripts of their own")
	}
	switch e.Tool {
	case "Write":
		parts = append(parts, fmt.Sprintf("%d bytes", len(e.Changes[0].Content)))
	case "Edit":
		parts = append(parts, fmt.Sprintf("%d bytes become %d", len(e.Old), len(e.New)))
	}
	for i, r := range d.Reasons {
		if i == 3 {
			break
		}
		parts = append(parts, r.Text)
	}
	text := strings.Join(parts, "; ")
	if len(text) > approval.MaxText {
		text = strings.ToValidUTF8(text[:approval.MaxText], "")
	}
	return text
}
