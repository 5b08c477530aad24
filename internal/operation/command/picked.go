package command

import "strings"

// pickedText stands for containers that a filter picked, in the text of operations.
const pickedText = "(filtered)"

// doContainerList reads ps. If it prints only the IDs of containers that a narrow filter picks, a
// command that removes them removes no others.
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

// narrowFilter reports whether a filter of docker ps picks containers by a specific name, label or
// image, or picks those that do not run or that nothing uses.
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

// shown replaces unknown containers that a filter picked by pickedText.
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
