package normal

import "unicode"

// LanguageOfScript returns the language that a script implies, such as "ja", or "".
func LanguageOfScript(s string) string {
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
	return ""
}

var scripts = [...]struct {
	script   *unicode.RangeTable
	language string
}{
	{unicode.Hangul, "ko"}, {unicode.Cyrillic, "ru"}, {unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Greek, "el"}, {unicode.Thai, "th"},
	{unicode.Devanagari, "hi"}, {unicode.Bengali, "bn"}, {unicode.Tamil, "ta"}, {unicode.Telugu, "te"}, {unicode.Georgian, "ka"}, {unicode.Armenian, "hy"},
}
