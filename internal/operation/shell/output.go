package shell

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func (sh *shell) builtinEcho(args []command.Word) {
	args = args[1:]
	escapes, newline := false, "\n"
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		if strings.Contains(args[0].Text, "e") {
			escapes = true
		}
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
	}
	sh.print(1, command.Stream{Text: text + newline, Seen: true, Taint: t, Pipe: true})
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
			j := i + 1
			for j < len(s) && strings.IndexByte("-+ #0123456789.*lhjzt", s[j]) >= 0 {
				j++
			}
			if j >= len(s) {
				break
			}
			verb := s[j]
			i = j
			if verb == '%' {
				b.WriteByte('%')
				continue
			}
			var a command.Word
			if len(args) > 0 {
				a, args = args[0], args[1:]
				used = true
			}
			t |= a.Taint
			switch verb {
			case 'b':
				b.WriteString(ansi(a.Text))
			case 's', 'q', 'd', 'i', 'u':
				b.WriteString(a.Text)
			case 'c':
				b.WriteString(a.Text[:min(1, len(a.Text))])
			case 'x', 'X', 'o':
				if n, err := strconv.Atoi(a.Text); err == nil {
					base := 16
					if verb == 'o' {
						base = 8
					}
					b.WriteString(strconv.FormatInt(int64(n), base))
				} else {
					b.WriteString(umpire.Hole)
				}
			default:
				b.WriteString(umpire.Hole)
			}
		}
		if len(args) == 0 || !used || b.Len() > maxValue {
			return b.String(), t
		}
	}
}
