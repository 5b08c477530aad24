package command

import (
	"iter"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

func doAwk(c *Call) {
	files := c.Operands
	names := c.namesOnly()
	var program Word
	if !c.Has("-f") && !c.Has("-e") && !c.Has("-E") && len(files) > 0 {
		program, files = files[0], files[1:]
	}
	tokens := awkTokens(program.Text)
	separators := c.All("-F")
	equals := len(separators) == 1 && !c.Has("-v") && slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "-F=" || w.Text == "=" })
	shows, narrow := awkPicks(tokens, equals)
	narrow = narrow && len(files) == 0 && program.Known()
	pattern := ""
	if len(tokens) > 0 {
		in := c.Stdin
		if narrow {
			in.Taint |= Picked
		}
		c.Code("awk", program, Run{Out: true, Args: files, Stdin: &in})
		if tokens[0][0] == '/' {
			pattern = strings.Trim(tokens[0], "/")
		}
		if c.Stdin.Pipe && pattern != "" { // ps | awk '/NAME/ {print $2}'
			c.Taints(processOf(pattern) &^ OfSystem)
		}
	}
	for _, w := range files {
		switch {
		case strings.Contains(w.Text, "=") || w.Text == "-":
		case names:
			c.readNames(w)
		default:
			c.ReadFile(w)
			if library, _ := c.Opt("-i"); library.Text == "inplace" {
				c.WriteFile(w, 0, Unseen(0))
			}
		}
	}
	if len(files) == 0 && !c.Stdin.Pipe {
		return // a BEGIN block's output is the program's own
	}
	c.SetOut(Unseen(c.Out.Taint | c.Stdin.Taint))
	if in := c.listing(); in.Lists() {
		if pattern != "" {
			c.picksListed(in, Lits(pattern))
			c.Out.Seen = false
		}
		return
	}
	if narrow {
		c.Taints(Picked)
	}
	if len(files) > 0 {
		return
	}
	if shows {
		c.passKey()
	}
	var named []Word
	if narrow && shows {
		named = append(named, program)
	}
	c.picked(named...)
}

// awkPicks reports whether an awk program prints values, and if so, only those of variables that it
// names. A rule that shows values is narrow only if its pattern, or the condition around its action,
// compares the input with a text that names variables: {if (1) print} has a condition and prints all.
// With equals, the first field of a line is the name of its variable.
func awkPicks(tokens []string, equals bool) (shows, narrow bool) {
	if i := slices.Index(tokens, "FS"); i >= 0 {
		equals = slices.Equal(tokens[i:min(i+3, len(tokens))], []string{"FS", "=", `"="`}) && !slices.Contains(tokens[i+1:], "FS")
	}
	if slices.ContainsFunc(tokens, func(t string) bool { return anyof.Equal(t, "getline", "system", "RS") }) {
		return true, false
	}
	for pattern, action := range awkRules(tokens) {
		if !awkShows(action, equals) && !slices.ContainsFunc(pattern, func(t string) bool { return anyof.Equal(t, "=", "split", "sub", "gsub", "substr") }) {
			continue
		}
		if shows = shows || pattern == nil || pattern[0] != "!"; !awkNames(pattern) && !awkNames(awkCondition(action)) {
			return true, false
		}
	}
	return shows, len(tokens) > 0
}

// awkRules returns the pattern and the action of each rule of an awk program. The action that a rule
// leaves out is print.
func awkRules(tokens []string) iter.Seq2[[]string, []string] {
	return func(yield func(pattern, action []string) bool) {
		var pattern []string
		for tokens := append(tokens, "\n"); len(tokens) > 0; {
			token, action := tokens[0], []string{"print"}
			switch inside, rest := awkGroup(tokens); {
			case token == "{" && inside != nil:
				action, tokens = inside, rest
			case token != ";" && token != "\n":
				pattern, tokens = append(pattern, token), tokens[1:]
				continue
			default:
				tokens = tokens[1:]
				if len(pattern) == 0 {
					continue
				}
			}
			if !yield(pattern, action) {
				return
			}
			pattern = nil
		}
	}
}

// awkTokens splits an awk program into its tokens, without comments. A string or a regular expression
// is one, and so is a new line, which ends a statement.
func awkTokens(program string) (tokens []string) {
	for operand := false; program != ""; {
		n := 1
		switch c := program[0]; {
		case c == '"' || c == '/' && !operand:
			for n < len(program) && program[n] != c {
				if program[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(program))
		case c == '#':
			n = len(program) - len(strings.TrimLeftFunc(program, func(r rune) bool { return r != '\n' }))
		case anyof.HasPrefix(program, "&&", "||", "==", "!=", "!~", "<=", ">=", "++", "--"):
			n = 2
		case nameByte(c):
			for n < len(program) && nameByte(program[n]) {
				n++
			}
		}
		token := program[:n]
		program = program[n:]
		if token[0] != '#' && strings.Trim(token, " \t\r") != "" {
			tokens = append(tokens, token)
			operand = anyof.Equal(token, "++", "--") && operand || nameByte(token[0]) && token != "print" || anyof.Equal(token, ")", "]") || token[0] == '"'
		}
	}
	return tokens
}

func nameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// awkGroup returns what the brackets hold that tokens open with, and the tokens after them. It returns
// nil if none opens there, or if it is never closed.
func awkGroup(tokens []string) (inside, rest []string) {
	depth := 0
	for i, t := range tokens {
		switch t {
		case "(", "{":
			depth++
		case ")", "}":
			depth--
		}
		if depth <= 0 {
			if i == 0 {
				break
			}
			return tokens[1:i:i], tokens[i+1:]
		}
	}
	return nil, tokens
}

// awkCondition returns the condition of an action that is one if statement: without an else, and with
// nothing beside it.
func awkCondition(action []string) []string {
	if len(action) < 2 || action[0] != "if" {
		return nil
	}
	condition, then := awkGroup(action[1:])
	if block, rest := awkGroup(then); block != nil && len(rest) == 0 {
		return condition
	}
	for len(then) > 0 && anyof.Equal(then[len(then)-1], ";", "\n") {
		then = then[:len(then)-1]
	}
	if slices.ContainsFunc(then, func(t string) bool { return anyof.Equal(t, ";", "\n", "else", "{", "}") }) {
		return nil
	}
	return condition
}

// awkNames reports whether an expression is true only for variables that it names.
func awkNames(expression []string) bool {
	if inside, rest := awkGroup(expression); inside != nil && len(rest) == 0 {
		return awkNames(inside)
	}
	if slices.ContainsFunc(expression, func(t string) bool { return t == "?" || t == "=" || t == "++" || t == "--" }) {
		return false
	}
	depth, and := 0, -1
	for i, t := range expression {
		switch t {
		case "(":
			depth++
		case ")":
			depth--
		case "||":
			if depth == 0 {
				return awkNames(expression[:i]) && awkNames(expression[i+1:])
			}
		case ",":
			if depth == 0 {
				return false // a range of lines
			}
		case "&&":
			if depth == 0 && and < 0 {
				and = i
			}
		}
	}
	if and >= 0 {
		return awkNames(expression[:and]) || awkNames(expression[and+1:])
	}
	if len(expression) == 0 {
		return false
	}
	input, last := expression[:len(expression)-1], expression[len(expression)-1]
	switch {
	case len(input) == 1 && input[0] == "!": // !/TOKEN/ leaves the secrets out
		return last[0] == '/' && picksSecret(strings.Trim(last, "/"))
	case len(input) == 0: // /PATH/
		return last[0] == '/' && !matchesMost(strings.Trim(last, "/"))
	case input[0] == "index": // index($0, "PATH")
		inside, rest := awkGroup(expression[1:])
		return len(rest) == 0 && len(inside) == 4 && awkField(inside[:2]) && inside[3][0] == '"' && !matchesMost(strings.Trim(inside[3], `"`))
	case !awkField(input[:len(input)-1]) || !anyof.Equal(last[:1], "/", `"`):
		return false
	case input[len(input)-1] == "~":
		return !matchesMost(strings.Trim(last, `/"`))
	}
	return input[len(input)-1] == "==" && last != `""`
}

// awkField reports whether an expression is a field of the input, perhaps in other case.
func awkField(expression []string) bool {
	if len(expression) > 1 && anyof.Equal(expression[0], "toupper", "tolower") {
		inside, rest := awkGroup(expression[1:])
		return len(rest) == 0 && awkField(inside)
	}
	return len(expression) == 2 && expression[0] == "$" && nameByte(expression[1][0])
}

// awkShows reports whether an action prints more of a line than the name of its variable, or keeps
// it: a[NR] = $0.
func awkShows(action []string, equals bool) bool {
	for i, t := range action {
		next := ""
		if i+1 < len(action) {
			next = action[i+1]
		}
		switch {
		case t == "print" && anyof.Equal(next, "", ";", "\n", "}", ">", "|"):
			return true
		case t == "$" && !(next == "1" && equals) && !(i > 1 && action[i-2] == "length" && action[i-1] == "("):
			return true
		}
	}
	return false
}
