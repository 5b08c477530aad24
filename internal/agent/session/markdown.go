package session

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
)

// Markdown renders a conversation for people.
func Markdown(m Metadata, st State) []byte {
	var b bytes.Buffer
	title := cmp.Or(m.Name, m.ID)
	fmt.Fprintf(&b, "# %s\n\n%s, %s, in `%s`\n", title, m.ModelID, m.CreatedAt.Format(time.RFC3339), m.Cwd)
	for _, msg := range st.Shown {
		for _, p := range msg.Parts {
			switch {
			case p.Text != "" && msg.Role == agent.User:
				fmt.Fprintf(&b, "\n## You\n\n%s\n", p.Text)
			case p.Text != "":
				fmt.Fprintf(&b, "\n## Agent\n\n%s\n", p.Text)
			case p.Call != nil:
				fmt.Fprintf(&b, "\n### %s\n\n%s\n", p.Call.Name, fence("json", string(p.Call.Input)))
			case p.Result != nil:
				fmt.Fprintf(&b, "\n%s\n", fence("", p.Result.Text))
			}
		}
	}
	return b.Bytes()
}

// fence puts a text into a code block that the text cannot end.
func fence(lang, text string) string {
	f := "```"
	for strings.Contains(text, f) {
		f += "`"
	}
	return f + lang + "\n" + text + "\n" + f
}
