package shell

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// script reads text as a sequence of bash commands.
func (sh *shell) script(text string) {
	if len(text) > maxText {
		sh.steps = maxSteps
		sh.step()
		return
	}
	if !sh.enter() {
		return
	}
	defer sh.leave()
	text = strings.ReplaceAll(text, "\x00", "") // as bash does with a script
	if _, ok := sh.reading[text]; ok && sh.guessed {
		return // a guess that reads its own text again finds nothing new, and would exhaust the bounds
	} else if !ok {
		if sh.reading == nil {
			sh.reading = map[string]struct{}{}
		}
		sh.reading[text] = struct{}{}
		defer delete(sh.reading, text)
	}
	src, err := sh.world.source(text)
	fault := err // set if the text is not plain bash
	if err != nil {
		for _, v := range []syntax.LangVariant{syntax.LangMirBSDKorn, syntax.LangPOSIX, syntax.LangZsh} {
			if as, e := parse(text, v); e == nil {
				src, err = as, nil
				break
			}
		}
	}
	if err != nil && strings.Contains(text, "((") {
		// Bash reads text in (( that is not arithmetic as a nested subshell.
		src, err = parseMended(strings.ReplaceAll(text, "((", "( ("))
	}
	if err != nil && strings.Contains(text, "]=") {
		src, err = parseMended(quotedKeys(text))
	}
	if err == nil {
		if fault != nil && strings.Contains(text, "((") {
			src.complete = 0 // bash reads such text twice, and runs its here-documents as commands
		}
		sh.parsed(src)
		return
	}
	sh.shadowed, sh.loud = true, true
	sh.complete(text)
	sh.broken(text)
}

// source is a text with the syntax tree that it parses to.
type source struct {
	text     string
	complete int // offset of the added text
	file     *syntax.File
}

// parsed reads a parsed text.
func (sh *shell) parsed(src source) {
	sh.stmts(src.file.Stmts)
	sh.readDoubtfulDocuments(src, src.file)
}

// readDoubtfulDocuments reads the here-documents in a part of the text that a shell may treat as
// commands.
func (sh *shell) readDoubtfulDocuments(src source, in syntax.Node) {
	for _, body := range src.doubtful(in) {
		if _, ok := sh.world.doubtful[body]; ok || !sh.step() {
			continue
		}
		if sh.world.doubtful == nil {
			sh.world.doubtful = map[string]struct{}{}
		}
		sh.world.doubtful[body] = struct{}{}
		if guess := sh.guess(); guess != nil {
			guess.script(body)
		}
		sh.fragments(body)
	}
}

// maxOpen bounds the open constructs of a text that are closed.
const maxOpen = 24 // bash accepts 16 here-documents in a command

// parserSays returns the message of the parser's error, without the position.
func parserSays(err error) string {
	var fault syntax.ParseError
	if errors.As(err, &fault) {
		return fault.Text
	}
	return ""
}

// closer returns the text that completes an unfinished text, or "". The parser names it in its
// error: "reached EOF without matching `$(` with `)`".
func closer(err error) string {
	says := parserSays(err)
	switch {
	case strings.HasSuffix(says, "must be followed by a statement"), strings.HasSuffix(says, "must be followed by a statement list"):
		return "\n:"
	case strings.HasSuffix(says, "must be followed by an expression"):
		return "0"
	case strings.HasSuffix(says, "without closing quote \"`\""):
		return "`"
	}
	names := strings.Split(says, "`")
	if len(names) < 3 {
		return ""
	}
	end := names[len(names)-2]
	if strings.Contains(says, "must end with") || strings.Contains(says, "must be followed by") || strings.Contains(says, "matching `{` with") {
		return "\n" + end + " " // a separate word
	}
	if strings.Contains(says, "reached EOF") {
		return end
	}
	return ""
}

// maxCompleted bounds the texts that are completed, because the parser is slow on thousands of open
// brackets. Longer text is read line by line.
const maxCompleted = 4 << 10

// guess returns a shell for a reading of text that may not run, or nil if guesses are nested too
// deeply: the adversary must not exhaust the bounds with guesses before the reader reaches the
// commands that run.
func (sh *shell) guess() *shell {
	if sh.guesses >= maxGuesses {
		return nil
	}
	c := sh.clone()
	c.guesses++
	c.guessed = true
	return c
}

// complete reads an unfinished text: once with all open constructs closed, and once without the
// last open quote, bracket or expansion. Bash runs neither. Another shell may, and so may a client
// that runs a different text than it shows: an open quote must not make a decision milder.
func (sh *shell) complete(text string) {
	if sh.completions++; sh.completions > maxStrange || len(text) > maxCompleted || !sh.step() {
		return
	}
	guess := sh.guess()
	if guess == nil {
		return
	}
	if src, ok := closed(text); ok {
		guess.clone().parsed(src)
	}
	if i := strings.LastIndexAny(text, "\"'`(){}"); i >= 0 {
		if src, ok := closed(strings.TrimRight(text[:i], "\"'`({$<> \t")); ok {
			guess.parsed(src)
		}
	}
}

// closed parses text, and adds closing text until it parses.
func closed(text string) (source, bool) {
	src, err := parse(quotedKeys(text), syntax.LangBash)
	for n := 0; err != nil && n < maxOpen; n++ {
		if !src.mendDocument(err) {
			end := closer(err)
			if end == "" {
				break
			}
			src.text += end
		}
		err = src.parse(syntax.LangBash)
	}
	return src, err == nil
}

// parseMended parses a text, and repairs parts that bash accepts and the parser rejects.
func parseMended(text string) (source, error) {
	src, err := parse(text, syntax.LangBash)
	for n := 0; err != nil && n < maxOpen && (src.mendDocument(err) || src.mendNegation(err)); n++ {
		err = src.parse(syntax.LangBash)
	}
	return src, err
}

// keptText is the size from which a text is worth to be parsed only once in a call, in bytes.
const keptText = 1 << 10

// source parses a text. A long text is parsed once: a script such as configure starts itself again
// with each shell that it finds. Readers must not change the tree.
func (w *world) source(text string) (source, error) {
	if src, ok := w.sources[text]; ok {
		return src, nil
	}
	src, err := parseMended(text)
	if err == nil && len(text) >= keptText {
		if w.sources == nil {
			w.sources = map[string]source{}
		}
		w.sources[text] = src
	}
	return src, err
}

func parse(text string, v syntax.LangVariant) (source, error) {
	src := source{text: text, complete: len(text)}
	err := src.parse(v)
	return src, err
}

// parse calls the parser. If a text makes the parser panic, it counts as text that does not parse:
// a panic must not let a command pass unread.
func (src *source) parse(v syntax.LangVariant) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parser: %v", r)
		}
	}()
	if !strings.Contains(src.text, "#") {
		src.file, err = syntax.NewParser(syntax.Variant(v)).Parse(strings.NewReader(src.text), "")
		return err
	}
	for range maxStrange {
		src.file, err = syntax.NewParser(syntax.Variant(v), syntax.KeepComments(true)).Parse(strings.NewReader(src.text), "")
		if err != nil {
			return err
		}
		i := falseComment(src.file, src.text)
		if i < 0 {
			return nil
		}
		src.text = src.text[:i] + `\` + src.text[i:]
		if i < src.complete {
			src.complete++
		}
	}
	return errors.New("too many comment candidates")
}

// falseComment finds a comment that begins in the middle of a word, where bash sees none. In a
// subshell, the parser takes the # of $!#x for a comment, and would skip the rest of the line.
func falseComment(f *syntax.File, text string) int {
	at := -1
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok && at < 0 {
			if i := int(c.Hash.Offset()); i > 0 && i < len(text) && (strings.IndexByte(" \t\r\n;&|()<>`", text[i-1]) < 0 || text[i-1] == '`' && strings.Count(text[:i], "`")%2 == 0) {
				at = i
			}
		}
		return at < 0
	})
	return at
}

// broken reads text that does not parse as a whole. Bash runs the complete lines before the faulty
// one. The rest is read line by line and fragment by fragment, because another shell may understand
// what bash and this parser do not.
func (sh *shell) broken(text string) {
	end := 0
	first := leading(text)
	for _, stmt := range first {
		// Bash does not run the statements of the faulty line itself, but those of the lines
		// before.
		if e := int(stmt.End().Offset()); strings.IndexByte(text[min(e, len(text)):], '\n') >= 0 && sh.step() {
			sh.stmt(stmt)
			end = e
		}
	}
	sh.readDoubtfulDocuments(source{text: text, complete: len(text)}, &syntax.File{Stmts: first})
	rest := strings.ReplaceAll(text[min(end, len(text)):], "\\\n", "")
	sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: clip(strings.TrimSpace(rest)), Traits: umpire.Unknown})
	for line := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '\n' }) {
		if line == text {
			break // complete has read it already
		}
		sh.complete(line)
	}
	sh.fragments(rest)
}

// fragments reads the texts between characters that may separate commands. The first pass keeps
// pipes and redirections whole, and the second finds commands inside them. The third respects
// quotes: the text after bash <<< may contain separators.
func (sh *shell) fragments(text string) {
	n := 0
	const most = "\n;(){}`"
	passes := [][]string{separate(text, most, false), separate(text, most+"|&", false)}
	if strings.ContainsAny(text, `"'`) {
		passes = append(passes, separate(text, most, true))
	}
	for _, frags := range passes {
		for _, frag := range frags {
			if n++; n > maxFragments { // an adversary may hide a command behind the last one
				sh.steps = maxSteps
			}
			if !sh.step() {
				return
			}
			sh.fragment(withoutReserved(withoutDocuments(frag)))
		}
	}
}

// separate splits text at separators, except inside quotes if quotes is set. A quote that is never
// closed is an ordinary character.
func separate(text, separators string, quotes bool) (out []string) {
	begin := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quotes && c == '\\':
			i++
		case quotes && (c == '\'' || c == '"'):
			i += max(0, strings.IndexByte(text[i+1:], c)+1)
		case strings.IndexByte(separators, c) >= 0:
			if begin < i {
				out = append(out, text[begin:i])
			}
			begin = i + 1
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

func (sh *shell) fragment(text string) {
	src, err := parse(text, syntax.LangBash)
	if err != nil {
		src, err = parse(plainWords(text), syntax.LangBash)
	}
	if err != nil {
		src, err = parse(strings.NewReplacer(`"`, "", "'", "").Replace(text), syntax.LangBash)
	}
	if err == nil {
		c := sh.clone()
		c.guessed = true
		c.stmts(src.file.Stmts)
	}
}

// plainWords quotes reserved words: after a redirection, bash takes them for names, as in >f do.
func plainWords(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if anyof.Equal(w, "if", "then", "elif", "else", "fi", "while", "until", "for", "do", "done", "case", "esac", "select", "function", "in", "time", "coproc", "{", "}", "!", "[[") {
			words[i] = `\` + w
		}
	}
	return strings.Join(words, " ")
}

// withoutReserved returns a fragment without the reserved words before its command.
func withoutReserved(frag string) string {
	for {
		frag = strings.TrimLeft(frag, " \t\r")
		n := strings.IndexFunc(frag, func(r rune) bool { return r != '!' && (r < 'a' || r > 'z') })
		if n < 0 {
			n = len(frag)
		}
		switch frag[:n] {
		case "if", "then", "elif", "else", "while", "until", "do", "coproc", "!":
			frag = frag[n:]
		case "time":
			frag = strings.TrimPrefix(strings.TrimLeft(frag[n:], " \t"), "-p ")
		default:
			return frag
		}
	}
}

// leading parses the statements before the first fault.
func leading(text string) (list []*syntax.Stmt) {
	defer func() { _ = recover() }() // see source.parse
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	for s, err := range p.StmtsSeq(strings.NewReader(text)) {
		if err == nil { // the parser panics if the loop stops at a fault
			list = append(list, s)
		}
	}
	return list
}

func clip(s string) string {
	if len(s) > 200 {
		return s[:200]
	}
	return s
}

// Amounts of white space that fill a screen, in line feeds and in characters.
const (
	gapLines = 40
	gapWidth = 1000
)

// hidden reports characters that a person cannot see or takes for others, and white space that
// pushes the rest off the screen: the person would approve a text that seems to end earlier.
func (sh *shell) hidden(text string) {
	lines, width := 0, 0
	for _, r := range text {
		what := ""
		switch {
		case isHidden(r):
			what = fmt.Sprintf("%U", r)
		case unicode.IsSpace(r):
			width++
			if r == '\n' {
				lines++
			}
			continue
		case lines > gapLines:
			what = fmt.Sprintf("empty lines: %d", lines-1)
		case width > gapWidth:
			what = fmt.Sprintf("spaces in a row: %d", width)
		}
		if what != "" {
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: what, Traits: umpire.HiddenText})
			return
		}
		lines, width = 0, 0
	}
}

// isHidden reports whether a person who approves a command cannot see a character, or mistakes it.
func isHidden(r rune) bool {
	if r < 0x80 {
		return r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r == 0x7f
	}
	switch r {
	case 0x200b, 0x200c, 0x2060, 0xfeff, 0x00ad, 0x180e, 0x200e, 0x200f, 0x2028, 0x2029: // zero width, separators
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || // bidirectional
		r >= 0xe0000 && r <= 0xe007f || // tags
		r >= 0xff01 && r <= 0xff5e // full width
}

// text expands a string as the shell expands a here-document or a prompt: parameters and
// substitutions, without splitting.
func (sh *shell) text(s string) command.Word {
	if !strings.ContainsAny(s, "$`\\") {
		return command.Lit(s)
	}
	w, err := document(s)
	if err != nil || w == nil {
		if i := strings.IndexAny(s, "$`"); sh.enter() { // read unparsable text like a script
			sh.clone().script(strings.TrimLeft(s[max(i, 0):], "$(`"))
			sh.leave()
		}
		return command.Lit(s)
	}
	defer sh.readDoubtfulDocuments(source{text: s, complete: len(s)}, w)
	return sh.quoted(w.Parts)
}

func document(s string) (w *syntax.Word, err error) {
	defer func() {
		if r := recover(); r != nil { // see source.parse
			w, err = nil, fmt.Errorf("parser: %v", r)
		}
	}()
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Document(strings.NewReader(s))
}

// subscript evaluates the index in text such as a[$(cmd)]. An adversary hides a command there:
// arithmetic contexts run it, which surprises even shell experts.
func (sh *shell) subscript(s string) {
	if strings.Contains(s, "[") && strings.ContainsAny(s, "$`") {
		sh.text(s)
	}
}
