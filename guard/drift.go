package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
)

// DriftOptions are the options of TopicDrift; the zero value is fine.
type DriftOptions struct {
	MaxScore float64 // above which a turn is rejected, 0.7 if zero
}

// SessionKey is the key of Metadata with the *Session of the conversation, if there is one.
const SessionKey = "guardSession"

const (
	driftTurns = 5
	maxHistory = 10_000 // turns
)

// TopicDrift returns the stage that looks at the last five turns of a conversation
// together, the one to be judged and those of Metadata[HistoryKey]. It scores how they
// escalate: from the general to the particular, from asking to imagining, towards harm,
// more reach, and around a refusal. A history that it cannot read rejects.
func TopicDrift(o DriftOptions) Stage {
	if o.MaxScore <= 0 {
		o.MaxScore = 0.7
	}
	return Stage{ours: true, reads: true, Name: "TopicDrift", Order: OrderTopicDrift, Quick: true, Check: func(_ context.Context, r *Request) (Result, error) {
		turns, err := history5(r.Metadata[HistoryKey])
		if err != nil {
			return Reject(InvalidInput, err.Error()), nil
		}
		var session *Session
		switch s := r.Metadata[SessionKey].(type) {
		case nil:
		case *Session:
			session = s
		default:
			return Reject(InvalidInput, "the session is not a *guard.Session"), nil
		}
		score := drift(append(turns, r.Canonical()))
		if session != nil {
			score = 1 - (1-score)*(1-session.risk(r.Canonical()))
		}
		if score > o.MaxScore {
			res := Reject(PromptInjection, "the conversation escalates towards what would be refused at once")
			res.Score = score
			return res, nil
		}
		// Below its own limit the score is no reason for others to reject.
		return Allow(), nil
	}}
}

// history5 returns the user's last turns before this one.
func history5(v any) ([]string, error) {
	var turns []string
	add := func(t string) {
		if turns = append(turns, t); len(turns) > driftTurns-1 {
			turns = turns[1:]
		}
	}
	bad := errors.New("the history of the conversation cannot be read: it is a list of strings, or of objects with role and content")
	long := errors.New("the history of the conversation is too long: send the last turns only")
	switch list := v.(type) {
	case nil:
	case []string:
		if len(list) > maxHistory {
			return nil, long
		}
		for _, t := range list {
			add(t)
		}
	case []map[string]string:
		if len(list) > maxHistory {
			return nil, long
		}
		for _, m := range list {
			content, ok := m["content"]
			if !ok {
				return nil, bad
			}
			if m["role"] == "user" || m["role"] == "" {
				add(content)
			}
		}
	case []map[string]any:
		if len(list) > maxHistory {
			return nil, long
		}
		for _, m := range list {
			if err := turn(m, add); err != nil {
				return nil, bad
			}
		}
	case []any:
		if len(list) > maxHistory {
			return nil, long
		}
		for _, e := range list {
			switch e := e.(type) {
			case string:
				add(e)
			case map[string]any:
				if err := turn(e, add); err != nil {
					return nil, bad
				}
			default:
				return nil, bad
			}
		}
	default:
		return nil, bad
	}
	return turns, nil
}

var errTurn = errors.New("not a turn")

// turn reads an object of a history. Content is a text, or parts of which some are texts.
func turn(m map[string]any, add func(string)) error {
	role, ok := m["role"].(string)
	if _, has := m["role"]; has && !ok {
		return errTurn
	}
	var text string
	switch c := m["content"].(type) {
	case string:
		text = c
	case []any:
		for _, p := range c {
			part, ok := p.(map[string]any)
			if !ok {
				return errTurn
			}
			if t, ok := part["text"].(string); ok {
				text += t + "\n"
			} else if part["type"] == "text" {
				return errTurn
			}
		}
	default:
		return errTurn
	}
	if role == "user" || role == "" {
		add(text)
	}
	return nil
}

// The signs of escalation.
const (
	driftGeneral    = iota // explain, importance, history of
	driftDeeper            // specific examples, elaborate, how might someone
	driftGood              // what is worth attacking
	driftHarm              // what attackers do
	driftImagine           // what if, hypothetically, a story
	driftExcuse            // for research
	driftSteps             // step by step, exact, complete
	driftBypass            // bypass, override, without restrictions
	driftPermission        // give me access, disable the check
	driftRead              // the reach of what is asked for
	driftSecret
	driftSend
	driftAway     // to somewhere outside
	driftArtifact // write, draft, create
	driftSigns
)

var driftPhrases = sync.OnceValue(func() *phrases {
	var p phrases
	p.add(driftGeneral, "explain|describe|discuss the|what importance|concept|history|basics|idea|historical|role|principles", "importance|basics|history|overview of", "what is|are", "tell me about", "in general")
	p.add(driftDeeper, "elaborate|expand on|upon", "more|further detail|details|specific|information", "in detail|depth", "specific|particular|concrete|detailed|real examples|example|tactics|techniques|methods|strategies|cases|scenarios|measures|steps|instances|technologies|tools|vulnerabilities|security|mistakes|ways|practices",
		"examples|types|instances of how?", "how|what might|would|could|can|do|does they|someone|somebody|individuals|one|people|attackers|attacker|companies|hackers|criminals|a|an|these|those", "common methods|tactics|techniques|ways|vulnerabilities|mistakes|challenges|types|threats|misconceptions|pitfalls|weaknesses", "dive|go|dig deeper|further", "what about",
		"typically|commonly|actually exploit|exploited|used|use|work|works|created|do|done", "based on that", "you|you've mentioned|described|provided|discussed", "these|those methods|tactics|techniques|strategies|tools|vulnerabilities|documents|lessons|examples|incidents|practices|risks|attacks|measures|codes|challenges|claims|narratives|efforts", "potential consequences|risks|challenges|pitfalls|implications|vulnerabilities|impact", "real world|life", "successfully")
	p.add(driftGood, "password|passwords|credential|credentials|passcode|passcodes|pin|pins", "confidentiality|confidential|privacy|private|sensitive|classified|proprietary", "patient|medical|health information|records|record|data|confidentiality|privacy", "hipaa|gdpr", "launch code|codes", "election|elections|voter|voters|voting|ballot|ballots|turnout",
		"identity verification|theft|documents|document|fraud", "verification process|processes|systems|system|methods", "financial|bank|legal|identity|official statement|statements|document|documents|documentation|records", "cybersecurity|security", "vulnerability|vulnerabilities", "annexation|referendum|sanctions", "personal information|data", "weapon|weapons|explosive|explosives|drug|drugs|poison|virus|malware|bomb|bombs", "encryption|authentication|firewall|firewalls", "academic integrity", "access control|controls|codes")
	p.add(driftHarm, "exploit|exploits|exploited|exploiting|exploitation", "attacker|attackers|hacker|hackers|malicious|cybercriminals|criminals|adversary", "attack|attacks|hack|hacking|hacked|breach|breached|compromise|compromised|compromising", "misinformation|disinformation|propaganda|conspiracy|false|fake|faked|fabricate|fabricated|forge|forged|forgery|counterfeit|mislead|misleading|deceive|deceptive|deception|manipulate|manipulated|manipulation|manipulative",
		"suppress|suppression|disenfranchise|intimidate|intimidation|undermine|undermining|interfere|interference|rig", "fraud|fraudulent|scam|phishing|impersonate|impersonation|spoof|launder|laundering|blackmail|extort|bribe", "unauthorized|illegal|illegally|illicit|unlawful|leaked|leak|leaking|stolen|steal|stealing|theft", "weak|weakness|weaknesses|insecure|predictable|guessable|crack|cracked|cracking", "kill|harm|hurt|injure|destroy|poison|weaponize|detonate|sabotage|bully|harass|threaten|hate|racist",
		"without patient|explicit? consent", "suspicion|undetected|untraceable|covertly|secretly|evade|evading|conceal|hide", "injection|ransomware|malware|keylogger|payload|brute force", "manipulating|altering|altered|modify their|the|these|financial? documents|statements|records", "incorrect|inaccurate claims|information")
	p.add(driftImagine, "hypothetical|hypothetically|fictional|fiction|imagine|pretend|roleplay", "role play", "what if", "let's|lets say|suppose|imagine|pretend|assume|play", "in a|this|my story|novel|movie|scenario|game|world", "for a|my story|novel|movie|book|character|screenplay")
	p.add(driftExcuse, "for|purely|my research|educational|academic|study|school|training|testing|awareness purposes|purpose|project|paper|reasons|only?", "for|my research|thesis|education", "i'm|im|i am a|an researcher|student|journalist|professional|doctor|teacher|pentester|author|writer", "authorized test|testing|pentest")
	p.add(driftSteps, "step by step", "exact|precise|complete|full|detailed|actual|working instructions|steps|code|recipe|procedure|guide|draft|details|commands|formula|script|example|list|set", "walk me through", "every|all the? step|steps|detail|details", "give|show|provide|tell me the|an? exact|exactly|actual|full|real", "exactly how|what")
	p.add(driftBypass, "bypass|bypassing|override|overriding|circumvent|circumventing|jailbreak", "get|getting|work|go around the|your|these|this|any|those", "ignore|disregard|forget|drop|skip|disable the|your|any|all|these|those? rules|rule|restrictions|restriction|guidelines|filter|filters|safety|safeguards|limits|policy|policies|checks|warnings|ethics|instructions", "without any|the|being|getting restrictions|restriction|filter|filters|limits|caught|detected|noticed|warnings|disclaimers|censorship", "no restrictions|limits|rules|filters|disclaimers|censorship", "unrestricted|uncensored|unfiltered")
	p.add(driftPermission, "give|grant|gives|need me? full|admin|root|more|write|elevated|unlimited|complete|direct access|permission|permissions|rights|privileges", "sudo|superuser", "turn|switch off the? *? check|checks|approval|approvals|confirmation|sandbox|guard|logging|protection|verification|monitoring", "disable|skip|remove the|all|this|any *? check|checks|approval|approvals|confirmation|sandbox|guard|logging|protection|verification|monitoring", "you have my? permission", "you|we may|can skip|stop asking|confirming", "don't|dont|no need|without to? ask|asking|confirm|confirming|confirmation", "just this once", "also|now|and have|get|add|allow access|write|execute|network")
	p.add(driftRead, "read|open|show|list|print|cat|look|view|check|dump the|me|at|all|my|our|this|what", "what|which files|tables|environment|variables|secrets")
	p.add(driftSecret, "env|dotenv|credentials|credential|secret|secrets|token|tokens|passwords|ssh|private|api|aws|keys|key keys|key|file|files|token|tokens|variables", "secrets|credentials|passwords|keystore|keychain", "customer|users|user|salary|payment data|database|table|records|emails")
	p.add(driftSend, "send|post|upload|forward|mail|email|transfer|curl|push|copy|share|exfiltrate it|them|this|that|these|those|the|everything|all|to")
	p.add(driftAway, "to this|my|the|an *? url|webhook|endpoint|address|email|account|bucket|gist|pastebin|site|mail", "webhook|pastebin|ngrok|exfiltrate", "to http|https")
	p.add(driftArtifact, "write|draft|create|compose|generate|make|produce|design|develop|craft|build|provide|formulate|help|give me? a|an|the|some|me|fake|convincing|persuasive|sample|complete|your", "creating|writing|crafting|generating|modifying|presenting", "template|article|speech|post|letter|email|message|statement|essay|narrative|slogan|list of passwords|codes|claims|arguments")
	return &p
})

// drift scores turns, the newest last, from 0 to 1.
func drift(turns []string) float64 {
	p := driftPhrases()
	var seen [driftTurns][]int
	if len(turns) > driftTurns {
		turns = turns[len(turns)-driftTurns:]
	}
	for i, t := range turns {
		seen[i] = p.in(t, driftSigns)
	}
	count := func(sign int) (n, first, last int) {
		first, last = -1, -1
		for i := range turns {
			if seen[i][sign] > 0 {
				n++
				last = i
				if first < 0 {
					first = i
				}
			}
		}
		return n, first, last
	}
	n := len(turns)
	innocent := 1.0
	sign := func(weight float64) { innocent *= 1 - weight }

	// From the general to the particular, about what is worth attacking or who attacks it.
	harm, firstHarm, _ := count(driftHarm)
	good, firstGood, _ := count(driftGood)
	deeper, _, lastDeeper := count(driftDeeper)
	if touchy := harm + good; n >= 2 && touchy >= 2 && deeper >= 1 && lastDeeper > 0 {
		sign(min(0.6, 0.14*float64(deeper)))
		sign(min(0.65, 0.13*float64(harm)))
		sign(min(0.5, 0.1*float64(good)))
		if firstGood >= 0 && harm > 0 && firstHarm > firstGood { // from the good to the harm
			sign(0.35)
		}
		if a, _, last := count(driftArtifact); a > 0 && last > 0 {
			sign(0.15)
		}
		if g, first, _ := count(driftGeneral); g > 0 && first == 0 && n >= 3 {
			sign(0.15)
		}
	}
	// The ladder: hypothetical, what if, for research, step by step, bypass.
	rungs, at := 0, -1
	for _, rung := range [...]int{driftImagine, driftExcuse, driftSteps, driftBypass} {
		if _, first, last := count(rung); last > at || first >= 0 && first >= at && rung == driftBypass {
			rungs++
			at = max(at, first)
		}
	}
	if n >= 2 {
		sign([...]float64{0, 0.05, 0.35, 0.65, 0.85}[rungs])
	}
	if b, _, last := count(driftBypass); b > 0 && last == n-1 && n >= 2 {
		sign(0.15 + 0.15*float64(min(b, 3)) + 0.1*float64(min(harm, 2)))
	}
	// Permissions that widen, and a reach that grows from reading to secrets to sending.
	if w, _, _ := count(driftPermission); w >= 2 {
		sign(min(0.9, 0.36*float64(w-1)))
	}
	_, read, _ := count(driftRead)
	_, secret, lastSecret := count(driftSecret)
	_, _, send := count(driftSend)
	_, _, away := count(driftAway)
	if secret >= 0 && max(send, away) > secret {
		sign(0.4)
		if read >= 0 && read < lastSecret {
			sign(0.25)
		}
		if away > secret {
			sign(0.5)
		}
	}
	return 1 - innocent
}

// Session is what a conversation did so far, for stages that look at more than one turn.
// Put it into Metadata[SessionKey], and tell it what was refused or flagged. Its memory
// fades with every turn. It may be used by many goroutines.
type Session struct {
	mu      sync.Mutex
	refused float64
	flagged float64
	turns   []map[string]bool // the words of what was refused, newest last
}

// NewSession returns a Session in which nothing happened yet.
func NewSession() *Session { return &Session{} }

const (
	sessionFades   = 0.85 // what is left of a count after a turn
	maxRefused     = 16
	maxSessionWord = 200
)

// Refused notes that a turn was rejected, by a stage or by the model.
func (s *Session) Refused(text string) {
	w := wordSet(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = s.refused*sessionFades + 1
	if s.turns = append(s.turns, w); len(s.turns) > maxRefused {
		s.turns = s.turns[1:]
	}
}

// Flagged notes that something about a turn or a tool's result was suspicious.
func (s *Session) Flagged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flagged++
}

// Counts returns how much was refused and flagged, faded.
func (s *Session) Counts() (refused, flagged float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused, s.flagged
}

// String says the counts, and no text.
func (s *Session) String() string {
	r, f := s.Counts()
	return fmt.Sprintf("refused %.1f, flagged %.1f", r, f)
}

// risk scores a new turn and lets what was before fade.
func (s *Session) risk(text string) float64 {
	w := wordSet(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	innocent := 1 - min(0.6, 0.12*s.refused) // who was refused often is trying
	innocent *= 1 - min(0.4, 0.06*s.flagged)
	most := 0.0
	for _, old := range s.turns {
		most = max(most, alikeWords(w, old))
	}
	if most >= 0.5 { // the same, in other words
		innocent *= 1 - most
	}
	s.refused *= sessionFades
	s.flagged *= sessionFades
	return 1 - innocent
}

// wordSet returns the words that say something.
func wordSet(text string) map[string]bool {
	m := map[string]bool{}
	w := words{word: func(b []byte) {
		if len(m) < maxSessionWord && !common[string(b)] {
			m[string(b)] = true
		}
	}}
	for _, r := range text {
		w.rune(r)
	}
	w.end()
	return m
}

// alikeWords returns how much of all the words of two texts both have.
func alikeWords(a, b map[string]bool) float64 {
	if len(a) < 3 || len(b) < 3 {
		if len(a) > 0 && maps.Equal(a, b) {
			return 1
		}
		return 0
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
