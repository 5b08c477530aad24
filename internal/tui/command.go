package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/nearest"
)

// slash parses a slash command. A path is not a command: "/etc/hosts is wrong".
func slash(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(rest, " ")
	if i := strings.IndexByte(name, '\n'); i >= 0 {
		name, args = name[:i], name[i+1:]+" "+args
	}
	if strings.Contains(name, "/") {
		return "", "", false
	}
	return strings.ToLower(name), strings.TrimSpace(args), true
}

// own are the screen's commands.
var own = []conversation.Command{
	{Name: "help", Help: "list the commands and keys"},
	{Name: "model", Args: "[id]", Help: "choose a model, or switch to one for the next turn"},
	{Name: "sessions", Help: "list the saved sessions"},
	{Name: "load", Args: "<number|file>", Help: "continue a saved session"},
	{Name: "exit", Help: "save the session and leave"},
	{Name: "quit", Help: "the same as /exit"},
}

// allCommands lists the commands of the session and of the screen, by name.
func allCommands(of []conversation.Command) []conversation.Command {
	list := append(slices.Clone(own), of...)
	slices.SortFunc(list, func(a, b conversation.Command) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(list, func(a, b conversation.Command) bool { return a.Name == b.Name })
}

func findCommand(list []conversation.Command, name string) (conversation.Command, bool) {
	i := slices.IndexFunc(list, func(c conversation.Command) bool { return c.Name == name })
	if i < 0 {
		return conversation.Command{}, false
	}
	return list[i], true
}

func unknownCommand(of []conversation.Command, name string) string {
	var names []string
	for _, c := range allCommands(of) {
		names = append(names, "/"+c.Name)
	}
	if near := nearest.Word("/"+name, names); near != "" {
		return "unknown command /" + name + ": did you mean " + near + "?"
	}
	return "unknown command /" + name + ": /help lists the commands"
}

// helpText lists commands in lines of at most n cells; 0 means no limit.
func helpText(of []conversation.Command, cells int) string {
	var b strings.Builder
	for _, c := range allCommands(of) {
		name := "/" + c.Name
		if c.Args != "" {
			name += " " + c.Args
		}
		help := []string{c.Help}
		if cells > 0 {
			help = wrapText(c.Help, 0, max(20, cells-29))
		}
		for _, l := range help {
			fmt.Fprintf(&b, "  %-26s %s\n", name, l)
			name = ""
		}
	}
	return b.String()
}

// noModels also names the current model, because people use /model to see it.
func noModels(now conversation.Status, err error) error {
	return fmt.Errorf("the model is %s; /model ID switches to another; cannot list them: %w", now.Model, err)
}

func listModels(ctx context.Context, s Session) (conversation.Reply, error) {
	list, err := s.Models(ctx)
	if err != nil {
		return conversation.Reply{}, noModels(s.Status(), err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The model is %s. /model ID switches to one of these:\n", s.Status().Model)
	for _, m := range list {
		fmt.Fprintf(&b, "  %-40s %s\n", m.ID, m.Note)
	}
	return conversation.Reply{Text: b.String()}, nil
}

func listSaved(ctx context.Context, s Session, now time.Time) (conversation.Reply, error) {
	list, err := s.Saved(ctx)
	if err != nil {
		return conversation.Reply{}, err
	}
	if len(list) == 0 {
		return conversation.Reply{Text: "No session is saved."}, nil
	}
	var b strings.Builder
	for i, e := range list {
		fmt.Fprintf(&b, "%3d. %s\n", i+1, offer(e, now))
	}
	return conversation.Reply{Text: b.String()}, nil
}
