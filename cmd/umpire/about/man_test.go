package about

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// troff takes a line that begins with a dot as an order, and a backslash as the start of one.
func TestPageEscapes(t *testing.T) {
	root := &cobra.Command{Use: "umpire"}
	c := &cobra.Command{Use: "sub-thing FILE", Short: `Read C:\temp`, Long: "Read it.\n.so /etc/passwd\n'quoted' words\n\n  $ umpire sub-thing -x", RunE: func(*cobra.Command, []string) error { return nil }}
	c.Flags().StringP("name", "n", "none", "the `WORD` to read")
	c.Flags().Bool("quiet", false, "print nothing")
	c.Flags().Bool("secret", false, "")
	if err := c.Flags().MarkHidden("secret"); err != nil {
		t.Fatal(err)
	}
	root.AddCommand(c)

	got := page(c)
	for _, want := range []string{
		".TH \"UMPIRE\\-SUB\\-THING\" \"1\" \"\" ", "umpire\\-sub\\-thing \\- Read C:\\etemp\n", "\n\\&.so /etc/passwd\n\\&'quoted' words\n\n  $ umpire sub\\-thing \\-x\n",
		".TP\n\\fB\\-n\\fR, \\fB\\-\\-name\\fR \\fIWORD\\fR\nthe WORD to read (default none)\n", ".TP\n\\fB\\-\\-quiet\\fR\nprint nothing\n", "\\fBumpire\\fR(1)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") {
		t.Error("the page shows a hidden flag")
	}
	if again := page(c); again != got {
		t.Error("a second page of the same command differs")
	}
}
