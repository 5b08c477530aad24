package agent

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/agent/provider"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Limits of a review that the agent starts.
const (
	reviewLimit = 30 * time.Minute
	maxReviewed = 4 << 20 // bytes of a report
)

// quarantined reviews untrusted code for an agent in a separate process. The conversation gets the
// closed report only: enumerated values and places, and no text of a model or of the code.
type quarantined struct {
	dir   string
	model provider.Config
}

// run starts `umpire review` and returns its report. Findings are not an error.
func (r *quarantined) run(ctx context.Context, format, engine, target string) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"review", "--format", format, "--engine", engine}
	if format == "json" {
		args = append(args, "--closed")
	}
	env := os.Environ()
	if engine == "builtin" {
		const key = "UMPIRE_REVIEW_KEY"
		args = append(args, "--provider", r.model.Provider, "--model", r.model.Model, "--base-url", r.model.BaseURL)
		if r.model.Key != "" {
			args = append(args, "--api-key-env", key)
			env = append(env, key+"="+r.model.Key)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, reviewLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, append(args, "--", target)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.dir, env, 5*time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && (exit.ExitCode() == cli.ReviewFound || exit.ExitCode() == cli.ReviewIncomplete) && out.Len() > 0:
	case err != nil:
		return nil, fmt.Errorf("the review failed: %s", strings.TrimSpace(errs.String()))
	}
	if out.Len() > maxReviewed {
		return nil, errors.New("the report is too long: review fewer files at once")
	}
	return out.Bytes(), nil
}

// tool lets the model request a review. Its result contains no text of the material.
func (r *quarantined) tool() agent.Tool {
	return agent.Tool{
		Name:        "review",
		Description: "Review untrusted code (a directory, a diff, BASE..HEAD, owner/repo#12) without reading it yourself.\nYou get the type, severity and place of each finding. Only the user sees the texts.",
		Schema: json.RawMessage(`{"type":"object","properties":{
"target":{"type":"string","description":"the target of the review","minLength":1,"maxLength":1000},
"engine":{"type":"string","enum":["none","builtin"],"description":"none runs only the checks without a model; default builtin"}},
"required":["target"],"additionalProperties":false}`),
		Dangerous: true,
		Run: func(ctx context.Context, input json.RawMessage, _ *agent.Env) agent.Result {
			in := struct{ Target, Engine string }{Engine: "builtin"}
			if err := json.Unmarshal(input, &in); err != nil {
				return agent.Failed(err.Error())
			}
			b, err := r.run(ctx, "json", in.Engine, in.Target)
			if err != nil {
				return agent.Failed(err.Error())
			}
			return agent.Result{Success: true, Output: string(b), Data: json.RawMessage(b)}
		},
	}
}

// command is /review: the user sees the report, and the model gets the closed report.
func (r *quarantined) command(t func() *conversation.Conversation) conversation.Command {
	return conversation.Command{Name: "review", Args: "[none] [TARGET]", Help: "review untrusted code; the model gets only types and places", Run: func(ctx context.Context, args string) (conversation.Reply, error) {
		engine := "builtin"
		if rest, ok := strings.CutPrefix(args, "none "); ok {
			engine, args = "none", strings.TrimSpace(rest)
		}
		args = cmp.Or(args, ".")
		closed, err := r.run(ctx, "json", engine, args)
		if err != nil {
			return conversation.Reply{}, err
		}
		if err := t().Tell("[Report of the quarantined review of " + args + ", closed values]\n" + string(closed)); err != nil {
			return conversation.Reply{}, err
		}
		return conversation.Reply{Text: summary(closed)}, nil
	}}
}

// summary renders a closed report in a few lines, for people.
func summary(closed []byte) string {
	var r struct {
		Complete bool   `json:"complete"`
		Risk     string `json:"riskLevel"`
		Findings []struct {
			ID       string `json:"id"`
			Severity string `json:"severity"`
			Title    string `json:"title"`
			Rule     string `json:"rule"`
		} `json:"findings"`
	}
	if err := json.Unmarshal(closed, &r); err != nil {
		return "The review is done, but its report cannot be read: " + err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, risk %s.", plural.Count(len(r.Findings), "finding"), r.Risk)
	if !r.Complete {
		b.WriteString(" The review is incomplete.")
	}
	b.WriteString("\n\n")
	for i, f := range r.Findings {
		if i == 20 {
			fmt.Fprintf(&b, "- and %d more\n", len(r.Findings)-i)
			break
		}
		title := cmp.Or(f.Title, f.Rule)
		fmt.Fprintf(&b, "- %s `%s` %s\n", f.Severity, f.ID, title)
	}
	b.WriteString("\nTo read the reviewer's texts, run `umpire review show ID`. The model has only types, severities and places.")
	return b.String()
}
