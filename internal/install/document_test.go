package install

import (
	"strings"
	"testing"
)

// The depth of settings counts their brackets, and none in a text or a comment: what a client reads
// as flat is not refused, and nothing hides brackets from the bound.
func TestDepth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "{}": 1, "[]": 1, "{}{}": 1, "[[]]": 2, `{"a":[{}]}`: 3, `[][[]][]`: 2, "]][": 0,
		`"[[["`: 0, `["[[[", []]`: 2, `"\"[["`: 0, `"\\"[`: 1, `["\"", [[`: 3, `"open [[`: 0,
		"// [[\n[": 1, "// [[": 2, "/* [[ */[": 1, "/* [[ \n": 2, "[/* ] */[": 2, "[// ]\n[": 2, "/[[": 2, "a/b[": 1, "/*/[[*/[": 1, `/*/ " */[[ "`: 2, "[//\n[//\n[": 3,
	} {
		if got := depth([]byte(text)); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	for n, want := range map[int]bool{maxDepth - 1: true, maxDepth: true, maxDepth + 1: false} {
		text := `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}"
		if _, err := parseJSON([]byte(text)); (err == nil) != want || err != nil && err.Error() != "the settings are nested too deeply" {
			t.Errorf("%d deep: got %v, want them read: %v", n, err, want)
		}
	}
}

// What is put into a document keeps its own form: line ends, unit, byte order mark.
func TestDocumentKeepsItsForm(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "{\n  \"k\": 1\n}\n"},
		{"blank", " \n", ""},
		{"one line", `{"a": 1}`, `{"a": 1, "k": 1}`},
		{"lines", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"k\": 1\n}\n"},
		{"a comma at the end", "{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  \"k\": 1,\n}\n"},
		{"windows", "{\r\n    \"a\": 1\r\n}\r\n", "{\r\n    \"a\": 1,\r\n    \"k\": 1\r\n}\r\n"},
		{"a mark", "\ufeff{\"a\": 1}", "\ufeff{\"a\": 1, \"k\": 1}"},
	} {
		d, err := parseJSON([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		d.put(d.object(), "k", "1", "")
		if got := string(d.bytes()); got != tt.want && tt.want != "" {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, text := range []string{"[]", "1", "{", `{"a":1,"a":2}`, "{\n\"b\":{\"a\":1,\n\"a\":2}}"} {
		if _, err := parseJSON([]byte(text)); err == nil {
			t.Errorf("%q: read without a fault", text)
		}
	}
	if _, err := parseJSON([]byte("{\n\"b\":{\"a\":1,\n\"a\":2}}")); err == nil || !strings.HasPrefix(err.Error(), `line 3: duplicate key "a"`) {
		t.Errorf("a key twice: got %v, want its line", err)
	}
}

// A section that goes takes the empty line in front of it along, and a block that comes has one.
func TestSectionsOfTOML(t *testing.T) {
	for _, nl := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll("a = 1\n\n[b]\nc = 2\n\n[d]\ne = 3\n", "\n", nl)
		at, end := strings.Index(text, "[b]"), strings.Index(text, "[d]")
		want := strings.ReplaceAll("a = 1\n[d]\ne = 3\n", "\n", nl)
		if got := string(without([]byte(text), []section{{start: at, end: end}})); got != want {
			t.Errorf("without a section: got %q, want %q", got, want)
		}
		for _, before := range []string{"", nl, "a = 1", "a = 1" + nl} {
			got := string(appended([]byte(before), []string{"[x]\ny = 1\n", "[z]\n"}))
			want := strings.ReplaceAll("[x]\ny = 1\n\n[z]\n", "\n", nl)
			switch before {
			case "":
				want = "[x]\ny = 1\n\n[z]\n"
			case nl:
				want = nl + want
			case "a = 1":
				want = "a = 1\n\n[x]\ny = 1\n\n[z]\n"
			default:
				want = "a = 1" + nl + nl + want
			}
			if got != want {
				t.Errorf("after %q: got %q, want %q", before, got, want)
			}
		}
	}
}
