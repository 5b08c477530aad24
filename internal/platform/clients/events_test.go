package clients_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
)

// Every event that a client is known to have is known here, too: what is not passes
// unheard.
func TestEvents(t *testing.T) {
	for _, tt := range []struct{ client, field, events string }{
		{"claude", "hook_event_name", `PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop
			StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated
			TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay`},
		{"codex", "hook_event_name", `SessionStart UserPromptSubmit PreModelRequest PostModelRequest PreToolUse PostToolUse SubagentStart SubagentStop Stop SessionEnd
			PermissionRequest PreCompact PostCompact Interrupt`},
		{"gemini", "hook_event_name", `SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool AfterTool PreCompress Notification`},
		{"qwen", "hook_event_name", `PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest Notification`},
		{"copilot", "hookName", `sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse postToolUse postToolUseFailure permissionRequest agentStop subagentStart
			subagentStop preCompact notification errorOccurred`},
		{"droid", "hook_event_name", `PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact Notification`},
		{"cline", "hookName", `tool_call tool_result agent_start agent_resume agent_end agent_abort agent_error prompt_submit session_shutdown
			PreToolUse PostToolUse TaskStart TaskResume TaskComplete TaskCancel TaskError UserPromptSubmit SessionShutdown`},
		{"opencode", "hook_event_name", `tool.execute.before tool.execute.after permission.ask chat.message session.created session.deleted`},
		{"pi", "hook_event_name", `tool_call tool_result input session_start session_shutdown`},
		{"cursor", "hook_event_name", `preToolUse postToolUse postToolUseFailure beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile
			afterFileEdit beforeSubmitPrompt stop sessionStart sessionEnd subagentStart subagentStop preCompact afterAgentResponse afterAgentThought beforeTabFileRead afterTabFileEdit`},
		{"windsurf", "agent_action_name", `pre_run_command pre_write_code pre_read_code pre_mcp_tool_use pre_user_prompt post_run_command post_write_code post_read_code post_mcp_tool_use`},
		{"kiro", "hook_event_name", `preToolUse postToolUse userPromptSubmit agentSpawn stop`},
		{"antigravity", "hookEventName", `PreToolUse PostToolUse PreInvocation PostInvocation Stop`},
		{"crush", "event", `PreToolUse pre_tool_use PRETOOLUSE PreCompact`},
		{"generic", "event", `call permission result prompt session-start session-end agent-start agent-stop notice`},
	} {
		for _, name := range strings.Fields(tt.events) {
			b, err := json.Marshal(object{tt.field: name, "cwd": dir})
			if err != nil {
				t.Fatal(err)
			}
			e, _ := clients.Find(tt.client).Decode(b)
			if e.Name != name || e.Kind == platform.Other {
				t.Errorf("%s: %s is %q, of kind %v", tt.client, name, e.Name, e.Kind)
			}
			before := strings.Contains(strings.ToLower(name), "pre") && strings.Contains(strings.ToLower(name), "tool")
			if before && e.Kind != platform.Call {
				t.Errorf("%s: %s is not judged", tt.client, name)
			}
		}
	}
}
