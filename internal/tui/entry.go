package tui

import (
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/plural"
)

// entryKind is the type of an entry.
type entryKind uint8

const (
	userKind entryKind = iota
	agentKind
	callKind
	noticeKind
	errorKind
)

// callState is the progress of a call.
type callState uint8

const (
	running callState = iota
	waiting           // for an answer
	succeeded
	failed
	unfinished
)

// marks show a call's state without color.
var marks = [...]string{running: "…", waiting: "?", succeeded: "✓", failed: "✗", unfinished: "-"}

// entry is a piece of the conversation on the screen.
type entry struct {
	kind  entryKind
	head  bool  // it starts a block: "You", "Agent"
	prose prose // for agentKind and noticeKind
	text  string
	final bool // it no longer changes, except for open

	call    agent.ToolCall
	result  *agent.Result // its Output is clean, and shortened for display
	state   callState
	summary string // computed on first display; a change clears it
	output  string // latest output of the running call
	began   time.Time
	took    time.Duration
	bytes   int // size of the output
	more    int // number of hidden characters of the output
	open    bool

	drawn   []string
	cells   int // width of drawn; 0 means not drawn
	chosen  bool
	wasOpen bool
}

// Limits on the display of a user message.
const (
	maxUserLines = 60
	maxRunning   = 2000 // characters of a running call's output to keep
	showRunning  = 500
	maxError     = 80
)

// changed discards the drawn lines.
func (e *entry) changed() { e.cells = 0 }

// lines returns the lines of the entry. chosen highlights it while browsing.
func (e *entry) lines(cells int, chosen bool) []string {
	if e.cells == cells && e.chosen == chosen && e.wasOpen == e.open {
		return e.drawn
	}
	e.cells, e.chosen, e.wasOpen = cells, chosen, e.open
	switch e.kind {
	case userKind:
		e.drawn = e.user(cells)
	case agentKind:
		above := []string{""}
		if e.head {
			above = append(above, (bold | green).on("Agent"))
		}
		e.drawn = e.prose.draw(cells, frame{above, "  ", "  "})
	case callKind:
		e.drawn = e.card(cells)
	case noticeKind:
		e.drawn = e.prose.draw(cells, frame{[]string{""}, "· ", "  "})
	case errorKind:
		e.drawn = append([]string{""}, prefixed(red.on("✗ "), "  ", wrapText(clean(e.text), red, cells-2))...)
	}
	return e.drawn
}

func (e *entry) user(cells int) []string {
	out := []string{"", (bold | blue).on("You")}
	text := clean(e.text)
	most := head(text, maxUserLines*cells) // more would not be visible
	body := wrapText(most, 0, cells-2)
	if len(body) > maxUserLines || len(most) < len(text) {
		body = body[:min(len(body), maxUserLines)]
		body = append(body, faint.on("… "+counted(strings.Count(text, "\n")+1, "line")+", "+size(len(e.text))+" in all"))
	}
	return append(out, prefixed("  ", "  ", body)...)
}

func (e *entry) line() string {
	if e.summary == "" {
		if e.summary = summary(e.call, e.result); e.result != nil {
			e.call.Input, e.result.Data = nil, nil // no longer needed
		}
	}
	return e.summary
}

// card draws a call: its summary, the error, and the output if it is open.
func (e *entry) card(cells int) (out []string) {
	if e.head {
		out = append(out, "")
	}
	chevron := "▸ "
	if e.open || e.state == running && e.output != "" {
		chevron = "▾ "
	}
	st := style(0)
	switch e.state {
	case succeeded:
		st = green
	case failed:
		st = red
	case waiting:
		st = yellow
	}
	line := []span{{chevron, 0}, {marks[e.state] + " ", st}, {cleanLine(e.call.ToolName) + " ", bold}, {e.line(), 0}}
	var right string
	if e.took > 0 { // unknown for calls of a saved session
		right = plural.Duration(e.took) + "  "
	}
	if e.bytes > 0 {
		right += size(e.bytes)
	}
	right = strings.TrimRight(right, " ")
	if e.chosen {
		line = append([]span{{"› ", bold}}, line...)
		for i := range line {
			line[i].style |= reversed
		}
	}
	room := cells - width(right) - 1
	if right == "" || room < 20 {
		out = append(out, strings.TrimRight(fit(line, cells), " "))
	} else {
		out = append(out, fit(line, room)+" "+faint.on(right))
	}
	if e.result != nil {
		out = append(out, e.details(cells)...)
		return out
	}
	if e.state == running && e.output != "" {
		text := clean(tail(e.output, showRunning))
		out = append(out, prefixed("    ", "    ", wrapText(text, faint, cells-4))...)
	}
	return out
}

func (e *entry) details(cells int) (out []string) {
	r := e.result
	if r.Error != "" {
		text := clean(r.Error)
		if !e.open {
			text = chars(cleanLine(r.Error), maxError)
		} else if shown, more := limit(text, maxOpen); more > 0 {
			text = shown + "…"
		}
		out = append(out, prefixed("    "+red.on("error: "), "    ", wrapText(text, red, cells-11))...)
	}
	for _, n := range r.Notes {
		out = append(out, prefixed("    "+yellow.on("note: "), "    ", wrapText(cleanLine(n), yellow, cells-10))...)
	}
	if !e.open || r.Output == "" {
		return out
	}
	if edits(e.call.ToolName) {
		out = append(out, prefixed("    ", "    ", drawDiff(r.Output, cells-4, false))...)
	} else {
		out = append(out, prefixed("    ", "    ", wrapText(r.Output, 0, cells-4))...)
	}
	if e.more > 0 {
		out = append(out, "    "+faint.on("… "+counted(e.more, "character")+" more"))
	}
	return out
}

// edits reports whether a tool's output is a diff.
func edits(tool string) bool {
	return tool == "write_file" || tool == "edit_file" || tool == "multi_edit"
}
