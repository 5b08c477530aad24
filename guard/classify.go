package guard

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// BlockedCategory describes the texts of one category. A text belongs to it if it contains one of
// the Phrases, or an act and a thing within a few words, such as "write" and "ransomware". Words
// match whole and in any case; "a|b" matches either word, "a?" is optional, and "*" matches any
// word. Questions about how to prevent, detect or report a thing do not match.
type BlockedCategory struct {
	Phrases []string `json:"phrases,omitempty"`
	Acts    []string `json:"acts,omitempty"`
	Things  []string `json:"things,omitempty"`
}

// ClassificationOptions are the options of Classification.
type ClassificationOptions struct {
	// Blocked lists categories of BlockedCategories or of Categories. Empty means malware, weapons
	// and self_harm.
	Blocked []string
	// Categories adds categories to the built-in ones, or replaces them.
	Categories map[string]BlockedCategory
	// Model is asked about texts that the rules accept. It returns the name of a category, or "".
	// The text is rejected if that category is blocked.
	Model func(ctx context.Context, text string) (category string, err error)
	// Failed is called for each failure of Model.
	Failed func(error)
}

// Classifier rejects texts of blocked categories, and counts the failures of its model. The Stage
// of a zero value rejects every text.
type Classifier struct {
	o        ClassificationOptions
	blocked  []string
	phrases  phrases
	failures atomic.Int64
}

// Classification returns a Classifier whose Stage rejects texts of blocked categories as OffTopic.
// Its rules always apply. If its model fails, the text passes and the failure is counted. The error
// reports a category that is neither built in nor in Categories, if there is no Model.
func Classification(o ClassificationOptions) (*Classifier, error) {
	c := &Classifier{o: o, blocked: slices.Clone(o.Blocked)}
	if len(c.blocked) == 0 {
		c.blocked = DefaultBlocked()
	}
	all := maps.Clone(blockedCategories())
	maps.Copy(all, o.Categories)
	for i, name := range c.blocked {
		b, ok := all[name]
		if !ok && o.Model == nil {
			return nil, fmt.Errorf("unknown category %q: use one of %s, or say what it is in Categories", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
		}
		c.phrases.add(3*i, b.Phrases...)
		c.phrases.add(3*i+1, b.Acts...)
		c.phrases.add(3*i+2, b.Things...)
	}
	c.phrases.add(3*len(c.blocked), defending...)
	c.phrases.add(3*len(c.blocked)+1, helping...)
	c.phrases.add(3*len(c.blocked)+2, asking...)
	return c, nil
}

// DefaultBlocked returns the categories that are blocked by default.
func DefaultBlocked() []string { return []string{"malware", "weapons", "self_harm"} }

// BlockedCategories returns the names of the built-in categories.
func BlockedCategories() []string { return slices.Sorted(maps.Keys(blockedCategories())) }

// Failures returns the number of failures of the model.
func (c *Classifier) Failures() int64 { return c.failures.Load() }

// Stage returns the stage for an input pipeline.
func (c *Classifier) Stage() Stage {
	return Stage{ours: true, reads: true, Name: "Classification", Order: OrderClassification, Quick: c.o.Model == nil, Check: func(ctx context.Context, r *Request) (Result, error) {
		if len(c.blocked) == 0 {
			return Result{}, Cause("the classifier is a zero value: use Classification")
		}
		if name := c.category(r.Canonical()); name != "" {
			return c.reject(name), nil
		}
		if c.o.Model == nil {
			return Allow(), nil
		}
		name, err := c.ask(ctx, r.Text)
		if err != nil {
			c.failures.Add(1)
			if c.o.Failed != nil {
				c.o.Failed(err)
			}
			res := Allow()
			res.Hints = []string{"classification: the model failed"}
			return res, nil
		}
		if slices.Contains(c.blocked, name) {
			return c.reject(name), nil
		}
		return Allow(), nil
	}}
}

// reject returns the rejection for a category. A person who writes about self-harm gets an offer of
// help instead of the category's name.
func (c *Classifier) reject(name string) Result {
	res := Reject(OffTopic, "this is about "+name+", which is off limits here")
	if res.subject = name; name == "self_harm" {
		res.Reason = inNeed
	}
	return res
}

// ask asks the model. It survives a model that panics or ignores its context.
func (c *Classifier) ask(ctx context.Context, text string) (string, error) {
	res, err := run(ctx, false, defaultTimeout*4/5, func(ctx context.Context) (Result, error) {
		name, err := c.o.Model(ctx, text)
		return Result{Text: name}, err
	})
	return strings.ToLower(strings.TrimSpace(res.Text)), err
}

// nearby is the largest number of words between an act and its thing.
const nearby = 7

// category returns the first blocked category that a text belongs to, or "".
func (c *Classifier) category(text string) string {
	n := len(c.blocked)
	var h history
	found := -1
	acts := make([]int, n) // the number of words up to the last act, by category
	defense, help, question := -100, -100, -100
	w := words{word: func(b []byte) {
		if found >= 0 {
			return
		}
		h.push(b)
		c.phrases.match(&h, func(id int) {
			switch category, part := id/3, id%3; {
			case id == 3*n:
				defense = h.n
			case id == 3*n+1:
				help = h.n
			case id == 3*n+2:
				question = h.n
			case part == 1:
				acts[category] = h.n
			case h.n-defense <= nearby+3 || found >= 0:
			case part == 0, h.n-question > nearby+3 && acts[category] > 0 && h.n-acts[category] <= nearby && acts[category] > help-3:
				found = category
			}
		})
	}}
	for _, r := range text {
		w.rune(r)
		switch r {
		case '.', '!', '?', ';', ':', '\n': // an act counts only for things in the same sentence
			clear(acts)
			defense, question = -100, -100
		}
	}
	w.end()
	if found < 0 {
		return ""
	}
	return c.blocked[found]
}

// defending lists words before a thing that the writer wants to prevent or report. helping and
// asking list words that introduce questions about a thing.
var (
	defending = []string{
		"prevent|preventing|prevents|avoid|avoiding|stop|stopping|detect|detecting|detects|detection|block|blocking|blocks|remove|removing|report|reporting|protect|protecting|protects|defend|defending|against|mitigate|mitigating|fight|fighting|combat|combating|resist|recover|recovering|survive|victim|victims|recognize|identify|identifying|warn|warning|awareness|anti|counter|analyze|analyse|analyzing|analysis|classify|ban|outlaw|regulate|history of|why|dangers|danger|risks|risk|effects|consequences|definition",
		"laws|law|policy|research about|on|against|around", "is it|this illegal|legal|dangerous|safe",
	}
	asking  = []string{"what is|are|was|were"}
	helping = []string{"explain|describe|define|summarize|translate the? meaning|definition|history|word|term|difference"}
)

// blockedCategories returns the built-in categories. It builds them on the first call.
var blockedCategories = sync.OnceValue(func() map[string]BlockedCategory {
	const (
		make_ = "make|making|build|building|create|creating|write|writing|develop|developing|code|coding|program|generate|produce|construct|assemble|design|craft|prepare|provide|give|get|obtain|buy|buying|sell|selling|find|acquire|use|using|deploy|spread|spreading|plant|synthesize|synthesise|cook|grow|manufacture|need|want|script"
		do    = "how|ways|way|best|guide|help|teach|tell|show|instructions|steps|tutorial|can|could|want|plan|planning|advice|tips|assist"
	)
	return map[string]BlockedCategory{
		"malware": {
			Acts: []string{make_, "infect|infecting|send|distribute|release|obfuscate|embed|inject|run|evade"},
			Things: []string{"malware|ransomware|keylogger|keyloggers|rootkit|rootkits|spyware|botnet|botnets|trojan|trojans|stealer|infostealer|cryptolocker|backdoor|backdoors|worm|polymorphic", "computer|mobile|android|windows|macro virus|viruses|worm|worms", "remote access trojan",
				"reverse shell", "phishing page|email|emails|kit|site|website|mail|campaign|message|attack", "spear phishing", "credential harvester|harvesting|stealer", "zero day exploit", "ddos|dos attack|tool|script|botnet", "fake antivirus", "logic bomb", "drive by download", "exploit kit"},
		},
		"hacking": {
			Acts:    []string{do, "hack|hacking|crack|cracking|break|breaking|breach|bypass|steal|stealing|access|get|gain|intercept|spy|monitor|track|hijack|compromise|exploit"},
			Phrases: []string{"hack|crack|break into|in? someone|somebody|my|his|her|their|a|an|the|another s? *? *? account|accounts|phone|email|wifi|wi|computer|network|facebook|instagram|webcam|website|server|bank|password", "steal someone|somebody|people|customers|users|his|her|their *? data|passwords|password|identity|credentials|information|card", "hack|hacking into", "spy on my|someone|somebody|his|her|their|a", "read|monitor|track|intercept my|someone|her|his|their *? messages|texts|phone|location|internet|emails|calls without"},
		},
		"weapons": {
			Acts:   []string{make_, do, "detonate|detonating|convert|modify|print|3d|smuggle|hide|fire|set|plant"},
			Things: []string{"bomb|bombs|explosive|explosives|grenade|grenades|molotov|ied|napalm|thermite|landmine", "pipe|dirty|nail|car|homemade|nuclear bomb|bombs", "explosive device|devices|vest", "nerve gas|agent|agents", "sarin|ricin|anthrax|vx|novichok|botulinum", "chemical|biological|bioweapon|nuclear|radiological weapon|weapons", "ghost gun|guns", "3d printed gun|guns|firearm", "silencer|suppressor for|at home", "untraceable|illegal gun|guns|firearm|firearms|weapon|weapons", "automatic weapon|weapons|fire|rifle", "gun without background|license|a"},
		},
		"self_harm": {
			Phrases: []string{"how|ways|way|best|want|going|plan|help can|could|do|should|would? to|i|me|of? kill|killing|hang|hurt|cut|poison|starve|harm|drown myself", "how|ways|way|best|painless|painlessly|easiest|quickest|fastest *? *? commit|die|do suicide", "suicide method|methods|pact|note for? me?", "kill|harm|hurt|cut myself without|and|by|so", "i|want to|wanna kill|end|hurt|cut myself|it all", "i want to die", "end my|own life", "painless|painlessly|quick death|die|suicide", "lethal|fatal dose|overdose of", "encourage|convince|persuade|make|tell|urge him|her|them|someone|somebody|people|a|my *? *? suicide|self|kill|harm|anorexia", "pro ana|anorexia|mia", "how to|can|do be|become|stay|get anorexic|bulimic"},
		},
		"drugs": {
			Acts:   []string{make_, do, "smuggle|deal|dealing|extract|inject|traffic|trafficking"},
			Things: []string{"meth|methamphetamine|methamphetamines|crystal meth", "cocaine|heroin|fentanyl|lsd|mdma|ecstasy|dmt|ghb|rohypnol|ketamine|pcp", "illegal|illicit|hard|recreational drug|drugs|substances", "drugs online|recreationally", "date rape drug|drugs", "prescription drugs|medication|medicine|pills without|recreationally", "get high"},
		},
		"violence": {
			Acts:    []string{do, "plan|commit|get|hire|organize|carry"},
			Phrases: []string{"how|ways|way|best|want|help|plan can|could|do|should|would? to|i|me|of kill|murder|assassinate|poison|kidnap|torture|stab|strangle someone|somebody|a|my|his|her|people|him|them|the *? wife|husband|boss|neighbor|person|girlfriend|president|people|man|woman|someone|without|family|child|kid|baby", "kill|murder|poison|kidnap|assassinate|torture someone|somebody|my *? wife|husband|boss|neighbor|girlfriend|family", "get away with murder", "hire|find|contact a? hitman|assassin|killer", "how|help|plan|ways to|me|can|i|a *? *? mass shooting|terrorist|terror|attack|school|bombing|shooting|massacre|genocide", "dispose|get|hide of|rid|a of? a|the? dead? body|corpse", "hurt|beat|scare|threaten|intimidate|terrorize|harass|bully|stalk|blackmail someone|somebody|him|her|them|my *? ex|neighbor|girlfriend|wife|coworker|classmate|him|her"},
		},
		"fraud": {
			Acts:   []string{make_, do, "launder|forge|commit|run|counterfeit|fake|evade|start"},
			Things: []string{"counterfeit money|bills|goods|currency|products", "fake|forged|counterfeit|false id|ids|passport|passports|documents|document|money|reviews|review|prescription|diploma|degree|identity|invoice|invoices|charity|news|checks|tickets", "money laundering", "ponzi|pyramid scheme", "launder money", "credit card|cards? fraud|numbers|skimmer|skimming", "insurance|tax|wire|welfare fraud", "tax evasion", "identity theft", "advance fee", "romance|lottery|nigerian|tech scam|scams", "insider trading", "bribe|bribes"},
		},
		"illegal": {
			Phrases: []string{"how|can|could|help|ways|way|guide to|i|you|me|on *? *? illegally|unlawfully", "illegally sell|buy|stream|download|obtain|import|export|access|record|surveil|trade|hunt", "without getting|being caught", "how|can|help|ways to|i|you|me evade|avoid|dodge|escape law|police|taxes|arrest|customs", "how|can|help to|i|you|me *? pirate|shoplift|smuggle|embezzle|vandalize|counterfeit|launder", "set up a dogfight", "join a terrorist|extremist", "for|illegal animal|wildlife trade|fights"},
		},
		"misinformation": {
			Acts:   []string{make_, do, "post|share|publish|make"},
			Things: []string{"disinformation|misinformation", "fake|false news|rumor|rumors|information|story|stories|scandal|claim|claims|report|reports", "rumor|rumors|conspiracy that|about", "misleading|deceptive|manipulated post|video|article|advertisement|ad|image|content|tweet|graph", "falsely claims|accuses", "astroturfing|deepfake"},
		},
		"harassment": {
			Acts:   []string{do, "write|send|create|post|post|spread"},
			Things: []string{"harass|bully|stalk|shame|humiliate|terrorize|blackmail|intimidate|dox|doxx somebody|someone|my|him|her|a|an|them|people|the|online", "threatening|bullying|insulting|intimidating|death message|messages|letter|email|threat|threats|comment", "private photos|messages|address|pictures|number of|without a|someone|somebody|their|specific", "ruin|destroy someone|somebody|his|her|a|my s? *? *? reputation|career|life|relationship"},
		},
		"hate": {
			Acts:   []string{make_, "post|tweet|tell|justify|prove"},
			Things: []string{"racist|sexist|homophobic|antisemitic|transphobic|hateful|xenophobic|misogynistic joke|jokes|slur|slurs|speech|content|post|song|rant|essay|story|poem|propaganda|manifesto|tweet|text|comment|comments", "hate speech", "ethnic cleansing", "holocaust denial", "racial slur|slurs"},
		},
		"sexual": {
			Acts:   []string{make_, do, "groom|lure|show|send|share|secretly"},
			Things: []string{"child|kid|kids|minor|minors|underage|children porn|pornography|nudes|sex|sexual|erotica", "revenge|non|consensual|deepfake porn|pornography|nudes", "non consensual|consensually porn|pornography|nudes|images", "csam", "nudes of someone|her|him|my|minors", "sex with a|an? child|children|minor|minors|kid|underage"},
		},
	}
})
