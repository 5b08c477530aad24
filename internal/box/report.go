package box

import (
	"fmt"
	"io"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/visible"
)

// report is an attempt of the program that the sandbox blocked.
type report struct {
	run  *Run
	out  io.Writer
	list []sandbox.Event
}

// event handles an Event, or the count of an earlier one. It prints events that concern the whole
// run at once, and the rest at the end, to keep the program's screen clean.
func (b *report) event(e sandbox.Event) {
	if e.Kind == sandbox.Missing {
		fmt.Fprintf(b.out, "umpire: THE SANDBOX IS WITHOUT %s\n", visible.Line(e.String()))
	}
	for i, old := range b.list {
		if old.Times = e.Times; old == e {
			b.list[i] = e
			return
		}
	}
	b.list = append(b.list, e)
}

// maxSaidEvents limits the events that are printed at the end of a run; all of them are recorded.
const maxSaidEvents = 20

// close prints the remaining events, and records all of them.
func (b *report) close() error {
	if len(b.list) == 0 {
		return nil
	}
	said := 0
	for _, e := range b.list {
		switch {
		case e.Kind == sandbox.Missing:
		case e.Kind == sandbox.Failed:
			fmt.Fprintf(b.out, "umpire: limit in the sandbox: %s\n", visible.Line(e.String()))
		case e.Kind == sandbox.Limit:
			fmt.Fprintf(b.out, "umpire: stopped at a limit: %s\n", visible.Line(e.String()))
		case said < maxSaidEvents:
			said++
			fmt.Fprintf(b.out, "umpire: refused in the sandbox: %s\n", visible.Line(e.String()))
		case said == maxSaidEvents:
			said++
			fmt.Fprintf(b.out, "umpire: more was refused: to list it, run `umpire audit search --text %s`\n", b.run.ID)
		}
	}
	dir, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	log, err := audit.Open(dir, audit.Options{})
	if err != nil {
		return err
	}
	for _, e := range b.list {
		rec := audit.Event{
			Kind: audit.Decision, Point: "box", Tool: string(e.Kind), Dir: b.run.Config.Dir, Effect: umpire.Deny.String(), Note: e.String(),
			Principal: umpire.Principal{Platform: "box", Session: b.run.ID},
			Data:      map[string]string{"run": b.run.ID, "what": e.What, "times": fmt.Sprint(e.Times)},
		}
		switch e.Kind {
		case sandbox.Missing:
			rec.Kind, rec.Effect = audit.Failure, ""
		case sandbox.Limit, sandbox.Failed:
			rec.Kind, rec.Effect = audit.Result, ""
		}
		if err := log.Append(&rec); err != nil {
			return fmt.Errorf("could not record what the sandbox refused: %w", err)
		}
	}
	return nil
}
