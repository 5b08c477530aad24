package quarantine

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/visible"
)

//go:embed prompt/system.txt
var systemPrompt string

//go:embed prompt/user.txt
var userPrompt string

// maxName limits how much of a file's name is shown, in characters.
const maxName = 200

// Listed is a file in the form that a reviewer sees.
type Listed struct {
	Number      int
	Name        string // untrusted: escaped and quoted for display
	Description string // from the main process; may be empty
	Reference   string
}

// SystemPrompt is the system prompt of a reviewer.
func (c *Config) SystemPrompt(session string) string {
	var tools strings.Builder
	for i, name := range c.AllowedTools {
		if i > 0 {
			tools.WriteByte('\n')
		}
		fmt.Fprintf(&tools, "- %s (read-only)", name)
	}
	return fill(systemPrompt, map[string]string{
		"ALLOWED_TOOLS":   tools.String(),
		"TTL":             strconv.FormatInt(int64(c.ReferenceTTL/time.Second), 10),
		"TIMEOUT_SECONDS": strconv.FormatInt(int64(c.Timeout/time.Second), 10),
		"SESSION_ID":      session,
	})
}

// UserPrompt lists the files of a review. The main process provides instructions.
func UserPrompt(files []Listed, instructions string) string {
	var list strings.Builder
	for i, f := range files {
		if i > 0 {
			list.WriteByte('\n')
		}
		fmt.Fprintf(&list, "%d. %s", f.Number, DisplayName(f.Name))
		if f.Description != "" {
			list.WriteString(" (" + visible.Clip(f.Description, maxName) + ")")
		}
		list.WriteString("\n   " + f.Reference)
	}
	if instructions = strings.TrimSpace(instructions); instructions != "" {
		instructions = "\nFurther wishes of the person who requested this review:\n" + instructions + "\n"
	}
	return fill(userPrompt, map[string]string{"FILE_LIST": list.String(), "INSTRUCTIONS": instructions})
}

// DisplayName returns a file's name as data: quoted, on one line, without invisible characters, and
// shortened.
func DisplayName(name string) string {
	s := visible.Line(strings.ReplaceAll(name, `\`, `\\`)) // a backslash at the end must not escape the quote
	if utf8.RuneCountInString(s) > maxName {
		s = string([]rune(s)[:maxName-1]) + "…"
	}
	return `"` + strings.NewReplacer(`"`, `\"`).Replace(s) + `"`
}

// fill replaces {{NAME}} by values in one pass: it does not expand the values.
func fill(template string, values map[string]string) string {
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "{{"+name+"}}", value)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}
