package slowpath

import (
	"context"
	"maps"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/hook"
	modeljudge "github.com/umpire-dev/umpire/internal/judge"
	"github.com/umpire-dev/umpire/internal/judgeconfig"
)

// judgeCall asks the model about a call and adds the report to its audit record.
func judgeCall(ctx context.Context, c *hook.Call) (umpire.Verdict, error) {
	a := &c.Event.Action
	settings, err := judgeconfig.Settings(a.Home, a.Workspace)
	if err != nil {
		return umpire.Verdict{}, err
	}
	if !settings.Enabled {
		return umpire.Verdict{}, judgeconfig.ErrNone
	}
	v, report, err := judgeconfig.New(settings, a.Home).Judge(ctx, modeljudge.Case{Action: a, Ops: c.Ops, Decision: c.Decision, Policy: c.Policy})
	if c.Data == nil {
		c.Data = map[string]string{}
	}
	maps.Copy(c.Data, report.Data())
	return v, err
}
