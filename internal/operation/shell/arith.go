package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

// arith evaluates an arithmetic expression as far as it is known. It always reads the substitutions
// in it.
func (sh *shell) arith(x syntax.ArithmExpr) (int, bool) {
	if x == nil || !sh.step() {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		return sh.evaluate(sh.one(x).Text)
	case *syntax.ParenArithm:
		return sh.arith(x.X)
	case *syntax.UnaryArithm:
		n, ok := sh.arith(x.X)
		switch x.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Plus:
			return n, ok
		case syntax.Not:
			return truth(n == 0), ok
		case syntax.BitNegation:
			return ^n, ok
		case syntax.Inc, syntax.Dec:
			after := n + 1
			if x.Op == syntax.Dec {
				after = n - 1
			}
			sh.store(x.X, after, ok)
			if x.Post {
				return n, ok
			}
			return after, ok
		}
		return 0, false
	case *syntax.BinaryArithm:
		a, ok1 := sh.arith(x.X)
		if x.Op == syntax.TernQuest {
			return sh.ternary(x.Y, a, ok1)
		}
		if x.Op == syntax.AndArit || x.Op == syntax.OrArit {
			decided := ok1 && (a == 0) == (x.Op == syntax.AndArit)
			b, ok2 := sh.side(x.Y, !decided, ok1)
			if decided {
				return truth(a != 0), true
			}
			return truth(b != 0), ok1 && ok2
		}
		b, ok2 := sh.arith(x.Y)
		if int(x.Op) < len(assigning) && assigning[x.Op] != 0 {
			n := b
			if x.Op != syntax.Assgn {
				var known bool
				n, known = calculate(assigning[x.Op], a, b)
				ok2 = ok1 && ok2 && known
			}
			sh.store(x.X, n, ok2)
			return n, ok2
		}
		n, ok := calculate(x.Op, a, b)
		return n, ok && ok1 && ok2
	}
	return 0, false
}

// assigning maps the operators that set a variable to the operators that compute the value.
var assigning = [...]syntax.BinAritOperator{
	syntax.Assgn: syntax.Assgn, syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul, syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem,
	syntax.AndAssgn: syntax.And, syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl, syntax.ShrAssgn: syntax.Shr,
}

// store sets the variable on the left side of an arithmetic assignment.
func (sh *shell) store(to syntax.ArithmExpr, n int, known bool) {
	w, ok := to.(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return
	}
	value := command.Lit(umpire.Hole)
	if known && !sh.perhaps {
		value = command.Lit(strconv.Itoa(n))
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		sh.set(p.Value, value)
	case *syntax.ParamExp:
		if p.Index == nil || p.Param == nil {
			return
		}
		v := sh.vars[p.Param.Value]
		v.elems = slices.Clone(v.elems)
		at, ok := sh.arith(p.Index)
		switch {
		case v.named:
			v.put(sh.keyText(p.Index), value)
		case ok && at >= 0 && at < len(v.elems) && len(v.keys) == 0 && !uncounted(v.elems):
			v.elems[at] = value
		default:
			v.array, v.elems = true, append(v.elems, several(v.elems))
		}
		sh.vars[p.Param.Value] = v
	}
}

// side evaluates one side of an expression. Its substitutions are read even if the shell would skip
// it, but a side that it skips loses its assignments. If known is false, the shell may take the
// side or skip it.
func (sh *shell) side(x syntax.ArithmExpr, taken, known bool) (int, bool) {
	if known && !taken {
		sh.clone().arith(x)
		return 0, false
	}
	before := sh.perhaps
	sh.perhaps = before || !known
	defer func() { sh.perhaps = before }()
	return sh.arith(x)
}

// ternary evaluates both sides, because either may run commands.
func (sh *shell) ternary(sides syntax.ArithmExpr, cond int, known bool) (int, bool) {
	b, ok := sides.(*syntax.BinaryArithm)
	if !ok {
		return 0, false
	}
	yes, ok1 := sh.side(b.X, cond != 0, known)
	no, ok2 := sh.side(b.Y, cond == 0, known)
	if cond != 0 {
		return yes, known && ok1
	}
	return no, known && ok2
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func calculate(op syntax.BinAritOperator, a, b int) (int, bool) {
	switch op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Quo:
		if b != 0 {
			return a / b, true
		}
	case syntax.Rem:
		if b != 0 {
			return a % b, true
		}
	case syntax.Pow:
		n := 1
		for range min(b, 64) {
			n *= a
		}
		return n, b >= 0
	case syntax.And:
		return a & b, true
	case syntax.Or:
		return a | b, true
	case syntax.Xor:
		return a ^ b, true
	case syntax.Shl:
		return a << uint(b&63), true
	case syntax.Shr:
		return a >> uint(b&63), true
	case syntax.Lss:
		return truth(a < b), true
	case syntax.Gtr:
		return truth(a > b), true
	case syntax.Leq:
		return truth(a <= b), true
	case syntax.Geq:
		return truth(a >= b), true
	case syntax.Eql:
		return truth(a == b), true
	case syntax.Neq:
		return truth(a != b), true
	case syntax.Comma:
		return b, true
	}
	return 0, false
}

// maxExpressions bounds the nesting of values that are expressions themselves.
const maxExpressions = 8

// evaluate evaluates a value as an arithmetic expression, as bash does where it expects a number:
// in [[ x -eq 0 ]], let, declare -i, an index, the bounds of a substring. Names in it have values
// that are expressions again, and an index may run commands, where the adversary can hide one.
func (sh *shell) evaluate(s string) (int, bool) {
	s = strings.TrimSpace(s)
	if n, ok := number(s); ok {
		return n, true
	}
	if len(s) > maxCompleted {
		sh.fragments(s)
		return 0, false
	}
	if s == "" || sh.expressions >= maxExpressions {
		return 0, false
	}
	sh.expressions++
	defer func() { sh.expressions-- }()
	if syntax.ValidName(s) {
		v, ok := sh.get(s)
		if !ok {
			return 0, false
		}
		return sh.evaluate(v.Text)
	}
	src, err := parse("(("+s+"))", syntax.LangBash)
	if err == nil && len(src.file.Stmts) == 1 {
		if c, ok := src.file.Stmts[0].Cmd.(*syntax.ArithmCmd); ok && !isWord(c.X, s) {
			defer sh.readDoubtfulDocuments(src, src.file)
			return sh.arith(c.X)
		}
	}
	sh.subscript(s)
	return 0, false
}

// isWord reports whether an expression is just the text it was parsed from.
func isWord(x syntax.ArithmExpr, text string) bool {
	w, ok := x.(*syntax.Word)
	return ok && w.Lit() == text
}

// number reads the numbers of the shell: 10, 0x1f, 017, 16#1f.
func number(s string) (int, bool) {
	if base, digits, ok := strings.Cut(s, "#"); ok {
		b, err := strconv.Atoi(base)
		if err != nil || b < 2 || b > 64 || digits == "" {
			return 0, false
		}
		n := 0
		for _, c := range []byte(digits) {
			d := strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_", c)
			if b <= 36 {
				d = strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyz", lower(c))
			}
			if d < 0 || d >= b {
				return 0, false
			}
			n = n*b + d
		}
		return n, true
	}
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil || strings.Contains(s, "_") {
		d, err := strconv.Atoi(s)
		return d, err == nil
	}
	return int(n), true
}
