package tool

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Limits of an outline.
const (
	maxOutline     = 150 // entries
	maxOutlineLine = 120 // characters of an entry
	outlineHead    = 20  // lines to show of a text without structure
)

// outlines match the lines that begin a section, by file extension.
var outlines = sync.OnceValue(func() map[string]*regexp.Regexp {
	m := map[string]*regexp.Regexp{}
	for exts, re := range map[string]string{
		".go":                          `^(func|type|var|const|package)\b`,
		".py .pyi":                     `^\s*(class|def|async def)\b`,
		".js .jsx .ts .tsx .mjs .cjs":  `^\s*(export\b|(async )?function\b|class\b|interface\b|enum\b|type \w+ ?=|const \w+ = (async )?\(|describe\()`,
		".rs":                          `^\s*(pub(\(\w+\))? )?(async |unsafe |const )*(fn|struct|enum|trait|impl|mod|type|macro_rules!)\b`,
		".java .kt .cs .scala .swift":  `^\s*((public|private|protected|internal|static|final|abstract|open|override|sealed|data|async)\s+)*(class|interface|enum|record|struct|object|fun|func|void|protocol|extension|namespace)\b`,
		".c .h .cc .cpp .hpp .cxx .m":  `^(\w[\w\s*&:<>,~]*\([^;]*$|(typedef |static )?(struct|class|enum|union|namespace)\b|#define \w+\()`,
		".rb":                          `^\s*(class|module|def)\b`,
		".php":                         `^\s*((public|private|protected|static|abstract|final)\s+)*(class|interface|trait|function)\b`,
		".md .markdown .mdx":           `^#{1,6} `,
		".rst .tex":                    `^(\\(chapter|section|subsection)\b|[=\-~^]{4,}$)`,
		".sh .bash .zsh":               `^\s*(function \w+|\w+ ?\(\))`,
		".sql":                         `(?i)^\s*(create|alter|drop)\b`,
		".yaml .yml .toml .ini":        `^(\w[\w.-]*:|\[)`,
		".css .scss .less":             `^[^\s}].*\{`,
		".html .htm .xml .vue .svelte": `(?i)^\s*<(h[1-6]|section|template|script|style|body|head|main)\b`,
		".ex .exs":                     `^\s*(defmodule|defp?|defmacro)\b`,
		".lua":                         `^\s*(local )?function\b`,
		".proto":                       `^\s*(message|service|rpc|enum)\b`,
	} {
		for ext := range strings.FieldsSeq(exts) {
			m[ext] = regexp.MustCompile(re)
		}
	}
	return m
})

// Outline replaces a file that is too large for the model: the line of each section, and how to
// read more. It is untrusted text, like the file.
func Outline(name, content string) string {
	content = valid(lf(strings.TrimPrefix(content, mark)))
	var b strings.Builder
	fmt.Fprintf(&b, "%s has %s and %d KB: this is an outline. Read parts of it with read_file, offset and limit, or search it with grep.\n", name, plural.Count(countLines(content), "line"), len(content)>>10)
	re := outlines()[strings.ToLower(filepath.Ext(name))]
	n, left, line := 0, 0, 0
	if re != nil {
		for s := range strings.SplitSeq(content, "\n") {
			if line++; len(s) > 4096 || !re.MatchString(s) {
				continue
			}
			if n == maxOutline {
				left++
				continue
			}
			n++
			fmt.Fprintf(&b, "%5d | %s\n", line, outlineLine(s))
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "... %s\n", plural.Count(left, "more entry"))
	}
	if n > 0 {
		return b.String()
	}
	line = 0
	for s := range strings.SplitSeq(content, "\n") {
		if line++; line > outlineHead {
			b.WriteString("...\n")
			break
		}
		fmt.Fprintf(&b, "%5d | %s\n", line, outlineLine(s))
	}
	return b.String()
}

func outlineLine(s string) string {
	s = strings.TrimRight(s, " \t\r{")
	if short := bounded.Clip(s, maxOutlineLine, ""); short != s {
		return short + "…"
	}
	return s
}
