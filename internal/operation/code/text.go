package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// textCalls are the operations that every language has for plain text and lists, as a method
// (x.strip()) or a function (trim(x)). An adversary hides commands with them, and umpire evaluates
// them.
var textCalls = table{rows: []row{
	{"strip trim rstrip lstrip chomp trimEnd trimStart chop rtrim ltrim trimws", textTrims, "", "", 0},
	{"lower toLowerCase downcase lc strtolower casefold tolower", textLowers, "", "", 0},
	{"upper toUpperCase upcase uc strtoupper toupper", textUppers, "", "", 0},
	{"decode encode toString to_s String valueOf to_str dup freeze as_posix force_encoding utf8_encode expand_path toNamespacedPath", textCodec, "", "", 0},
	{"str", textPlain, "", "", 0},
	{"bytes bytearray", textBytes, "", "", 0},
	{"join implode", textJoins, "", "", 0},
	{"replace replaceAll gsub sub", textReplaces, "", "", 0},
	{"str_replace", textReplacesFirst, "", "", 0},
	{"tr", textTranslates, "", "", 0},
	{"split split_whitespace", textSplits, "", "", 0},
	{"explode", textExplodes, "", "", 0},
	{"splitlines lines", textLines, "", "", 0},
	{"reverse reversed strrev rev", textReverses, "", "", 0},
	{"concat append push extend unshift add", textAppends, "", "", 0},
	{"repeat str_repeat rep", textRepeats, "", "", 0},
	{"slice array_slice substring strsub", textSlices, "", "", 0},
	{"substr", textSubstr, "", "", 0},
	{"format", textFormats, "", "", 0},
	{"sprintf vsprintf", textSprintf, "0", "1..", 0},
	{"chr unichr fromCharCode fromCodePoint intToUtf8 char", textChars, "0..", "", 0},
	{"pack", textPacks, "", "", 0},
	{"unpack unpack1", textUnpacks, "", "", 0},
	{"first", textFirst, "", "", 0},
	{"last", textLast, "", "", 0},
	{"shift pop array_shift array_pop", textTakes, "", "", 0},
	{"fetch get", textGets, "", "", 0},
	{"keys", namesOf, "", "", 0},
	{"items entries to_a to_h copy toObject dict values inspect to_json list sorted tuple set assign", textKeeps, "", "", 0},
	{"stringify dumps json_encode", textDumps, "0", "", 0},
	{"call apply", textCallsWith, "", "", 0},
	{"bind", textBinds, "", "", 0},
	{"map forEach each collect select filter then tap flatMap every some finally catch", textMaps, "", "", 0},
	{"atob b64decode standard_b64decode urlsafe_b64decode decode_base64 decode64 strict_decode64 urlsafe_decode64 base64_decode decodebytes a2b_base64 decodestring base64decode decodeBase64", decodes, "0", "base64", 0},
	{"fromhex unhexlify a2b_hex hex2bin decode_hex", decodes, "0", "hex", 0},
	{"b32decode b85decode a85decode b16decode uudecode convert_uudecode", textUndecoded, "0", "", 0},
	{"decompress inflateSync gunzipSync unzipSync brotliDecompressSync gzinflate gzuncompress gzdecode inflate inflateRawSync", textDecompresses, "0", "", 0},
	{"unescape decodeURIComponent decodeURI urldecode unquote rawurldecode", textUnpercents, "0", "", 0},
	{"rot13 str_rot13", decodes, "0", "rot13", 0},
}}

// text reads a call of a plain text function. It serves all languages.
func (m *machine) text(c *call) (value, bool) {
	r := m.texts.row(c.method())
	if r == nil || !strings.Contains(c.ref, ".") && len(c.args) == 0 {
		return value{}, false
	}
	return r.does(m, c, r)
}

// subject returns the text or list that a call is about, and the other arguments. The subject is
// the receiver of a method, or the first argument of a function.
func (c *call) subject() (value, []value) {
	if strings.Contains(c.ref, ".") || len(c.args) == 0 {
		return c.recv, c.args
	}
	return c.args[0], c.args[1:]
}

// at returns argument i, or the zero value.
func at(args []value, i int) value {
	if i < len(args) {
		return args[i]
	}
	return value{}
}

// mapped applies a pure function to the subject of a call.
func (c *call) mapped(f func(string) string) (value, bool) {
	v, _ := c.subject()
	return v.mapText(f), true
}

func textTrims(_ *machine, c *call, _ *row) (value, bool)  { return c.mapped(strings.TrimSpace) }
func textLowers(_ *machine, c *call, _ *row) (value, bool) { return c.mapped(strings.ToLower) }
func textUppers(_ *machine, c *call, _ *row) (value, bool) { return c.mapped(strings.ToUpper) }

// textCodec decodes a named encoding, or returns the text. It does not distinguish bytes and text.
func textCodec(m *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	if len(c.args) > 0 {
		if text, ok := decoded(v, c.arg(0).text()); ok {
			return text, true
		}
	}
	if v.ref == refPath || v.ref == refEnv {
		return v, true
	}
	v.ref, v.recv = "", nil
	return v, true
}

// textPlain reads str(x), also of a path.
func textPlain(_ *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	if v.ref != refEnv {
		v.ref, v.recv = "", nil
	}
	return v, true
}

// textBytes returns the text of a list of codes.
func textBytes(m *machine, c *call, r *row) (value, bool) {
	if v, _ := c.subject(); v.seq && len(v.list) > 0 {
		return chars(v.list), true
	}
	return textCodec(m, c, r)
}

// textJoins joins a list. In Python the receiver is the separator, elsewhere the list.
func textJoins(m *machine, c *call, _ *row) (value, bool) {
	v, args := c.subject()
	between, list := v, at(args, 0)
	if m.l.is("perl") { // join of Perl takes the elements
		list = listOf(args)
	}
	if !m.l.is("python") && strings.Contains(c.ref, ".") || v.seq {
		between, list = at(args, 0), v
		if between.isNil() && m.l.is("js") {
			between = lit(",")
		}
	}
	if list.ref == refEnv && list.seq {
		return m.anyVariable(), true
	}
	if between.seq || !list.seq {
		return value{taint: between.taint | list.taint}, len(v.alts) > 0 || v.seq
	}
	out := lit("")
	for i, x := range list.list {
		if i > 0 && !between.isNil() {
			out = concat(out, between)
		}
		out = concat(out, value{alts: x.all(), taint: x.taint})
	}
	return out, true
}

func textReplaces(m *machine, c *call, r *row) (value, bool) {
	v, args := c.subject()
	if m.l.is("r") {
		return textReplacesFirst(m, c, r)
	}
	from := at(args, 0)
	if m.l.is("lua") && strings.ContainsAny(from.text(), "^$()%.[]*+-?") {
		from.ref = refPattern
	}
	return v.replaced(from, at(args, 1), substitute)
}

// textReplacesFirst replaces text; its first argument is the pattern and its last one the text.
func textReplacesFirst(_ *machine, c *call, _ *row) (value, bool) {
	return c.arg(2).replaced(c.arg(0), c.arg(1), substitute)
}

func textTranslates(_ *machine, c *call, _ *row) (value, bool) {
	v, args := c.subject()
	return v.replaced(at(args, 0), at(args, 1), transliterate)
}

// replaced returns a text after a replacement. The result is unknown if the pattern or the
// replacement is.
func (v value) replaced(from, to value, how func(s, from, to string) string) (value, bool) {
	if len(v.alts) == 0 || !from.known() || !to.known() || from.ref == refPattern {
		return value{taint: v.taint}, len(v.alts) > 0
	}
	return v.mapText(func(s string) string { return how(s, from.text(), to.text()) }), true
}

// maxParts bounds the parts that a text is split into.
const maxParts = 2000

func textSplits(m *machine, c *call, r *row) (value, bool) {
	if m.l.is("perl") {
		return textExplodes(m, c, r)
	}
	v, args := c.subject()
	return v.split(at(args, 0))
}

// textExplodes splits a text; its first argument is the separator.
func textExplodes(_ *machine, c *call, _ *row) (value, bool) { return c.arg(1).split(c.arg(0)) }

func textLines(_ *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	return v.split(lit("\n"))
}

// split returns the list of the parts of a text.
func (v value) split(separator value) (value, bool) {
	if len(v.alts) == 0 {
		return value{taint: v.taint}, v.ref == "" && v.recv == nil
	}
	var parts []string
	if s := separator.text(); separator.isNil() || s == " " || s == `\s+` {
		parts = strings.Fields(v.text())
	} else {
		parts = strings.Split(v.text(), s)
	}
	if len(parts) > maxParts {
		return value{taint: v.taint}, true
	}
	var out []value
	for _, s := range parts {
		out = append(out, value{alts: []string{s}, taint: v.taint})
	}
	return listOf(out), true
}

func textReverses(_ *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	return reversed(v), true
}

// reversed returns a text or a list in reverse order.
func reversed(v value) value {
	if !v.seq {
		return v.mapText(reverse)
	}
	list := slices.Clone(v.list)
	slices.Reverse(list)
	return listOf(list)
}

// textAppends appends to a list, or to a text.
func textAppends(_ *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	switch {
	case v.seq:
		for _, a := range c.args {
			if v = extend(v, a.items(), 0); !v.seq {
				break
			}
		}
		return v, true
	case len(v.alts) == 0:
		return value{}, false
	}
	for _, a := range c.args {
		v = concat(v, a)
	}
	return v, true
}

func textRepeats(_ *machine, c *call, _ *row) (value, bool) {
	v, args := c.subject()
	n, err := atoi(at(args, 0).text())
	if err != nil {
		return value{taint: v.taint}, true
	}
	return v.mapText(func(s string) string { return repeat(s, n) }), true
}

// textSlices returns the part between two indices, which may count from the end.
func textSlices(_ *machine, c *call, _ *row) (value, bool) {
	return c.part(func(start, n, size int) int {
		if n < 0 {
			return size + n
		}
		return n
	})
}

// textSubstr returns a part of a given length.
func textSubstr(_ *machine, c *call, _ *row) (value, bool) {
	return c.part(func(start, n, size int) int { return start + n })
}

// part returns the part of the subject from its first other argument up to the index that end
// computes from that argument, the second one and the size.
func (c *call) part(end func(start, n, size int) int) (value, bool) {
	v, args := c.subject()
	from, err := atoi(at(args, 0).text())
	if err != nil {
		return value{taint: v.taint}, len(v.alts) > 0
	}
	to, toErr := atoi(at(args, 1).text())
	if v.seq {
		if from > 0 && from <= len(v.list) {
			return listOf(v.list[from:]), true
		}
		return v, true
	}
	return v.cutText(func(s string) string {
		a, b := from, len(s)
		if a < 0 {
			a = max(0, a+len(s))
		}
		if toErr == nil {
			b = min(end(a, to, len(s)), len(s))
		}
		if a > b {
			return ""
		}
		return s[a:b]
	}), true
}

// textFormats reads a printf in some languages, and "{}".format in the others.
func textFormats(m *machine, c *call, _ *row) (value, bool) {
	if m.l.is("lua") && c.ref == ".format" { // ("%s"):format(x)
		return format(c.recv, c.args), true
	}
	printf := m.l.is("lua") && c.ref == "string.format" || m.l.is("ruby", "groovy") && c.ref == "format" || c.ref == "String.format"
	if printf && len(c.args) > 0 {
		return format(c.args[0], c.args[1:]), true
	}
	v, _ := c.subject()
	return braces(v, c.args, c.kw), len(v.alts) > 0
}

func textSprintf(_ *machine, c *call, r *row) (value, bool) {
	return format(c.get(r.first), c.all(r.second)), true
}

func textChars(_ *machine, c *call, r *row) (value, bool) {
	return chars(c.all(r.first)), len(c.args) > 0
}

// textPacks reads pack of Perl, with its format first, and pack of Ruby, with it last.
func textPacks(m *machine, c *call, _ *row) (value, bool) {
	v, args := c.subject()
	switch {
	case m.l.is("perl") && len(c.args) > 1:
		switch f := c.args[0].text(); {
		case strings.HasPrefix(f, "H"):
			return decode(c.args[1], "hex"), true
		case f != "" && strings.Contains("CUc", f[:1]):
			return chars(c.args[1:]), true
		}
	case m.l.is("ruby") && v.seq:
		if strings.HasPrefix(at(args, 0).text(), "H") && len(v.list) > 0 {
			return decode(v.list[0], "hex"), true
		}
		return chars(v.list), true
	}
	return value{}, false
}

// textUnpacks decodes base64. Other formats give an unknown value.
func textUnpacks(m *machine, c *call, _ *row) (value, bool) {
	v, args := c.subject()
	f := at(args, 0)
	if m.l.is("perl") {
		f, v = c.arg(0), c.arg(1)
	}
	switch s := f.text(); {
	case strings.HasPrefix(s, "m"):
		out := decode(v, "base64")
		if m.l.is("ruby") && c.method() == "unpack" {
			return listOf([]value{out}), true
		}
		return out, true
	case strings.HasPrefix(s, "u"):
		return value{taint: v.taint | command.FromDecoder}, true
	}
	return value{taint: v.taint}, true
}

// element returns what of picks from the list that a call is about.
func (c *call) element(of func(value) value) (value, bool) {
	if v, _ := c.subject(); v.seq && len(v.list) > 0 && v.keys == nil {
		return of(v), true
	}
	return value{}, false
}

func textFirst(_ *machine, c *call, _ *row) (value, bool) {
	return c.element(func(v value) value { return v.list[0] })
}

func textLast(_ *machine, c *call, _ *row) (value, bool) {
	return c.element(func(v value) value { return v.list[len(v.list)-1] })
}

// textTakes returns any element of a list, because a loop takes them all.
func textTakes(_ *machine, c *call, _ *row) (value, bool) { return c.element(value.each) }

// textGets looks up a key, in a dictionary or in the environment.
func textGets(m *machine, c *call, r *row) (value, bool) {
	v, args := c.subject()
	key := at(args, 0).text()
	if v.ref == refEnv {
		x := m.getenv(key)
		if len(x.alts) > 0 && c.method() == "get" {
			return x, true
		}
		return either(x, at(args, 1)), true
	}
	if x, ok := v.get(key); ok {
		return x, true
	}
	if c.method() == "fetch" {
		return textFirst(m, c, r)
	}
	return value{}, false
}

// textKeeps handles functions that return a list, or the environment, in another form.
func textKeeps(_ *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	if x, ok := c.environment(); ok {
		switch c.method() {
		case "list", "sorted", "tuple", "set": // the names in a dictionary
			if !x.seq {
				return value{ref: refName}, true
			}
		case "items", "entries", "values", "to_a":
			x.seq = true
		}
		return x, true
	}
	return v, v.seq || v.ref == refPath
}

// namesOf returns the names of the variables of an environment. The keys of another value are unknown.
func namesOf(_ *machine, c *call, r *row) (value, bool) {
	if _, ok := c.environment(); ok {
		return value{ref: refName}, true
	}
	return value{taint: c.get(r.first).taint}, r.first != ""
}

// environment returns the environment, if it is the subject or an argument of the call.
func (c *call) environment() (value, bool) {
	v, _ := c.subject()
	for _, x := range append([]value{v}, c.args...) {
		if x.ref == refEnv {
			return value{ref: refEnv, taint: x.taint, seq: x.seq}, true
		}
	}
	return value{}, false
}

// textDumps returns the text of a value, with the names of the value.
func textDumps(_ *machine, c *call, r *row) (value, bool) {
	if x, ok := c.environment(); ok {
		return x, true
	}
	v := c.get(r.first)
	if v.written() && (v.seq || v.keys != nil) {
		return lit(v.json()), true
	}
	return value{taint: v.taint, alts: v.alts}, true
}

// json returns a written value as JSON, with each number as a text.
func (v value) json() string {
	if !v.seq && v.keys == nil {
		return strconv.Quote(v.text())
	}
	var parts []string
	for i, x := range v.list {
		part := x.json()
		if i < len(v.keys) {
			part = strconv.Quote(v.keys[i]) + ":" + part
		}
		parts = append(parts, part)
	}
	if v.keys != nil {
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// textCallsWith calls a function by its own method: fs.rmSync.call(null, "x").
func textCallsWith(m *machine, c *call, r *row) (value, bool) {
	f, args := c.recv, c.args
	if m.l.is("js", "php") { // the receiver is the first argument
		args = args[min(1, len(args)):]
	}
	if c.method() == "apply" && len(args) > 0 && args[0].seq {
		args = args[0].list
	}
	if f.fn != nil {
		return m.apply(f.fn, args), true
	}
	if f.ref == "" || len(c.args) == 0 {
		return textMaps(m, c, r)
	}
	return m.call(f, args, value{}), true
}

func textBinds(_ *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	return v, true
}

// textMaps calls a function with each element of a list, or as the handler of later events.
func textMaps(m *machine, c *call, _ *row) (value, bool) {
	v, _ := c.subject()
	if len(c.args) == 0 {
		return v, c.kw.keys == nil // with names, it is a query: objects.filter(id=1)
	}
	f := c.args[0]
	if !strings.Contains(c.ref, ".") || !v.seq && m.l.is("python") { // map(f, list) of Python, also of a pool
		v = c.arg(1)
	}
	if f.fn == nil && f.ref == "" {
		return value{}, false
	}
	x := v
	if v.seq || v.ref == refEnv {
		x = m.each(v, false)
	}
	x.taint |= v.taint
	if f.fn == nil && len(x.alts) > 1 && strings.HasSuffix(f.ref, "fromCharCode") {
		return chars(v.list), true
	}
	if v.seq && v.keys == nil && len(v.list) <= 64 && v.ref != refEnv {
		var out []value
		for _, e := range v.list {
			out = append(out, m.call(f, []value{e}, value{}))
		}
		return listOf(out), true
	}
	return m.call(f, []value{x, x}, value{}), true
}

// textUndecoded handles encodings that umpire does not decode, such as byte code and marshalled
// objects. The result is unknown.
func textUndecoded(_ *machine, c *call, r *row) (value, bool) {
	return value{taint: c.get(r.first).taint | command.FromDecoder}, true
}

func textDecompresses(_ *machine, c *call, r *row) (value, bool) {
	return decompress(c.get(r.first)), true
}

func textUnpercents(_ *machine, c *call, r *row) (value, bool) {
	return c.get(r.first).mapText(unpercent), true
}
