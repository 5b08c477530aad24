package command

import (
	"strings"
)

// pickedText stands in operations for containers that a filter picked.
const pickedText = "(filtered)"

// doContainerList reads ps: a narrow filter picks few containers by ID, so removing them removes no
// others.
func doContainerList(c *Call) {
	quiet, narrow := strings.HasPrefix(c.Name, "docker compose") || c.Program == "docker-compose", false
	for i, w := range c.Args {
		name, value, joined := strings.Cut(w.Text, "=")
		switch {
		case w.Text == "-q" || w.Text == "-aq" || w.Text == "-qa" || w.Text == "--quiet" || name == "--format" && strings.Contains(value, ".ID"):
			quiet = true
		case name == "--filter" || name == "-f":
			if !joined && i+1 < len(c.Args) {
				value = c.Args[i+1].Text
			}
			narrow = narrow || narrowFilter(value)
		}
	}
	if quiet && narrow {
		c.SetOut(Unseen(Picked))
	}
}

// narrowFilter reports whether a filter of docker ps picks containers by a name or a label of
// some length, or those that have ended.
func narrowFilter(filter string) bool {
	key, value, _ := strings.Cut(strings.Trim(filter, `'"`), "=")
	switch key {
	case "name", "label", "ancestor":
		plain := strings.Trim(value, "^$/")
		return len(plain) > 2 && strings.Trim(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=:/.") == "" && strings.Trim(plain, ".") == plain && !strings.Contains(plain, "..") && !production(plain)
	case "status":
		return value == "exited" || value == "dead" || value == "created"
	case "dangling":
		return value == "true"
	}
	return false
}

// shown replaces containers that a filter picked by a text that says so.
func shown(names []Word) []Word {
	var out []Word
	for _, w := range names {
		if w.Taint&Picked != 0 && !w.Known() {
			w = Lit(pickedText)
		}
		out = append(out, w)
	}
	return out
}
