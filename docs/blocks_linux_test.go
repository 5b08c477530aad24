package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a fenced or indented block of a page.
type block struct {
	page string // its name below the repository's root
	line int
	text string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// pages lists what the test reads.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*.md")
	if err != nil || len(list) == 0 {
		t.Fatal("there are no documents", err)
	}
	for i, p := range list {
		list[i] = filepath.Join("docs", p)
	}
	return append(list, "README.md", "CONTRIBUTING.md", "SECURITY.md")
}

// blocksOf returns the blocks of a page, without their indentation.
func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", page))
	if err != nil {
		t.Fatal(err)
	}
	var out []block
	text, line, fenced := "", 0, false
	end := func() {
		if text = strings.TrimRight(text, "\n"); text != "" {
			out = append(out, block{page, line, text + "\n"})
		}
		text = ""
	}
	n := 0
	for l := range strings.Lines(string(b)) {
		n++
		indented, ok := strings.CutPrefix(l, "    ")
		switch {
		case strings.HasPrefix(strings.TrimSpace(l), "```"):
			end()
			fenced, line = !fenced, n+1
		case fenced:
			text += l
		case ok:
			if text == "" {
				line = n
			}
			text += indented
		case strings.TrimSpace(l) == "":
			if text != "" {
				text += "\n"
			}
		default:
			end()
		}
	}
	if fenced {
		t.Errorf("%s: a fence does not end", page)
	}
	end()
	return out
}

// step is one command of a block, and the output that the page shows for it.
type step struct {
	command string
	output  string
	shown   bool // the page shows commands behind prompts, and their output
}

// stepsOf splits a block of commands. Behind prompts stand commands, below them their output;
// without a prompt all is commands.
func stepsOf(text string) (steps []step) {
	if !strings.HasPrefix(text, "$ ") {
		for line := range strings.Lines(text) {
			if n := len(steps); n > 0 && strings.HasSuffix(steps[n-1].command, "\\\n") {
				steps[n-1].command += line
			} else if n > 0 && openQuote(steps[n-1].command) {
				steps[n-1].command += line
			} else if strings.TrimSpace(line) != "" {
				steps = append(steps, step{command: line})
			}
		}
		return steps
	}
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "$ ")
		n := len(steps)
		switch {
		case ok:
			steps = append(steps, step{command: command, shown: true})
		case steps[n-1].output == "" && (strings.HasSuffix(steps[n-1].command, "\\\n") || openQuote(steps[n-1].command)):
			steps[n-1].command += line
		default:
			steps[n-1].output += line
		}
	}
	for i := range steps {
		steps[i].output = strings.Trim(steps[i].output, "\n")
	}
	return steps
}

func openQuote(s string) bool { return strings.Count(s, "'")%2 == 1 }

// made are texts that differ with every run. In shown output such a text stands for what the
// program prints in its place the first time, and in all that follows for just that.
var made = regexp.MustCompile(`\b(?:req-\d+|01[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{24}|[0-9a-f]{40}|[0-9a-f]{12}|[0-9a-f]{10}-\d+|[a-z2-7]{26}|[a-z2-7]{8})\b`)

// shapeOf returns the pattern of a text of made.
func shapeOf(s string) string {
	switch {
	case len(s) == 8 && !strings.ContainsAny(s, "234567"):
		return regexp.QuoteMeta(s) // a word, no question's ID
	case len(s) == 8, len(s) == 26 && s[0] != '0':
		return fmt.Sprintf("[a-z2-7]{%d}", len(s))
	case len(s) == 26:
		return "[0-9A-Za-z]{26}"
	case strings.HasPrefix(s, "req-"):
		return `req-\d+`
	case strings.Contains(s, "-"):
		return `[0-9a-f]{10}-\d+`
	}
	return fmt.Sprintf("[0-9a-f]{%d}", len(s))
}

// varying are times and durations, which nobody repeats.
var varying = regexp.MustCompile(`\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?|\b\d+(?:\.\d+)? s\b`)

const varyingShape = `(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?|\d+(?:\.\d+)? s)`

// matches compares what a page shows with what was printed, and remembers in ids what the
// texts made at that run are.
func matches(shown, printed string, ids map[string]string) bool {
	pattern, groups := "^", []string{}
	for shown != "" {
		m := made.FindStringIndex(shown)
		v := varying.FindStringIndex(shown)
		d := strings.Index(shown, "...")
		next := len(shown)
		for _, at := range []int{first(m), first(v), d} {
			if at >= 0 {
				next = min(next, at)
			}
		}
		pattern += regexp.QuoteMeta(shown[:next])
		shown = shown[next:]
		switch {
		case shown == "":
		case d == next:
			pattern, shown = pattern+"(?s:.*?)", shown[3:]
		case first(v) == next:
			pattern, shown = pattern+varyingShape, shown[v[1]-v[0]:]
		default:
			id := shown[:m[1]-m[0]]
			shown = shown[len(id):]
			if known, ok := ids[id]; ok {
				pattern += regexp.QuoteMeta(known)
			} else {
				pattern += "(" + shapeOf(id) + ")"
				groups = append(groups, id)
			}
			if strings.HasPrefix(id, "req-") { // it stands in a column
				pattern, shown = pattern+" *", strings.TrimLeft(shown, " ")
			}
		}
	}
	found := regexp.MustCompile(pattern + "$").FindStringSubmatch(printed)
	if found == nil {
		return false
	}
	for i, id := range groups {
		ids[id] = found[i+1]
	}
	return true
}

func first(place []int) int {
	if place == nil {
		return -1
	}
	return place[0]
}
