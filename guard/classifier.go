package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/plural"
)

// ClassifierConfig is the key classifier of a Config: a model of yours that InjectionDetection
// asks.
type ClassifierConfig struct {
	Protocol    string   `json:"protocol"`        // one of the Protocols
	URL         string   `json:"url"`             // base URL of the service; ends in /v1 for a service with the OpenAI API
	Model       string   `json:"model,omitempty"` // name of the model at the service; empty for text-classification
	Key         string   `json:"key,omitempty"`   // "env:NAME"
	Labels      []string `json:"labels,omitempty"`
	Ask         string   `json:"ask,omitempty"`         // which texts to ask about, "doubt" or "always"; if empty, "always" for protocols that judge harm
	Threshold   float64  `json:"threshold,omitempty"`   // the model's score, 0 to 1, at which a text is rejected; 0.5 if zero
	Timeout     string   `json:"timeout,omitempty"`     // limit for the complete response, such as "800ms"; 3 s if empty
	Failure     string   `json:"failure,omitempty"`     // on failure, "closed" (the default) rejects the text; "open" uses the score without the model
	CallsPerDay int      `json:"callsPerDay,omitempty"` // requests per day; 10,000 if zero
	Cache       string   `json:"cache,omitempty"`       // lifetime of a cached response, such as "1h"; 10 min if empty, "0s" disables the cache
}

// Protocol describes how to ask a classifier, and what it judges.
type Protocol struct {
	Harm  bool // judges the subject of a text instead of attacks on instructions
	Model bool // the request must name a model
}

// Protocols returns the protocols of a ClassifierConfig, by name.
func Protocols() map[string]Protocol {
	return map[string]Protocol{
		"text-classification": {},
		"gpt-oss-safeguard":   {Model: true},
		"llama-guard":         {Model: true, Harm: true},
		"shieldgemma":         {Model: true, Harm: true},
		"moderation":          {Model: true, Harm: true},
	}
}

// maxClassifierTimeout leaves the stage enough time to report a failure.
const maxClassifierTimeout = judgeTimeout - 5*time.Second

// Durations returns the timeout of a request and the lifetime of a cached response. It returns the
// default for an invalid value.
func (c *ClassifierConfig) Durations() (timeout, cache time.Duration) {
	timeout, cache = 3*time.Second, 10*time.Minute
	if d, err := time.ParseDuration(c.Timeout); err == nil && d > 0 {
		timeout = min(d, maxClassifierTimeout)
	}
	if d, err := time.ParseDuration(c.Cache); err == nil && d >= 0 {
		cache = d
	}
	return timeout, cache
}

// asksAlways reports whether the model sees all texts. A model that judges harm does, because the
// score of InjectionDetection is about attacks and not about harm.
func (c *ClassifierConfig) asksAlways() bool {
	return c.Ask == "always" || c.Ask == "" && Protocols()[c.Protocol].Harm
}

// faults returns every fault, each with the path of its key.
func (c *ClassifierConfig) faults() []error {
	var out []error
	fault := func(key, format string, args ...any) {
		out = append(out, fmt.Errorf("classifier."+key+": "+format, args...))
	}
	p, known := Protocols()[c.Protocol]
	if !known {
		fault("protocol", "unknown protocol %q: use one of %s", c.Protocol, strings.Join(slices.Sorted(maps.Keys(Protocols())), ", "))
	}
	if c.URL == "" {
		fault("url", "missing: set the address of the service, such as http://127.0.0.1:8080")
	} else if u, err := url.Parse(c.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		fault("url", "%q must be an address such as http://127.0.0.1:8080", c.URL)
	}
	if known && p.Model && strings.TrimSpace(c.Model) == "" {
		fault("model", "missing: name the model that the service runs")
	}
	if known && !p.Model && c.Model != "" {
		fault("model", "a service that speaks %s runs one model: leave this out", c.Protocol)
	}
	if c.Key != "" && (!strings.HasPrefix(c.Key, "env:") || c.Key == "env:") {
		fault("key", "keys must not be in files: name an environment variable, as in env:CLASSIFIER_KEY")
	}
	if c.Ask != "" && c.Ask != "doubt" && c.Ask != "always" {
		fault("ask", "%q is unknown: use doubt or always", c.Ask)
	}
	if c.Ask == "doubt" && p.Harm {
		fault("ask", "%s judges harm, and the doubt of injectionDetection is about attacks: use always", c.Protocol)
	}
	if c.Failure != "" && c.Failure != "closed" && c.Failure != "open" {
		fault("failure", "%q is unknown: use closed or open", c.Failure)
	}
	if c.Threshold < 0 || c.Threshold > 1 {
		fault("threshold", "%v is not between 0 and 1", c.Threshold)
	}
	if c.CallsPerDay < 0 {
		fault("callsPerDay", "%d is negative", c.CallsPerDay)
	}
	if d, err := time.ParseDuration(c.Timeout); c.Timeout != "" && (err != nil || d <= 0 || d > maxClassifierTimeout) {
		fault("timeout", "%q is not a duration of at most %s, such as 800ms", c.Timeout, plural.Duration(maxClassifierTimeout))
	}
	if d, err := time.ParseDuration(c.Cache); c.Cache != "" && (err != nil || d < 0) {
		fault("cache", "%q is not a duration such as 10m", c.Cache)
	}
	return out
}

// Opinion is a classifier's answer about a text.
type Opinion struct {
	Score float64 // likelihood, 0 to 1, that the text should be rejected
	Label string  // the model's name for the finding; empty if there is none
	Harm  bool    // the opinion is about harm, not about attacks
}

// ClassifierOptions are the options for the classifier of Injection.
type ClassifierOptions struct {
	Ask       func(ctx context.Context, text string) (Opinion, error)
	Always    bool        // ask about every text that is not rejected already, not only about doubtful scores
	Open      bool        // on failure, use the score without the classifier
	Threshold float64     // Opinion.Score, 0 to 1, at which the text is rejected; 0.5 if zero
	Failed    func(error) // called for each failure that does not reject because Open is set
}

// hintClassifier is the hint of a text that was judged without its classifier.
const hintClassifier = "classifier: it failed, and the text was judged without it"

// weigh asks the classifier, and adds its opinion to the result of the stage. It reports whether
// the result is final.
func (c *ClassifierOptions) weigh(ctx context.Context, text string, res *Result, threshold float64, doubt bool) (bool, error) {
	if !doubt && (!c.Always || res.Score >= threshold) {
		return false, nil
	}
	op, err := c.Ask(ctx, text)
	if err == nil && !(op.Score >= 0 && op.Score <= 1) {
		err = Cause(fmt.Sprintf("the classifier answered %v, which is not a score from 0 to 1", op.Score))
	}
	if err != nil {
		if !c.Open || errors.Is(ctx.Err(), context.Canceled) {
			return false, fmt.Errorf("classifier: %w", err)
		}
		if c.Failed != nil {
			c.Failed(err)
		}
		res.Hints = append(res.Hints, hintClassifier)
		return false, nil
	}
	limit := c.Threshold
	if limit <= 0 {
		limit = 0.5
	}
	switch {
	case op.Score >= limit && op.Harm:
		*res = Result{Verdict: Rejected, Category: OffTopic, Score: op.Score, Reason: "the classifier finds harm: " + labelName(op.Label), subject: op.Label}
		return true, nil
	case op.Score >= limit:
		res.Verdict, res.Category, res.Score, res.Reason = Rejected, PromptInjection, max(op.Score, threshold), "the classifier finds an attack"
		return true, nil
	case doubt && !op.Harm: // our score is in doubt: the opinion can only lower it
		res.Score = min(op.Score, res.Score, threshold*0.99)
	}
	return false, nil
}

// labelName returns a label with only the characters of a name, at most 60 bytes: it is foreign
// text that goes into a log.
func labelName(s string) string {
	return bounded.Clip(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (inWord(r) || strings.ContainsRune(" _/-", r)) {
			return r
		}
		return '?'
	}, s), 60, "...")
}
