package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/project"
)

// maxStdin is the limit for standard input, in bytes.
const maxStdin = 10 << 20

// ReadAction makes an action from the arguments or from standard input.
func ReadAction(stdin io.Reader, args []string, client, tool, dir string) (*umpire.Action, error) {
	text := strings.Join(args, " ")
	piped := len(args) == 0 || len(args) == 1 && args[0] == "-"
	if piped {
		if f, ok := stdin.(*os.File); ok && len(args) == 0 {
			if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
				return nil, Usagef("no call given: pass a command, or pipe one to standard input")
			}
		}
		b, err := io.ReadAll(io.LimitReader(stdin, maxStdin+1))
		if err != nil {
			return nil, err
		}
		if len(b) > maxStdin {
			return nil, fmt.Errorf("standard input is larger than %d bytes", maxStdin)
		}
		text = strings.TrimSuffix(string(b), "\n")
	}
	if strings.TrimSpace(text) == "" {
		return nil, Usagef("the command is empty: pass one, or pipe it to standard input")
	}
	if _, err := Folder(dir); err != nil {
		return nil, err
	}
	a := &umpire.Action{Tool: tool, Dir: dir}
	switch {
	case tool != "" && json.Valid([]byte(text)) && (umpire.ShellLanguage(tool) == "" || strings.HasPrefix(strings.TrimSpace(text), "{")):
		a.Input = json.RawMessage(text)
	case tool != "" && umpire.ShellLanguage(tool) == "":
		return nil, Usagef("the input of tool %s is not valid JSON", tool)
	case piped && strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text)):
		c := clients.Find(client)
		if c == nil {
			return nil, Usagef("unknown client %q; umpire-hook --help lists them", client)
		}
		e, err := c.Read([]byte(text))
		if err != nil {
			return nil, err
		}
		*a = e.Action
		if dir != "" {
			a.Dir = dir
		}
	default:
		a.Tool = cmp.Or(tool, "Bash")
		b, err := json.Marshal(map[string]string{"command": text})
		if err != nil {
			return nil, err
		}
		a.Input = b
	}
	at, err := project.At(a.Dir)
	if err != nil {
		return nil, err
	}
	a.Dir = at.Dir
	platform.Complete(a, "", os.Getenv)
	return a, nil
}
