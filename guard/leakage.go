package guard

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
)

// LeakageOptions are the options of Leakage; the zero value is fine.
type LeakageOptions struct {
	Canary    Canary  // for answers that bring none
	System    string  // the system prompt, likewise
	Threshold float64 // at which signs together reject, 0.7 if zero
}

// SystemPromptLeakage returns the stage that stops answers which tell the system prompt. The canary
// rejects in any disguise: case, spacing, punctuation, split in two, reversed, rot13, base64,
// hex, percent or decimal codes. Two sequences of four words of the prompt's instructions
// reject, plain, reversed, in rot13 or base64; of what it tells as facts, it takes a dozen;
// and a secret that the prompt names rejects alone. Phrases such as
// "my instructions are" only add to the score; of an answer whose prompt is not known,
// three kinds of them are needed.
func SystemPromptLeakage(o LeakageOptions) OutputStage {
	if o.Threshold <= 0 {
		o.Threshold = 0.7
	}
	cache := &promptCache{}
	scan := func(a *Answer) *leakScan {
		canary, system := a.Canary, a.System
		if canary == "" {
			canary = o.Canary.token
		}
		if system == "" {
			system = o.System
		}
		return newLeakScan(cache.get(canary, system), o.Threshold)
	}
	return OutputStage{
		Name: "SystemPromptLeakage", Order: OrderLeakage, Quick: true, Reach: leakHeld,
		Check: func(_ context.Context, text string, a *Answer) (Result, error) {
			s := scan(a)
			s.feed(text)
			s.end()
			return s.result(), nil
		},
		scanner: func(a *Answer) scanner { return scan(a) },
	}
}

// leakHeld is how much of a streaming answer is held back: more than a canary takes in
// its longest disguise, with some noise.
const leakHeld = 512

// A secretPrompt is what must not be told, prepared. It does not change.
type secretPrompt struct {
	squashed string // the canary's letters and digits
	fail     []int  // of each beginning of it, the longest that it ends with
	sq       []string
	b64      []string
	hex      []string
	dec      []string
	shingles map[uint64]bool    // four words in a row; true where they are an instruction
	rare     map[string]float64 // words of the prompt that nobody else would say
	known    bool               // there is a prompt to compare with
}

// promptCache prepares each prompt once. It is small: prompts hardly change.
type promptCache struct {
	mu   sync.Mutex
	keys []string
	got  []*secretPrompt
}

func (c *promptCache) get(canary, system string) *secretPrompt {
	key := canary + "\x00" + system
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.keys, key); i >= 0 {
		return c.got[i]
	}
	p := prepare(canary, system)
	if len(c.keys) >= 16 {
		c.keys, c.got = c.keys[1:], c.got[1:]
	}
	c.keys, c.got = append(c.keys, key), append(c.got, p)
	return p
}

const maxPrompt = 256 << 10 // of a longer prompt only the beginning is compared

func prepare(canary, system string) *secretPrompt {
	p := &secretPrompt{shingles: map[uint64]bool{}, rare: map[string]float64{}}
	if n := squash(canary); len(n) >= 8 {
		p.squashed = n
		p.fail = make([]int, len(n))
		for i, k := 1, 0; i < len(n); i++ {
			for k > 0 && n[i] != n[k] {
				k = p.fail[k-1]
			}
			if n[i] == n[k] {
				k++
			}
			p.fail[i] = k
		}
		secret := strings.TrimPrefix(n, "canary")
		if len(secret) < 8 {
			secret = n
		}
		p.sq = []string{secret, backwards(secret), rot13(n), backwards(rot13(n))}
		for _, form := range []string{canary, strings.ToLower(canary), strings.ToUpper(canary), secret, strings.ToUpper(secret), backwards(canary), rot13(canary)} {
			for off := range 3 { // where it stands in a longer text
				e := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", off) + form))
				e = e[(off*8+5)/6:]
				if len(form)%3 != (3-off)%3 {
					e = e[:len(e)-1] // its bits are shared with what follows
				}
				p.b64 = append(p.b64, e)
			}
			p.hex = append(p.hex, hex.EncodeToString([]byte(form)))
			var plain, padded strings.Builder
			for i := range len(form) {
				fmt.Fprintf(&plain, "%d", form[i])
				fmt.Fprintf(&padded, "%03d", form[i])
			}
			p.dec = append(p.dec, plain.String(), padded.String())
		}
	}
	if len(system) > maxPrompt {
		system = system[:maxPrompt]
	}
	if strings.TrimSpace(system) == "" {
		return p
	}
	p.known = true
	for _, sentence := range sentences(system) {
		order := instructs(splitWords(sentence))
		shingle(splitWords(sentence), func(h uint64, _ bool) { p.shingles[h] = p.shingles[h] || order })
	}
	for i, form := range []string{system, backwards(system), rot13(system)} {
		shingle(splitWords(form), func(h uint64, addressed bool) { p.shingles[h] = p.shingles[h] || addressed || i > 0 }) // nobody turns a fact around
	}
	for _, sentence := range sentences(system) {
		if !slices.ContainsFunc(splitWords(sentence), func(w string) bool { return secrecy[w] }) {
			continue
		}
		// Names and numbers of what is to be kept secret: two of them tell it.
		fields := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for i, f := range fields {
			r, _ := utf8.DecodeRuneInString(f)
			w := strings.ToLower(f)
			if i > 0 && len(f) >= 4 && unicode.IsUpper(r) && !common[w] && !directives[w] || len(f) >= 2 && strings.Trim(f, "0123456789") == "" {
				p.rare[w] = 0.46
			}
		}
	}
	list := splitWords(system)
	for i, w := range list {
		digits := strings.ContainsAny(w, "0123456789")
		letters := strings.ContainsFunc(w, unicode.IsLetter)
		switch {
		case len(w) >= 6 && digits && letters, len(w) >= 5 && digits:
			p.rare[w] = max(p.rare[w], 0.75)
		case named(list, i) && len(w) >= 4 && !common[w]:
			p.rare[w] = max(p.rare[w], 0.75)
		}
	}
	delete(p.rare, strings.ToLower(strings.TrimPrefix(canary, canaryPrefix)))
	return p
}

// named reports whether a word is what a prompt calls a secret: "the password is X".
func named(list []string, i int) bool {
	back := func(k int) string {
		if i-k < 0 {
			return ""
		}
		return list[i-k]
	}
	one, two := back(1), back(2)
	switch one {
	case "is", "are", "word", "be", "as":
		return secretNames[two] || two == "word" && secretNames[back(3)]
	}
	return secretNames[one] && one != "key" && one != "code" && one != "secret"
}

var secretNames = set("password passphrase passcode passwort codeword secret code key pin token codename keyword contraseña clave пароль")

// common are words that say nothing about where a text is from.
var common = set("a an the and or but not no of to in on at for from by with as is are was were be been am it its this that these those i you he she we they me my your our their his her them us if then else " +
	"do does did can could will would shall should may might must have has had so than there here what which who when where how why all any some more most other only just also very please " +
	"helpful assistant ai language model answer answers question questions user users help helps provide provides information always never respond response responses reply text message " +
	"der die das und ein eine ist nicht de la le les el los un une una et y que en es")

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

var shingleSeed = maphash.MakeSeed()

// sentences cuts a prompt where one ends.
func sentences(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n;", r) })
}

var directives = set("must never always not dont don't do should shall only refuse decline reject answer answers reply respond response say says tell reveal disclose share mention discuss keep keeps secret confidential internal hidden private password if when whenever user users unless except ignore follow forbidden allowed avoid instructions rules rule ensure use write provide format output limit pretend remember " +
	"nie niemals immer nicht antworte jamais toujours réponds nunca siempre responde никогда всегда отвечай")

var secrecy = set("secret secrets confidential internal reveal disclose share private mention geheim vertraulich secreto confidencial confidentiel")

// instructs reports whether a sentence of a prompt says what to do. The others are facts,
// which the model is there to tell: who it is, when the shop is open.
func instructs(list []string) bool {
	if len(list) > 1 && (list[0] == "you" && (list[1] == "are" || list[1] == "re") || list[0] == "your" && (list[1] == "name" || list[1] == "role")) {
		return false
	}
	return slices.ContainsFunc(list, func(w string) bool { return directives[w] })
}

// shingle calls f with a hash of each four words of which two say something, and whether
// they speak to somebody.
func shingle(list []string, f func(h uint64, addressed bool)) {
	for i := 3; i < len(list); i++ {
		if h, ok := shingleHash(list[i-3], list[i-2], list[i-1], list[i]); ok {
			f(h, slices.Contains(list[i-3:i+1], "you") || slices.Contains(list[i-3:i+1], "your"))
		}
	}
}

func shingleHash(a, b, c, d string) (uint64, bool) {
	telling := 0
	for _, w := range [...]string{a, b, c, d} {
		if !common[w] {
			telling++
		}
	}
	if telling < 2 {
		return 0, false
	}
	var h maphash.Hash
	h.SetSeed(shingleSeed)
	for _, w := range [...]string{a, b, c, d} {
		h.WriteString(w)
		h.WriteByte(0)
	}
	return h.Sum64(), true
}

// The families of things that answers say which tell their instructions.
const (
	tellsSelf = iota
	tellsIf
	tellsReply
	tellsSecret
	tellsRefuse
	tellsRole
	tellsOther
	tellsNamed // a password, and then something in quotes
	tellsGranted
	tellFamilies
)

var tells = sync.OnceValue(func() *phrases {
	var p phrases
	p.add(tellsSelf, "my|the|full|original|initial|previous|prior|complete system? instructions|prompt are|is|were|was|so|between|say|says|tell|as", "my|system|initial|pre|original instructions|prompt", "system message is|was|says",
		"instructions|rules|prompt|directives so far", "i was|am instructed|told|programmed|configured|given to", "i have been instructed|told|programmed|configured|given", "these|the are|following are? my instructions|rules",
		"here are|is|s my|the full? instructions|prompt|system|rules|directives", "my instructions|rules|directives|guidelines|programming are|is|state|say", "the rules are", "prompt start|begin|end", "meine anweisungen|instruktionen", "mis instrucciones", "mes instructions", "мои инструкции", "我的指令", "系统提示")
	p.add(tellsIf, "if|when|whenever|unless|once the|a|an? user|users|users|person|prompt|message|input", "if|when user|users|someone|anyone|input", "the user|users says|inputs|enters|types|sets|mentions|provides|asks|input|responds", "user input|inputs is|equals|matches|starts|says|and", "userinput", "wenn die|der benutzereingabe|benutzer", "если пользователь|пользовательский", "如果用户")
	p.add(tellsReply, "respond|reply|answer|say|output|print|return|responding|replying|display with|only|exactly|by|as|a|an|the", "then say|respond|reply|answer|output|print|sage", "only|must|always|should|will|to|and|please|just say|respond|reply|output|print|answer|display", "say|says|output|print|respond|reply access|unlucky|no|yes", "请回答", "то сказать")
	p.add(tellsSecret, "password|passphrase|passcode|codeword is|was|are|equals", "access|secret|pass|security code|phrase|word|password|key", "the|my|your|correct|real password|passphrase|passcode", "密码", "пароль", "passwort")
	p.add(tellsRefuse, "do|must|should|will|can|may|shall not ever? reveal|disclose|share|repeat|tell|output|give|say|trust|respond|believe|print|summarize|execute|translate|provide|write|mention|discuss|follow|obey|use", "dont|never|cannot reveal|disclose|share|repeat|tell|output|give|say|trust|respond|believe|print|summarize|execute|translate|provide|write|mention|discuss|follow|obey",
		"not allowed to", "not be|being revealed|disclosed|shared", "under any|no circumstances", "不要")
	p.add(tellsRole, "you|i are|am|re a|an|the|now *? *? *? bot|assistant|system|guard|ai|model|security|computer|machine|agent|genie|program|robot|llm|chatbot", "my role|purpose|job|task is", "act as a|an|the", "as a|an|the *? *? bot|assistant|system|guard|robot|agent")
	p.add(tellsOther, "otherwise", "any|all|every|for other input|inputs|text|message|messages|response|case|cases|prompt|thing", "anything|everything else", "andernfalls", "в противном случае", "其他任何情况")
	p.add(tellsGranted, "access granted", "access denied")
	return &p
})

// A leakScan looks at an answer, character by character, so that it comes to the same
// result however the answer is cut.
type leakScan struct {
	p         *secretPrompt
	threshold float64
	fed       int // of what scan was given beyond from

	views    [4]view
	prev     rune
	prefix   int // the longest beginning of the canary that was seen, and the longest end
	suffix   int
	state    int // how much of the canary the text ends with
	words    words
	last     history
	phrases  *phrases
	families [tellFamilies]bool
	shingles map[uint64]bool
	rare     map[string]bool
	canary   bool
	encoded  []byte // a run of base64 or hex that may hold the prompt
	depth    int
	named    int // how many words ago a secret was named
}

// A view is the text with all but some characters left out.
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
	for _, n := range v.needles {
		if k := len(n); n[k-1] == b && len(v.buf) >= k && string(v.buf[len(v.buf)-k:]) == n {
			return true
		}
	}
	return false
}

func newLeakScan(p *secretPrompt, threshold float64) *leakScan {
	s := &leakScan{p: p, threshold: threshold, phrases: tells(), shingles: map[uint64]bool{}, rare: map[string]bool{}}
	for i, n := range [...][]string{p.sq, p.b64, p.hex, p.dec} {
		s.views[i].needles = n
	}
	s.words.word = s.word
	return s
}

func (s *leakScan) feed(text string) {
	for _, r := range text {
		s.rune(r)
	}
}

func (s *leakScan) end() {
	s.words.end()
	s.decode()
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
				s.families[tellsNamed] = true
			}
		}
	}
	s.prev = r
	if s.depth == 0 && s.p.known {
		if r < utf8.RuneSelf && (isAlnum(byte(r)) || strings.IndexByte("+/-_=", byte(r)) >= 0) {
			if len(s.encoded) < maxEncoded {
				s.encoded = append(s.encoded, byte(r))
			}
		} else if r != '\n' && r != '\r' {
			s.decode()
		}
	}
	if r >= utf8.RuneSelf || s.p.squashed == "" || s.canary {
		return
	}
	b := byte(r)
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
	// In two halves, wherever they are.
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

// maxEncoded bounds the run that is decoded. A longer one is cut: what is told in the
// first 16 KB is told.
const maxEncoded = 16 << 10

// decode looks at what a run of base64 or hex says.
func (s *leakScan) decode() {
	run := s.encoded
	s.encoded = s.encoded[:0]
	if len(run) < 24 || s.depth > 0 || !s.p.known {
		return
	}
	inner := leakScan{p: s.p, depth: 1, phrases: s.phrases, shingles: s.shingles, rare: s.rare}
	inner.words.word = inner.word
	text := strings.TrimRight(string(run), "=")
	if b, err := hex.DecodeString(text[:len(text)&^1]); err == nil {
		inner.feed(string(b))
	} else {
		text = strings.NewReplacer("-", "+", "_", "/").Replace(text)
		if len(text)%4 == 1 {
			text = text[:len(text)-1]
		}
		if b, err := base64.RawStdEncoding.DecodeString(text); err == nil && utf8.Valid(b) {
			inner.feed(string(b))
		}
	}
	inner.end()
}

func (s *leakScan) word(w []byte) {
	s.last.push(w)
	if s.depth == 0 {
		if s.named--; secretNames[string(w)] || string(w) == "input" {
			s.named = 5
		}
		s.phrases.match(&s.last, func(id int) { s.families[id] = true })
	}
	if !s.p.known {
		return
	}
	if _, ok := s.p.rare[string(w)]; ok && len(s.rare) < 100 {
		s.rare[string(w)] = true
	}
	if s.last.n >= 4 && len(s.shingles) < 100 {
		if h, ok := shingleHash(string(s.last.ago(3)), string(s.last.ago(2)), string(s.last.ago(1)), string(s.last.ago(0))); ok && s.known(h) {
			s.shingles[h] = s.p.shingles[h]
		}
	}
}

func (s *leakScan) known(h uint64) bool {
	_, ok := s.p.shingles[h]
	return ok
}

// manyFacts are so many sequences of four words that the prompt is being copied.
const manyFacts = 12

// result weighs what was seen so far.
func (s *leakScan) result() Result {
	if s.canary {
		return s.rejects("canary", "the answer has the marker of the system prompt", 1)
	}
	innocent := 1.0
	reason := "the answer seems to tell its instructions"
	orders := 0
	for _, order := range s.shingles {
		if order {
			orders++
		}
	}
	switch facts := len(s.shingles) - orders; {
	case orders >= 2 || facts >= manyFacts:
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
	families := 0
	for id, seen := range s.families {
		if seen && id != tellsGranted {
			families++
		}
	}
	addressed := s.families[tellsSelf] || s.families[tellsRefuse] || s.families[tellsIf] || s.families[tellsRole] || s.families[tellsNamed] && s.families[tellsGranted]
	if families > 0 && s.families[tellsGranted] {
		families++
	}
	said := [...]float64{0, 0.15, 0.35, 0.72, 0.8, 0.85, 0.9, 0.95, 0.95, 0.95}[families]
	if !addressed || s.p.known && innocent == 1 { // nothing of the prompt is in it
		said = min(said, 0.4)
	}
	innocent *= 1 - said
	score := 1 - innocent
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
