package install

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// section is a table of a TOML file with its text: from its header to the next one, without the
// comments before that.
type section struct {
	key        []string
	array      bool // [[key]]
	start, end int
}

// sections returns the tables of a TOML file.
func sections(data []byte) ([]section, error) {
	var list []section
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		s := section{array: e.Kind == unstable.ArrayTable, start: -1}
		for it := e.Key(); it.Next(); {
			n := it.Node()
			if s.start < 0 {
				s.start = 1 + bytes.LastIndexByte(data[:n.Raw.Offset], '\n')
			}
			s.key = append(s.key, string(n.Data))
		}
		list = append(list, s)
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	for i := range list {
		end := len(data)
		if i+1 < len(list) {
			end = list[i+1].start
		}
		for end > list[i].start { // comments and empty lines belong to the next table
			line := 1 + bytes.LastIndexByte(data[:end-1], '\n')
			if t := bytes.TrimSpace(data[line:end]); len(t) > 0 && t[0] != '#' {
				break
			}
			end = line
		}
		list[i].end = end
	}
	return list, nil
}

// body decodes the content of a section, whatever its name.
func (s section) body(data []byte) map[string]any {
	text := data[s.start:s.end]
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		return nil
	}
	var m map[string]any
	if toml.Unmarshal(text[i:], &m) != nil {
		return nil
	}
	return m
}

func parseTOML(data []byte) (map[string]any, error) {
	m := map[string]any{}
	err := toml.Unmarshal(data, &m)
	var place *toml.DecodeError
	if errors.As(err, &place) {
		line, col := place.Position()
		return nil, fmt.Errorf("line %d, column %d: %s", line, col, strings.TrimPrefix(place.Error(), "toml: "))
	}
	return m, err
}

// without removes parts of the text, with the empty line before each.
func without(data []byte, gone []section) []byte {
	var out []byte
	at := 0
	for _, s := range gone {
		start := s.start
		switch before := data[:start]; { // it may end the part before
		case start > at && bytes.HasSuffix(before, []byte("\n\n")):
			start--
		case start > at+1 && bytes.HasSuffix(before, []byte("\r\n\r\n")):
			start -= 2
		}
		out = append(out, data[at:start]...)
		at = s.end
	}
	return append(out, data[at:]...)
}

// appended adds blocks at the end, with an empty line before each.
func appended(data []byte, blocks []string) []byte {
	nl := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		nl = "\r\n"
	}
	out := bytes.Clone(data)
	for _, b := range blocks {
		if len(bytes.TrimSpace(out)) > 0 {
			if out[len(out)-1] != '\n' {
				out = append(out, nl...)
			}
			out = append(out, nl...)
		}
		out = append(out, strings.ReplaceAll(b, "\n", nl)...)
	}
	return out
}

// checked verifies an edit: apart from umpire's entries, both contents must be equal.
func checked(before, after []byte, strip func(map[string]any)) error {
	a, err := parseTOML(before)
	if err != nil {
		return err
	}
	b, err := parseTOML(after)
	if err != nil {
		return fmt.Errorf("it defines its tables in a form that umpire cannot add to (%w); add the hooks by hand", err)
	}
	strip(a)
	strip(b)
	if !equal(a, b) {
		return errors.New("its tables are in a form that umpire cannot edit; edit the hooks by hand")
	}
	return nil
}

func quoted(s string) string {
	b := strconv.Quote(s)
	if strings.Contains(b, `\x`) || strings.Contains(b, `\a`) || strings.Contains(b, `\v`) {
		return "'" + s + "'" // not valid in TOML, which the parser reports
	}
	return b
}

// hookTable is one hook in a TOML file.
type hookTable struct {
	event   string
	kind    hookPurpose
	matcher string
	command string
	timeout int
}

// hookTables is a TOML file with hooks.
type hookTables struct {
	hooks  []hookTable
	groups bool // Codex: [[hooks.EVENT]] with [[hooks.EVENT.hooks]]; otherwise Kimi's [[hooks]] with an event
	enable bool // Codex: [features] hooks = true
	extra  func(m map[string]any) []Problem
}

func (t *hookTables) text(h hookTable) string {
	var b strings.Builder
	if t.groups {
		fmt.Fprintf(&b, "[[hooks.%s]]\n", h.event)
		if h.matcher != "" {
			fmt.Fprintf(&b, "matcher = %s\n", quoted(h.matcher))
		}
		fmt.Fprintf(&b, "\n[[hooks.%s.hooks]]\ntype = \"command\"\n", h.event)
	} else {
		fmt.Fprintf(&b, "[[hooks]]\nevent = %s\n", quoted(h.event))
	}
	fmt.Fprintf(&b, "command = %s\ntimeout = %d\n", quoted(h.command), h.timeout)
	return b.String()
}

// want is the wanted content of a hook's table.
func (t *hookTables) want(h hookTable) map[string]any {
	if !t.groups {
		return map[string]any{"event": h.event, "command": h.command, "timeout": h.timeout}
	}
	m := map[string]any{"hooks": []any{map[string]any{"type": "command", "command": h.command, "timeout": h.timeout}}}
	if h.matcher != "" {
		m["matcher"] = h.matcher
	}
	return m
}

// entries returns the hooks of an event, in order.
func (t *hookTables) entries(m map[string]any, event string) (list []map[string]any) {
	var raw []any
	if t.groups {
		hooks, _ := m["hooks"].(map[string]any)
		raw, _ = hooks[event].([]any)
	} else {
		raw, _ = m["hooks"].([]any)
	}
	for _, r := range raw {
		if h, ok := r.(map[string]any); ok && (t.groups || h["event"] == event) {
			list = append(list, h)
		}
	}
	return list
}

// handlers returns the handlers of an entry: itself, or the grouped ones.
func (t *hookTables) handlers(entry map[string]any) (own, foreign []map[string]any) {
	list := []any{entry}
	if t.groups {
		list, _ = entry["hooks"].([]any)
	}
	for _, r := range list {
		h, _ := r.(map[string]any)
		if c, _ := h["command"].(string); isOwn(c) {
			own = append(own, h)
		} else {
			foreign = append(foreign, h)
		}
	}
	return own, foreign
}

func (t *hookTables) install(data []byte) ([]byte, error) {
	m, err := parseTOML(data)
	if err != nil {
		return nil, err
	}
	var blocks []string
	events := map[string]bool{}
	for _, h := range t.hooks {
		mine := 0
		right := false
		for _, e := range t.entries(m, h.event) {
			own, foreign := t.handlers(e)
			mine += len(own)
			right = right || len(own) == 1 && len(foreign) == 0 && equal(e, t.want(h))
		}
		if mine != 1 || !right {
			events[h.event] = true
			blocks = append(blocks, t.text(h))
		}
	}
	out, err := t.strip(data, func(event string) bool { return events[event] })
	if err != nil {
		return nil, err
	}
	out = appended(out, blocks)
	if t.enable {
		if out, err = enableHooks(out); err != nil {
			return nil, err
		}
	}
	return out, checked(data, out, t.removeOwn)
}

// strip removes umpire's hooks from the text.
func (t *hookTables) strip(data []byte, of func(event string) bool) ([]byte, error) {
	all, err := sections(data)
	if err != nil {
		return nil, err
	}
	var gone []section
	for i := 0; i < len(all); i++ {
		s := all[i]
		switch {
		case !s.array || len(s.key) == 0 || s.key[0] != "hooks":
		case !t.groups && len(s.key) == 1:
			m := s.body(data)
			event, _ := m["event"].(string)
			if c, _ := m["command"].(string); isOwn(c) && of(event) {
				gone = append(gone, s)
			}
		case t.groups && len(s.key) == 2 && of(s.key[1]):
			var own []section
			n := 0
			for ; i+1 < len(all) && all[i+1].array && len(all[i+1].key) == 3 && all[i+1].key[1] == s.key[1]; i++ {
				n++
				if c, _ := all[i+1].body(data)["command"].(string); isOwn(c) {
					own = append(own, all[i+1])
				}
			}
			if n > 0 && n == len(own) {
				own = append([]section{s}, own...)
			}
			gone = append(gone, own...)
		}
	}
	return without(data, gone), nil
}

// removeOwn removes umpire's possible entries from the decoded file.
func (t *hookTables) removeOwn(m map[string]any) {
	if t.enable {
		if f, ok := m["features"].(map[string]any); ok {
			delete(f, "hooks")
			if len(f) == 0 {
				delete(m, "features")
			}
		}
	}
	left := func(list []any) (out []any) {
		for _, r := range list {
			e, ok := r.(map[string]any)
			if !ok {
				out = append(out, r)
				continue
			}
			own, foreign := t.handlers(e)
			if len(own) == 0 {
				out = append(out, r)
			} else if len(foreign) > 0 {
				rest := maps.Clone(e)
				rest["hooks"] = foreign
				out = append(out, rest)
			}
		}
		return out
	}
	switch hooks := m["hooks"].(type) {
	case []any:
		if !t.groups {
			if hooks = left(hooks); len(hooks) == 0 {
				delete(m, "hooks")
			} else {
				m["hooks"] = hooks
			}
		}
	case map[string]any:
		for name, v := range hooks {
			if list, ok := v.([]any); ok && t.groups {
				if list = left(list); len(list) == 0 {
					delete(hooks, name)
				} else {
					hooks[name] = list
				}
			}
		}
		if len(hooks) == 0 {
			delete(m, "hooks")
		}
	}
}

// enableHooks sets [features] hooks = true.
func enableHooks(data []byte) ([]byte, error) {
	m, err := parseTOML(data)
	if err != nil {
		return nil, err
	}
	features, there := m["features"].(map[string]any)
	if features["hooks"] == true {
		return data, nil
	}
	if !there {
		return appended(data, []string{"[features]\nhooks = true\n"}), nil
	}
	all, err := sections(data)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.array || len(s.key) != 1 || s.key[0] != "features" {
			continue
		}
		var out []byte
		for line := range bytes.Lines(data[s.start:s.end]) {
			if key, _, ok := bytes.Cut(line, []byte("=")); ok && string(bytes.Trim(key, " \t\"'")) == "hooks" {
				continue
			}
			out = append(out, line...)
			if len(out) == len(line) { // the header
				if out[len(out)-1] != '\n' {
					out = append(out, '\n')
				}
				out = append(out, "hooks = true\n"...)
			}
		}
		return slices.Concat(data[:s.start], out, data[s.end:]), nil
	}
	return nil, errors.New("umpire can only edit features as a [features] table: set features.hooks = true there by hand")
}

func (t *hookTables) remove(data []byte) ([]byte, bool, error) {
	m, err := parseTOML(data)
	if err != nil {
		return nil, false, err
	}
	out, err := t.strip(data, func(string) bool { return true })
	if err != nil {
		return nil, false, err
	}
	if bytes.Equal(out, data) {
		return data, false, nil
	}
	if err := checked(data, out, t.removeOwn); err != nil {
		return nil, false, err
	}
	t.removeOwn(m)
	return out, len(m) == 0, nil
}

func (t *hookTables) has(data []byte) bool {
	var f found
	t.inspect(data, &f)
	return len(f.ours) > 0
}

func (t *hookTables) inspect(data []byte, f *found) {
	m, err := parseTOML(data)
	if err != nil {
		f.report(Broken, "correct it by hand: the agent may ignore all of it", "cannot be read: %v", err)
		return
	}
	if t.extra != nil {
		f.problems = append(f.problems, t.extra(m)...)
	}
	var events []string
	switch hooks := m["hooks"].(type) {
	case map[string]any:
		for name, v := range hooks {
			if _, ok := v.([]any); ok {
				events = append(events, name)
			}
		}
	case []any:
		for _, r := range hooks {
			if h, ok := r.(map[string]any); ok {
				if name, _ := h["event"].(string); !slices.Contains(events, name) {
					events = append(events, name)
				}
			}
		}
	}
	slices.Sort(events)
	for _, name := range events {
		mark := len(f.foreign)
		for _, e := range t.entries(m, name) {
			own, foreign := t.handlers(e)
			matcher, _ := e["matcher"].(string)
			for _, h := range foreign {
				if c, ok := h["command"].(string); ok {
					f.foreign = append(f.foreign, HookEntry{Event: name, Matcher: matcher, Command: c})
				}
			}
			for _, h := range own {
				c, _ := h["command"].(string)
				f.ours = append(f.ours, HookEntry{Event: name, Matcher: matcher, Command: c})
				for k := mark; k < len(f.foreign); k++ {
					f.foreign[k].Before = true
				}
			}
			for _, w := range t.hooks {
				if len(own) > 0 && w.event == name && w.kind != onMore && !equal(e, t.want(w)) {
					f.differs(hookEvent{name: name, kind: w.kind}, "it has another command, matcher or timeout")
				}
			}
		}
	}
}
