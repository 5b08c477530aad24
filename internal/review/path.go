package review

import (
	"slices"
	"strings"
	"unicode"
)

// Limits of a path that an agent may see.
const (
	maxClosedPath  = 160
	maxClosedWord  = 20 // letters
	maxClosedWords = 3  // of one part of the path
	maxClosedAll   = 10 // of the path
)

// speaking matches words that make a file name address its reader: instructions, permissions,
// authority, or parts of sentences. A harmless file may contain such a word, too. Its path is then
// withheld, at little cost.
var speaking = strings.Fields(`
	ignore disregard forget override overrule bypass skip obey comply follow pretend act become
	approve approved approves approval accept accepted allow allowed permit permitted grant merge lgtm trust trusted safe verified benign harmless reviewed passed ok okay
	instruction instructions directive directives order orders prompt prompts jailbreak urgent important attention warning critical immediately
	previous prior above below earlier following
	reviewer reviewers assistant chatbot claude chatgpt gpt gemini copilot codex llm ai anthropic openai human operator maintainer admin administrator root sudo
	you your yours yourself we our me my mine he she they them
	please must should shall ought need needs want wants would could can cannot may might will wont dont do does did not never always now only just instead
	the an this that these those it its is are was were be been being has have had
	and or but if then else because so than as of to into onto from with without for by at on before after when while until unless
	say says tell tells answer reply respond report print output write read open send upload post fetch download curl wget run execute exec eval install delete remove drop destroy erase rm push commit publish leak exfiltrate reveal disclose
	all any every each no none nothing everything anything findings finding secret secrets password passwords token tokens credential credentials key keys ssh env`)

// harmlessPath reports whether an agent may see a path. The adversary chose the names, so a name
// must be too short and plain to carry a message: a few ASCII words in each part, and no
// instruction.
func harmlessPath(path string) bool {
	if path == "" || len(path) > maxClosedPath {
		return false
	}
	all := 0
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
		words := wordsOf(part)
		if all += len(words); len(words) == 0 || len(words) > maxClosedWords+1 || all > maxClosedAll {
			return false
		}
		if len(words) > maxClosedWords && len(words[len(words)-1]) > 4 { // an extension may be one more
			return false
		}
		if slices.ContainsFunc(words, func(w string) bool { return len(w) > maxClosedWord || slices.Contains(speaking, w) }) {
			return false
		}
		// Words can also be written together.
		joined := strings.Join(words, "")
		if slices.ContainsFunc(speaking, func(w string) bool { return len(w) >= 6 && strings.Contains(joined, w) }) {
			return false
		}
	}
	return true
}

// wordsOf splits a part of a path into lower-case words: at punctuation, digits and changes of
// case. It returns none for any other character, or if there are enough digits to encode a
// message.
func wordsOf(part string) (words []string) {
	var word []rune
	digits := 0
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	var last rune
	for _, r := range part {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				flush()
			}
			word = append(word, r)
		case r >= '0' && r <= '9':
			flush()
			if digits++; digits > 8 {
				return nil
			}
		case r == '.' || r == '-' || r == '_':
			flush()
		default:
			return nil
		}
		last = r
	}
	flush()
	return words
}
