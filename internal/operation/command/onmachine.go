package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// machineVerbs are words by which a platform's client runs a command on a machine of it.
const machineVerbs = "ssh winrm exec ps:exec run run:detached run:inside console run-command runProgramInGuest execute-command command RunCommand"

// machineOptions are options that have the text of such a command.
const machineOptions = "-C --command --ssh-command --exec-command --scripts --script --cmd --CommandContent"

// onMachine runs the commands that a platform's client runs on a remote machine, and reports
// whether there are any: fly ssh console -C TEXT, heroku run WORDS, platform ssh -e main TEXT.
func (c *Call) onMachine() bool {
	at := slices.IndexFunc(c.Args, func(w Word) bool { return listed(machineVerbs, w.Text) })
	if at < 0 || at > 4 || c.Program == "gcloud" && c.Args[at].Text == "run" { // a service
		return false
	}
	r := Run{Traits: umpire.Remote, Out: true}
	if c.Program == "railway" && c.Args[at].Text == "run" { // on this machine, with the variables of that one
		r.Traits = 0
	}
	ssh := oneOf(c.Args[at].Text, "ssh", "winrm")
	words, command := 0, -1 // where the words of the command begin
	for i := at + 1; i < len(c.Args) && command < 0; i++ {
		w := c.Args[i]
		name, value, attached := strings.Cut(w.Text, "=")
		switch {
		case w.Text == "--":
			command = i + 1
		case strings.HasPrefix(name, "-"):
			w = w.With(value)
			text := listed(machineOptions, name) || ssh && name == "-c" && c.Program != "gh" // which names a codespace
			if o, known := c.Model.option(name); !attached && i+1 < len(c.Args) && (text || known && o.role != 0) {
				i++
				w, attached = c.Args[i], true
			}
			if text && attached {
				c.Shell(w, r)
				return true
			}
		case listed(machineVerbs, w.Text), oneOf(w.Text, "invoke", "create"):
		case words < 2 && c.startsCommand(joined(c.Args[i:]).Text): // after the name of the machine, if there is one
			command = i
		default:
			words++
		}
	}
	if command < 0 || command >= len(c.Args) {
		return false
	}
	c.Shell(joined(c.Args[command:]), r)
	return true
}
