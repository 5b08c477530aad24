package pii

import (
	"maps"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// The tables of words. New fills them, so that a program that links this package but makes no
// Finder does not pay for them.
var (
	connectors                                 map[string]connector
	numerals                                   map[rune]int
	digitWords                                 map[string]string
	meanings                                   map[string]context
	connectorFilter, numeralFilter, wordFilter *filter
)

var readWords = sync.OnceFunc(func() {
	connectors, numerals, digitWords, meanings = readConnectors(), readNumerals(), readDigitWords(), readMeanings()
	connectorFilter, numeralFilter = newFilter(maps.Keys(connectors)), readNumeralFilter()
	wordFilter = newFilter(maps.Keys(digitWords), maps.Keys(repeats), maps.Keys(joins))
})

// readNumerals returns the characters for digits in languages without spaces.
func readNumerals() map[rune]int {
	m := map[rune]int{}
	for _, row := range [...]string{"零一二三四五六七八九", "〇壹贰叁肆伍陆柒捌玖", "공일이삼사오육칠팔구"} {
		n := 0
		for _, r := range row {
			m[r] = n
			n++
		}
	}
	m['幺'], m['영'], m['륙'] = 1, 0, 6
	return m
}

// readNumeralFilter returns a filter that rejects most other characters, by the two bytes of their
// number.
func readNumeralFilter() *filter {
	f := &filter{}
	for r := range numerals {
		f.second[byte(r>>8)] |= 1 << (r & 31)
	}
	return f
}

// readDigitWords returns the words for digits, and for the numbers below a hundred, because people
// read digits in pairs.
func readDigitWords() map[string]string {
	m := map[string]string{}
	for _, row := range [...]string{
		"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
		"null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
		"zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
		"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
		"zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
		"zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove",
		"nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
		"zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
		"ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
		"nol odin dva tri chetyre pyat shest sem vosem devyat",
		"sefr wahed etnein talata arba3a khamsa setta sab3a tamanya tes3a",
		"нуль один два три чотири п'ять шість сім вісім дев'ять",
		"sıfır bir iki üç dört beş altı yedi sekiz dokuz",
		"noll ett två tre fyra fem sex sju åtta nio",
		"nul en to tre fire fem seks syv otte ni",
		"nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän",
		"nula jedna dva tři čtyři pět šest sedm osm devět",
		"nulla egy kettő három négy öt hat hét nyolc kilenc",
		"zero unu doi trei patru cinci șase șapte opt nouă",
		"μηδέν ένα δύο τρία τέσσερα πέντε έξι επτά οκτώ εννέα",
		"nol satu dua tiga empat lima enam tujuh delapan sembilan",
		"không một hai ba bốn năm sáu bảy tám chín",
		"sifuri moja mbili tatu nne tano sita saba nane tisa",
		"शून्य एक दो तीन चार पाँच छह सात आठ नौ",
		"shunya ek do teen char paanch chhe saat aath nau",
		"صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة",
		"صفر یک دو سه چهار پنج شش هفت هشت نه",
		"אפס אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע",
		"শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয়",
	} {
		for n, w := range strings.Fields(row) {
			if n < 10 {
				m[w] = string(rune('0' + n))
			} else if m[w] == "" {
				m[w] = "1" + string(rune('0'+n-10))
			}
		}
	}
	for _, row := range [...]string{
		"twenty thirty forty fifty sixty seventy eighty ninety", "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
		"vingt trente quarante cinquante soixante septante octante nonante", "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
		"venti trenta quaranta cinquanta sessanta settanta ottanta novanta", "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
		"twintig dertig veertig vijftig zestig zeventig tachtig negentig", "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
	} {
		for n, w := range strings.Fields(row) {
			m[w] = string(rune('2'+n)) + "0"
		}
	}
	maps.Copy(m, map[string]string{
		"oh": "0", "o": "0", "nought": "0", "naught": "0", "zwo": "2", "fuenf": "5", "zwoelf": "12", "dreissig": "30", "cinque": "5", "tres": "3", "meia": "6", "niner": "9",
		"eén": "1", "één": "1", "piec": "5", "szesc": "6", "dziewiec": "9", "dziesiec": "10", "zerro": "0", "wan": "1", "пʼять": "5", "sifir": "0", "uc": "3", "dort": "4", "bes": "5", "alti": "6",
		"पांच": "5", "छः": "6", "छे": "6", "ज़ीरो": "0", "जीरो": "0", "वन": "1", "टू": "2", "थ्री": "3", "फोर": "4", "फाइव": "5", "सिक्स": "6", "सेवन": "7", "एट": "8", "नाइन": "9",
		"اثنين": "2", "إثنان": "2", "اربعة": "4", "ثمانيه": "8", "sıfir": "0",
	})
	units := strings.Fields("ein zwei drei vier fünf sechs sieben acht neun")
	for n, u := range units { // zweiundvierzig
		for k, t := range strings.Fields("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig") {
			m[u+"und"+t] = string(rune('2'+k)) + string(rune('1'+n))
		}
	}
	return m
}

// unsure are digits that are also other words: a run begins with one only if a sure digit follows.
// Some never begin a run, and some never end one.
var (
	unsure     = lazy.Words("o oh do to en once un um hat fire sex ni ba hai năm sei een ett dix tre एक نه دو opt meia on")
	neverFirst = lazy.Words("o oh do to en once un um hat fire sex ba hai on")
	neverLast  = lazy.Words("do to en once o hat fire sex ba hai")
)

var repeats = map[string]int{"double": 2, "triple": 3, "treble": 3, "doppel": 2, "doble": 2, "doppio": 2, "dubbel": 2}

// joins are words between tens and ones.
var joins = map[string]bool{"y": true, "e": true, "et": true, "and": true, "und": true}

// A filter rejects most words that are not in a set, by their first two bytes and their length.
type filter struct {
	second  [256]uint32 // by the first byte: the second bytes, modulo 32
	lengths [256]uint32 // by the first byte in lower case: the lengths
}

func (f *filter) pass(first, second byte) bool { return f.second[first]>>(second&31)&1 != 0 }

func newFilter(sets ...func(yield func(string) bool)) *filter {
	f := &filter{}
	for _, words := range sets {
		for w := range words {
			for _, form := range [...]string{w, strings.ToUpper(w), strings.ToTitle(w[:1]) + w[1:]} {
				second := byte(0)
				if len(form) > 1 {
					second = form[1]
				}
				f.second[form[0]] |= 1<<(second&31) | 1 // a word of one letter ends in any sign
				if len(form) == 1 {
					f.second[form[0]] = 1<<32 - 1
				}
				f.lengths[lowered(form[0])] |= 1 << min(len(form), 31)
			}
		}
	}
	return f
}
