package agent

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestMisspelledSubcommand(t *testing.T) {
	for line, refused := range map[string]bool{
		"session":         true,
		"truts":           true,
		"Sessions":        true,
		"hello":           false,
		"session restore": false, // two words are a message
		"-- session":      false,
	} {
		c := &cobra.Command{Use: "agent", Args: message, Run: func(*cobra.Command, []string) {}, SilenceErrors: true, SilenceUsage: true}
		c.AddCommand(&cobra.Command{Use: "sessions"}, &cobra.Command{Use: "trust"})
		c.SetArgs(strings.Fields(line))
		if err := c.Execute(); (err != nil) != refused {
			t.Errorf("umpire agent %s: got error %v, want refused %v", line, err, refused)
		}
	}
}
