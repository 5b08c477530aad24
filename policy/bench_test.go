package policy_test

import (
	"fmt"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// manyRules is what an administrator might list: of every form, few of which concern a
// single action.
func manyRules(t testing.TB, n int) policy.Source {
	src := policy.Source{Default: umpire.Allow}
	for i := range n {
		var s string
		switch i % 8 {
		case 0:
			s = fmt.Sprintf("deny exec(prog-%d --force *)", i)
		case 1:
			s = fmt.Sprintf("ask exec(npm run task-%d)", i)
		case 2:
			s = fmt.Sprintf("deny network(*.host-%d.example)", i)
		case 3:
			s = fmt.Sprintf("deny delete(~/area-%d/**)", i)
		case 4:
			s = fmt.Sprintf("ask write(**/file-%d.txt)", i)
		case 5:
			s = fmt.Sprintf("deny tool(mcp__server%d__delete_*)", i)
		case 6:
			s = fmt.Sprintf("deny git(push origin release-%d)", i)
		default:
			s = fmt.Sprintf("deny text(/forbidden[- ]phrase-%d/)", i)
		}
		r := rule(t, fmt.Sprintf("rule-%05d", i), s)
		r.Reason, r.Suggest = "it is not allowed here", "ask the administrator"
		src.Rules = append(src.Rules, r)
	}
	return src
}

// typical is "npm run build && git push": some of every kind.
func typical(t testing.TB) (*umpire.Action, []umpire.Operation) {
	a := action()
	a.Input = []byte(`{"command":"npm run build > build.log && git push origin main","description":"Build and push"}`)
	return a, []umpire.Operation{
		op(t, "exec(npm run build)"), op(t, "write(/home/dev/proj/build.log)+truncate@in-workspace"), op(t, "exec(git push origin main)"),
		op(t, "git(push origin main)"), op(t, "network(github.com:443)"),
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := compile(b, manyRules(b, n))
			a, ops := typical(b)
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(a, ops)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			blob := compile(b, manyRules(b, n)).Bytes()
			b.ReportMetric(float64(len(blob)), "bytes")
			for b.Loop() {
				if _, err := policy.Open(blob); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	src := manyRules(b, 1000)
	for b.Loop() {
		if _, err := policy.Compile(src); err != nil {
			b.Fatal(err)
		}
	}
}

// What no rule concerns must not cost garbage: most actions are like that.
func TestSilenceDoesNotAllocate(t *testing.T) {
	p := compile(t, policy.Source{Default: umpire.Allow, Rules: manyRules(t, 100).Rules[:7]})
	a, ops := typical(t)
	if n := testing.AllocsPerRun(100, func() { p.Decide(a, ops) }); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
