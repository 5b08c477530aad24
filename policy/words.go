package policy

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
)

// match is how sure a pattern is about a resource.
type match uint8

const (
	no    match = iota
	could       // part of the resource is unknown, and the pattern may match it
	sure
)

// splitPattern splits a pattern into words at spaces; single and double quotes keep
// them together.
func splitPattern(s string) ([]string, error) {
	var words []string
	var b strings.Builder
	in, started := byte(0), false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case in != 0 && c == in:
			in = 0
		case in != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			in, started = c, true
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteString(s[i-1 : i+1])
			started = true
		case c == ' ' || c == '\t':
			if started {
				words = append(words, b.String())
				b.Reset()
				started = false
			}
		default:
			b.WriteByte(c)
			started = true
		}
	}
	if in != 0 {
		return nil, errors.New("a quote is not closed: close it, or escape it with a backslash")
	}
	if started {
		words = append(words, b.String())
	}
	return words, nil
}

// nextWord takes the first word off a resource in the form of command.Quote. It copies nothing if
// there are no quotes.
func nextWord(s string) (word, rest string, ok bool) {
	for s != "" && s[0] == ' ' {
		s = s[1:]
	}
	if s == "" {
		return "", "", false
	}
	plain := true
	end := len(s)
	quoted := false
scan:
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'':
			plain, quoted = false, !quoted
		case '\\':
			if plain = false; !quoted {
				i++ // a quote after a backslash is literal
			}
		case ' ':
			if !quoted {
				end = i
				break scan
			}
		}
	}
	word, rest = s[:end], s[end:]
	if plain {
		return word, rest, true
	}
	var b strings.Builder
	quoted = false
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted && i+1 < len(word):
			i++
			b.WriteByte(word[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), rest, true
}

// splitWords splits a resource into words, using buf if it is large enough.
func splitWords(s string, buf []string) []string {
	buf = buf[:0]
	for {
		w, rest, ok := nextWord(s)
		if !ok {
			return buf
		}
		buf = append(buf, w)
		s = rest
	}
}

func isOption(w string) bool { return len(w) > 1 && w[0] == '-' && w != "--" }

// wordGlob matches one word, which may have holes, against one glob.
func wordGlob(pattern, word string) match {
	if !strings.Contains(word, umpire.Hole) {
		if glob(pattern, word, false) {
			return sure
		}
		return no
	}
	if intersects(pattern, word) {
		return could
	}
	return no
}

// nameGlob is wordGlob for the name of a tool. The match is sure if only a * takes the unknown part:
// some clients do not name the server, and tool(mcp_*) means every server.
func nameGlob(pattern, name string) match {
	if !strings.ContainsAny(pattern, `?[\`) && glob(pattern, name, false) {
		return sure
	}
	return wordGlob(pattern, name)
}

// optionGlob is wordGlob for an option. It also matches the option with a value attached.
func optionGlob(pattern, word string) match {
	m := wordGlob(pattern, word)
	if m == no && !strings.Contains(pattern, "=") {
		if name, _, ok := strings.Cut(word, "="); ok {
			return wordGlob(pattern, name)
		}
	}
	return m
}

// spread reports whether a word may expand to several words: an unquoted unknown variable.
func spread(w string) bool { return strings.Contains(w, umpire.Hole) }

// matchWords matches the words of a deny or ask pattern: options anywhere, operands in order as a
// prefix. An argument after an option may be the option's value, so it may be skipped: "npm
// --prefix x install" is an npm install.
func matchWords(pattern, argv []string) match {
	m := sure
	operands := 0
	for _, p := range pattern {
		if p == "--" {
			if !slices.Contains(argv, p) {
				return no
			}
			continue
		}
		if !isOption(p) {
			operands++
			continue
		}
		if m = min(m, matchOption(p, argv)); m == no {
			return no
		}
	}
	if operands == 0 {
		return m
	}
	return min(m, matchOperands(pattern, argv, operands))
}

// matchOption matches one option of a deny or ask pattern. Letters after one dash may also be options
// of their own: -rf matches -f -r.
func matchOption(pattern string, argv []string) match {
	best := no
	for _, w := range argv {
		if w == "--" {
			break
		}
		if isOption(w) {
			best = max(best, optionGlob(pattern, w))
		} else if spread(w) {
			best = max(best, could)
		}
	}
	if best != no || !isCluster(pattern) {
		return best
	}
	best = sure
	for _, letter := range pattern[1:] {
		best = min(best, matchOption("-"+string(letter), argv))
	}
	return best
}

// matchValues is matchWords for a pattern with options that have a value as a word of their own. It
// takes each of them with its value as one, anywhere in argv, if argv has them. So a word after an
// option counts both as its value and as an operand.
func matchValues(pattern, argv []string) match {
	if len(argv) == 0 {
		return no
	}
	m := sure
	rest := make([]string, 0, len(pattern))
	for i := 0; i < len(pattern); i++ {
		if hasValue(pattern, i) {
			if pair := matchPair(pattern[i], pattern[i+1], argv); pair != no {
				m = min(m, pair)
				i++
				continue
			}
		}
		rest = append(rest, pattern[i])
	}
	if len(rest) == len(pattern) {
		return no // matchWords takes them all as words
	}
	return min(m, matchWords(rest, argv))
}

// hasValue reports whether the word after the i-th of a pattern may be the value of that option.
func hasValue(pattern []string, i int) bool {
	return isOption(pattern[i]) && !strings.Contains(pattern[i], "=") && i+1 < len(pattern) && pattern[i+1] != "--" && !isOption(pattern[i+1])
}

func hasPair(pattern []string) bool {
	for i := range pattern {
		if hasValue(pattern, i) {
			return true
		}
	}
	return false
}

// matchPair matches an option and its value: --option value, --option=value, or -ovalue.
func matchPair(option, value string, argv []string) match {
	best := no
	for i, w := range argv {
		if w == "--" {
			break
		}
		if !isOption(w) {
			if spread(w) {
				best = could
			}
			continue
		}
		if name, v, ok := strings.Cut(w, "="); ok {
			best = max(best, min(wordGlob(option, name), wordGlob(value, v)))
		}
		if len(option) == 2 && strings.HasPrefix(w, option) && len(w) > 2 {
			best = max(best, wordGlob(value, w[2:]))
		}
		if i+1 < len(argv) {
			best = max(best, min(wordGlob(option, w), wordGlob(value, argv[i+1])))
		}
		if best == sure {
			break
		}
	}
	return best
}

// isCluster reports whether a word of a pattern may be several options of one letter.
func isCluster(p string) bool {
	return len(p) > 2 && p[0] == '-' && !strings.ContainsFunc(p[1:], func(r rune) bool { return !unicode.IsLetter(r) })
}

// matchOperands matches the n operands of pattern, in order, from the start of argv. For each
// number of operands, it keeps the best match so far. Trying all alignments in turn would take
// exponential time on an adversary's argv.
func matchOperands(pattern, argv []string, n int) match {
	var room [16]match
	met := room[:]
	if n >= len(room) {
		met = make([]match, n+1)
	}
	met = met[:n+1]
	met[0] = sure
	best, afterOption := no, false
	for _, w := range argv {
		switch {
		case isOption(w):
			afterOption = true
			continue
		case w == "--":
			afterOption = false
			continue
		case w != "" && strings.ReplaceAll(w, umpire.Hole, "") == "":
			return could // any number of words, the rest among them
		}
		j, alive := n, false
		for i := len(pattern) - 1; i >= 0; i-- {
			if isOption(pattern[i]) || pattern[i] == "--" {
				continue
			}
			if !afterOption { // then w is an operand and cannot be skipped
				met[j] = no
			}
			if met[j-1] != no {
				met[j] = max(met[j], min(met[j-1], wordGlob(pattern[i], w)))
			}
			alive = alive || met[j] != no
			j--
		}
		if !afterOption {
			met[0] = no
		}
		if best = max(best, met[n]); best == sure || !alive && met[0] == no {
			return best
		}
		afterOption = false
	}
	return best
}

// coversWords matches the words of an allow pattern. All words must be known, operands must be in
// the pattern's positions, and further words need a * at its end. An attached value counts:
// --config does not cover --config=x.
func coversWords(pattern []string, open bool, argv []string) bool {
	if slices.ContainsFunc(argv, spread) {
		return false
	}
	if slices.ContainsFunc(pattern, func(p string) bool { return isOption(p) && !hasOption(p, argv, open) }) {
		return false
	}
	i := 0                // index in argv
	next := func() bool { // skips options that the pattern names
		for i < len(argv) && isOption(argv[i]) && named(pattern, argv[i], open) {
			i++
		}
		return i < len(argv)
	}
	for _, p := range pattern {
		if isOption(p) {
			continue
		}
		if !next() || isOption(argv[i]) && !isOption(p) || !glob(p, argv[i], false) {
			return false
		}
		i++
	}
	return open || !next()
}

func hasOption(p string, argv []string, valued bool) bool {
	for _, w := range argv {
		if w == "--" {
			return false
		}
		if isOption(w) && coversOption(p, w, valued) {
			return true
		}
	}
	return false
}

func named(pattern []string, w string, valued bool) bool {
	return slices.ContainsFunc(pattern, func(p string) bool { return isOption(p) && coversOption(p, w, valued) })
}

// coversOption reports whether an option of an allow pattern covers a given option. If valued is
// set, the given option has a value that the pattern does not name.
func coversOption(p, w string, valued bool) bool {
	if valued {
		return optionGlob(p, w) == sure
	}
	return wordGlob(p, w) == sure
}
