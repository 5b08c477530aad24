package guard

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// A secretPrompt is a system prompt, prepared for searches. It is immutable.
type secretPrompt struct {
	squashed string // the canary's letters and digits
	fail     []int  // for each prefix of squashed, the length of its longest proper prefix that is also a suffix
	sq       []string
	b64      []string
	hex      []string
	dec      []string
	shingles map[uint64]part    // sequences of four words, with their parts
	rare     map[string]float64 // names, numbers and secrets, with their weights as signs of a leak
	known    bool               // there is a prompt to compare with

	names    map[string]bool  // names and numbers in it
	grams    map[uint64]bool  // hashes of each gramLen consecutive letters of the instructions, folded
	secrets  []string         // values that the prompt calls secret, folded
	confided []confided       // sentences that are said to be secret
	apart    [][]string       // the words of each secret of several words
	orders   int              // number of instructions
	need     []int            // for each instruction, the number of its words that disclose it
	about    map[string][]int // stems of the words that carry meaning, with the instructions that contain them
}

// A part is the kind of sentence that words of a prompt belong to.
type part uint8

const (
	fact   part = iota // facts that the model should tell
	beside             // a fact in a sentence that also contains an order
	order              // instructions to the model
)

// promptCache prepares each prompt once. It is small, because prompts rarely change.
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

const maxPrompt = 256 << 10 // bytes; only the beginning of a longer prompt is compared

func prepare(canary, system string) *secretPrompt {
	p := &secretPrompt{shingles: map[uint64]part{}, rare: map[string]float64{}}
	p.token(canary)
	if len(system) > maxPrompt {
		system = system[:maxPrompt]
	}
	if strings.TrimSpace(system) == "" {
		return p
	}
	p.known = true
	p.grams, p.about = map[uint64]bool{}, map[string][]int{}
	p.wording(system)
	public := map[string]bool{} // words of facts, such as the names of the company and of its products
	for _, sentence := range sentences(system) {
		if list := splitWords(sentence); !keepsSecret(list) && !instructs(list) {
			for _, w := range list {
				public[w] = true
			}
		}
	}
	for _, sentence := range sentences(system) {
		list := splitWords(sentence)
		keeps := keepsSecret(list)
		if keeps {
			p.values(sentence)
		}
		switch {
		case keeps:
			p.hints(sentence, 2, public)
		case instructs(list):
			p.hints(sentence, 3, public)
		}
	}
	p.confide(system)
	p.passwords(system)
	for w, weight := range p.rare {
		if s := folded(w); weight > 0.7 && len(s) >= 6 {
			p.secrets = append(p.secrets, s)
		}
	}
	if len(p.secrets) > maxSecrets {
		p.secrets = p.secrets[:maxSecrets]
	}
	delete(p.rare, strings.ToLower(strings.TrimPrefix(canary, canaryPrefix)))
	return p
}

// token prepares the search for the canary and its disguised forms. It ignores a canary of fewer
// than eight letters and digits, which an answer may contain by chance.
func (p *secretPrompt) token(canary string) {
	n := squash(canary)
	if len(n) < 8 {
		return
	}
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
		p.encoded(form)
	}
}

// encoded adds the base64, hex and decimal forms of a form of the canary.
func (p *secretPrompt) encoded(form string) {
	for off := range 3 { // base64 of the form depends on its offset in a longer text
		e := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", off) + form))
		e = e[(off*8+5)/6:]
		if len(form)%3 != (3-off)%3 {
			e = e[:len(e)-1] // the last digit also depends on the following byte
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

// wording records the word sequences of the prompt: forward, reversed and in rot13.
func (p *secretPrompt) wording(system string) {
	for _, sentence := range sentences(system) {
		list := splitWords(sentence)
		of := fact
		if instructs(list) {
			p.order(sentence, list)
			of = beside
		}
		for clause := range strings.SplitSeq(sentence, ",") { // "we open at nine, but do not say so" contains a fact and an order
			list := splitWords(clause)
			of := of
			if instructs(list) {
				of = order
			}
			shingle(list, func(h uint64, _ bool) { p.shingles[h] = max(p.shingles[h], of) })
		}
		shingle(list, func(h uint64, _ bool) { p.shingles[h] = max(p.shingles[h], of) }) // sequences across commas
	}
	turned := splitWords(system)
	slices.Reverse(turned)
	shingle(turned, func(h uint64, _ bool) { p.shingles[h] = order })
	for i, form := range []string{system, backwards(system), rot13(system)} {
		shingle(splitWords(form), func(h uint64, addressed bool) {
			of := fact
			if addressed || i > 0 { // an answer that states a fact neither reverses nor encodes it
				of = order
			}
			p.shingles[h] = max(p.shingles[h], of)
		})
	}
}

// values adds the hosts, addresses and numbers in a sentence about a secret to the secrets.
func (p *secretPrompt) values(sentence string) {
	for f := range strings.FieldsSeq(sentence) {
		f = strings.Trim(f, ".,;:!?\"'()[]<>`")
		if s := folded(f); len(s) >= 6 && strings.ContainsAny(f, ".-_/@0123456789") && (len(f) >= 8 && strings.ContainsFunc(f, unicode.IsLetter) || strings.ContainsAny(f, "0123456789")) {
			p.secrets = append(p.secrets, s)
		}
	}
}

// hints sets the weights of the names in a sentence, and of its numbers of at least the given
// number of digits, except those that are public. Two of them in an answer are the sign of a secret or an
// instruction.
func (p *secretPrompt) hints(sentence string, digits int, public map[string]bool) {
	var name []string // words in a row, such as Clifton Court, are one name
	end := func() {
		weight := 0.46
		if len(name) > 1 {
			weight = 1 - math.Pow(0.45, 1/float64(len(name)))
		}
		for _, w := range name {
			p.rare[w] = max(p.rare[w], weight)
		}
		name = name[:0]
	}
	fields := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, f := range fields {
		r, _ := utf8.DecodeRuneInString(f)
		w := strings.ToLower(f)
		switch {
		case public[w]:
		case i > 0 && len(f) >= 4 && unicode.IsUpper(r) && !common()[w] && !directives()[w]:
			name = append(name, w)
			continue
		case len(f) >= digits && strings.Trim(f, "0123456789") == "":
			p.rare[w] = 0.46
		}
		end()
	}
	end()
}

// passwords sets the weights of words that contain digits outside of facts, and of words that the
// prompt calls a secret. Facts have codes of products and vouchers, which the model should tell.
func (p *secretPrompt) passwords(system string) {
	spelled := p.quoted(system)
	p.names = names(system)
	fact := map[string]bool{}
	for _, sentence := range sentences(system) {
		list := splitWords(sentence)
		of := !keepsSecret(list) && !instructs(list) && !guarded(list)
		for _, w := range list {
			if before, known := fact[w]; !known || before {
				fact[w] = of
			}
		}
	}
	list := splitWords(system)
	for i, w := range list {
		digits := strings.ContainsAny(w, "0123456789")
		letters := strings.ContainsFunc(w, unicode.IsLetter)
		switch {
		case !fact[w] && (len(w) >= 6 && digits && letters || len(w) >= 5 && digits):
			p.rare[w] = max(p.rare[w], 0.75)
		case named(list, i) && len(w) >= 4 && !common()[w] && !spelled[w]:
			p.rare[w] = max(p.rare[w], 0.75)
		}
	}
}

// guarded reports whether a sentence mentions a secret, access or the staff. Customers may know the
// code of a voucher.
func guarded(list []string) bool {
	for i, w := range list {
		if access()[w] || staff()[w] || secretNames()[w] && (w != "code" || i == 0 || !publicCodes()[list[i-1]]) {
			return true
		}
	}
	return false
}

var access = lazy.Words("access credential credentials login username combination backdoor unlock unlocks bypass override api database server vault safe phrase zugang acceso accès")

var publicCodes = lazy.Words("voucher discount promo promotion coupon gift error status product article item order postal zip area country dialling")

// named reports whether a prompt calls the word at i a secret, as in "the password is X".
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
		return secretNames()[two] || two == "word" && secretNames()[back(3)]
	}
	return secretNames()[one] && one != "key" && one != "code" && one != "secret"
}

var secretNames = lazy.Words("password passphrase passcode passwort codeword secret code key pin token codename keyword contraseña clave пароль")

// common lists words that say nothing about the origin of a text.
var common = lazy.Words("a an the and or but not no of to in on at for from by with as is are was were be been am it its this that these those i you he she we they me my your our their his her them us if then else " +
	"do does did can could will would shall should may might must have has had so than there here what which who when where how why all any some more most other only just also very please " +
	"helpful assistant ai language model answer answers question questions user users help helps provide provides information always never respond response responses reply text message " +
	"january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday " +
	"der die das und ein eine ist nicht de la le les el los un une una et y que en es")

var shingleSeed = maphash.MakeSeed()

// sentences splits a prompt into its sentences.
func sentences(text string) []string {
	var out []string
	start, stop := 0, false
	for i, r := range text {
		switch {
		case r == '\n', r == ';', stop && unicode.IsSpace(r), strings.ContainsRune("。！？", r):
			out = append(out, text[start:i])
			start, stop = i, false
		default:
			stop = r == '.' || r == '!' || r == '?' || stop && strings.ContainsRune("\"'”’)", r)
		}
	}
	return append(out, text[start:])
}

var directives = lazy.Words("must never always not dont don't do should shall only refuse decline reject answer answers reply respond response say says tell reveal disclose share mention discuss keep keeps secret confidential internal hidden private password if when whenever user users unless except ignore follow passed escalate escalated refer referred redirect redirected forwarded transferred forbidden allowed avoid instructions rules rule ensure use write provide format output limit pretend remember " +
	"nie niemals immer nicht antworte jamais toujours réponds nunca siempre responde никогда всегда отвечай")

var secrecy = lazy.Words("secret secrets confidential internal reveal revealed disclose disclosed share shared private mention mentioned geheim vertraulich secreto confidencial confidentiel")

// quoted adds quoted texts after the name of a secret to the secrets. It returns the words of those
// with several words, because a single word of them proves nothing.
func (p *secretPrompt) quoted(system string) map[string]bool {
	words := map[string]bool{}
	for _, sentence := range sentences(system) {
		before, rest, ok := strings.Cut(strings.NewReplacer("“", "\"", "”", "\"", "«", "\"", "»", "\"").Replace(sentence), "\"")
		in, _, closed := strings.Cut(rest, "\"")
		if s := folded(in); ok && closed && len(s) >= 6 && len(s) <= 60 && slices.ContainsFunc(splitWords(before), func(w string) bool { return secretNames()[w] || w == "phrase" || w == "word" }) {
			p.secrets = append(p.secrets, s)
			if list := splitWords(in); len(list) > 1 && len(list) <= 8 {
				p.apart = append(p.apart, list)
				for _, w := range list {
					words[w] = true
				}
			}
		}
	}
	return words
}

// names returns the names and the numbers of two or more digits in a prompt. An answer in any
// language that contains none of them is unlikely to repeat the prompt.
func names(system string) map[string]bool {
	out := map[string]bool{}
	for _, sentence := range sentences(system) {
		for i, f := range strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			r, _ := utf8.DecodeRuneInString(f)
			if w := strings.ToLower(f); len(f) >= 4 && i > 0 && unicode.IsUpper(r) && !common()[w] && !directives()[w] || len(f) >= 2 && strings.Trim(f, "0123456789") == "" {
				out[w] = true
			}
		}
	}
	return out
}

// keepsSecret reports whether a sentence of a prompt says that something is secret.
func keepsSecret(list []string) bool {
	no := false
	for _, w := range list {
		if secrecy()[w] || no && speech()[w] {
			return true
		}
		no = no || negation()[w]
	}
	return false
}

var negation = lazy.Words("not never dont no nobody without nie niemals nicht keine nunca jamais no não не никогда")

var speech = lazy.Words("say talk discuss mention mentioned tell speak name named answer give sprich sage nenne erwähne verrate digas hables menciones reveles parle dis mentionne révèle fale diga mencione говори сообщай упоминай раскрывай")

// maxSecrets is the limit of secrets that are searched letter by letter.
const maxSecrets = 64

// gramLen is the number of consecutive letters that are compared if the spelling hides the words.
const gramLen = 16

// maxFolded is the limit of letters of a prompt that are compared in this way.
const maxFolded = 32 << 10

// order records an instruction of the prompt.
func (p *secretPrompt) order(sentence string, list []string) {
	if s := folded(sentence); len(p.grams)+len(s) < maxFolded {
		for i := gramLen; i <= len(s); i++ {
			p.grams[maphash.String(shingleSeed, s[i-gramLen:i])] = true
		}
	}
	words := map[string]bool{}
	for _, w := range list {
		if len(w) > 2 && !common()[w] && !directives()[w] && !negation()[w] && !speech()[w] {
			words[stem(w)] = true
		}
	}
	if len(words) < 2 || p.orders >= 512 {
		return
	}
	for w := range words {
		p.about[w] = append(p.about[w], p.orders)
	}
	p.need = append(p.need, max(2, (len(words)*2+4)/5))
	p.orders++
}

// stem removes common endings of words in English and related languages.
func stem(w string) string {
	for _, end := range []string{"ing", "ies", "ed", "es", "s", "e"} {
		if cut, ok := strings.CutSuffix(w, end); ok && len(cut) >= 3 {
			return cut
		}
	}
	return w
}

// fold returns the letter that a character stands for if someone disguises letters, or 0. odd
// reports whether the character differs from the letter.
func fold(r rune) (letter byte, odd bool) {
	switch {
	case 'a' <= r && r <= 'z':
	case 'A' <= r && r <= 'Z':
		r |= 0x20
	case r < utf8.RuneSelf:
		i := strings.IndexByte("4310578@$", byte(r))
		if i < 0 {
			if '0' <= r && r <= '9' {
				return byte(r), false
			}
			return 0, false
		}
		r, odd = rune("aeiostbas"[i]), true
	default:
		i := strings.IndexRune(disguised, r)
		if i < 0 {
			return 0, false
		}
		r, odd = rune(plain[utf8.RuneCountInString(disguised[:i])]), true
	}
	if r == 'l' { // 1 stands for both i and l
		r = 'i'
	}
	return byte(r), odd
}

// Letters of other scripts that look like Latin ones.
const (
	disguised = "аеорсухіјѕԁһӏԛԝткмнвАВЕКМНОРСТХІЅЈοαινρκτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
	plain     = "aeopcyxijsdhlqwtkmhbabekmhopctxisjoaivpktuabezhikmnoptyx"
)

func folded(s string) string {
	var b []byte
	for _, r := range s {
		if c, _ := fold(r); c != 0 {
			b = append(b, c)
		}
	}
	return string(b)
}

// instructs reports whether a sentence of a prompt is an instruction. The others are facts that the
// model may tell, such as its name and the opening hours.
func instructs(list []string) bool {
	if len(list) > 1 && (list[0] == "you" && (list[1] == "are" || list[1] == "re") || list[0] == "your" && (list[1] == "name" || list[1] == "role")) {
		return false
	}
	return slices.ContainsFunc(list, func(w string) bool { return directives()[w] })
}

// shingle calls f with the hash of each sequence of four words of which two carry meaning.
// addressed reports whether the sequence contains "you" or "your".
func shingle(list []string, f func(h uint64, addressed bool)) {
	list = slices.DeleteFunc(slices.Clone(list), counts)
	for i := 3; i < len(list); i++ {
		if h, ok := shingleHash(list[i-3], list[i-2], list[i-1], list[i]); ok {
			f(h, slices.Contains(list[i-3:i+1], "you") || slices.Contains(list[i-3:i+1], "your"))
		}
	}
}

// counts reports whether a word is a number of up to three digits, which may only number a list.
func counts(w string) bool { return len(w) <= 3 && strings.Trim(w, "0123456789") == "" }

func shingleHash(a, b, c, d string) (uint64, bool) {
	telling := 0
	for _, w := range [...]string{a, b, c, d} {
		if !common()[w] {
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
