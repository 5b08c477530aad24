package command

import (
	"strings"
	"unicode/utf8"
)

// readingPython reports whether Python code on the command line, or on standard input, is
// code that computes and prints. What it reads is an operation of its own.
func (c *Call) readingPython() bool {
	if !c.known() {
		return false
	}
	for i, w := range c.Args {
		switch {
		case w.Text == "-c":
			return i+1 < len(c.Args) && readingCode(c.Args[i+1].Text)
		case w.Text == "-":
			return i+1 == len(c.Args) && c.Stdin.Seen && c.Stdin.Taint == 0 && readingCode(c.Stdin.Text)
		case w.Text == "-V" || w.Text == "--version":
			return len(c.Args) == 1
		default:
			return false
		}
	}
	return c.Stdin.Seen && c.Stdin.Taint == 0 && readingCode(c.Stdin.Text)
}

// readingCode goes through the names in Python code. Every module must be one that
// reaches nothing beyond the data it is given, and every name that could reach further,
// under whatever other name, ends it: a text that is merely odd is not what it looks like.
func readingCode(text string) bool {
	if strings.Contains(text, "\u27e8?\u27e9") || strings.Contains(text, "__") || strings.ContainsAny(text, "\\`") && strings.Contains(text, `\N{`) {
		return false
	}
	for line := range strings.Lines(text) {
		for part := range strings.SplitSeq(line, ";") {
			if !readingImport(strings.TrimSpace(part)) {
				return false
			}
		}
	}
	for i := 0; i < len(text); {
		n := nameLen(text[i:])
		if n == 0 {
			if text[i] >= 0x80 {
				r, size := utf8.DecodeRuneInString(text[i:])
				if !stays(r) {
					return false
				}
				i += size
				continue
			}
			i++
			continue
		}
		name, rest := text[i:i+n], strings.TrimLeft(text[i+n:], " \t")
		member := i > 0 && text[i-1] == '.'
		if member && name[0] == '_' {
			return false // json._something is whatever a module imports for itself
		}
		i += n
		switch name {
		case "eval", "exec", "compile", "getattr", "setattr", "delattr", "globals", "locals", "vars", "input", "breakpoint", "memoryview", "help", "exit_handlers", "modules", "builtins", "importlib", "subprocess", "ctypes", "socket", "shutil", "pickle", "marshal", "shelve", "codecs", "runpy", "pty",
			"write_text", "write_bytes", "writelines", "unlink", "rmdir", "rename", "renames", "rmtree", "touch", "symlink_to", "hardlink_to", "link_to", "chmod", "lchmod", "chown", "truncate", "remove_tree", "mkfifo", "utime",
			"system", "popen", "spawn", "fork", "kill", "environ", "getenv", "putenv", "execv", "settrace", "setprofile", "load_module", "fdopen", "methodcaller", "attrgetter", "partial", "meta_path", "path_hooks", "addaudithook", "excepthook", "displayhook", "get_type_hints", "ForwardRef", "make_dataclass", "urlopen", "requests", "tracemalloc":
			return false
		case "open":
			if member || !readingOpen(rest) {
				return false
			}
		case "os":
			if !strings.HasPrefix(rest, ".path.") && !strings.HasPrefix(rest, ".listdir(") && !strings.HasPrefix(rest, ".getcwd(") && !strings.HasPrefix(rest, ".walk(") && !strings.HasPrefix(rest, ".stat(") && !strings.HasPrefix(rest, ".sep") && !importing(text[:i-n]) {
				return false
			}
		case "path":
			if member && strings.HasSuffix(text[:i-n], "sys.") { // where modules are looked for
				return false
			}
		case "replace": // of a path, with one argument, it moves a file
			if member && strings.Contains(text, "pathlib") {
				return false
			}
		}
	}
	return true
}

// stays reports whether a character is not one that Python takes for another: in a name,
// full-width and mathematical letters become plain ones.
func stays(r rune) bool {
	switch {
	case r >= 0xa1 && r <= 0xff: // Latin, without the raised letters and digits
		return r != 0xaa && r != 0xba && r != 0xad && r != 0xb2 && r != 0xb3 && r != 0xb9
	case r >= 0x400 && r <= 0x45f: // Cyrillic
		return true
	case r >= 0x2010 && r <= 0x2026, r >= 0x2190 && r <= 0x21ff, r >= 0x2500 && r <= 0x27bf: // dashes, quotes, arrows, boxes, marks
		return true
	case r >= 0x3040 && r <= 0x309a, r >= 0x30a0 && r <= 0x30fe, r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // kana, Han, Hangul
		return true
	}
	return r == 0xfe0f || r >= 0x1f300 && r <= 0x1faff // emoji
}

func nameLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}

// importing reports whether a line up to a name is an import statement.
func importing(head string) bool {
	line := head[strings.LastIndexAny(head, "\n;")+1:]
	return strings.HasPrefix(strings.TrimSpace(line), "import ")
}

// readingImport reports whether a statement imports nothing, or modules that only compute.
func readingImport(s string) bool {
	if i := strings.Index(s, "import"); i > 0 && !strings.HasPrefix(s, "from ") && strings.Contains(s, ":") {
		s = s[i:] // if x: import y
	}
	mods, from := strings.CutPrefix(s, "from ")
	if from {
		mods, _, _ = strings.Cut(mods, " import")
		if strings.TrimSpace(mods) == "os" {
			return false
		}
	} else if mods, from = strings.CutPrefix(s, "import "); !from {
		return !strings.Contains(s, "import")
	}
	for m := range strings.SplitSeq(mods, ",") {
		f := strings.Fields(m)
		if len(f) == 0 || len(f) > 1 && f[0] == "os" { // os as o
			return false
		}
		switch f[0] {
		case "json", "sys", "re", "math", "cmath", "collections", "collections.abc", "datetime", "itertools", "statistics", "string", "textwrap", "random", "time", "pprint", "csv", "pathlib", "os", "os.path", "glob", "hashlib", "hmac", "base64", "binascii", "decimal", "fractions", "numbers",
			"urllib.parse", "ast", "tomllib", "struct", "typing", "difflib", "unicodedata", "copy", "heapq", "bisect", "enum", "dataclasses", "html", "uuid", "zlib", "calendar", "platform", "shlex", "fnmatch", "configparser", "zoneinfo", "ipaddress", "secrets", "array", "__future__", "plistlib", "colorsys", "operator", "functools":
		default:
			return false
		}
	}
	return true
}

// readingOpen reports whether what follows the name open is a call that opens for reading:
// its arguments have no mode, or one that says so.
func readingOpen(rest string) bool {
	if !strings.HasPrefix(rest, "(") {
		return false
	}
	depth, comma := 0, -1
	for i := range len(rest) {
		switch rest[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 1 && comma < 0 {
				comma = i
			}
		case '*':
			return false // arguments that come from elsewhere
		}
		if depth > 0 {
			continue
		}
		if comma < 0 {
			return true
		}
		for arg := range strings.SplitSeq(rest[comma+1:i], ",") {
			arg = strings.TrimSpace(arg)
			name, v, named := strings.Cut(arg, "=")
			name = strings.TrimSpace(name)
			switch {
			case named && (name == "encoding" || name == "errors" || name == "newline"):
			default:
				if named && name == "mode" {
					arg = strings.TrimSpace(v)
				}
				switch strings.Trim(arg, `'"`) {
				case "r", "rb", "rt":
				default:
					return false
				}
			}
		}
		return true
	}
	return false
}
