package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
)

// SystemOp is a change of the machine that certain arguments of a program mean.
type SystemOp struct {
	When     []string
	Is       string
	Traits   umpire.Trait
	Operands bool
}

// EncodeSystem returns changes in the form of Model.System.
func EncodeSystem(ops []SystemOp) string {
	rows := make([]string, len(ops))
	for i, o := range ops {
		rows[i] = strings.Join(o.When, ",") + "=" + o.Is + "=" + strconv.FormatUint(uint64(o.Traits), 10) + "=" + map[bool]string{true: "1"}[o.Operands]
	}
	return strings.Join(rows, ";")
}

// systemOps records the first change of the machine that the arguments mean.
func (c *Call) systemOps(table string) {
	for row := range strings.SplitSeq(table, ";") {
		f := strings.Split(row, "=")
		if !c.when(f[0]) {
			continue
		}
		if f[1] != "" {
			sys(c, strings.ReplaceAll(f[1], "%", c.Program), umpire.Trait(number(f[2])), c.Operands[:len(c.Operands)*len(f[3])]...)
		}
		return
	}
}

// when reports whether the call has one of the options, options with a value, or first operands.
func (c *Call) when(list string) bool {
	return list == "" || slices.ContainsFunc(strings.Split(list, ","), func(w string) bool {
		if w[0] != '-' {
			for i, part := range strings.Fields(w) {
				start, more := strings.CutSuffix(part, "*")
				if low := strings.ToLower(c.Arg(i).Text); low == "" || low != start && !(more && strings.HasPrefix(low, start)) {
					return false
				}
			}
			return true
		}
		if start, more := strings.CutSuffix(w, "*"); more {
			return slices.ContainsFunc(c.opts, func(o setOption) bool { return strings.HasPrefix(o.raw, start) })
		}
		name, value, valued := strings.Cut(w, " ")
		v, _ := c.Opt(name)
		return !valued && c.Has(name) || valued && v.Text == value
	})
}
