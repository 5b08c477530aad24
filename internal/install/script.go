package install

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/internal/doclink"
)

// script is a file that is umpire's from the first to the last byte.
type script struct {
	event   string
	text    string
	more    string // text for more events, which is as good
	command string // what it starts
	mark    string // what every version of it has, and no other file
}

func (s *script) has(data []byte) bool { return s.own(data) }

func (s *script) install(data []byte) ([]byte, error) {
	if data != nil && !s.own(data) && len(bytes.TrimSpace(data)) > 0 {
		return nil, doclink.Wrap(fmt.Errorf("another program's hook is installed there: make it call `%s` and obey the result, or remove it", s.command), doclink.ForeignHook)
	}
	if s.more != "" && string(data) == s.more {
		return data, nil
	}
	return []byte(s.text), nil
}

func (s *script) own(data []byte) bool { return bytes.Contains(data, []byte(s.mark)) }

func (s *script) remove(data []byte) ([]byte, bool, error) {
	return data, s.own(data), nil
}

func (s *script) look(data []byte, f *found) {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
	case !s.own(data):
		f.foreign = append(f.foreign, Entry{Event: s.event, Command: f.path})
	default:
		f.ours = append(f.ours, Entry{Event: s.event, Command: s.command})
		if string(data) != s.text && (s.more == "" || string(data) != s.more) {
			f.say(Weak, again, "it differs from the file that umpire writes")
		}
		if info, err := os.Stat(f.path); err == nil && strings.HasPrefix(s.text, "#!") && info.Mode()&0o100 == 0 {
			f.say(Off, "run chmod +x "+f.path, "it is not executable")
		}
	}
}

const scriptMark = "# Written by umpire init; umpire uninstall removes it."

// clineScript is what Cline starts. It runs a call whose hook says nothing, so that must
// not happen when umpire-hook is missing or crashes.
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

//go:embed plugins/opencode.js
var opencodePlugin string

//go:embed plugins/pi.js
var piPlugin string

const pluginMark = "// Written by umpire init; umpire uninstall removes it."

// plugin fills in what a plugin has to know of this machine.
func plugin(src, hook, state string, all bool) string {
	quote := func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	return pluginMark + "\n" + strings.NewReplacer(
		`"@HOOK@"`, quote(hook),
		`"@HEARTBEAT@"`, quote(filepath.Join(state, "heartbeat", "opencode")),
		`"@ALL@"`, quote(all),
	).Replace(src)
}
