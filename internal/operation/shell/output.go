package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func (sh *shell) builtinEcho(args []command.Word) {
	args = args[1:]
	escapes, plain, newline := false, false, "\n"
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		if strings.Contains(args[0].Text, "e") {
			escapes = true
		}
		plain = plain || strings.Contains(args[0].Text, "E")
		if strings.Contains(args[0].Text, "n") {
			newline = ""
		}
		args = args[1:]
	}
	var s []string
	var t command.Taint
	for _, a := range args {
		s, t = append(s, a.Text), t|a.Taint
	}
	text := strings.Join(s, " ")
	if escapes {
		text = ansi(text)
	} else if !plain {
		text = numericEscapes(text)
	}
	sh.print(1, command.Stream{Text: text + newline, Seen: true, Taint: t, Pipe: true})
}

// numericEscapes decodes \162 and \x72, as the echo of zsh and, for the first, dash does without
// an option. Nobody writes a letter so but to hide it.
func numericEscapes(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		end := i + 1
		switch {
		case s[i] != '\\' || end >= len(s):
			end = i
		case s[end] == 'x':
			for end++; end < len(s) && end < i+4 && strings.IndexByte("0123456789abcdef", lower(s[end])) >= 0; end++ {
			}
		default:
			for ; end < len(s) && end < i+5 && s[end] >= '0' && s[end] <= '7' && (end < i+4 || s[i+1] == '0'); end++ {
			}
		}
		if end-i < 3 {
			b.WriteByte(s[i])
			continue
		}
		b.WriteString(ansi(s[i:end]))
		i = end - 1
	}
	return b.String()
}

func (sh *shell) builtinPrintf(args []command.Word) {
	args = args[1:]
	var target string
	if len(args) > 1 && args[0].Text == "-v" {
		target = args[1].Text
		sh.subscript(target)
		args = args[2:]
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	text, t := format(args[0], args[1:])
	if target != "" {
		sh.set(target, command.Word{Text: text, Taint: t})
		return
	}
	sh.print(1, command.Stream{Text: text, Seen: true, Taint: t, Pipe: true})
}

// format implements printf: the format is used again while arguments are left.
func format(f command.Word, args []command.Word) (string, command.Taint) {
	var b strings.Builder
	t := f.Taint
	for {
		used := false
		s := f.Text
		for i := 0; i < len(s); i++ {
			if s[i] != '%' || i+1 >= len(s) {
				j := strings.IndexByte(s[i:], '%')
				if j <= 0 {
					j = len(s) - i
				}
				b.WriteString(ansi(s[i : i+j]))
				i += j - 1
				continue
			}
			next := func() (a command.Word) {
				if len(args) > 0 {
					a, args = args[0], args[1:]
					used = true
				}
				t |= a.Taint
				return a
			}
			width, precision, j := conversion(s, i+1, next)
			if j >= len(s) {
				break
			}
			i = j
			if s[j] == '%' {
				b.WriteByte('%')
				continue
			}
			b.WriteString(padded(converted(s[j], next(), precision), width))
		}
		if len(args) == 0 || !used || b.Len() > maxValue {
			return b.String(), t
		}
	}
}

// conversion reads what stands between the % of a format and its letter, at j. A * takes the
// number from the arguments; without one, width is 0 and precision is -1.
func conversion(s string, from int, next func() command.Word) (width, precision, j int) {
	precision = -1
	num := &width
	for j = from; j < len(s) && strings.IndexByte("-+ #0123456789.*lhjztq", s[j]) >= 0; j++ {
		switch c := s[j]; {
		case c == '-' && num == &width:
			width = -1
		case c == '.':
			precision, num = 0, &precision
		case c == '*':
			*num, _ = number(next().Text)
		case c == 'q' && (j+1 >= len(s) || s[j+1] != 'q'):
			return width, precision, j
		case c >= '0' && c <= '9':
			*num = min(*num*10+int(c-'0'), maxValue)
		}
	}
	return width, precision, j
}

// converted is an argument as a letter of a format prints it.
func converted(verb byte, a command.Word, precision int) string {
	cut := func(s string) string {
		if precision >= 0 && precision < len(s) {
			return s[:precision]
		}
		return s
	}
	switch verb {
	case 'b':
		return cut(ansi(a.Text))
	case 's', 'q':
		return cut(a.Text)
	case 'c':
		return a.Text[:min(1, len(a.Text))]
	case 'd', 'i', 'u', 'x', 'X', 'o':
		n, ok := number(a.Text)
		if r, size := utf8.DecodeRuneInString(strings.TrimLeft(a.Text, `'"`)); !ok && size > 0 && (a.Text[0] == '\'' || a.Text[0] == '"') {
			n, ok = int(r), true // 'A is 65
		}
		if !ok {
			return umpire.Hole
		}
		return strconv.FormatInt(int64(n), map[byte]int{'x': 16, 'X': 16, 'o': 8, 'd': 10, 'i': 10, 'u': 10}[verb])
	}
	return umpire.Hole
}

// padded fills a text up with blanks, which the shell may then take for separators.
func padded(s string, width int) string {
	if width > len(s) && width < 256 {
		return strings.Repeat(" ", width-len(s)) + s
	}
	return s
}
