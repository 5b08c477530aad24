package guard

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/normal"
)

// turnMark is a place in tool output that a model would read as the start of another speaker's
// turn: a token of a chat template, or a tag or line that names a role.
type turnMark struct {
	start, end int
	kind       string // "chat-token" or "role-line"
	forged     bool   // it has no other meaning
}

// roleNames lists the speakers in chat templates.
var roleNames = [...]string{"system", "user", "assistant", "developer", "tool", "model", "human", "observation", "ipython"}

// roleTags lists tags that frame turns, prompts and calls in the templates of models. weakTags also
// occur in documents, and count only if the output has another mark.
var (
	roleTags = lazy.Words(`system system-reminder system_reminder system-prompt system_prompt system-message system_message human assistant developer
		function_calls function_results function_response tool_call tool_calls tool_response tool_result tool_results im_start im_end start_of_turn end_of_turn extra_id_0 extra_id_1 beginning_of_sentence end_of_sentence`)
	weakTags = lazy.Words(`user tool model instructions`)
)

// roleLines lists beginnings of lines that start a turn. weakLines also occur in lists and logs,
// and count only if the output has another mark, or before a text that reads like an order.
var (
	roleLines = [...]string{"human:", "### human:", "### assistant:", "### instruction:", "### response:", "### system:", "### user:", "gpt4 correct user:", "gpt4 correct assistant:"}
	weakLines = [...]string{"assistant:", "system:", "user:", "developer:", "ai:", "### input:"}
)

// turnMarks finds the places in tool output where another speaker seems to begin. It skips tokens
// that are only quoted, in quotation marks or code. orders reports whether the text at an offset
// reads like an order.
func turnMarks(output string, orders func(at int) bool) []turnMark {
	f := turnFinder{output: output, orders: orders}
	inject.Texts(output, func(text string, at func(i, j int) (int, int)) {
		if strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '[') < 0 && strings.IndexByte(text, ':') < 0 && ascii(text) {
			return
		}
		if ascii(text) {
			f.find(text, at)
			return
		}
		c := normal.Canonical(text) // a token may be disguised
		f.find(c.Text, func(i, j int) (int, int) { return at(c.Range(i, j)) })
	})
	if len(f.out) > 0 {
		f.out = append(f.out, f.weak...)
	}
	return f.out
}

// turnFinder collects the marks in the texts of an output. Marks in weak count only beside others.
type turnFinder struct {
	output    string
	orders    func(at int) bool
	out, weak []turnMark

	// The text that is searched now:
	text   string
	low    string // text in lower case
	at     func(i, j int) (int, int)
	checks int // limits the cost: each check reads the text before it, and an honest text has few tokens
}

func (f *turnFinder) find(text string, at func(i, j int) (int, int)) {
	f.text, f.low, f.at, f.checks = text, lowered(text), at, 0
	f.tokens()
	f.lines()
}

func (f *turnFinder) shown(at, size int) bool {
	f.checks++
	return f.checks <= maxTokens && (fenced(f.low, at) || quotedHere(f.low, at, size))
}

// bare reports whether a token is quoted. A code fence does not excuse tokens that only templates
// contain: an attacker who plants a token can also write the fence.
func (f *turnFinder) bare(at, size int) bool {
	f.checks++
	return f.checks <= maxTokens && quotedHere(f.low, at, size)
}

func (f *turnFinder) spokenOf(at, size int) bool {
	return f.checks <= maxTokens && mentioned(f.low, at, size)
}

func (f *turnFinder) add(i, j int, kind string, forged bool, to *[]turnMark) {
	start, end := f.at(i, j)
	*to = append(*to, turnMark{start, end, kind, forged})
}

// tokens finds the tokens and tags of chat templates.
func (f *turnFinder) tokens() {
	low := f.low
	var tags int // tags that belong to no template and no web page, as in an XML document
	for i := 0; i < len(low); {
		k := strings.IndexAny(low[i:], "<[")
		if k < 0 {
			break
		}
		i += k
		if n := tokenAt(low, i); n > 0 {
			if role := roleAt(low[i+n:]); !f.bare(i, n) && (role > 0 || len(f.text) == len(f.output) || strings.TrimSpace(low) != low[i:i+n]) { // skip a token in a list of tokens
				f.add(i, i+n+role, "chat-token", !f.spokenOf(i, n), &f.out)
			}
			i += n
			continue
		}
		name, n := tagAt(low[i:])
		switch {
		case n == 0:
			n = 1
		case roleTags()[name] && strings.ContainsAny(name, "_-") && !f.bare(i, n) && f.checks <= maxTokens && fenced(low, i):
			f.add(i, i+n, "chat-token", false, &f.out)
		case (roleTags()[name] || weakTags()[name]) && (f.shown(i, n) || len(f.text) < len(f.output) && f.spokenOf(i, n)):
		case roleTags()[name]:
			f.add(i, i+n, "chat-token", true, &f.out)
		case weakTags()[name]:
			f.add(i, i+n, "chat-token", true, &f.weak)
		case !pageTags()[name]:
			tags++
		}
		i += n
	}
	if tags > 3 { // a document with its own tags
		isTag := func(m turnMark) bool {
			_, n := tagAt(strings.ToLower(f.output[m.start:m.end]))
			return n > 0 && tokenAt(strings.ToLower(f.output[m.start:m.end]), 0) == 0
		}
		f.out, f.weak = without(f.out, isTag), without(f.weak, isTag)
	}
}

// lines finds lines that begin with the name of a speaker.
func (f *turnFinder) lines() {
	low := f.low
	for i := 0; i < len(low); {
		line := low[i:]
		next := strings.IndexByte(line, '\n')
		if next < 0 {
			next = len(line)
		}
		line = line[:next]
		from := i + len(line) - len(strings.TrimLeft(line, " \t>*"))
		if strings.IndexByte(line, ':') > 0 {
			for _, role := range roleLines {
				if strings.HasPrefix(low[from:], role) && !f.bare(from, 0) {
					f.add(from, from+len(role), "role-line", false, &f.out)
				}
			}
			for _, role := range weakLines {
				if !strings.HasPrefix(low[from:], role) || f.shown(from, 0) {
					continue
				}
				if start, _ := f.at(from, from); f.orders(start) {
					f.add(from, from+len(role), "role-line", false, &f.out)
				} else {
					f.add(from, from+len(role), "role-line", false, &f.weak)
				}
			}
		}
		i += next + 1
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func without(marks []turnMark, drop func(turnMark) bool) []turnMark {
	var out []turnMark
	for _, m := range marks {
		if !drop(m) {
			out = append(out, m)
		}
	}
	return out
}

// fenced reports whether a position is within a closed code fence.
func fenced(low string, at int) bool {
	return strings.Count(low[:at], "```")%2 == 1 && strings.Contains(low[at:], "```")
}

// quotedHere reports whether a token is in quotation marks or code on its line. Then it is an
// example and addresses no one.
func quotedHere(low string, at, size int) bool {
	line, rest := low[strings.LastIndexByte(low[:at], '\n')+1:at], low[at+size:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return slices.ContainsFunc([]string{"`", `"`, "'"}, func(q string) bool {
		return strings.Count(line, q)%2 == 1 && strings.Contains(rest, q) && (q != "'" || strings.HasSuffix(line, q))
	})
}

// roleAt returns the length of the role name at the beginning of a text, or 0.
func roleAt(low string) int {
	for _, r := range roleNames {
		if strings.HasPrefix(low, r) && (len(low) == len(r) || low[len(r)]|0x20 < 'a' || low[len(r)]|0x20 > 'z') {
			return len(r)
		}
	}
	return 0
}

// tagAt returns the name and the length of the tag at the beginning of a text, or "" and 0.
func tagAt(low string) (name string, n int) {
	if low == "" || low[0] != '<' {
		return "", 0
	}
	i := 1
	if i < len(low) && low[i] == '/' {
		i++
	}
	j := i
	for j < len(low) && (low[j] >= 'a' && low[j] <= 'z' || low[j] >= '0' && low[j] <= '9' || low[j] == '-' || low[j] == '_') {
		j++
	}
	if j == i || j == len(low) {
		return "", 0
	}
	switch low[j] {
	case '>':
		return low[i:j], j + 1
	case ' ', '/', '\n', '\t':
		if k := strings.IndexByte(low[:min(len(low), 300)], '>'); k > 0 {
			return low[i:j], k + 1
		}
	}
	return "", 0
}

// pageTags lists the tags of web pages, feeds and images.
var pageTags = lazy.Words(`html head body title meta link script style div span p a b i u em strong code pre ul ol li dl dt dd table thead tbody tfoot tr td th caption h1 h2 h3 h4 h5 h6
	img picture source video audio br hr form input button select option label textarea nav main section article aside header footer details summary blockquote q small sub sup s del ins mark
	iframe noscript template svg path g circle rect line text canvas figure figcaption time abbr address cite dfn kbd samp var wbr rss channel item feed entry center font tt`)
