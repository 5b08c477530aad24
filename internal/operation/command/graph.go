package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// doCypher reads statements for graph databases, by their verbs.
func doCypher(c *Call) {
	if f, ok := c.Opt("-f"); ok {
		c.sqlFile("sql:cypher", f)
		return
	}
	text := c.Stdin.Text
	if len(c.Operands) > 0 {
		text = c.Operands[0].Text
	} else if c.Stdin.Pipe && !c.Stdin.Seen {
		c.Op(umpire.Database, "script -", umpire.UnseenCode)
		return
	}
	words := strings.FieldsFunc(strings.ToLower(outsideQuotes(text)), func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	switch {
	case slices.Contains(words, "drop") && slices.Contains(words, "database"), slices.Contains(words, "delete") && !slices.Contains(words, "where") && !strings.Contains(text, "{"):
		c.Op(umpire.Database, "delete graph", erased|umpire.NoWhere)
	case slices.Contains(words, "drop"), slices.Contains(words, "delete"):
		c.Op(umpire.Database, "delete nodes", umpire.Destroy|umpire.Mutate)
	}
}

// outsideQuotes returns a text without its quoted parts.
func outsideQuotes(s string) string {
	var b strings.Builder
	quote := rune(0)
	for _, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"' || r == '`':
			quote = r
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// doMix reads tasks of Elixir that run code or change a database.
func doMix(c *Call) {
	if env, _ := c.Var("MIX_ENV"); env.Text == "test" {
		return // test runs recreate this database
	}
	switch v := c.Arg(0).Text; v {
	case "run":
		for i, w := range c.Operands[:len(c.Operands)-1] {
			if w.Text == "-e" || w.Text == "--eval" {
				c.Code("elixir", c.Operands[i+1], Run{Out: true})
			}
		}
	case "eval":
		c.Code("elixir", c.Arg(1), Run{Out: true})
	case "ecto.drop", "ecto.reset":
		c.schema(v, c.Has("--force-drop"))
	case "ecto.rollback":
		c.undo(v, c.steps(""))
	default:
		doHex(c)
	}
}
