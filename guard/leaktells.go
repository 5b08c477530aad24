package guard

import (
	_ "embed"
	"strings"
	"sync"
)

// A tell is a kind of phrase that occurs in answers that disclose instructions. None is enough
// alone, because each also occurs in harmless answers.
type tell uint8

const (
	tellsClaim   tell = iota // a claim that these are its own instructions
	tellsBound               // the origin of the instructions
	tellsOwn                 // a duty, in the first person
	tellsRole                // an identity: "you are a helpful assistant"
	tellsForbid              // forbidden subjects
	tellsOnly                // the only allowed subjects
	tellsWhen                // reactions to what a user says
	tellsConf                // a statement that instructions are secret
	tellsHide                // facts to hide, and from whom
	tellsStyle               // the style of answers
	tellsHead                // a mention of a system prompt
	tellsReply               // the exact words of an answer
	tellsSecret              // a mention of a password
	tellsNamed               // a password, followed by quoted text
	tellsOther               // a rule for all other cases
	tellsMany                // several sentences that order something
	tellsGranted             // "access granted" or "access denied"
	tellsRefusal             // a refusal to repeat the prompt: some tells in the same sentence do not count
	tellsAdvice              // advice on writing prompts: the tells around it belong to other prompts
	tellCount
)

// tellWeights has the weight of each tell as a sign that the answer repeats its instructions. told
// adds them up.
var tellWeights = [tellCount]float64{
	tellsClaim: 0.45, tellsBound: 0.45, tellsOwn: 0.3, tellsHide: 0.3, tellsRole: 0.25, tellsForbid: 0.3, tellsOnly: 0.2, tellsWhen: 0.25, tellsConf: 0.45, tellsStyle: 0.15,
	tellsHead: 0.2, tellsReply: 0.2, tellsSecret: 0.25, tellsNamed: 0.2, tellsOther: 0.1, tellsMany: 0.2, tellsGranted: 0.2, tellsAdvice: -0.5,
}

// anchors lists the tells that do not occur in instructions between people.
var anchors = []tell{tellsClaim, tellsBound, tellsOwn, tellsRole, tellsConf, tellsHide, tellsHead, tellsGranted}

// tellsScore returns the score of the tells in an answer. Advice does not lower it if the answer claims
// to repeat its own instructions.
func tellsScore(seen *[tellCount]bool) float64 {
	sum, most := 0.0, 0.6
	for t, yes := range seen {
		if yes && (tell(t) != tellsAdvice || !seen[tellsClaim] && !seen[tellsBound]) {
			sum += tellWeights[t]
		}
	}
	if seen[tellsClaim] && seen[tellsBound] { // they overlap: do not count both in full
		sum -= 0.35
	}
	for _, t := range anchors {
		if seen[t] {
			most = 0.95
		}
	}
	return min(max(sum, 0), most)
}

//go:embed tells.txt
var tellsText string

var tells = sync.OnceValue(func() *phrases {
	return readPhrases(tellsText, strings.Fields("claim bound own role forbid only when conf hide style head reply secret named other many granted refusal advice"))
})
