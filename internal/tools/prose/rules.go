package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// A rule returns why a sentence is faulty, or "".
type rule func(sentence) string

// longest is how many words a sentence may have.
const longest = 35

// rules returns the patterns, with the words to avoid.
func rules(avoided []avoid) []rule {
	list := []rule{clauseFirst, clauseBehind, nameIsClause, tooLong, endsWithWithout, errorIsThat}
	for _, p := range patterns {
		list = append(list, p.find)
	}
	for _, a := range avoided {
		list = append(list, a.find)
	}
	return list
}

// A pattern is a turn of phrase that native engineers do not use.
type pattern struct {
	re     *regexp.Regexp
	but    []string // texts before the match with which it is fine
	reason string
}

var patterns = []pattern{
	{regexp.MustCompile(`(?i)\b(is|are|was|were|be) no\b [a-z]+`), []string{"there", "if", "and"}, `write "must be" or "is not"`},
	{regexp.MustCompile(`(?i)\b(goes|go|went|gone) away\b`), nil, `write "shuts down", "closes" or "disappears"`},
	{regexp.MustCompile(`(?i)\bare that\b`), nil, `name the thing before "are"`},
	{regexp.MustCompile(`(?i)\b(is|are|was|were|be|been) told\b`), nil, `write "learns", "sees" or "gets"`},
	{regexp.MustCompile(`(?i)\b(do|does|did) not [a-z]+ (anything|nothing)\b`), nil, `write "does nothing" or name what is left alone`},
	{regexp.MustCompile(`(?i)\bfor now\b`), nil, "say what holds, or finish it"},
	{regexp.MustCompile(`(?i)\bstubs?\b`), nil, "say what it does, or finish it"},
	{regexp.MustCompile(`(?i)\bhas \d+ [a-z]+: there is no\b|\b%s has X [a-z]+: there is no\b`), nil, `say what is missing, then the range: "has no hunk 9: use 1 to 3"`},
	{regexp.MustCompile(`(?i)\b(is|are) (no|not a) (place|matter|business) (for|of)\b`), nil, `write "must not contain", or say who decides`},
	{regexp.MustCompile(`(?i)\b(it|they|this|that) (is|are) (the|a) (one|ones) (that|who|to)\b`), nil, "name the thing"},
	{regexp.MustCompile(`, and so (is|are|does|do|has|have|was) (a|an|the|its|their|every|each|one)\b`), nil, `write a full sentence with "also" or "too"`},
	{regexp.MustCompile(`(?i)\bhas (it|them|him|her) [a-z]+(ed|n)\b`), nil, "use the active voice: who does it"},
	{regexp.MustCompile(`(?i)\b(has|have|had) (no|nothing|none|anything|something) to (say|do|tell)\b`), nil, "say what happens"},
	{regexp.MustCompile(`(?i)\bwhat is known of\b`), nil, `name the thing: "the state of", "the description of"`},
	{regexp.MustCompile(`(?i)\bwhere there (is|are|was|were) none\b`), nil, `write "if there is none", or name the default`},
	{regexp.MustCompile(`(?i)\b(tell|tells) (whether|how|when|who|whose|what|where|which|why)\b`), []string{"cannot", "not", "can"}, `write "report" or "return"`},
	{regexp.MustCompile(`(?i)\b(is|are|was|were) none([.;,:]|$)`), []string{"there"}, `write "is not one"`},
	{regexp.MustCompile(`(?i)\bwhat (came|comes|goes|went) (of|out)\b`), nil, `write "the result" or "the output"`},
	{regexp.MustCompile(`(?i)\b(nothing|all|everything|empty|none|no [a-z]+|any) but for\b|^but for\b`), nil, `write "except"`},
	{regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`), nil, "finish it, or open an issue"},
	{regexp.MustCompile(`(?i)\b(is|are|was|were) (not )?to be [a-z]+(ed|n|d|t)\b`), nil, `use the active voice: who does it`},
}

func (p pattern) find(s sentence) string {
	for _, at := range p.re.FindAllStringIndex(s.text, -1) {
		match := s.text[at[0]:at[1]]
		before := strings.Fields(strings.ToLower(s.text[:at[0]]))
		if stillNegates.MatchString(match) || len(before) > 0 && slices.Contains(p.but, before[len(before)-1]) {
			continue
		}
		return fmt.Sprintf("%q: %s", match, p.reason)
	}
	return ""
}

// stillNegates finds the turns with "is no" that are good English.
var stillNegates = regexp.MustCompile(`(?i) no (longer|more|less|fewer|better|worse)$`)

var clause = regexp.MustCompile(`^(What|Who|Whoever|Whatever|Whether|what|who|whoever|whatever) [a-z]`)

// clauseFirst finds a sentence whose subject is a clause: "What is asked is ...".
func clauseFirst(s sentence) string {
	if s.question || !clause.MatchString(s.text) || len(strings.Fields(s.text)) < 4 {
		return ""
	}
	return fmt.Sprintf("opens with %q: name the thing", strings.Fields(s.text)[0])
}

var (
	clauseLater = regexp.MustCompile(`; (what|who|whoever) `)
	reporting   = regexp.MustCompile(`(?i)\b(shows?|says?|decides?|knows?|sees?|explains?|asks?|prints?)\b`)
)

// clauseBehind finds such a subject behind a semicolon, unless a verb before it has the clause
// as its object: "it says who asks; what it costs".
func clauseBehind(s sentence) string {
	at := clauseLater.FindStringIndex(s.text)
	if at == nil || s.question || reporting.MatchString(s.text[:at[0]]) {
		return ""
	}
	return fmt.Sprintf("%q: no clause as a subject: name the thing", strings.TrimSpace(s.text[at[0]:at[1]]))
}

func tooLong(s sentence) string {
	n := 0
	for _, w := range strings.Fields(s.text) {
		if strings.IndexFunc(w, isLetter) >= 0 {
			n++
		}
	}
	if n <= longest {
		return ""
	}
	return fmt.Sprintf("%d words: split it, %d are the most", n, longest)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// endsWithWithout finds "4096 without", which means a default.
func endsWithWithout(s sentence) string {
	if strings.HasSuffix(strings.TrimRight(s.text, "."), " without") {
		return `ends with "without": write "(default ...)"`
	}
	return ""
}

// errorIsThat finds doc comments such as "ErrUnknown is that the key is not known".
func errorIsThat(s sentence) string {
	if s.comment != "" && strings.HasPrefix(s.text, s.comment+" is that ") {
		return `write "` + s.comment + ` means"`
	}
	return ""
}

var isClause = regexp.MustCompile(`^[A-Z]\w* (is|are) (what|who|whose|how|where|why|whom) `)

// nameIsClause finds doc comments such as "Result is what came of a command".
func nameIsClause(s sentence) string {
	if s.comment == "" || !strings.HasPrefix(s.text, s.comment+" ") || !isClause.MatchString(s.text) {
		return ""
	}
	return fmt.Sprintf("defines %s by a clause: name the thing", s.comment)
}

// An avoid is a word of the "not" column of avoid.md.
type avoid struct {
	re       *regexp.Regexp
	not, but string
}

func (a avoid) find(s sentence) string {
	if !a.re.MatchString(s.text) {
		return ""
	}
	return fmt.Sprintf("%q: write %s", a.not, a.but)
}

// avoided reads the words to avoid.
func avoided(tree fs.FS) ([]avoid, error) {
	text, err := fs.ReadFile(tree, avoidFile)
	if err != nil {
		return nil, err
	}
	var list []avoid
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) != 2 || cells[0] == "not" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		re, err := regexp.Compile(`(?i)\b` + regexp.QuoteMeta(cells[0]) + `\b`)
		if err != nil {
			return nil, err
		}
		list = append(list, avoid{re, cells[0], cells[1]})
	}
	if len(list) == 0 {
		return nil, errors.New(avoidFile + " has no table")
	}
	return list, nil
}
