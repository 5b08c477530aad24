package install

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// hookPurpose is the purpose of a hook.
type hookPurpose uint8

const (
	onCall    hookPurpose = iota // required: without it, calls do not reach umpire
	onSession                    // a session began or ended
	onMore                       // only with Options.AllEvents
)

// hookEvent is a list of hooks in a settings file, with umpire's wanted entry.
type hookEvent struct {
	name string
	kind hookPurpose
	want string // JSON
}

// set is a setting in addition to the hooks.
type set struct {
	path []string
	want string // JSON
}

// settings is a JSON file in which agents keep lists of hooks.
type settings struct {
	path   []string // path of the object with the lists; empty for the document itself
	groups bool     // the lists contain groups of hooks below a matcher
	events []hookEvent
	sets   []set
	front  bool                             // the first entry that matches wins
	extra  func(o *hujson.Object) []Problem // additional checks
}

// own lists the names that identify umpire's hooks.
var own = []string{"umpire-hook", "umpire-hook.exe", "umpire-amp"}

// program returns the base name of the program that a command line starts.
func program(command string) string {
	word := firstWord(command)
	return word[strings.LastIndexAny(word, `/\`)+1:]
}

// firstWord returns the first word of a command line, without the quotes of any shell.
func firstWord(command string) string {
	s := strings.TrimPrefix(strings.TrimSpace(command), "& ")
	var b strings.Builder
	for quote := byte(0); s != ""; s = s[1:] {
		c := s[0]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			b.WriteByte(c)
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && len(s) > 1 && strings.ContainsRune(` "'\$`, rune(s[1])):
			b.WriteByte(s[1])
			s = s[1:]
		case quote == 0 && strings.IndexByte(" \t;|&<>()", c) >= 0:
			s = " "
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isOwn(command string) bool { return slices.Contains(own, program(command)) }

// commandKeys are the members of a hook that contain a command.
var commandKeys = []string{"command", "bash", "powershell", "exec", "to", "url", "prompt"}

// commands returns the command lines of one hook. There may be one per system.
func commands(v *hujson.Value) (list []string) {
	o := objectOf(v)
	for _, key := range commandKeys {
		if s := text(member(o, key)); s != "" {
			if args := arrayOf(member(o, "args")); args != nil {
				for i := range args.Elements {
					s += " " + text(&args.Elements[i])
				}
			}
			list = append(list, s)
		}
	}
	return list
}

func ownHook(v *hujson.Value) bool { return slices.ContainsFunc(commands(v), isOwn) }

// hooks returns the hooks of a list element: itself, or those of the group.
func (s *settings) hooks(v *hujson.Value) (list *hujson.Array, own, foreign int) {
	if !s.groups {
		if ownHook(v) {
			return nil, 1, 0
		}
		return nil, 0, 1
	}
	list = arrayOf(member(objectOf(v), "hooks"))
	if list == nil {
		return nil, 0, 1
	}
	for i := range list.Elements {
		if ownHook(&list.Elements[i]) {
			own++
		} else {
			foreign++
		}
	}
	return list, own, foreign
}

// reach returns the object at a path, and creates missing ones.
func (d *document) reach(path []string) (o *hujson.Object, err error) {
	o = d.object()
	for i, key := range path {
		v := member(o, key)
		if v == nil {
			v = d.put(o, key, "{}", strings.Repeat(d.unit, i))
		}
		next := objectOf(v)
		if next == nil {
			return nil, fmt.Errorf("%q is not an object; correct it by hand", strings.Join(path[:i+1], "."))
		}
		o = next
	}
	return o, nil
}

func (s *settings) install(data []byte) (out []byte, err error) {
	d, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	for _, set := range s.sets {
		last := len(set.path) - 1
		o, err := d.reach(set.path[:last])
		if err != nil {
			return nil, err
		}
		if v := member(o, set.path[last]); v == nil {
			d.put(o, set.path[last], set.want, strings.Repeat(d.unit, last))
		} else if !same(v, set.want) {
			v.Value = hujson.Literal(set.want)
		}
	}
	o, err := d.reach(s.path)
	if err != nil {
		return nil, err
	}
	depth := len(s.path)
	for _, e := range s.events {
		v := member(o, e.name)
		if v == nil {
			v = d.put(o, e.name, "[]", strings.Repeat(d.unit, depth))
		}
		list := arrayOf(v)
		if list == nil {
			return nil, fmt.Errorf("%q is not a list there; correct it by hand", e.name)
		}
		s.one(d, list, e.want, strings.Repeat(d.unit, depth+1))
	}
	return d.bytes(), nil
}

// one makes a list contain want exactly once, and nothing else of umpire.
func (s *settings) one(d *document, list *hujson.Array, want, closing string) {
	keep := -1
	for i := range list.Elements {
		if _, own, foreign := s.hooks(&list.Elements[i]); own > 0 && foreign == 0 && (!s.front || i == 0) {
			if same(&list.Elements[i], want) {
				keep = i
				break
			} else if keep < 0 {
				keep = i // it keeps its place and gets the right content
			}
		}
	}
	for i := len(list.Elements) - 1; i >= 0; i-- {
		if i != keep {
			if s.take(d, list, i) && i < keep {
				keep--
			}
		}
	}
	switch {
	case keep < 0:
		d.push(list, want, closing, s.front)
	case !same(&list.Elements[keep], want):
		v := &list.Elements[keep]
		in, lines := indent(v.BeforeExtra)
		v.Value = d.value(want, room{lines: lines, indent: in}).Value
	}
}

// take removes umpire's part of element i of a list, and reports whether nothing else is left of
// it.
func (s *settings) take(d *document, list *hujson.Array, i int) bool {
	hooks, own, foreign := s.hooks(&list.Elements[i])
	switch {
	case own == 0:
		return false
	case foreign == 0:
		d.drop(list, i)
		return true
	}
	for j := len(hooks.Elements) - 1; j >= 0; j-- {
		if ownHook(&hooks.Elements[j]) {
			d.drop(hooks, j)
		}
	}
	return false
}

func (s *settings) remove(data []byte) (out []byte, empty bool, err error) {
	d, err := parseJSON(data)
	if err != nil {
		return nil, false, err
	}
	o := d.object()
	if len(s.path) > 0 {
		o = objectOf(find(o, s.path...))
	}
	if o == nil {
		return data, false, nil
	}
	found := false
	for i := len(o.Members) - 1; i >= 0; i-- {
		list := arrayOf(&o.Members[i].Value)
		if list == nil {
			continue
		}
		before := len(list.Elements)
		for j := before - 1; j >= 0; j-- {
			_, own, _ := s.hooks(&list.Elements[j])
			found = found || own > 0
			s.take(d, list, j)
		}
		if len(list.Elements) == 0 && before > 0 {
			d.cut(o, text(&o.Members[i].Name))
		}
	}
	if !found {
		return data, false, nil
	}
	for i := len(s.path); i > 0; i-- { // remove empty containers
		parent := d.object()
		if i > 1 {
			parent = objectOf(find(parent, s.path[:i-1]...))
		}
		if o := objectOf(member(parent, s.path[i-1])); o == nil || len(o.Members) > 0 {
			break
		}
		d.cut(parent, s.path[i-1])
	}
	// Keep settings in addition to the hooks: they may be the user's by now. Without other content,
	// the file has no purpose.
	rest := len(d.object().Members)
	for _, set := range s.sets {
		if v := find(d.object(), set.path...); v != nil && same(v, set.want) && len(set.path) == 1 {
			rest--
		}
	}
	return d.bytes(), rest == 0, nil
}

func (s *settings) has(data []byte) bool {
	var f found
	s.inspect(data, &f)
	return len(f.ours) > 0
}

func (s *settings) inspect(data []byte, f *found) {
	d, err := parseJSON(data)
	if err != nil {
		f.report(Broken, "correct it by hand: the agent may ignore all of it", "cannot be read: %v", err)
		return
	}
	if s.extra != nil {
		f.problems = append(f.problems, s.extra(d.object())...)
	}
	o := d.object()
	if len(s.path) > 0 {
		o = objectOf(find(o, s.path...))
	}
	if o == nil {
		return
	}
	for i := range o.Members {
		name := text(&o.Members[i].Name)
		if list := arrayOf(&o.Members[i].Value); list != nil {
			s.lookList(name, list, f)
		}
	}
	for _, e := range s.events {
		if e.kind == onMore {
			continue
		}
		list := arrayOf(member(o, e.name))
		if list == nil || len(f.ours) == 0 {
			continue
		}
		for i := range list.Elements {
			if _, own, _ := s.hooks(&list.Elements[i]); own > 0 && !same(&list.Elements[i], e.want) {
				f.differs(e, s.difference(&list.Elements[i], e.want))
			}
		}
	}
}

// lookList inspects the hooks in a list.
func (s *settings) lookList(name string, list *hujson.Array, f *found) {
	mark := len(f.foreign)
	for i := range list.Elements {
		v := &list.Elements[i]
		hooks := []*hujson.Value{v}
		if s.groups {
			hooks = nil
			if a := arrayOf(member(objectOf(v), "hooks")); a != nil {
				for j := range a.Elements {
					hooks = append(hooks, &a.Elements[j])
				}
			}
		}
		for _, h := range hooks {
			for _, c := range commands(h) {
				e := HookEntry{Event: name, Matcher: text(member(objectOf(v), "matcher")), Command: c}
				if !isOwn(c) {
					f.foreign = append(f.foreign, e)
					continue
				}
				if objectOf(h) != nil && member(objectOf(h), "powershell") != nil && c == text(member(objectOf(h), "powershell")) {
					continue // for the other system
				}
				f.ours = append(f.ours, e)
				for k := mark; k < len(f.foreign); k++ {
					f.foreign[k].Before = true
				}
			}
		}
	}
}

// difference describes how an entry of umpire differs from the installed one.
func (s *settings) difference(v *hujson.Value, want string) string {
	std := v.Clone()
	std.Minimize()
	var is, should map[string]any
	if json.Unmarshal(std.Pack(), &is) != nil || json.Unmarshal([]byte(want), &should) != nil {
		return "it has another form"
	}
	if s.groups {
		a, _ := is["hooks"].([]any)
		b, _ := should["hooks"].([]any)
		if len(a) > 1 {
			for _, h := range a {
				if m, ok := h.(map[string]any); ok {
					if c, _ := m["command"].(string); isOwn(c) {
						a = []any{h}
					}
				}
			}
		}
		delete(is, "hooks")
		delete(should, "hooks")
		if len(a) == 1 && len(b) == 1 {
			maps.Copy(is, a[0].(map[string]any))
			maps.Copy(should, b[0].(map[string]any))
		}
	}
	var diffs []string
	for _, k := range slices.Sorted(keys(is, should)) {
		if x, y := is[k], should[k]; !equal(x, y) {
			a, _ := json.Marshal(x)
			b, _ := json.Marshal(y)
			diffs = append(diffs, fmt.Sprintf("%s is %s and should be %s", k, a, b))
		}
	}
	return strings.Join(diffs, ", ")
}
