package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// caseClause reads the items of a case that may run: all of them, unless the word is one that this
// script got, as in ./dev.sh up.
func (sh *shell) caseClause(c *syntax.CaseClause) {
	sh.one(c.Word)
	texts := sh.decided(c)
	var branches []*shell
	always := false
	for _, it := range c.Items {
		b := sh.branch()
		for _, p := range it.Patterns {
			b.one(p)
			always = always || p.Lit() == "*"
		}
		if texts != nil && !slices.ContainsFunc(texts, func(text string) bool { return b.mayMatch(it, text) }) {
			continue
		}
		b.stmts(it.Stmts)
		branches = append(branches, b)
		if texts != nil {
			texts = slices.DeleteFunc(texts, func(text string) bool { return b.matches(it, text) })
		}
	}
	sh.mergeBranches(always, branches...)
}

// decided returns the values of the word of a case, or nil if it may have others. A hook's caller
// adds arguments that umpire does not know, and a loop or a recursive function is read once but
// runs with other values: only the arguments of a script that got some are sure.
func (sh *shell) decided(c *syntax.CaseClause) (texts []string) {
	name := parameter(c.Word)
	own := sh.vars[name]
	positional := name != "" && name[0] >= '1' && name[0] <= '9'
	if !sh.given || sh.repeats || positional && sh.shifted || !positional && len(own.alts) == 0 || own.array || own.ref || own.integer {
		return nil
	}
	for _, it := range c.Items {
		if it.Op != syntax.Break {
			return nil
		}
	}
	sh.eachCombination(func() { texts = append(texts, sh.exact(c.Word)) })
	if slices.Contains(texts, "") {
		return nil
	}
	return texts
}

// exact returns the value of a word, or "" if any part of it is unknown.
func (sh *shell) exact(w *syntax.Word) string {
	v := sh.one(w)
	v.Filled = false
	if !v.Known() || v.Taint != 0 || v.Marks != (command.Marks{}) {
		return ""
	}
	return v.Text
}

// parameter returns the name of the only parameter in a word such as "$1" or ${1:-build}, or "".
func parameter(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Param == nil || p.Param.Value == "0" || p.Excl || p.Length || p.Index != nil || p.Slice != nil || p.Repl != nil {
		return ""
	}
	if p.Exp != nil && (p.Exp.Word == nil || p.Exp.Word.Lit() == "") {
		return ""
	}
	return p.Param.Value
}

// matches reports whether an item of a case surely matches a text.
func (sh *shell) matches(it *syntax.CaseItem, text string) bool {
	return slices.ContainsFunc(it.Patterns, func(w *syntax.Word) bool {
		p := sh.pattern(w)
		return plain(w) && p.Known() && !strings.Contains(p.Text, "[") && globMatch(p.Text, text)
	})
}

// mayMatch reports whether an item of a case may match a text. The letter case is ignored, as under
// nocasematch.
func (sh *shell) mayMatch(it *syntax.CaseItem, text string) bool {
	return slices.ContainsFunc(it.Patterns, func(w *syntax.Word) bool {
		p := sh.pattern(w)
		return !plain(w) || !p.Known() || strings.Contains(p.Text, "[") || globMatch(strings.ToLower(p.Text), strings.ToLower(text))
	})
}

// plain reports whether a pattern consists of text, * and ?, without the groups of extglob.
func plain(w *syntax.Word) bool {
	return !slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch p := p.(type) {
		case *syntax.Lit:
			return strings.ContainsAny(p.Value, "(|")
		case *syntax.SglQuoted:
			return false
		case *syntax.DblQuoted:
			return slices.ContainsFunc(p.Parts, func(q syntax.WordPart) bool { _, text := q.(*syntax.Lit); return !text })
		}
		return true
	})
}
