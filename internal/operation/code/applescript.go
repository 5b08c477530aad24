package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// applescript finds do shell script, and the verbs with which other applications delete or send.
func (m *machine) applescript(text string) {
	toks := lex(m.l, text)
	p := &parser{m: m, t: toks}
	vars := map[string]value{}
	for p.i = 0; p.i < len(toks); p.i++ {
		if !m.step() {
			return
		}
		t := toks[p.i]
		next := func(n int, words ...string) bool {
			for k, w := range words {
				if !p.at(n + k).nameFold(w) {
					return false
				}
			}
			return true
		}
		switch {
		case t.nameFold("set") && p.i+3 < len(toks) && strings.EqualFold(p.at(2).text, "to"):
			if p.at(3).nameFold("do") {
				break
			}
			v, end := m.appleText(toks, p.i+3, vars)
			vars[p.at(1).text] = v
			p.i = max(p.i, end-1)
		case next(0, "do", "shell", "script"):
			v, end := m.appleText(toks, p.i+3, vars)
			tr := umpire.Trait(0)
			for j := end; j < len(toks) && toks[j].kind != tLine; j++ {
				if strings.EqualFold(toks[j].text, "administrator") {
					tr = umpire.Privilege
				}
			}
			for _, w := range v.words() {
				m.effect(Effect{Kind: Shell, Arg: w, Traits: tr})
			}
			p.i = max(p.i, end-1)
		case next(0, "do", "script"):
			v, _ := m.appleText(toks, p.i+2, vars)
			m.shell(v, value{})
		case t.nameFold("delete"):
			m.del(p.finderPath().mapText(hfsPath), umpire.Recursive)
		case next(0, "empty", "trash"), next(0, "empty", "the", "trash"):
			m.del(lit("~/.Trash/*"), umpire.Recursive)
		case next(0, "make", "login", "item"), next(0, "make", "new", "login", "item"): // starts with every session
			m.write(lit("~/Library/LaunchAgents/login-item.plist"), unknown(), 0)
		case next(0, "run", "script"):
			v, _ := m.appleText(toks, p.i+2, vars)
			if v.known() && m.enter() {
				m.applescript(v.text())
				m.leave()
			} else {
				m.eval(v)
			}
		case next(0, "shut", "down"), next(0, "restart"), next(0, "log", "out"):
			m.shell(lit("shutdown now"), value{})
		}
	}
}

// finderPath returns the path of the item that the rest of the line names, from the innermost to the
// outermost folder: every item of folder "Documents" of home.
func (p *parser) finderPath() value {
	out, path, base := lit(""), "", ""
	line := p.t[p.i+1:]
	for i, t := range line {
		if t.kind == tLine {
			break
		}
		word := strings.ToLower(t.text)
		switch folder := i+1 < len(line) && strings.EqualFold(line[i+1].text, "folder"); {
		case t.kind == tString:
			out = p.string(t)
			path = "/" + out.text() + path
		case word == "every" || word == "items":
			path = "/*"
		case word == "home":
			base = "~"
		case word == "desktop", folder && (word == "documents" || word == "downloads" || word == "pictures" || word == "library"):
			base, path = "~", "/"+strings.ToUpper(word[:1])+word[1:]+path
		}
	}
	if base == "" || !out.known() {
		return out
	}
	return lit(base + path)
}

// hfsPath returns the path of Macintosh HD:Users:x.
func hfsPath(s string) string {
	if _, after, ok := strings.Cut(s, ":"); ok && !strings.Contains(s, "/") {
		return "/" + strings.ReplaceAll(after, ":", "/")
	}
	return s
}

// appleText reads "a" & b & quoted form of c.
func (m *machine) appleText(toks []token, i int, vars map[string]value) (value, int) {
	p := &parser{m: m}
	out := lit("")
	for i < len(toks) {
		t := toks[i]
		switch {
		case t.kind == tString:
			out = concat(out, p.string(t))
		case t.op("("), t.nameFold("quoted"), t.nameFold("form"), t.nameFold("of"):
			i++
			continue
		case t.kind == tName:
			out = concat(out, vars[t.text])
		default:
			return out, i
		}
		i++
		if i < len(toks) && toks[i].op(")") {
			i++
		}
		if i >= len(toks) || toks[i].kind != tOp || toks[i].text != "&" {
			return out, i
		}
		i++
	}
	return out, i
}
