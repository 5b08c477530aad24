package redact

import (
	"os"
	"strings"
	"testing"
)

// What is masked in each text of testdata/examples.txt. A text is a line after ">", in which ␤
// is a line break; the line after it is the text as it is masked, or missing if that is the
// same. UPDATE_EXAMPLES=1 writes the lines as the texts are masked now.
func TestExamples(t *testing.T) {
	const file = "testdata/examples.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	masks := map[string]func(string) string{
		"text": String, "command": Command, "readable": ReadableCommand,
		"json": func(s string) string { return string(JSON([]byte(s))) },
	}
	breaks := strings.NewReplacer("␤", "\n")
	var out strings.Builder
	section, in, want := "", "", ""
	end := func() {
		if in == "" {
			return
		}
		got := strings.ReplaceAll(masks[section](breaks.Replace(in)), "\n", "␤")
		if os.Getenv("UPDATE_EXAMPLES") == "" && got != want {
			t.Errorf("%s %s\n is masked as %s\nand not as   %s", section, in, got, want)
		}
		if got != in {
			out.WriteString("\t\t" + got + "\n")
		}
		in = ""
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if masked, ok := strings.CutPrefix(line, "\t\t"); ok {
			want = masked
			continue
		}
		end()
		if text, ok := strings.CutPrefix(line, "\t> "); ok {
			in, want = text, text
		} else {
			section = line
		}
		out.WriteString(line + "\n")
	}
	end()
	if os.Getenv("UPDATE_EXAMPLES") != "" {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
