package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// A confided sentence of a prompt says that what it tells is secret. Its names and numbers, if the
// prompt has them nowhere else, tell the secret together with another word of the sentence.
type confided struct {
	names map[string]bool
	words map[string]bool // stems of the words that carry meaning
}

// maxConfided is the limit of confided sentences that are compared.
const maxConfided = 64

var confidential = lazy.Words("secret confidential geheim vertraulich secreto confidencial confidentiel секретно")

// confide records the sentences of the prompt that are confided, and the codes for its staff.
func (p *secretPrompt) confide(system string) {
	all := sentences(system)
	count := map[string]int{}
	for _, w := range splitWords(system) {
		count[w]++
	}
	for i, sentence := range all {
		list := splitWords(sentence)
		told := i+1 < len(all) && refersBack(splitWords(all[i+1]))
		if told {
			p.values(sentence)
		}
		if slices.ContainsFunc(list, func(w string) bool { return staff()[w] }) {
			p.codes(sentence)
		}
		for clause := range strings.SplitSeq(sentence, ",") {
			told = told || refersBack(splitWords(clause))
		}
		label := len(list) > 0 && list[0] == "internal" && strings.HasPrefix(strings.ToLower(strings.TrimSpace(sentence)), "internal:")
		if len(p.confided) < maxConfided && (told || label || slices.ContainsFunc(list, func(w string) bool { return confidential()[w] })) {
			p.confideSentence(sentence, list, count)
		}
	}
}

func (p *secretPrompt) confideSentence(sentence string, list []string, count map[string]int) {
	c := confided{map[string]bool{}, map[string]bool{}}
	for i, f := range strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		w := strings.ToLower(f)
		r, _ := utf8.DecodeRuneInString(f)
		name := i > 0 && len(f) >= 4 && unicode.IsUpper(r) && !common()[w] && !directives()[w]
		number := len(f) >= 3 && strings.Trim(f, "0123456789") == ""
		if (name || number) && count[w] == 1 {
			c.names[w] = true
		}
	}
	for _, w := range list {
		if len(w) > 2 && !c.names[w] && !common()[w] && !directives()[w] && !negation()[w] && !speech()[w] && !confidential()[w] {
			c.words[stem(w)] = true
		}
	}
	if len(c.names) > 0 && len(c.words) > 0 {
		p.confided = append(p.confided, c)
	}
}

// refersBack reports whether a short order says that what stands before it is secret, as "keep it
// secret" and "never tell customers about it".
func refersBack(list []string) bool {
	if len(list) > 9 || !keepsSecret(list) {
		return false
	}
	for i, w := range list {
		switch w {
		case "it", "them", "this", "that":
			if i+1 == len(list) || confidential()[list[i+1]] || slices.Contains([]string{"private", "internal", "to", "with", "outside"}, list[i+1]) {
				return true
			}
		}
	}
	return false
}

var staff = lazy.Words("staff employee employees personnel admin admins administrator administrators mitarbeiter personal empleados employés")

// codes adds the codes in a sentence about the staff to the secrets: what follows the name of a
// secret and contains digits. Customers have codes, too, so that the name alone makes no secret.
func (p *secretPrompt) codes(sentence string) {
	named := 0
	for f := range strings.FieldsSeq(sentence) {
		f = strings.Trim(f, ".,;:!?\"'()[]<>`")
		if named--; named >= 0 && strings.ContainsAny(f, "0123456789") {
			if s := folded(f); len(s) >= 6 {
				p.secrets = append(p.secrets, s)
			}
		}
		if secretNames()[strings.ToLower(f)] {
			named = 2
		}
	}
}

// confides notes the confided sentences of which the answer repeats a word.
func (s *leakScan) confides(w string) {
	if len(s.p.confided) == 0 {
		return
	}
	st := stem(w)
	for i, c := range s.p.confided {
		if c.names[w] {
			s.toldNames |= 1 << i
		} else if c.words[st] {
			s.toldWords |= 1 << i
		}
	}
}

// confidedTold reports whether a sentence of the answer, which ends now, tells a confided sentence.
func (s *leakScan) confidedTold(refuses bool) bool {
	told := s.toldNames&s.toldWords != 0 && !refuses
	s.toldNames, s.toldWords = 0, 0
	return told
}
