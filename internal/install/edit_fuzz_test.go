package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// ownless is what JSON settings say, with every hook of umpire's and every empty list of
// hooks taken out.
func ownless(t *testing.T, data []byte) any {
	t.Helper()
	data = bytes.TrimPrefix(bytes.Clone(data), byteOrderMark) // what is parsed is edited in place
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}
	}
	v, err := hujson.Parse(data)
	if err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	v.Standardize()
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(v.Pack()))
	dec.UseNumber()
	if err := dec.Decode(&m); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	hooks, ok := m["hooks"].(map[string]any)
	if !ok {
		return m
	}
	for name, list := range hooks {
		list, ok := list.([]any)
		if !ok {
			continue
		}
		rest := []any{}
		for _, g := range list {
			if g, ok := g.(map[string]any); ok {
				if inner, ok := g["hooks"].([]any); ok && len(inner) > 0 {
					kept := []any{}
					for _, h := range inner {
						if !ownInMap(h) {
							kept = append(kept, h)
						}
					}
					if len(kept) == 0 {
						continue
					}
					g["hooks"] = kept
				}
			}
			rest = append(rest, g)
		}
		if hooks[name] = rest; len(rest) == 0 {
			delete(hooks, name)
		}
	}
	if len(hooks) == 0 {
		delete(m, "hooks")
	}
	return m
}

func ownInMap(h any) bool {
	m, _ := h.(map[string]any)
	for _, key := range commandKeys {
		if s, _ := m[key].(string); s != "" && isOwn(s) {
			return true
		}
	}
	return false
}

// existing are settings as people have them.
var existing = []struct{ agent, path, text string }{
	{"claude", ".claude/settings.json", "{\n  // what I may do\n  \"permissions\": {\"allow\": [\"Bash\"]}, // enough\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"guard\"}]}, // mine\n    ],\n    /* later */\n  },\n}\n"},
	{"claude", ".claude/settings.json", "\xef\xbb\xbf{\r\n\t\"model\": \"x\"\r\n}\r\n"},
	{"claude", ".claude/settings.json", `{"a":1}`},
	{"claude", ".claude/settings.json", "{}"},
	{"claude", ".claude/settings.json", ""},
	{"claude", ".claude/settings.json", " \n"},
	{"claude", ".claude/settings.json", "{\n    \"hooks\": {\n        \"SessionStart\": [{\"hooks\": [{\"type\":\"command\",\"command\":\"date\"}]}]\n    }\n}"},
	{"claude", ".claude/settings.json", "{ // one\n}\n// two\n"},
	{"codex", ".codex/hooks.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"guard","timeout":10}]}]}}`},
	{"gemini", ".gemini/settings.json", "{\n  \"hooks\": {\n    \"BeforeTool\": []\n  }\n}\n"},
	{"copilot", ".copilot/hooks/umpire.json", "{\"version\": 1}\n"},
	{"droid", ".factory/settings.json", "{\"hooks\":{\"Stop\":[]},\"x\":[1,2,3]}\n"},
	{"cursor", ".cursor/hooks.json", "{\"version\":1,\"hooks\":{\"preToolUse\":[{\"command\":\"./a.sh\"}]}}\n"},
	{"amp", ".config/amp/settings.json", "{\n  \"amp.permissions\": [\n    {\"tool\": \"Bash\", \"action\": \"ask\"}\n  ]\n}\n"},
	{"kimi", ".kimi-code/config.toml", "# mine\nmodel = \"k2\"\n\n[[hooks]]\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\ncommand = \"guard\" # why not\n\n# the end\n[x]\ny = 1\n"},
	{"kimi", ".kimi-code/config.toml", "model = \"k2\""},
	{"kimi", ".kimi-code/config.toml", "a = '''\n[[hooks]]\ncommand = \"umpire-hook kimi\"\n'''\r\n"},
}

// Whatever settings there are: an edit leaves valid settings with umpire's hooks exactly
// once, everybody else's and all comments; taking them out leaves the others'.
func FuzzJSON(f *testing.F) {
	for _, tt := range existing {
		if !strings.HasSuffix(tt.path, "toml") {
			f.Add([]byte(tt.text))
		}
	}
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"matcher":"x","hooks":[{"command":"/a/umpire-hook claude"},{"command":"b"}]},{"hooks":[]},[],3]}}`))
	f.Add([]byte(`{"hooks":{"PreToolUse":[/*a*/{"hooks":[{"command":"umpire-hook claude"}]}/*b*/,/*c*/]/*d*/}/*e*/,}//f`))
	env := Env{Home: "/home/u", Dir: "/home/u/p", Hook: "/opt/umpire-hook"}
	a, err := find1("claude")
	if err != nil {
		f.Fatal(err)
	}
	form := a.files(a, env, User, Options{AllEvents: true})[0].form
	f.Fuzz(func(t *testing.T, data []byte) { editJSON(t, a, form, data) })
}

// FuzzJSONShapes makes settings of all shapes that people have, out of the input.
func FuzzJSONShapes(f *testing.F) {
	f.Add([]byte("hello, world"))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 200, 100, 50, 25})
	env := Env{Home: "/home/u", Dir: "/home/u/p", Hook: "/opt/umpire-hook"}
	a, err := find1("claude")
	if err != nil {
		f.Fatal(err)
	}
	form := a.files(a, env, User, Options{AllEvents: true})[0].form
	f.Fuzz(func(t *testing.T, tape []byte) {
		comments := 0
		pick := func(n int) int {
			if len(tape) == 0 {
				return 0
			}
			b := tape[0]
			tape = tape[1:]
			return int(b) % n
		}
		space := func() string {
			switch pick(9) {
			case 1:
				return "\n    "
			case 2:
				return "\t"
			case 3:
				comments++
				return fmt.Sprintf(" // c%d;\n", comments)
			case 4:
				comments++
				return fmt.Sprintf("/* c%d; */", comments)
			case 5:
				return "\r\n"
			}
			return ""
		}
		list := func(open, end string, n int, item func(i int) string) string {
			out := open
			for i := range n {
				if out += space() + item(i) + space(); i < n-1 || pick(3) == 1 {
					out += ","
				}
			}
			return out + space() + end
		}
		commands := []string{"guard", "/opt/umpire-hook claude", "umpire-hook claude || true", "/old/umpire-hook claude", "x | umpire-hook", "'/a b/umpire-hook' claude"}
		hasOwn := false
		handler := func(int) string {
			c := commands[pick(len(commands))]
			hasOwn = hasOwn || isOwn(c)
			b, _ := json.Marshal(c)
			return `{"type":"command","command":` + string(b) + `,"timeout":60,"onFailure":"block"}`
		}
		group := func(int) string {
			return `{"matcher":"*",` + space() + `"hooks":` + list("[", "]", pick(4), handler) + "}"
		}
		events := []string{"PreToolUse", "SessionStart", "Stop", "PostToolUse"}
		hooks := func() string {
			return `"hooks":` + space() + list("{", "}", pick(len(events)+1), func(i int) string {
				return `"` + events[i] + `":` + list("[", "]", pick(4), group)
			})
		}
		at := pick(3)
		doc := list("{", "}", pick(4), func(i int) string {
			if i == at {
				return hooks()
			}
			return fmt.Sprintf(`"k%d":%s[1, {"a":%snull}]`, i, space(), space())
		})
		out := editJSON(t, a, form, []byte(doc))
		for i := 1; i <= comments && !hasOwn; i++ { // comments inside of what is replaced go with it
			if !strings.Contains(string(out), fmt.Sprintf("c%d;", i)) {
				t.Fatalf("comment %d of\n%s\nis lost in\n%s", i, doc, out)
			}
		}
	})
}

func editJSON(t *testing.T, a *Agent, form form, data []byte) []byte {
	t.Helper()
	out, err := form.install(data)
	if err != nil {
		return nil
	}
	if again, err := form.install(out); err != nil || !bytes.Equal(again, out) {
		t.Fatalf("a second edit of\n%s\nmakes\n%s\n%v", out, again, err)
	}
	var found found
	form.inspect(out, &found)
	count := map[string]int{}
	for _, e := range found.ours {
		count[e.Event]++
	}
	for _, e := range a.events {
		if count[e.name] != 1 {
			t.Fatalf("%s is there %d times:\n%s", e.name, count[e.name], out)
		}
	}
	for _, p := range found.problems {
		if p.Kind == Weak {
			t.Fatalf("protection %+v, want none that is weak, in\n%s", p, out)
		}
	}
	if x, y := ownless(t, data), ownless(t, out); !equal(x, y) {
		t.Fatalf("%q lost something of others:\n%s\n%v\n%v", data, out, x, y)
	}
	back, _, err := form.remove(out)
	if err != nil {
		t.Fatal(err)
	}
	if form.has(back) {
		t.Fatalf("something of umpire's is left in\n%s", back)
	}
	if x, y := ownless(t, data), ownless(t, back); !equal(x, y) {
		t.Fatalf("taking it out of\n%s\nleaves\n%s", out, back)
	}
	return out
}

// The same for tables in TOML.
func FuzzTOML(f *testing.F) {
	for _, tt := range existing {
		if strings.HasSuffix(tt.path, "toml") {
			f.Add([]byte(tt.text))
		}
	}
	f.Add([]byte("[features]\nhooks = false # no\nx = 1\n[[hooks.PreToolUse]]\nmatcher='a'\n[[hooks.PreToolUse.hooks]]\ncommand='umpire-hook codex'\n[[hooks.PreToolUse.hooks]]\ncommand='b'\n"))
	f.Add([]byte("[hooks.state.\"a\"]\ntrusted_hash = \"x\"\n[hooks.state.\"/h:pre_tool_use:0:0\"]\nenabled = false\n"))
	f.Add([]byte("[[hooks]]\nevent='PreToolUse'\ncommand='umpire-hook kimi'\nx=inf\n"))
	env := Env{Home: "/home/u", Root: "/", Hook: "/opt/umpire-hook"}
	kimi, err := find1("kimi")
	if err != nil {
		f.Fatal(err)
	}
	codex, err := find1("codex")
	if err != nil {
		f.Fatal(err)
	}
	state := &trust{hooks: []trusted{{"/h:pre_tool_use:0:0", "sha256:1"}, {"/h:stop:0:0", "sha256:2"}}, wish: true}
	forms := []form{kimi.files(kimi, env, User, Options{AllEvents: true})[0].form, codex.files(codex, env, Managed, Options{})[0].form, state}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, form := range forms {
			out, err := form.install(data)
			if err != nil {
				continue
			}
			if again, err := form.install(out); err != nil || !bytes.Equal(again, out) {
				t.Fatalf("a second edit of\n%s\nmakes\n%s\n%v", out, again, err)
			}
			var found found
			form.inspect(out, &found)
			for _, p := range found.problems {
				if p.Kind == Weak || p.Kind == Off && form == forms[2] {
					t.Fatalf("protection %+v, want none that is weak or off, in\n%s", p, out)
				}
			}
			back, _, err := form.remove(out)
			if err != nil {
				continue // by hand, then: nothing is written
			}
			if form.has(back) {
				t.Fatalf("something of umpire's is left in\n%s", back)
			}
			if err := checked(data, back, func(m map[string]any) {
				if h, ok := form.(*hookTables); ok {
					h.removeOwn(m)
				} else {
					state.removeOwn(m)
				}
			}); err != nil {
				t.Fatalf("taking it out of\n%s\nleaves\n%s\n%v", out, back, err)
			}
		}
	})
}
