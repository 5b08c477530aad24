package inject

import (
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
)

// maxForeign is the limit of tasks that count as foreign to an output: lists of exercises and data
// sets of prompts contain more.
const maxForeign = 3

// leastOutput is the least number of bytes around a task, and leastParts the least number of parts.
const (
	leastOutput = 40
	leastParts  = 3
)

var (
	// taskVerbs begin tasks that people give to assistants.
	taskVerbs = lazy.Words(`write compose draft explain describe translate summarize summarise paraphrase rephrase rewrite list name suggest
		recommend propose calculate compute solve convert rank compare create generate invent plan estimate guess teach tell give find prove review
		design discuss outline define classify provide make imagine draw recite narrate sing
		analyze analyse encode decode reverse spell evaluate assess identify determine categorize categorise respond`)
	// strongVerbs ask a reader for words, so that any object makes a task. numberVerbs make one
	// only with digits.
	strongVerbs = lazy.Words(`summarize summarise paraphrase recommend suggest compose recite prove`)
	numberVerbs = lazy.Words(`calculate compute solve convert`)
	// everydayVerbs begin what people ask each other for, unless "me" follows, as in "give me".
	everydayVerbs = lazy.Words(`tell give find make name list teach`)
	// localWords refer to the text around a request, so the request belongs to it.
	localWords = lazy.Words(`this these that those your our her his their us them above below following changes each here it`)
	// taskOpeners may stand before the verb.
	taskOpeners = lazy.Words(`please now then also instead next and finally kindly first just`)
	// taskWorks are works that people ask assistants for, and seldom each other.
	taskWorks = lazy.Words(`poem poems poetry haiku haikus limerick limericks sonnet sonnets rhyme rhymes lyrics rap lullaby ballad ode essay essays fable joke jokes riddle
		riddles pun puns slogan slogans tagline tweet synonym synonyms antonym antonyms anagram anagrams crossword palindrome factorial trivia monologue
		screenplay acrostic backstory superhero biography fairytale anecdote metaphor metaphors emojis horoscope mnemonic jingle eulogy parody stanza`)
	// taskPhrases are phrases of such works, and of questions of general knowledge.
	taskPhrases = []string{"square root", "prime factor", "prime number", "tongue twister", "fairy tale", "short story", "story about", "song about", "fun fact", "a joke", "cover letter",
		"birthday card", "birthday message", "product description", "chess opening", "plot of ", "day trip to", "difference between", "capital of", "population of", "meaning of life",
		"a five-year-old", "a 5-year-old", "to a child", "in one tweet", "in the style of", "history of", "solve for x", "for x", "love letter", "breakup letter", "bedtime story",
		"motivational", "the letters of the word", "rhymes with", "the word ", "recipe for", "book about", "movie about", "film about", "tips for", "tips on", "beginner's workout", "workout for"}
	// questionWords begin questions. A question with a phrase of knowledge asks for general
	// knowledge.
	questionWords = lazy.Words(`how which who whose when where why what`)
	knowledge     = []string{"capital of", "population of", "president of", "who invented", "who painted", "who wrote", "who discovered", "who composed", "planets", "moons of", "how many people live", "tallest",
		"longest river", "largest ocean", "largest country", "highest mountain", "oldest", "fastest animal", "difference between", "the meaning of", "how many bones", "world war", "speed of light", "year did", "distance between"}
	stopStems = lazy.Words(`about which there that this with your from into have what when then than them will here give each some more most only also they
		such their these those where would could should write give short using words sentence sentences 
		please paragraphs paragraph every between after before under`)
)

// Foreign returns the parts of an output that ask for the work of an assistant and are unrelated to
// the rest, such as "Write a haiku about volcanoes" in an invoice. No reader of the output is asked
// for that, but the sign is weak: a caller should mark such an output, not cut it.
func Foreign(segs []Segment) []int {
	if len(segs) < leastParts {
		return nil
	}
	var out []int
	total, questions, manual := 0, 0, false
	for i := range segs {
		total += len(segs[i].Text)
		if strings.HasSuffix(strings.TrimSpace(segs[i].Text), "?") {
			questions++
		}
		switch {
		case task(segs[i].Text) != "":
			out = append(out, i)
		case manualWords()[firstOf(segs[i].Text)]:
			manual = true
		}
	}
	if manual || questions > 0 {
		out = slices.DeleteFunc(out, func(i int) bool { return !isSure(task(segs[i].Text)) })
	}
	if len(out) == 0 || len(out) > maxForeign {
		return nil
	}
	kept := out[:0]
	for _, i := range out {
		s := &segs[i]
		if s.Literal || total-len(s.Text) < leastOutput || questions > maxForeign && strings.HasSuffix(strings.TrimSpace(s.Text), "?") || sharesWords(segs, i) {
			continue
		}
		kept = append(kept, i)
	}
	return kept
}

// manualWords begin the sentences of manuals, notes and requests to people. A document with one of
// them gives orders to its readers, so a task in it counts only if isSure.
var manualWords = lazy.Words(`run use set open click press add remove put take keep check make see read note copy move install start stop stir mix heat bring call send
	ask turn select choose enter type go get return leave let try follow refer update configure enable disable build download visit contact consult ensure verify
	please do don't never always remember tell let's test change apply store place wait
	def func const var import return class if for while package public private todo fix`)

func firstOf(text string) string {
	w, _ := firstWord(strings.TrimLeft(text, " \t\r\n-*•>\"'`#/0123456789.)("))
	return w
}

// longestTask is the length limit of a task: a longer paragraph is about more.
const longestTask = 240

// task returns the task for an assistant that a text is, or that follows a label, a cell or the
// level of a log in it.
func task(text string) string {
	if len(text) > 2*longestTask {
		return ""
	}
	log := text != "" && (text[0] == '[' || '0' <= text[0] && text[0] <= '9')
	for range 8 {
		if isTask(text) {
			return text
		}
		i := strings.IndexAny(text, ",:]|\t")
		for _, level := range logLevels {
			if !log {
				break
			}
			if k := strings.Index(text, level); k >= 0 && (i < 0 || k < i) {
				i = k + len(level) - 1
			}
		}
		if i < 0 {
			return ""
		}
		text = text[i+1:]
	}
	return ""
}

var logLevels = [...]string{"DEBUG ", "INFO ", "NOTICE ", "WARN ", "WARNING ", "ERROR ", "FATAL "}

// isTask reports whether a text begins with what may be a task for an assistant.
func isTask(text string) bool {
	if !opensTask(text) {
		return false
	}
	if isSure(text) {
		return true
	}
	text = strings.TrimLeft(text, " \t\r\n-*•>\"'`#/0123456789.)(")
	head, rest := firstWord(text)
	c := text[0]
	if len(text) <= 12 || len(text) >= longestTask || c < 'A' || c > 'Z' || !taskVerbs()[head] || !strings.HasPrefix(rest, " ") || hasWord(strings.ToLower(rest), localWords()) {
		return false
	}
	whom, _ := firstWord(rest)
	return !everydayVerbs()[head] || whom == "me"
}

// isSure reports whether a text begins with what is certainly a task for an assistant.
func isSure(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n-*•>\"'`#/0123456789.)(")
	if len(text) < 8 || len(text) > longestTask {
		return false
	}
	head, rest := firstWord(text)
	for range 3 {
		if !taskOpeners()[head] || rest == "" {
			break
		}
		head, rest = firstWord(rest)
	}
	verb, question := taskVerbs()[head], questionWords()[head]
	if !verb && !question {
		return false
	}
	if (strongVerbs()[head] || numberVerbs()[head] && strings.ContainsAny(rest, "0123456789") || head == "explain" && explains(rest)) && !hasWord(strings.ToLower(rest), localWords()) {
		return true
	}
	low := head + " " + strings.ToLower(rest)
	if question {
		return strings.Contains(low, "?") && anyof.Contains(low, knowledge...)
	}
	if head == "translate" && (strings.Contains(low, " into ") || strings.Contains(low, " to ")) && strings.ContainsAny(low, "\":'") {
		return true
	}
	if anyof.Contains(low, taskPhrases...) {
		return true
	}
	return hasWord(low, taskWorks())
}

// opensTask reports whether the first word of a text can begin a task. It is a fast filter.
func opensTask(text string) bool {
	i := 0
	for i < len(text) && (text[i] < 'A' || text[i] > 'z') && text[i] < 0x80 {
		i++
	}
	var low [12]byte
	n := 0
	for ; i < len(text) && 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z'; i++ {
		if n == len(low) {
			return false
		}
		low[n] = text[i] | 0x20
		n++
	}
	w := low[:n]
	return n > 2 && (taskVerbs()[string(w)] || questionWords()[string(w)] || taskOpeners()[string(w)])
}

// explains reports whether a request asks how something works or why it is so.
func explains(rest string) bool {
	what, more := firstWord(rest)
	return (what == "how" || what == "why" || what == "what") && anyof.Contains(more, " work", " is ", " are ", " have ", " has ", " fly", " means")
}

func hasWord(low string, words map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words[w] {
			return true
		}
	}
	return false
}

func firstWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\n,:")
	n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if n < 0 {
		n = len(s)
	}
	if n > 16 {
		return "", s
	}
	return strings.ToLower(s[:n]), s[n:]
}

// stemLetters is the number of letters in which two words must agree, and leastStems the least
// number of words in a task.
const (
	stemLetters = 5
	leastStems  = 2
)

// sharesWords reports whether another part has a word of the task in part i, other than the words
// for the kind of work.
func sharesWords(segs []Segment, i int) bool {
	stems := map[string]bool{}
	each := func(text string, f func(stem string) bool) bool {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(w) < stemLetters-1 || len(w) > 40 {
				continue
			}
			if w = strings.ToLower(w); !taskVerbs()[w] && !stopStems()[w] && f(w[:min(len(w), stemLetters)]) {
				return true
			}
		}
		return false
	}
	each(task(segs[i].Text), func(stem string) bool { stems[stem] = true; return false })
	if len(stems) < leastStems {
		return true // too few words to decide
	}
	for k := range segs {
		if k != i && each(segs[k].Text, func(stem string) bool { return stems[stem] }) {
			return true
		}
	}
	return false
}
