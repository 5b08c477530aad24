package guard

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
)

// LeakageOptions are the options of SystemPromptLeakage. The zero value selects the defaults.
type LeakageOptions struct {
	Canary    Canary  // used if the Answer has none
	System    string  // the system prompt; used if the Answer has none
	Threshold float64 // combined score of the signs, 0 to 1, at which an answer is rejected; 0.7 if zero
}

// SystemPromptLeakage returns the stage that rejects answers that disclose the system prompt. It
// rejects the canary in any disguise: case, spacing, punctuation, split in two, reversed, rot13,
// base64, hex, percent or decimal codes. It rejects values that the prompt calls secret, and codes
// for the staff, in the same way. A name or number that the prompt has only in a sentence that it
// calls secret rejects together with another word of that sentence, except in a refusal.
//
// It rejects an answer with two sequences of four words from the prompt's instructions: plain,
// reversed, in rot13, base64 or character codes, spelled apart, or with look-alike letters. It also
// rejects an answer that paraphrases several instructions. Facts of the prompt reject after about a
// dozen such sequences.
//
// If the prompt is not known, or the answer is in another language, two signs remain: phrases such
// as "my instructions are" and "never mention", and a small model trained on answers that disclose
// instructions. The stage combines the signs within a hundred words.
func SystemPromptLeakage(o LeakageOptions) OutputStage {
	if o.Threshold <= 0 {
		o.Threshold = 0.7
	}
	cache := &promptCache{}
	scan := func(a *Answer) *leakScan {
		canary, system := a.Canary, a.System
		canary = cmp.Or(canary, o.Canary.token)
		system = cmp.Or(system, o.System)
		return newLeakScan(cache.get(canary, system), o.Threshold)
	}
	return OutputStage{
		ours: true,
		Name: "SystemPromptLeakage", Order: OrderLeakage, Quick: true, Reach: leakHeld,
		Check: func(_ context.Context, text string, a *Answer) (Result, error) {
			s := scan(a)
			s.feed(text)
			s.end()
			res := s.result()
			for i := range res.Findings {
				token := "" // no token: many places of the answer may repeat the prompt
				if res.Findings[i].Type == kindCanary {
					token = cmp.Or(a.Canary, o.Canary.token)
				}
				res.Findings[i].Start, res.Findings[i].End = placeOf(token, text)
			}
			return res, nil
		},
		scanner: func(a *Answer) scanner { return scan(a) },
	}
}

// kindCanary is the finding type of a canary.
const kindCanary = "canary"

// leakHeld is the number of bytes that a stream holds back: more than a canary in its longest
// disguise, with some noise.
const leakHeld = 512

// A leakScan checks an answer character by character, so that its result does not depend on how a
// stream cuts the answer.
type leakScan struct {
	p         *secretPrompt
	threshold float64
	fed       int // bytes after from that scan has already fed

	views     [4]view
	prev      rune
	ordered   [3]int // word counts at the ends of the last sentences that order something
	opens     bool   // the last quotation mark opens a quotation
	prefix    int    // lengths of the longest beginning and the longest end of the canary seen
	suffix    int
	state     int // length of the beginning of the canary that the text ends with
	words     words
	last      history
	said      history // words of this sentence
	phrases   *phrases
	wordCount int             // number of words so far
	sense     *leakSense      // the model's judgment of the last words
	tells     [tellCount]int  // word count at the last occurrence of each tell, 0 for never
	now       [tellCount]bool // tells in this sentence
	worst     float64         // largest score of a sentence so far
	marks     bool            // the sentence ends if a space follows
	shingles  map[uint64]part
	rare      map[string]bool
	canary    bool
	run       []byte  // last letters, folded
	odd       uint64  // which of the last letters were disguised; the newest is the lowest bit
	name      bool    // the answer contains a name from the prompt
	before    rune    // the character before the current one
	alone     bool    // the last letter stands alone so far
	secret    bool    // the answer contains a value that the prompt calls secret
	apart     [][]int // for each secret of several words, the word count at the last occurrence of each word
	dense     int     // word count when most of one instruction was last repeated
	spoken    int     // word count at the last name of a secret
	toldNames uint64  // confided sentences of which this sentence repeats a name or number,
	toldWords uint64  // and another word
	between   int     // characters since the last letter
	hidden    map[uint64]bool
	touched   []touch // for each instruction of the prompt, the words that the answer repeats
	codes     codes
	escape    []rune // an unfinished percent code
	encoded   []byte // a run of base64 or hex that may contain the prompt
	depth     int
	named     int // number of words left in which a value may follow the name of a secret
}

// A view is the text reduced to one class of characters.
type view struct {
	buf     []byte
	needles []string
}

func (v *view) push(b byte) bool {
	if len(v.needles) == 0 {
		return false
	}
	if len(v.buf) >= 4096 {
		v.buf = append(v.buf[:0], v.buf[len(v.buf)-512:]...)
	}
	v.buf = append(v.buf, b)
	return slices.ContainsFunc(v.needles, func(n string) bool {
		k := len(n)
		return n[k-1] == b && len(v.buf) >= k && string(v.buf[len(v.buf)-k:]) == n
	})
}

func newLeakScan(p *secretPrompt, threshold float64) *leakScan {
	s := &leakScan{p: p, threshold: threshold, phrases: tells(), shingles: map[uint64]part{}, rare: map[string]bool{}, hidden: map[uint64]bool{}, touched: make([]touch, p.orders)}
	for i, n := range [...][]string{p.sq, p.b64, p.hex, p.dec} {
		s.views[i].needles = n
	}
	for _, list := range p.apart {
		s.apart = append(s.apart, make([]int, len(list), len(list)+1))
	}
	s.words.word, s.sense = s.word, newLeakSense()
	return s
}

func (s *leakScan) feed(text string) {
	for _, r := range text {
		s.unescape(r)
	}
}

func (s *leakScan) end() {
	for _, r := range s.escape {
		s.rune(r)
	}
	s.escape = s.escape[:0]
	s.words.end()
	s.decode()
	if s.depth == 0 {
		for _, text := range s.codes.end() {
			s.inner(text)
		}
	}
	s.sentence()
}

// unescape decodes percent codes, such as %41 for A.
func (s *leakScan) unescape(r rune) {
	if len(s.escape) == 0 && r != '%' || s.depth > 0 || !s.p.known {
		s.rune(r)
		return
	}
	s.escape = append(s.escape, r)
	switch n := len(s.escape); {
	case n > 1 && (r >= utf8.RuneSelf || strings.IndexByte("0123456789abcdefABCDEF", byte(r)) < 0):
		held := slices.Clone(s.escape)
		s.escape = s.escape[:0]
		for _, c := range held[:n-1] {
			s.rune(c)
		}
		s.unescape(r)
	case n == 3:
		b, err := hex.DecodeString(string(s.escape[1:]))
		s.escape = s.escape[:0]
		if err == nil && b[0] < utf8.RuneSelf {
			s.rune(rune(b[0]))
		}
	}
}

func (s *leakScan) rune(r rune) {
	if 0xff01 <= r && r <= 0xff5e { // full width
		r -= 0xfee0
	}
	s.words.rune(r)
	prev := s.prev
	if s.named > 0 && s.depth == 0 {
		switch prev {
		case '"', '“', '‘', '\'', '`', '«':
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				s.now[tellsNamed] = s.now[tellsNamed] || s.opens
			}
		}
	}
	switch r {
	case '"', '“', '‘', '\'', '`', '«': // a mark after a letter is an apostrophe, and one after a bracket quotes an argument
		s.opens = !unicode.IsLetter(prev) && prev != '[' && prev != '('
	}
	s.prev = r
	s.letters(r)
	if s.depth == 0 {
		if s.p.known {
			for _, text := range s.codes.rune(r) {
				s.inner(text)
			}
		}
		ends, marks := sentenceEnds(r, s.marks)
		if ends {
			s.sentence()
		}
		s.marks = marks
	}
	if s.depth == 0 && s.p.known {
		if r < utf8.RuneSelf && (isAlnum(byte(r)) || strings.IndexByte("+/-_=", byte(r)) >= 0) {
			if len(s.encoded) < maxEncoded {
				s.encoded = append(s.encoded, byte(r))
			}
		} else if r != '\n' && r != '\r' {
			s.decode()
		}
	}
	if r < utf8.RuneSelf && s.p.squashed != "" && !s.canary {
		s.squashed(byte(r), prev)
	}
}

// squashed looks for the canary at b, the character after prev.
func (s *leakScan) squashed(b byte, prev rune) {
	if b == '+' || b == '/' || b == '-' || b == '_' {
		switch b {
		case '-':
			b = '+'
		case '_':
			b = '/'
		}
		s.canary = s.views[1].push(b)
		return
	}
	if !isAlnum(b) {
		return
	}
	low := b | 0x20
	if b <= '9' {
		low = b
	}
	hit := s.views[0].push(low)
	hit = s.views[1].push(b) || hit
	switch {
	case b <= '9':
		hit = s.views[2].push(b) || hit
		hit = s.views[3].push(b) || hit
	case low <= 'f':
		hit = s.views[2].push(low) || hit
	case low == 'x' && prev == '0':
		for _, v := range []*view{&s.views[2], &s.views[3]} {
			if n := len(v.buf); n > 0 {
				v.buf = v.buf[:n-1]
			}
		}
	}
	// Find the canary in two halves that are apart.
	n, buf := s.p.squashed, s.views[0].buf
	for s.state > 0 && (s.state == len(n) || n[s.state] != low) {
		s.state = s.p.fail[s.state-1]
	}
	if n[s.state] == low {
		s.state++
	}
	s.prefix = max(s.prefix, s.state)
	k := 0
	for k < len(n) && k < len(buf) && buf[len(buf)-1-k] == n[len(n)-1-k] {
		k++
	}
	s.suffix = max(s.suffix, k)
	s.canary = hit || s.prefix >= 4 && s.suffix >= 4 && s.prefix+s.suffix >= len(n)
}

// maxEncoded is the length limit of a run that is decoded. Only the first 16 KB of a longer run are
// checked.
const maxEncoded = 16 << 10

// sentenceEnds reports whether a sentence ends with r, or ends if a space follows. marks is the
// result for the character before.
func sentenceEnds(r rune, marks bool) (ends, ifBlank bool) {
	switch r {
	case '\n', ';', '。', '！', '？':
		return true, false
	case '.', '!', '?':
		return false, true
	}
	return marks && unicode.IsSpace(r), marks && strings.ContainsRune("\"'”’)*_", r)
}

// decode checks the text that a run of base64 or hex encodes.
func (s *leakScan) decode() {
	run := s.encoded
	s.encoded = s.encoded[:0]
	if len(run) < 24 || s.depth > 0 || !s.p.known {
		return
	}
	text := strings.TrimRight(string(run), "=")
	if b, err := hex.DecodeString(text[:len(text)&^1]); err == nil {
		s.inner(string(b))
	} else {
		text = strings.NewReplacer("-", "+", "_", "/").Replace(text)
		if len(text)%4 == 1 {
			text = text[:len(text)-1]
		}
		if b, err := base64.RawStdEncoding.DecodeString(text); err == nil && utf8.Valid(b) {
			s.inner(string(b))
		}
	}
}

// inner checks a decoded text.
func (s *leakScan) inner(text string) {
	in := leakScan{p: s.p, depth: 1, phrases: s.phrases, shingles: s.shingles, rare: s.rare, hidden: s.hidden, touched: s.touched}
	in.words.word = in.word
	in.feed(text)
	in.end()
	s.secret = s.secret || in.secret
}

func (s *leakScan) word(w []byte) {
	if !counts(string(w)) {
		s.last.push(w)
	}
	if s.depth == 0 {
		if s.named--; secretNames()[string(w)] || string(w) == "input" {
			s.named = 7
		} else if s.named > 0 && len(w) >= 3 && strings.Trim(string(w), "0123456789") == "" {
			s.now[tellsNamed] = true
		}
		s.wordCount++
		s.sense.word(w)
		s.said.push(w)
		s.phrases.match(&s.said, func(id int) { s.now[id] = true })
	}
	if !s.p.known {
		return
	}
	if s.depth == 0 {
		s.split(w)
	}
	if _, ok := s.p.rare[string(w)]; ok && len(s.rare) < 100 {
		s.rare[string(w)] = true
	}
	s.touch(w)
	s.confides(string(w))
	s.name = s.name || s.p.names[string(w)]
	if s.last.n >= 4 && len(s.shingles) < 100 {
		if h, ok := shingleHash(string(s.last.ago(3)), string(s.last.ago(2)), string(s.last.ago(1)), string(s.last.ago(0))); ok && s.known(h) {
			s.shingles[h] = s.p.shingles[h]
		}
	}
}

// apartWithin is the largest distance, in words, between the words of a secret and the name of a
// secret.
const apartWithin = 25

// split finds secrets of several words that the answer discloses word by word.
func (s *leakScan) split(w []byte) {
	if secretNames()[string(w)] || string(w) == "phrase" {
		s.spoken = s.last.n
	}
	for i, list := range s.p.apart {
		if k := slices.Index(list, string(w)); k >= 0 {
			s.apart[i][k] = s.last.n
		}
		if s.spoken > 0 && !slices.ContainsFunc(append(s.apart[i], s.spoken), func(at int) bool { return at == 0 || s.last.n-at > apartWithin }) {
			s.secret = true
		}
	}
}

// tellDistance is the largest distance, in words, between tells that add up.
const tellDistance = 100

// sentence weighs the tells at the end of a sentence. It does not weigh them earlier, so that the
// result does not depend on the pieces of a stream.
func (s *leakScan) sentence() {
	if s.depth > 0 {
		return
	}
	s.secret = s.confidedTold(s.now[tellsRefusal]) || s.secret
	if s.now[tellsRefusal] { // a refusal mentions the prompt without repeating it
		s.now[tellsClaim], s.now[tellsConf], s.now[tellsHead], s.now[tellsSecret] = false, false, false, false
	}
	for t, yes := range s.now {
		if yes {
			s.tells[t] = s.wordCount
		}
	}
	if s.now[tellsForbid] || s.now[tellsOnly] || s.now[tellsWhen] || s.now[tellsHide] || s.now[tellsConf] {
		if s.ordered = [3]int{s.wordCount, s.ordered[0], s.ordered[1]}; s.ordered[2] > 0 && s.wordCount-s.ordered[2] <= tellDistance {
			s.tells[tellsMany] = s.wordCount
		}
	}
	var near [tellCount]bool // a long text contains all tells somewhere
	for t, at := range s.tells {
		near[t] = at > 0 && s.wordCount-at <= tellDistance
	}
	s.now, s.marks = [tellCount]bool{}, false
	s.said.n = 0
	said := tellsScore(&near)
	learned := s.sense.end(said)
	if !s.p.known {
		said = learned
	} else {
		// The prompt is known, so an answer that shares nothing with it does not leak it.
		broad := s.breadth()
		hint := 0.0
		switch {
		case broad >= 3 || broad == s.p.orders && broad >= 2:
			hint = 0.6
		case s.dense > 0 && s.last.n-s.dense <= farWords:
			hint = 0.6
		case broad >= 2:
			hint = 0.3
		}
		innocent := 1.0
		for w := range s.rare {
			innocent *= 1 - s.p.rare[w]
		}
		if hint == 0 && innocent == 1 && len(s.shingles) == 0 && !s.name {
			said, learned = min(said, 0.4), 0
		}
		if !near[tellsClaim] && !near[tellsBound] && !near[tellsOwn] && !near[tellsConf] {
			hint = min(hint, 0.3)
		}
		said = max(learned, 1-(1-max(said, learned/2))*(1-hint)*innocent)
	}
	s.worst = max(s.worst, said)
}

func (s *leakScan) known(h uint64) bool {
	_, ok := s.p.shingles[h]
	return ok
}

// manyBeside is the number of four-word sequences, from the instructions and the facts in the same
// sentences, that proves a copy.
const manyBeside = 5

// manyFacts is the number of four-word sequences of facts that proves a copy of the prompt.
const manyFacts = 12

// result returns the verdict on the answer so far.
func (s *leakScan) result() Result {
	if s.canary {
		return s.rejects(kindCanary, "the answer has the marker of the system prompt", 1)
	}
	innocent := 1.0
	reason := "the answer seems to tell its instructions"
	var seen [order + 1]int
	for _, of := range s.shingles {
		seen[of]++
	}
	orders, facts := seen[order], seen[fact]+seen[beside]
	switch {
	case orders >= 2 || orders+seen[beside] >= manyBeside || facts >= manyFacts:
		innocent, reason = 0, "the answer repeats the system prompt"
	case orders == 1:
		innocent = 0.6
	case facts > 2:
		innocent = 0.8
	}
	for w := range s.rare {
		if s.p.rare[w] > 0.7 {
			reason = "the answer has a secret of the system prompt"
		}
		innocent *= 1 - s.p.rare[w]
	}
	if len(s.hidden) >= manyLetters || s.secret {
		innocent, reason = 0, "the answer tells the system prompt in disguise"
		if s.secret {
			reason = "the answer has a secret of the system prompt"
		}
	}
	score := max(1-innocent, s.worst)
	if score >= s.threshold {
		return s.rejects("system-prompt", reason, score)
	}
	return Result{Verdict: Allowed, Score: score}
}

func (s *leakScan) rejects(kind, reason string, score float64) Result {
	r := Reject(Leakage, reason)
	r.Score = score
	r.Findings = []umpire.Finding{{Type: kind, Score: score}}
	return r
}

// placeOf returns the position of an undisguised token, or of the complete text.
func placeOf(token, text string) (start, end int) {
	for i := 0; token != "" && i+len(token) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(token)], token) {
			return i, i + len(token)
		}
	}
	return 0, len(text)
}

func (s *leakScan) behind() int { return 0 }

func (s *leakScan) scan(text string, from int, _, last bool) ([]edit, int, Result, error) {
	s.feed(text[from+s.fed:])
	settled := max(from, len(text)-leakHeld)
	if last {
		s.end()
		settled = len(text)
	} else {
		for settled > from && !utf8.RuneStart(text[settled]) {
			settled--
		}
	}
	s.fed = len(text) - settled
	res := s.result()
	if res.Verdict == Allowed && !last {
		res.Score = 0
	}
	return nil, settled, res, nil
}

func isAlnum(b byte) bool { return isLower(b|0x20) || '0' <= b && b <= '9' }

func squash(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if isAlnum(s[i]) {
			b.WriteByte(s[i])
		}
	}
	return strings.ToLower(b.String())
}

func backwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}
