package normal

import (
	"slices"
	"sync"
)

type pair struct{ from, to rune }

// alike lists letters of other scripts, and of rare Latin, by the Latin letter that they
// are taken for. Compatibility forms (wide, bold, circled) are not here: NFKC knows them.
var alike = map[rune]string{
	'a': "аɑαᴀӑⲁ", 'b': "ЬьᖯЪƅʙᏏ", 'c': "сϲᴄⅽ", 'd': "ԁժᏧᴅ", 'e': "еҽєᴇεё", 'f': "ſꞙғƒϝꜰ", 'g': "ɡցᶃɢԍ",
	'h': "һհʜн", 'i': "іɩιıɪᎥӏ", 'j': "јϳᴊ", 'k': "кκᴋ", 'l': "ⅼʟɭ", 'm': "мᴍ", 'n': "пռηɴ", 'o': "оοօσᴏоө", 'p': "рρᴘ",
	'q': "ԛգզ", 'r': "гᴦʀꮁ", 's': "ѕꜱʂ", 't': "тτᴛ", 'u': "υսᴜʋ", 'v': "ѵνᴠט", 'w': "ԝшωᴡա", 'x': "хχ", 'y': "уүγʏყ", 'z': "ᴢʐ",
	'A': "АΑᎪ", 'B': "ВΒᏴ", 'C': "СϹᏟ", 'D': "Ꭰ", 'E': "ЕΕᎬЁ", 'F': "Ϝ", 'G': "ԌᏀ", 'H': "НΗᎻ", 'I': "ІΙӀ", 'J': "ЈᎫ", 'K': "КΚᏦ", 'L': "Ꮮ", 'M': "МΜᎷ",
	'N': "Ν", 'O': "ОΟՕ", 'P': "РΡᏢ", 'Q': "Ԛ", 'R': "ᎡᏒ", 'S': "ЅՏᏚ", 'T': "ТΤᎢ", 'U': "Ս", 'V': "ѴᏙ", 'W': "ԜᎳ", 'X': "ХΧ", 'Y': "УΥҮ", 'Z': "ΖᏃ",
}

// lookalikes is alike by the letter, for a search.
var lookalikes = sync.OnceValue(func() []pair {
	var out []pair
	for to, from := range alike {
		for _, c := range from {
			out = append(out, pair{c, to})
		}
	}
	slices.SortFunc(out, func(a, b pair) int {
		if a.from != b.from {
			return int(a.from) - int(b.from)
		}
		return int(a.to) - int(b.to)
	})
	return slices.CompactFunc(out, func(a, b pair) bool { return a.from == b.from })
})
