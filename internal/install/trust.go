package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Codex runs a hook only if its configuration contains the hook's hash, as a sign of the user's
// consent. The hash covers the hook as Codex understands it.

// takesNoMatcher lists the events for which Codex ignores a matcher.
var takesNoMatcher = []string{"UserPromptSubmit", "Stop", "Interrupt", "PreModelRequest", "PostModelRequest"}

// codexMatcher returns umpire's matcher for an event: sessions and sub-agents match other names
// than tools, so they get none.
func codexMatcher(event string) string {
	if strings.HasSuffix(event, "ToolUse") || event == "PermissionRequest" {
		return "*"
	}
	return ""
}

// codexTimeout converts a timeout as Codex does.
func codexTimeout(event string) int {
	if event == "SessionEnd" || event == "Interrupt" {
		return 3
	}
	return HookTimeout
}

// snakeCase returns an event's name in Codex's configuration.
func snakeCase(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codexHash returns the hash of one hook.
func codexHash(event string, matcher *string, command string, timeout int) string {
	if event == "SessionEnd" || event == "Interrupt" {
		timeout = min(timeout, 3)
	}
	if slices.Contains(takesNoMatcher, event) {
		matcher = nil
	}
	type hook struct { // in alphabetical order
		Async   bool   `json:"async"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
		Type    string `json:"type"`
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct {
		Event   string  `json:"event_name"`
		Hooks   []hook  `json:"hooks"`
		Matcher *string `json:"matcher,omitempty"`
	}{snakeCase(event), []hook{{Command: command, Timeout: timeout, Type: "command"}}, matcher})
	sum := sha256.Sum256(bytes.TrimRight(b.Bytes(), "\n"))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// trusted is a hook that Codex must trust.
type trusted struct{ key, hash string }

// trustOf returns the trust entries that Codex needs for umpire's hooks in the file at path.
func trustOf(path string, hooks []byte) (list []trusted) {
	d, err := parseJSON(hooks)
	if err != nil {
		return nil
	}
	events := objectOf(member(d.object(), "hooks"))
	if events == nil {
		return nil
	}
	for i := range events.Members {
		event := text(&events.Members[i].Name)
		groups := arrayOf(&events.Members[i].Value)
		if groups == nil {
			continue
		}
		for g := range groups.Elements {
			group := objectOf(&groups.Elements[g])
			handlers := arrayOf(member(group, "hooks"))
			if handlers == nil {
				continue
			}
			var matcher *string
			if v := member(group, "matcher"); v != nil {
				s := text(v)
				matcher = &s
			}
			for h := range handlers.Elements {
				v := handlers.Elements[h].Clone()
				if !ownHook(&v) {
					continue
				}
				v.Minimize()
				var is struct {
					Command string `json:"command"`
					Timeout *int   `json:"timeout"`
				}
				if json.Unmarshal(v.Pack(), &is) != nil {
					continue
				}
				timeout := 600
				if is.Timeout != nil {
					timeout = *is.Timeout
				}
				list = append(list, trusted{fmt.Sprintf("%s:%s:%d:%d", path, snakeCase(event), g, h), codexHash(event, matcher, is.Command, timeout)})
			}
		}
	}
	return list
}

// trust is the part of Codex's config.toml with the hashes.
type trust struct {
	hooks []trusted
	wish  bool // the user requested it
}

func codexTrust(env Env, hooks string, data []byte, wish bool) target {
	return target{path: filepath.Join(home(".codex", "CODEX_HOME")(env), "config.toml"), scope: User, mode: userMode, form: &trust{trustOf(hooks, data), wish}}
}

func (t *trust) state(m map[string]any, key string) map[string]any {
	hooks, _ := m["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	one, _ := state[key].(map[string]any)
	return one
}

func (t *trust) strip(data []byte, gone func(key string) bool) ([]byte, error) {
	all, err := sections(data)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s section) bool {
		return s.array || len(s.key) != 3 || s.key[0] != "hooks" || s.key[1] != "state" || !gone(s.key[2])
	})
	return without(data, all), nil
}

func (t *trust) has(data []byte) bool {
	m, err := parseTOML(data)
	return err == nil && slices.ContainsFunc(t.hooks, func(h trusted) bool { return t.state(m, h.key) != nil })
}

func (t *trust) speaks(key string) bool {
	return slices.ContainsFunc(t.hooks, func(h trusted) bool { return h.key == key })
}

func (t *trust) removeOwn(m map[string]any) {
	hooks, _ := m["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	for _, h := range t.hooks {
		delete(state, h.key)
	}
	if len(state) == 0 {
		delete(hooks, "state")
	}
	if hooks != nil && len(hooks) == 0 {
		delete(m, "hooks")
	}
}

func (t *trust) install(data []byte) ([]byte, error) {
	m, err := parseTOML(data)
	if err != nil || !t.wish {
		return data, err
	}
	stale := map[string]bool{}
	var blocks []string
	for _, h := range t.hooks {
		if s := t.state(m, h.key); s["trusted_hash"] != h.hash || s["enabled"] == false {
			stale[h.key] = true
			blocks = append(blocks, fmt.Sprintf("[hooks.state.%s]\ntrusted_hash = %q\n", quoted(h.key), h.hash))
		}
	}
	out, err := t.strip(data, func(key string) bool { return stale[key] })
	if err != nil {
		return nil, err
	}
	out = appended(out, blocks)
	return out, checked(data, out, t.removeOwn)
}

func (t *trust) remove(data []byte) ([]byte, bool, error) {
	out, err := t.strip(data, t.speaks)
	if err != nil {
		return nil, false, err
	}
	if bytes.Equal(out, data) {
		return data, false, nil
	}
	return out, len(bytes.TrimSpace(out)) == 0, checked(data, out, t.removeOwn)
}

func (t *trust) inspect(data []byte, f *found) {
	m, err := parseTOML(data)
	if err != nil {
		return // reported by the check of the file
	}
	for _, h := range t.hooks {
		event := strings.Split(strings.TrimPrefix(h.key[strings.LastIndex(h.key, ".json:")+1:], "json:"), ":")[0]
		switch s := t.state(m, h.key); {
		case s == nil:
			f.report(Off, "start codex once and accept the hook, or run umpire init codex --trust", "Codex does not trust umpire's hook for %s, and silently skips it", event)
		case s["enabled"] == false:
			f.report(Off, "run umpire init codex --trust, or switch it on in codex", "umpire's hook for %s is switched off", event)
		case s["trusted_hash"] != h.hash:
			f.report(Off, "start codex once and accept the hook, or run umpire init codex --trust", "umpire's hook for %s differs from the one that was trusted: Codex silently skips it", event)
		}
	}
}
