package guard

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// A form is a passage written for a model and not for a reader: forged turns of a conversation, or
// words that the model must repeat.
type form struct {
	kind       string
	start, end int
	score      float64 // likelihood of an attack by this form alone, 0 to 1
}

// maxForms is the limit of reported forms per text.
const maxForms = 8

// forms finds the forms of a text. Only forged turns are enough by themselves, because an order to print
// something is mostly harmless.
func forms(text string) []form {
	low := lowered(text)
	var out []form
	add := func(kind string, start, end int, score float64) {
		if len(out) < maxForms {
			out = append(out, form{kind, start, end, score})
		}
	}
	forgedTurns(low, add)
	orders(low, add)
	return out
}

// lowered returns s with ASCII letters in lower case. Every byte keeps its position.
func lowered(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		b.WriteByte(c)
	}
	return b.String()
}

// pipeTokens lists tokens that stand between <| and |> in the templates of ChatML, Llama, Phi,
// Zephyr, Command R, Granite, DeepSeek, GLM and Harmony. plainTokens lists complete tokens of other
// templates.
var (
	pipeTokens = lazy.Words(`im_start im_end im_sep system user assistant developer tool observation end endoftext endofprompt eot eot_id eom_id
		begin_of_text end_of_text start_header_id end_header_id header_start header_end start message channel return call constrain
		start_of_role end_of_role start_of_turn_token end_of_turn_token system_token user_token chatbot_token python_tag
		im_user im_system im_assistant im_middle bom eom bos eos pad eod header_end action_start action_end plugin interpreter ipython human bot model
		fim_prefix fim_middle fim_suffix separator startoftext think begin_of_thought end_of_thought tool_call tool_calls tool_response tool_result tools tool_list_start tool_list_end
		begin▁of▁sentence end▁of▁sentence tool▁calls▁begin tool▁calls▁end tool▁outputs▁begin tool▁outputs▁end`)
	plainTokens = [...]string{"[inst]", "[/inst]", "[system_prompt]", "[/system_prompt]", "[gmask]", "<<sys>>", "<</sys>>", "<start_of_turn>", "<end_of_turn>",
		"[|system|]", "[|user|]", "[|assistant|]", "[|endofturn|]", "<seed:bos>", "<seed:eos>", "<sop>", "<eop>", "<reserved_106>", "<reserved_107>",
		"[available_tools]", "[/available_tools]", "[tool_calls]", "[tool_results]", "[/tool_results]"}
	// spoken lists words of people who discuss tokens. Those in spokenBefore count only before a
	// token.
	spokenBefore = lazy.Words(`what why how does explain difference between called uses use using replace remove stop special emits prints documentation docs example escape escaping`)
	spoken       = lazy.Words(`token tokens tokenizer tokenizers tokenize tokenization template templates chatml format formats formatted formatting delimiter delimiters syntax
		mean means meaning parse parser parsing regex strip stripping convert finetune finetuned finetuning dataset jsonl vllm huggingface transformers ollama llama gguf eos bos inference`)
)

// tokenAt returns the length of the chat template token at position i, or 0.
func tokenAt(low string, i int) int {
	if rest, ok := strings.CutPrefix(low[i:], "<|"); ok {
		if n := strings.Index(rest[:min(len(rest), 64)], "|>"); n > 0 && (pipeTokens()[rest[:n]] || templated(rest[:n])) {
			return n + 4
		}
		return 0
	}
	for _, t := range plainTokens {
		if strings.HasPrefix(low[i:], t) {
			return len(t)
		}
	}
	return 0
}

// templated reports whether only a template has such a name between <| and |>: words that are
// joined, as in reserved_special_token_3.
func templated(name string) bool {
	joined := false
	for _, c := range name {
		switch {
		case c == '_' || c == '▁':
			joined = true
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return joined
}

// maxTokens is the limit of tokens that are examined: an honest text about tokens contains few.
const maxTokens = 64

// forgedTurns finds a chat template token that is neither quoted nor discussed.
func forgedTurns(low string, add func(string, int, int, float64)) {
	n := 0
	for at := 0; n < maxTokens; {
		i := strings.IndexAny(low[at:], "<[")
		if i < 0 {
			return
		}
		at += i
		size := tokenAt(low, at)
		if size == 0 {
			at++
			continue
		}
		if n++; !mentioned(low, at, size) {
			add("forged-turn", at, at+size, 0.5)
			return
		}
		at += size
	}
}

// aside is the distance in bytes within which words can comment on a token.
const aside = 200

// mentioned reports whether a token is only mentioned: in code, in quotation marks that do not
// begin the text, or in a line about tokens.
func mentioned(low string, at, size int) bool {
	from := max(0, at-aside)
	before, after := low[from:at], low[at+size:min(len(low), at+size+aside)]
	if strings.Count(low[:at], "```")%2 == 1 {
		return true
	}
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		from, before = from+i+1, before[i+1:]
	}
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	for _, q := range [...]string{"`", `"`} {
		if strings.Count(before, q)%2 == 1 && strings.TrimSpace(low[:from+strings.Index(before, q)]) != "" {
			return true
		}
	}
	if strings.HasSuffix(before, "'") && strings.TrimSpace(before) != "'" {
		return true
	}
	talk := false
	w := words{}
	about := func(s string, more map[string]bool) {
		w.word = func(b []byte) { talk = talk || spoken()[string(b)] || more[string(b)] }
		for i := 0; i < len(s); i++ {
			if n := tokenAt(s, i); n > 0 { // the name of a token is not a comment on it
				i += n - 1
				w.end()
				continue
			}
			w.rune(rune(s[i])) // bytes of other letters form no word in the lists
		}
		w.end()
	}
	about(before, spokenBefore())
	about(after, nil)
	return talk
}

// orders finds sentences that dictate an answer or that turn off safeguards, by their first words
// after polite ones.
func orders(low string, add func(string, int, int, float64)) {
	dictated, bypassed := false, false
	for at := 0; at < len(low) && !(dictated && bypassed); {
		for at < len(low) && strings.IndexByte(" \t\r\n\"'`*>-", low[at]) >= 0 {
			at++
		}
		rest := low[at:min(len(low), at+aside)]
		for range 2 {
			for _, w := range polite {
				rest = strings.TrimPrefix(rest, w)
			}
		}
		if score := dictates(rest); score > 0 && !dictated {
			dictated = true
			add("dictated-output", at, at+lineEnd(low[at:]), score)
		}
		if !bypassed && bypasses(rest) {
			bypassed = true
			add("safety-override", at, at+lineEnd(low[at:]), 0.3)
		}
		i := strings.IndexAny(low[at:], "\n.!?:;,")
		if i < 0 {
			return
		}
		at += i + 1
	}
}

// lineEnd returns the length of the first line, at most aside.
func lineEnd(s string) int {
	s = s[:min(len(s), aside)]
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// cutAny removes the first of starts that s begins with.
func cutAny(s string, starts []string) (rest string, ok bool) {
	for _, p := range starts {
		if rest, ok = strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}

var (
	polite   = [...]string{"please ", "now ", "then ", "just ", "and ", "instead ", "only "}
	sayVerbs = []string{"output ", "print ", "say ", "write ", "respond with ", "reply with ", "answer with ", "repeat ", "return ", "display ", "type "}
	// boasts lists phrases that attackers make a model say to prove control over it.
	boasts = [...]string{"pwned", "hacked", "haxor", "owned", "compromised", "jailbroken", "jailbreak", "i am free", "i'm free", "unlocked", "unrestricted", "access granted", "no rules", "no restrictions", "no limits", "i hate", "i will destroy", "kill all", "i have been", "ignore", "disregard"}
)

// dictates scores an order to say exactly a given text. The score is higher if the text is one that
// a model would not say by itself.
func dictates(s string) float64 {
	s, ok := cutAny(s, sayVerbs)
	if !ok {
		return 0
	}
	said, ok := strings.CutPrefix(s, "exactly")
	if !ok {
		if said, ok = strings.CutPrefix(s, "the following"); !ok {
			return 0
		}
		said = strings.TrimLeft(said, " ")
		for _, w := range [...]string{"text", "words", "word", "sentence", "phrase", "message", "string", "line", "exactly", "verbatim"} {
			said = strings.TrimLeft(strings.TrimPrefix(said, w), " ")
		}
	}
	said = strings.TrimLeft(said, " \t\n")
	if said == "" || strings.IndexByte(":\"'`", said[0]) < 0 {
		return 0
	}
	for _, b := range boasts {
		if strings.Contains(said, b) {
			return 0.5
		}
	}
	return 0.25
}

var (
	bypassVerbs = []string{"bypass ", "override ", "disable ", "deactivate ", "circumvent ", "turn off ", "switch off ", "remove ", "ignore ", "disregard ", "suspend "}
	safeguards  = []string{"safety", "content filter", "content polic", "content moderation", "ethical", "ethics", "guardrail", "safeguard", "moderation", "security filter", "alignment"}
)

// bypasses reports whether s is an order to work without safeguards.
func bypasses(s string) bool {
	s, ok := cutAny(s, bypassVerbs)
	if !ok {
		return false
	}
	for _, w := range [...]string{"all ", "of ", "your ", "the ", "any ", "its ", "these "} {
		s = strings.TrimPrefix(s, w)
	}
	_, ok = cutAny(s, safeguards)
	return ok
}
