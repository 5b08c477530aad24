package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
)

// Limits of the to-do list.
const (
	maxTodo     = 30
	maxTodoText = 300
)

type todoInput struct {
	Items []agent.Todo `json:"items" jsonschema:"the complete list, in order, with at most one task marked now"`
}

func todo() agent.Tool {
	return define(agent.Tool{
		Name:        "todo",
		Description: "Keep a short list of tasks for the user to see. Each call replaces the list.",
	}, func(schema *jsonschema.Schema) {
		items := schema.Properties["items"]
		items.Type, items.Types, items.MaxItems = "array", nil, new(maxTodo)
		items.Items.Properties["text"].MinLength, items.Items.Properties["text"].MaxLength = new(1), new(maxTodoText)
	}, func(_ context.Context, in *todoInput, env *agent.Env) (r agent.Result, err error) {
		if env.Run == nil {
			return r, errors.New("the agent has no to-do list here")
		}
		if len(in.Items) > maxTodo {
			return r, fmt.Errorf("the list has more than %d entries: make it short", maxTodo)
		}
		done, now := 0, 0
		var lines []string
		for i := range in.Items {
			t := &in.Items[i]
			t.Text = strings.Join(strings.Fields(t.Text), " ")
			if t.Text == "" || len(t.Text) > 4*maxTodoText {
				return r, fmt.Errorf("items[%d]: the text is empty, or too long", i)
			}
			sign := " "
			switch {
			case t.Done:
				t.Now, sign = false, "x"
				done++
			case t.Now:
				sign = ">"
				now++
			}
			lines = append(lines, fmt.Sprintf("[%s] %s", sign, t.Text))
		}
		if now > 1 {
			return r, errors.New("at most one entry can be marked now")
		}
		env.Run.SetTodo(in.Items)
		lines = append(lines, fmt.Sprintf("%d of %d done", done, len(in.Items)))
		return agent.Result{Success: true, Output: strings.Join(lines, "\n"), Data: map[string]any{"total": len(in.Items), "done": done}}, nil
	})
}
