// Command guardscore measures the guard's stages on labelled texts.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// Row is one labelled text.
type Row struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Label   string   `json:"label"`
	Source  string   `json:"source"`
	Lang    string   `json:"lang"`
	Kind    string   `json:"kind"`
	Licence string   `json:"licence"`
	Turns   []string `json:"turns"`
	Spans   []struct {
		Type       string
		Start, End int // in code points
	} `json:"spans"`
}

// measures are what -what can name.
var measures = map[string]func(o options) error{
	"pii":      scorePII,
	"leak":     scoreLeak,
	"drift":    scoreDrift,
	"classify": scoreClassify,
}

type options struct {
	corpora   string
	cases     string  // folder with the cases written by hand
	documents string  // list of folders with honest documents
	misses    bool    // list what was misjudged
	sealed    bool    // count the cases that are to be counted once
	threshold float64 // a logit to use instead of the one that is found
	out       string  // toolout: sources that begin so are left out together, and only they are judged
}

func main() {
	var o options
	what := flag.String("what", "", "measure one of pii, leak, drift, classify, ...")
	flag.StringVar(&o.corpora, "corpora", "../shared/corpora", "folder with the labelled texts")
	flag.StringVar(&o.cases, "cases", "guard/testdata", "folder with the cases written by hand")
	flag.StringVar(&o.documents, "documents", "", "with toolout and inject: file that lists folders with honest documents to train with")
	flag.BoolVar(&o.misses, "misses", false, "list what was misjudged")
	flag.BoolVar(&o.sealed, "sealed", false, "count the sealed cases, too: once, when all is done")
	flag.Float64Var(&o.threshold, "threshold", 0, "logit to judge by, instead of the one that is found")
	flag.StringVar(&o.out, "out", "", "with toolout: leave out all sources that begin with this, and judge only them")
	flag.Parse()
	m, ok := measures[*what]
	if !ok {
		fmt.Fprintf(os.Stderr, "guardscore: no measure %q\n", *what)
		os.Exit(2)
	}
	if err := m(o); err != nil {
		fmt.Fprintln(os.Stderr, "guardscore:", err)
		os.Exit(1)
	}
}

func read(o options, name string) ([]Row, error) {
	f, err := os.Open(filepath.Join(o.corpora, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []Row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r Row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, row %d: %w", name, len(rows)+1, err)
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
