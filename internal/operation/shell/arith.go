package shell

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"mvdan.cc/sh/v3/syntax"
)

// arith evaluates an arithmetic expression as far as it is known; substitutions in it
// are read whatever the outcome.
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
		b, ok2 := sh.arith(x.Y)
		if op, ok := assigning[x.Op]; ok {
			n := b
			if x.Op != syntax.Assgn {
				var known bool
				n, known = calculate(op, a, b)
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

// assigning are the operators that set a variable, with those that compute the value.
var assigning = map[syntax.BinAritOperator]syntax.BinAritOperator{
	syntax.Assgn: 0, syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul, syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem,
	syntax.AndAssgn: syntax.And, syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl, syntax.ShrAssgn: syntax.Shr,
}

// store sets the variable that an arithmetic expression assigns to.
func (sh *shell) store(to syntax.ArithmExpr, n int, known bool) {
	w, ok := to.(*syntax.Word)
	if !ok || w.Lit() == "" {
		return
	}
	value := umpire.Hole
	if known {
		value = strconv.Itoa(n)
	}
	sh.set(w.Lit(), command.Lit(value))
}

// ternary evaluates both sides, for either may run commands.
func (sh *shell) ternary(sides syntax.ArithmExpr, cond int, known bool) (int, bool) {
	b, ok := sides.(*syntax.BinaryArithm)
	if !ok {
		return 0, false
	}
	yes, ok1 := sh.arith(b.X)
	no, ok2 := sh.arith(b.Y)
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
	case syntax.AndArit:
		return truth(a != 0 && b != 0), true
	case syntax.OrArit:
		return truth(a != 0 || b != 0), true
	case syntax.Comma:
		return b, true
	}
	return 0, false
}

// maxExpressions bounds how deep values are that are expressions themselves.
const maxExpressions = 8

// evaluate takes a value for an arithmetic expression, as bash does wherever it expects a
// number: in [[ x -eq 0 ]], let, declare -i, an index, the bounds of a substring. Names in it
// stand for values that are expressions again, and an index may run commands.
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
			defer sh.doubts(src, src.file)
			return sh.arith(c.X)
		}
	}
	sh.subscript(s)
	return 0, false
}

// isWord reports whether an expression is no more than the text it was parsed from.
func isWord(x syntax.ArithmExpr, text string) bool {
	w, ok := x.(*syntax.Word)
	return ok && w.Lit() == text
}

// number reads the numbers of the shell: 10, 0x1f, 017, 16#1f.
func number(s string) (int, bool) {
	if base, digits, ok := strings.Cut(s, "#"); ok {
		if b, err := strconv.Atoi(base); err == nil && b >= 2 && b <= 36 {
			n, err := strconv.ParseInt(digits, b, 64)
			return int(n), err == nil
		}
		return 0, false
	}
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil || strings.Contains(s, "_") {
		d, err := strconv.Atoi(s)
		return d, err == nil
	}
	return int(n), true
}
