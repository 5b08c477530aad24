package guard

import (
	"cmp"
	"context"
	_ "embed"
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
	c.phrases.add(3*len(c.blocked)+3, averting...)
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
	defense, help, question, averts := -100, -100, -100, -100
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
			case id == 3*n+3:
				averts = h.n
			case part == 1:
				acts[category] = h.n
			case h.n-defense <= nearby+3 || h.n-averts <= nearby+3 && (part == 0 || acts[category] < averts) || found >= 0:
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
			defense, question, averts = -100, -100, -100
		}
	}
	w.end()
	if found < 0 {
		return ""
	}
	return c.blocked[found]
}

// defending lists words before a thing that the writer discusses or wants to prevent. averting lists verbs
// that do so only between an act and the thing: "avoid typos and write ransomware" prevents nothing.
// helping and asking list words that introduce questions about a thing.
var (
	defending = []string{"history of", "laws|law|policy|research about|on|against|around", "is it|this illegal|legal|dangerous|safe"}
	averting  = []string{"prevent|preventing|prevents|avoid|avoiding|stop|stopping|detect|detecting|detects|block|blocking|blocks|remove|removing|report|reporting|protect|protecting|protects|defend|defending|against|mitigate|mitigating|fight|fighting|combat|combating|resist|recover|recovering|survive|victim|victims|recognize|identify|identifying|warn|warning|awareness|analyze|analyse|analyzing|analysis|classify|ban|banning|outlaw|regulate|rid|dangers|danger|risks|risk|effects|consequences|definition"}
	asking    = []string{"what is|are|was|were"}
	helping   = []string{"explain|describe|define|summarize|translate the? meaning|definition|history|word|term|difference"}
)

//go:embed categories.txt
var categoriesText string

// blockedCategories returns the built-in categories. It reads them on the first call.
var blockedCategories = sync.OnceValue(func() map[string]BlockedCategory {
	all, lists := map[string]BlockedCategory{}, map[string]string{}
	for line := range strings.Lines(categoriesText) {
		head, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		name, kind, ok2 := strings.Cut(head, " ")
		switch phrases := strings.Split(text, " / "); {
		case !ok || line[0] == '#':
		case !ok2:
			lists[name] = text
		default:
			for i, p := range phrases {
				phrases[i] = cmp.Or(lists[p], p)
			}
			c := all[name]
			switch kind {
			case "act":
				c.Acts = append(c.Acts, phrases...)
			case "thing":
				c.Things = append(c.Things, phrases...)
			case "phrase":
				c.Phrases = append(c.Phrases, phrases...)
			}
			all[name] = c
		}
	}
	return all
})
