// Package hooks runs your code at four moments of an agent's run: before it starts, before and
// after each tool call, and after it completes.
//
// Add hooks to an Executor. Call Start and Complete for each Run, and Call and Called for each
// tool call:
//
//	var e hooks.Executor
//	e.BeforeTool(hooks.BeforeTool{Name: "no-mail", FailOnError: true, Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
//		if c.Tool == "send_mail" {
//			return hooks.Reject("this agent sends no mail"), nil
//		}
//		return hooks.Continue(), nil
//	}})
//
//	run := hooks.NewRun("ada", "tidy up the inbox")
//	call := run.Call("send_mail", params)
//	params, err := e.Call(ctx, call) // here err is a *hooks.Rejected: give it to the model
//	if err == nil {
//		result := hooks.ToolResult{Output: sendMail(params)}
//		err = e.Called(ctx, call, &result) // result.Output is for the model
//	}
//
// Before-hooks can stop a run or a call, change the parameters of a call, or ask a person.
// After-hooks observe; an AfterTool hook can also replace the output.
//
// # Failures
//
// If a hook fails, it is skipped, unless it sets FailOnError. Set FailOnError for every hook that
// protects something. A hook without a Do function fails closed, whatever it sets.
//
// # Order
//
// Hooks run by Order, lowest first. Hooks in the critical range, Critical to Standard-1,
// always fail closed. Before a run or a call, no hook that may fail open runs before the
// critical range: with an Order below Critical it runs right after the range, unless it sets
// FailOnError. After a tool call, only the number counts. If a hook replaces the output after
// the critical range, that range checks the new output again.
package hooks
