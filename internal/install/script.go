package install

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/internal/doclink"
)

// script is a file that belongs to umpire completely.
type script struct {
	event   string
	text    string
	more    string // alternative content for more events, which is equally valid
	command string // the command that it starts
	mark    string // text that every version of it contains, and no other file
}

func (s *script) install(data []byte) ([]byte, error) {
	if data != nil && !s.has(data) && len(bytes.TrimSpace(data)) > 0 {
		return nil, doclink.Wrap(fmt.Errorf("another program's hook is installed there: make it call `%s` and obey the result, or remove it", s.command), doclink.ForeignHook)
	}
	if s.more != "" && string(data) == s.more {
		return data, nil
	}
	return []byte(s.text), nil
}

func (s *script) has(data []byte) bool { return bytes.Contains(data, []byte(s.mark)) }

func (s *script) remove(data []byte) ([]byte, bool, error) {
	return data, s.has(data), nil
}

func (s *script) inspect(data []byte, f *found) {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
	case !s.has(data):
		f.foreign = append(f.foreign, HookEntry{Event: s.event, Command: f.path})
	default:
		f.ours = append(f.ours, HookEntry{Event: s.event, Command: s.command})
		if string(data) != s.text && (s.more == "" || string(data) != s.more) {
			f.report(Weak, again, "it differs from the file that umpire writes")
		}
		if info, err := os.Stat(f.path); err == nil && strings.HasPrefix(s.text, "#!") && info.Mode()&0o100 == 0 {
			f.report(Off, "run chmod +x "+f.path, "it is not executable")
		}
	}
}

const scriptMark = "# Written by umpire init; umpire uninstall removes it."

// clineScript is the hook that Cline starts. Cline runs a call if the hook says nothing, so the
// script denies if umpire-hook is missing or crashes.
func clineScript(command string, call bool) string {
	if !call {
		return "#!/bin/sh\n" + scriptMark + "\nexec " + command + "\n"
	}
	return "#!/bin/sh\n" + scriptMark + `
# Cline runs a call when its hook says nothing.
answer=$(` + command + `) || :
if [ -z "$answer" ]; then
	answer='{"cancel":true,"errorMessage":"umpire-hook gave no answer; the user can run: umpire doctor"}'
fi
printf '%s\n' "$answer"
`
}

// pluginFiles has the plugin module of each client that runs one, and ask.js, their common part.
//
//go:embed plugins/*.js
var pluginFiles embed.FS

const pluginMark = "// Written by umpire init; umpire uninstall removes it."

// plugin returns the module for a client, configured for this machine.
func plugin(client, hook, state string, all bool) string {
	text := pluginMark + "\n"
	for _, name := range []string{"ask", client} {
		b, err := pluginFiles.ReadFile("plugins/" + name + ".js")
		if err != nil {
			panic(err) // cannot fail: it is embedded
		}
		text += string(b)
	}
	quote := func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	return strings.NewReplacer(
		`"@HOOK@"`, quote(hook),
		`"@CLIENT@"`, quote(client),
		`"@HEARTBEAT@"`, quote(filepath.Join(state, "heartbeat", "opencode")),
		`"@ALL@"`, quote(all),
	).Replace(text)
}

// pluginFile returns the plugin of a client, at a path of the user's or of the project's.
func pluginFile(a *Agent, env Env, scope Scope, o Options, user, project string) []target {
	text := func(all bool) string { return plugin(a.Name, env.Hook, stateDir(env, User), all) }
	s := &script{event: a.events[0].name, command: a.line(env), mark: pluginMark, text: text(o.AllEvents)}
	if !o.OnlyCalls {
		s.more = text(true)
	}
	return one(choose(scope, user, project, ""), scope, s)
}
