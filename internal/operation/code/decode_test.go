package code

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"testing"

	"github.com/umpire-dev/umpire"
)

// The text of a compressed value is known, whatever the head of the file has and however many parts
// the file consists of: an adversary may put the dangerous text into the last one.
func TestDecompress(t *testing.T) {
	pack := func(w io.WriteCloser, text string) {
		t.Helper()
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var plain, named, two, long, zipped bytes.Buffer
	pack(gzip.NewWriter(&plain), "rm -rf /")
	w := gzip.NewWriter(&named)
	w.Name, w.Comment, w.Extra = "a.sh", "a comment", []byte("further")
	pack(w, "rm -rf /")
	pack(gzip.NewWriter(&two), "echo ok; ")
	pack(gzip.NewWriter(&two), "rm -rf /")
	pack(gzip.NewWriter(&long), string(make([]byte, 4*maxValue)))
	pack(gzip.NewWriter(&long), "rm -rf /")
	pack(zlib.NewWriter(&zipped), "rm -rf /")
	for name, c := range map[string]struct{ in, want string }{
		"plain": {plain.String(), "rm -rf /"}, "named": {named.String(), "rm -rf /"}, "two parts": {two.String(), "echo ok; rm -rf /"},
		"zlib": {zipped.String(), "rm -rf /"}, "cut off": {named.String()[:named.Len()-14], umpire.Hole}, "only a head": {named.String()[:12], umpire.Hole},
		"too long": {long.String(), string(make([]byte, maxValue))}, "no file": {"rm -rf /", umpire.Hole},
	} {
		if got := decompress(value{alts: []string{c.in}}).alts; len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: decompress gives %.40q, want %.40q", name, got, c.want)
		}
	}
}
