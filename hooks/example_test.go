package hooks_test

import (
	"context"
	"fmt"

	"github.com/umpire-dev/umpire/hooks"
)

func Example() {
	var e hooks.Executor
	e.BeforeTool(hooks.BeforeTool{Name: "no-mail", FailOnError: true, Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
		if c.Tool == "send_mail" {
			return hooks.Reject("this agent sends no mail"), nil
		}
		return hooks.Continue(), nil
	}})

	run := hooks.NewRun("ada", "tidy up the inbox")
	_, err := e.Call(context.Background(), run.Call("send_mail", map[string]any{"to": "bob"}))
	fmt.Println(err)
	_, err = e.Call(context.Background(), run.Call("list_mail", nil))
	fmt.Println(err)
	// Output:
	// this agent sends no mail (hook no-mail)
	// <nil>
}
