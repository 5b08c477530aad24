package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// machineVerbs lists words with which a platform's client runs a command on one of its machines.
const machineVerbs = "ssh winrm exec run run:detached run:inside console run-command runProgramInGuest execute-command command RunCommand guest.run guest.start lxc-enter-namespace qemu-agent-command"

// machineVerb reports whether a word is such a verb, or a compound such as ps:exec or node-ssh.
func machineVerb(w string) bool {
	last := w[strings.LastIndexAny(w, ":.-_")+1:]
	return listed(machineVerbs, w) || !strings.HasPrefix(w, "-") && anyof.Equal(last, "ssh", "exec")
}

// machineOptions lists options whose value is such a command.
const machineOptions = "-C --command --ssh-command --exec-command --scripts --script --cmd --CommandContent"

// onMachine runs the command that a platform's client runs on a remote machine, and reports whether
// there is one: fly ssh console -C TEXT, heroku run WORDS, platform ssh -e main TEXT.
func (c *Call) onMachine() bool {
	at := slices.IndexFunc(c.Args, func(w Word) bool { return machineVerb(w.Text) })
	return at >= 0 && at <= 4 && !(c.Program == "gcloud" && c.Args[at].Text == "run") && c.onMachineAfter(at) // gcloud run is a service, not a verb
}

// onMachineAfter does the work of onMachine for a verb at index at.
func (c *Call) onMachineAfter(at int) bool {
	r := Run{Traits: umpire.Remote, Out: true}
	if c.Program == "railway" && c.Args[at].Text == "run" { // runs on this machine, with the service's variables
		r.Traits = 0
	}
	ssh := anyof.Equal(c.Args[at].Text, "ssh", "winrm")
	words, command := 0, -1 // command is the index at which the command's words begin
	for i := at + 1; i < len(c.Args) && command < 0; i++ {
		w := c.Args[i]
		name, value, attached := strings.Cut(w.Text, "=")
		switch {
		case w.Text == "--":
			command = i + 1
		case strings.HasPrefix(name, "-"):
			w = w.With(value)
			text := listed(machineOptions, name) || name == "-c" && c.Program != "gh" && i+1 < len(c.Args) && (ssh || strings.Contains(c.Args[i+1].Text, " ")) // with other verbs, -c may name a codespace or container
			if o, known := c.Model.option(name); !attached && i+1 < len(c.Args) && (text || known && o.role != 0) {
				i++
				w, attached = c.Args[i], true
			}
			if text && attached {
				c.guestShell(w, r)
				return true
			}
		case strings.HasPrefix(w.Text, "{"):
			c.guestShell(w, r)
			return true
		case machineVerb(w.Text), anyof.Equal(w.Text, "invoke", "create"):
		case words < 3 && c.startsCommand(joined(c.Args[i:]).Text): // after the kind and the name of the machine
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

// guestShell runs a text, or the command in a JSON request to a virtual machine's guest agent:
// {"execute": "guest-exec", "arguments": {"path": "rm", "arg": ["x"]}}.
func (c *Call) guestShell(w Word, r Run) {
	if !strings.HasPrefix(w.Text, "{") {
		c.Shell(w, r)
	} else if order := datafile.JSON(w.Text).Get("arguments"); order.Str("path") != "" {
		c.Exec(Lits(append([]string{order.Str("path")}, order.Get("arg").Texts()...)...), r)
	}
}
