package shell

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
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
	w := command.Join(args, " ")
	text := w.Listed()
	if escapes {
		before, ended := cutC(text)
		if text = ansi(before); ended {
			newline = ""
		}
	} else if !plain {
		text = numericEscapes(text)
	}
	sh.print(command.Stream{Text: text + newline, Seen: true, Taint: w.Taint, Pipe: true})
}

// numericEscapes decodes \162 and \x72, as echo does without an option in zsh and, for the first
// form, in dash. Hiding a letter is the only reason to write it this way.
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
	sh.print(command.Stream{Text: text, Seen: true, Taint: t, Pipe: true})
}

// format implements printf, which repeats the format while arguments are left.
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
				text, ended := cutC(s[i : i+j])
				b.WriteString(ansi(text))
				if ended { // \c has no effect in a format
					b.WriteString(`\c`)
					j = len(text) + 2
				}
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
			c := readConversion(s, i+1, next)
			if c.end >= len(s) {
				break
			}
			i = c.end
			if s[i] == '%' {
				b.WriteByte('%')
				continue
			}
			text, ended := c.converted(s[i], next())
			b.WriteString(text)
			if ended {
				return b.String(), t
			}
		}
		if len(args) == 0 || !used || b.Len() > maxValue {
			return b.String(), t
		}
	}
}

// cutC cuts a text at \c, which ends all output of echo and of %b.
func cutC(s string) (before string, found bool) {
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if s[i+1] == 'c' {
			return s[:i], true
		}
		i++
	}
	return s, false
}

// conversion is the text between the % of a format and its letter.
type conversion struct {
	flags     string // any of "-+ #0"
	width     int
	precision int // -1 if there is none
	end       int // index of the letter
}

// readConversion reads a conversion; * takes its number from the arguments.
func readConversion(s string, from int, next func() command.Word) conversion {
	c := conversion{precision: -1, end: from}
	num := &c.width
	for ; c.end < len(s); c.end++ {
		switch at := s[c.end]; {
		case at == '.':
			c.precision, num = 0, &c.precision
		case at == '*':
			n, _ := number(next().Text)
			if num == &c.width && n < 0 {
				c.flags, n = c.flags+"-", -n
			}
			*num = min(n, maxValue)
		case at >= '1' && at <= '9' || at == '0' && (*num > 0 || num == &c.precision):
			*num = min(*num*10+int(at-'0'), maxValue)
		case strings.IndexByte("-+ #0", at) >= 0:
			c.flags += string(at)
		case at == '(': // %(%Y)T formats a time
			if end := strings.Index(s[c.end:], ")T"); end > 0 {
				c.end += end + 1
			}
			return c
		case at == 'q' && c.end+1 < len(s) && s[c.end+1] == 'q', strings.IndexByte("lhjzt", at) >= 0: // length modifiers
		default:
			return c
		}
	}
	return c
}

// converted returns an argument as the conversion prints it. ended reports that it ends all output.
func (c conversion) converted(verb byte, a command.Word) (text string, ended bool) {
	switch verb {
	case 'b':
		text, ended = cutC(a.Text)
		text = a.Part(ansi(text)).Listed()
	case 's':
		text = a.Listed()
	case 'q':
		text = a.Part(withBackslashes(a.Text)).Listed()
	case 'c':
		return c.padded(a.Text[:min(1, len(a.Text))]), false
	case 'd', 'i', 'u', 'x', 'X', 'o':
		n, ok := number(a.Text)
		if r, size := utf8.DecodeRuneInString(strings.TrimLeft(a.Text, `'"`)); !ok && size > 0 && (a.Text[0] == '\'' || a.Text[0] == '"') {
			n, ok = int(r), true // 'A prints 65
		}
		if a.Text == "" {
			ok = true // an empty argument prints 0
		}
		if !ok {
			return umpire.Hole, false
		}
		return c.integer(verb, n), false
	default:
		return umpire.Hole, false
	}
	if c.precision >= 0 && c.precision < len(text) {
		text = text[:c.precision]
	}
	return c.padded(text), ended
}

// integer formats a number. The flags mean the same in Go as in C.
func (c conversion) integer(verb byte, n int) string {
	format := "%" + c.flags
	if c.width > 0 && c.width < 256 {
		format += strconv.Itoa(c.width)
	}
	if c.precision >= 0 && c.precision < 256 {
		format += "." + strconv.Itoa(c.precision)
	}
	switch verb {
	case 'd', 'i':
		return fmt.Sprintf(format+"d", n)
	case 'u':
		return fmt.Sprintf(format+"d", uint64(n))
	}
	return fmt.Sprintf(format+string(verb), uint64(n))
}

// padded pads a text with blanks, which the shell may then treat as separators.
func (c conversion) padded(s string) string {
	if c.width <= len(s) || c.width >= 256 || strings.Contains(s, umpire.Hole) {
		return s
	}
	blanks := strings.Repeat(" ", c.width-len(s))
	if strings.Contains(c.flags, "-") {
		return s + blanks
	}
	return blanks + s
}

// withBackslashes quotes a text as %q does.
func withBackslashes(s string) string {
	if s == "" {
		return "''"
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return umpire.Hole
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(" !\"$&'()*,;<>?[\\]^`{|}", s[i]) >= 0 || i == 0 && (s[i] == '#' || s[i] == '~') {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
