package pii

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// Names and postal addresses have no checksum and no number plan. They count if a word announces
// them: a title or "my name is" before a name, a word for streets beside a number. So a Finder
// looks for them only on request.

// titles come right before a name, and labels end the text before one in a form or a letter.
var (
	titles = []string{"mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss", "dr", "dr.", "prof", "prof.", "sir", "dame", "dear", "herr", "herrn", "frau", "monsieur", "madame", "mme", "m.",
		"señor", "señora", "senhor", "senhora", "sr.", "sra.", "signor", "signora", "sig.", "pan", "pani", "mevrouw", "meneer", "господин", "госпожа"}
	labels = []string{"my name is", "name is", "i am called", "ich heiße", "ich heisse", "mein name ist", "je m'appelle", "je m’appelle", "me llamo", "mi nombre es", "mi chiamo", "meu nome é", "ik heet",
		"nazywam się", "меня зовут", "name:", "full name:", "nombre:", "nom:", "nome:", "naam:", "customer:", "patient:", "client:", "kunde:", "attn:", "regards,", "sincerely,", "grüßen"}
	// noName are words that follow titles and labels but are not names.
	noName = lazy.Words("customer customers sir madam team all colleague colleagues user users friend friends everyone client hiring manager support damen herren kunde kunden i the a an we you it this that there but no yes and or not")
	// within are lower-case words in names.
	within = lazy.Words("van von der den de la del della da di dos du le bin al el ibn y zu ter ten")
	// streets end the name of a street after a number, and fronts begin one.
	streets = lazy.Words("street st avenue ave road rd boulevard blvd lane ln drive dr court ct square sq terrace way place pl close crescent parkway pkwy highway hwy")
	fronts  = lazy.Words("rue avenue boulevard place chemin allée impasse quai cours")
	heads   = lazy.Words("calle avenida via viale piazza plaza paseo rua praça ulica ul. улица ул.")
	tails   = []string{"straße", "strasse", "str.", "gasse", "weg", "platz", "allee", "damm", "ufer", "straat", "gatan", "vägen"}
	units   = lazy.Words("apt apt. apartment suite unit flat")
)

// letters returns the word that begins at p, or "", and its end.
func (c *scan) letters(p int) (w string, end int) {
	end = p
	for end-p < Before/2 {
		b := c.at(end)
		switch {
		case isLetter(b) || b >= utf8.RuneSelf:
		case (b == '\'' || b == '-') && end > p && (isLetter(c.at(end+1)) || c.at(end+1) >= utf8.RuneSelf):
		default:
			return c.s[p:end], end
		}
		end++
	}
	return "", p
}

// capital reports whether a word begins with a capital letter.
func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

// name looks for a name after a title or a label, at p.
func (c *scan) name(p int) (Span, bool) {
	w, end := c.letters(p)
	low := strings.ToLower(w)
	if c.short || !capital(w) || noName()[low] || slices.Contains(titles, low) || slices.Contains(titles, low+".") || !c.introduced(p) {
		return Span{}, false
	}
	initial := func(w string, end int) int { // J. in "J. Doe"
		if utf8.RuneCountInString(w) == 1 && c.at(end) == '.' {
			end++
		}
		return end
	}
	end = initial(w, end)
	last := end
	for n := 1; n < 5 && c.at(end) == ' '; n++ {
		w, next := c.letters(end + 1)
		switch {
		case w == "" || noName()[strings.ToLower(w)] || !capital(w) && !within()[w]:
			return Span{Name, "", p, last}, !c.short
		case capital(w):
			end = initial(w, next)
			last = end
		default:
			end = next
		}
	}
	return Span{Name, "", p, last}, !c.short
}

// introduced reports whether a title or a label is right before p.
func (c *scan) introduced(p int) bool {
	before := strings.ToLower(c.s[max(0, p-Before/2):p])
	text := strings.TrimRight(before, " \t\r\n*")
	if len(text) == len(before) {
		return false
	}
	for _, list := range [][]string{titles, labels} {
		for _, w := range list {
			rest, ok := strings.CutSuffix(text, w)
			if !ok {
				continue
			}
			if r, _ := utf8.DecodeLastRuneInString(rest); rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return true
			}
		}
	}
	return false
}

// postal looks for a postal address at p that begins with its number, with its street, or with a
// box.
func (c *scan) postal(p int) (Span, bool) {
	end := c.streetFirst
	if isDigit(c.s[p]) {
		end = c.numberFirst
	}
	at := end(p)
	if at == 0 || c.short {
		return Span{}, false
	}
	return Span{Address, "", p, c.town(at)}, !c.short
}

// numberFirst returns the end of "12 Main Street" or "10 rue de la Paix", or 0.
func (c *scan) numberFirst(p int) int {
	i := p
	for i-p < 6 && isDigit(c.at(i)) {
		i++
	}
	if isLetter(c.at(i)) && !isLetter(c.at(i+1)) { // 12b
		i++
	}
	comma := c.at(i) == ','
	if comma { // as in French; before an English street it may be a year: "In 2019, Main Street"
		i++
	}
	french := false
	for n := 0; n < 5 && c.at(i) == ' '; n++ {
		w, end := c.letters(i + 1)
		low := strings.ToLower(w)
		switch {
		case w == "":
			return 0
		case n == 0 && fronts()[low] && !capital(w):
			french = true
		case french && capital(w):
			return end
		case french && within()[low]:
		case n > 0 && capital(w) && streets()[low] && !comma:
			if c.at(end) == '.' && len(low) <= 4 {
				end++
			}
			return end
		case !capital(w):
			return 0
		}
		i = end
	}
	return 0
}

// streetFirst returns the end of "Hauptstraße 12", "Calle Mayor 5" or "P.O. Box 12", or 0.
func (c *scan) streetFirst(p int) int {
	for _, box := range [...]string{"P.O. Box ", "PO Box ", "Postfach "} {
		if c.has(p, box) {
			return c.digitsAt(p + len(box))
		}
	}
	w, end := c.letters(p)
	if c.at(end) == '.' {
		w, end = w+".", end+1
	}
	low := strings.ToLower(w)
	if !capital(w) && low != "ul." && low != "ул." && low != "улица" {
		return 0
	}
	found := heads()[low]
	for _, t := range tails {
		found = found || strings.HasSuffix(low, t) && len(low) > len(t)
	}
	if !found {
		return 0
	}
	for n := 0; n < 5 && c.at(end) == ' '; n++ {
		if isDigit(c.at(end + 1)) {
			return c.digitsAt(end + 1)
		}
		w, next := c.letters(end + 1)
		if w == "" || !heads()[low] || !capital(w) && !within()[strings.ToLower(w)] {
			return 0
		}
		if end = next; c.at(end) == ',' {
			end++
		}
	}
	return 0
}

// digitsAt returns the end of a house number at p with its letter, or 0.
func (c *scan) digitsAt(p int) int {
	i := p
	for i-p < 6 && isDigit(c.at(i)) {
		i++
	}
	if i == p || isDigit(c.at(i)) {
		return 0
	}
	if isLetter(c.at(i)) && !isLetter(c.at(i+1)) && c.at(i+1) < utf8.RuneSelf {
		i++
	}
	return i
}

// town returns the end of the flat, town, state and postcode that follow a street.
func (c *scan) town(end int) int {
	settled := end
	for n := 0; n < 5 && c.at(end) == ','; n++ {
		i := end + 1
		if c.at(i) != ' ' {
			break
		}
		took := false
		for k := 0; k < 4 && c.at(i) == ' '; k++ {
			d := i + 1
			for d-i < 9 && isAlnum(c.at(d)) {
				d++
			}
			if !strings.ContainsAny(c.s[i+1:d], "0123456789") { // not a flat, state or postcode
				w, next := c.letters(i + 1)
				if w == "" || !capital(w) && !units()[strings.ToLower(w)] && (!took || !within()[w]) {
					break
				}
				d = next
			}
			took, i = true, d
		}
		if !took {
			break
		}
		end, settled = i, i
	}
	return settled
}
