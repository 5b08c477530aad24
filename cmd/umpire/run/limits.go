package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// boxLimits are the flags that limit a sandbox.
type boxLimits struct {
	memory, disk string
	tasks        int
	cpu, wall    time.Duration
	bestEffort   bool
}

func (l *boxLimits) add(o *pflag.FlagSet) {
	o.StringVar(&l.memory, "memory", "", "memory limit, such as 512M")
	o.StringVar(&l.disk, "disk", "", "maximum size of changed data, such as 4G")
	o.IntVar(&l.tasks, "processes", 0, "limit on processes and threads (default 4096)")
	cli.DurationVar(o, &l.cpu, "cpu-time", 0, "CPU time limit, such as 1h")
	cli.DurationVar(o, &l.wall, "wall-time", 0, "wall time limit, such as 8h")
	o.BoolVar(&l.bestEffort, "best-effort", false, "run without missing parts of the sandbox, and report them")
}

// bound puts the limits of flags and policies into a Config. The lowest limit applies.
func bound(c *sandbox.Config, l *boxLimits, at project.Project) error {
	loaded, err := at.Settings()
	if err != nil {
		return err
	}
	c.BestEffort = l.bestEffort
	c.Limits = sandbox.Limits{CPU: l.cpu, Wall: l.wall}
	for _, size := range []struct {
		flag, text string
		to         *uint64
	}{{"memory", l.memory, &c.Limits.Memory}, {"disk", l.disk, &c.Limits.Disk}} {
		if size.text == "" {
			continue
		}
		if *size.to, err = sandbox.ParseBytes(size.text); err != nil {
			return cli.Usagef("--%s: %w", size.flag, err)
		}
	}
	c.Tasks = uint64(l.tasks)
	tighten(c, &loaded.Box)
	return nil
}

// tighten applies the stricter limits of a policy.
func tighten(c *sandbox.Config, b *policyfile.Box) {
	least := func(n *uint64, most uint64) {
		if most > 0 && (*n == 0 || most < *n) {
			*n = most
		}
	}
	least(&c.Limits.Memory, uint64(max(b.Memory, 0))<<20)
	least(&c.Limits.Disk, uint64(max(b.Disk, 0))<<20)
	least(&c.Tasks, uint64(max(b.Processes, 0)))
	for d, most := range map[*time.Duration]time.Duration{&c.Limits.CPU: b.CPUTime, &c.Limits.Wall: b.WallTime} {
		if most > 0 && (*d == 0 || most < *d) {
			*d = most
		}
	}
}

func limitsText(c *sandbox.Config) string {
	l := c.Limits
	var list []string
	add := func(set bool, format string, a ...any) {
		if set {
			list = append(list, fmt.Sprintf(format, a...))
		}
	}
	add(true, "%d processes", c.Most())
	add(l.Memory > 0, "memory %s", sandbox.Bytes(l.Memory))
	add(l.Disk > 0, "disk %s", sandbox.Bytes(l.Disk))
	add(l.CPU > 0, "processor time %s", plural.Duration(l.CPU))
	add(l.Wall > 0, "time %s", plural.Duration(l.Wall))
	return strings.Join(list, ", ")
}
