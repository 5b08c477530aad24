package normal

import (
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// Language returns the language that the script of a text implies, such as "ja", or that most of its
// common words belong to, such as "de", or "".
func Language(s string) string {
	han := false
	for _, c := range s {
		switch {
		case c < 0x370:
		case unicode.In(c, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case unicode.Is(unicode.Han, c):
			han = true
		default:
			for _, l := range scripts {
				if unicode.Is(l.script, c) {
					return l.language
				}
			}
		}
	}
	if han {
		return "zh"
	}
	return languageOfWords(s)
}

var scripts = [...]struct {
	script   *unicode.RangeTable
	language string
}{
	{unicode.Hangul, "ko"}, {unicode.Cyrillic, "ru"}, {unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Greek, "el"}, {unicode.Thai, "th"},
	{unicode.Devanagari, "hi"}, {unicode.Bengali, "bn"}, {unicode.Tamil, "ta"}, {unicode.Telugu, "te"}, {unicode.Georgian, "ka"}, {unicode.Armenian, "hy"},
}

// commonWords has, by language, frequent words of short requests. A word of several languages counts
// for each of them.
var commonWords = [...]struct {
	language string
	words    func() map[string]bool
}{
	{"en", lazy.Words("the a an and of to in is are was you your my me i it that this what how for with on not do does can please all have be from if or about")},
	{"de", lazy.Words("der die das den ein eine und ist sind nicht ich du mir mich dir dein deine deinen deiner meine was für mit zu von kann bitte wenn oder über ohne mal es sie wir")},
	{"fr", lazy.Words("le la les un une du de et est ne pas je tu vous me moi toi votre que qui quoi quel quelle pour avec sur dans tout tous toutes comment sans il y où à")},
	{"es", lazy.Words("el la las un una de y es no tu tus mi mis me te que qué quién cómo cuál para con por en este esta todo todas todos sin lo o si como")},
	{"pt", lazy.Words("o a os uma de do da e é são não eu você teu tua sua seus suas minha me que qual como para com por em este esta todo todas todos sem se ao ou")},
	{"it", lazy.Words("il lo la i un di del della e è sono non io tu tuo tua tuoi mi ti che cosa come per con su in questo questa tutto tutte tutti senza si quale quali")},
	{"nl", lazy.Words("de het een en van is zijn niet ik je jij jouw mijn me mij wat hoe voor met op te in alle kan alsjeblieft als of over zonder dit dat deze u uw")},
	{"pl", lazy.Words("i w na z do nie to jest są co jak ja ty mi mnie twój twoje twoja swoje swój mój moje dla bez że się wszystkie czy po o od proszę który która")},
	{"tr", lazy.Words("bir ve bu şu için ile ne nasıl değil bana beni sen senin ben benim tüm bütün mi mı mu var yok lütfen olarak gibi daha ya")},
	{"sv", lazy.Words("och att det som en ett är inte jag du mig dig din ditt dina min mitt vad hur för med på alla kan om utan den av till")},
	{"da", lazy.Words("og at det som en et er ikke jeg du mig dig din dit dine min mit hvad hvordan for med på alle kan om uden den af til")},
	{"cs", lazy.Words("a v na z do ne je to co jak já ty mi mě tvůj tvoje svůj můj pro bez že se všechny všechna nebo prosím jsou jsi který")},
	{"ro", lazy.Words("și în la de pe cu un o este sunt nu eu tu îmi mă tău ta tale meu mea ce cum pentru fără că se toate care din sau")},
	{"id", lazy.Words("yang dan di ke dari ini itu tidak saya kamu anda aku apa bagaimana untuk dengan semua tanpa bisa tolong adalah mu kau jangan")},
	{"vi", lazy.Words("là và của tôi bạn không cho những các này đó gì thế nào với tất cả hãy được trong về mọi đã")},
}

// languageOfWords returns the language that alone has the most of its common words in s, if there are at
// least two.
func languageOfWords(s string) string {
	best, most, tied := "", 1, false
	words := strings.FieldsFunc(strings.ToLower(s[:min(len(s), 2000)]), func(c rune) bool { return !unicode.IsLetter(c) })
	for _, l := range commonWords {
		n := 0
		for _, w := range words {
			if l.words()[w] {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tied = l.language, n, false
		case n == most:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}
