package guard

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/plural"
)

// maxTrainLine bounds a line of training data, in bytes.
const maxTrainLine = 32 << 20

func newGuardTrain() *cobra.Command {
	var corpora, cases, documents, out, kind string
	cmd := &cobra.Command{
		Use:     "train --corpora DIR -o FILE",
		Short:   "Train the model that detects injections",
		Hidden:  true, // for umpire's authors: docs/guard-model.md describes it
		Example: "  umpire guard train --corpora corpora --for tool-output -o internal/inject/tool.model",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if corpora == "" || out == "" {
				return cli.Usagef("train requires --corpora and --output")
			}
			start := time.Now()
			var asked, outputs []string // files of the corpora
			switch kind {
			case "input":
				asked = []string{"injection-dev", "benign-dev", "benign-prose-dev", "toolout-benign-dev"} // people paste documents
			case "tool-output":
				asked, outputs = []string{"injection-dev", "benign-dev", "benign-prose-dev"}, []string{"toolout-injection-dev", "toolout-benign-dev"}
			case "request":
				asked, outputs = []string{"benign-dev"}, []string{"toolout-benign-dev"}
			}
			rows, err := corpus(corpora, asked...)
			if err != nil {
				return err
			}
			examples := inject.InputExamples(rows)
			more, err := inject.InputTexts(cases)
			if err != nil {
				return err
			}
			if rows, err = corpus(corpora, outputs...); err != nil {
				return err
			}
			own, err := inject.ReadCases(cases)
			if err != nil {
				return err
			}
			honest, err := inject.ListedDocuments(documents)
			if err != nil {
				return err
			}
			tasks, err := os.ReadFile(filepath.Join(cases, inject.TasksFile))
			if err != nil {
				return err
			}
			var m *inject.Model
			switch kind {
			case "input":
				m = inject.Train(slices.Concat(examples, more, inject.Pasted(honest)))
			case "tool-output":
				m = inject.TrainTool(slices.Concat(inject.ToolDocs(rows), own, honest), inject.ToolExtra(examples), inject.TrainFirst(examples))
			case "request":
				m = inject.TrainRequests(examples, inject.Tasks(string(tasks)), slices.Concat(inject.ToolDocs(rows), honest), own)
			}
			b, err := m.MarshalBinary()
			if err != nil {
				return err
			}
			if err := atomicfile.Write(out, b, 0o644); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "trained in %s: %s\n", plural.Duration(time.Since(start)), out)
			return nil
		},
	}
	cmd.Flags().StringVar(&corpora, "corpora", "", "folder with the labelled texts")
	cmd.Flags().StringVar(&cases, "cases", "guard/testdata", "folder with the texts that umpire's authors wrote")
	cmd.Flags().StringVar(&documents, "documents", "", "file that lists folders with honest documents, a line each")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write the model to")
	cmd.Flags().StringVar(&kind, "for", "input", "use of the model: input, tool-output or request")
	return cmd
}

// corpus reads labelled texts.
func corpus(dir string, names ...string) ([]inject.Row, error) {
	var out []inject.Row
	for _, name := range names {
		f, err := os.Open(filepath.Join(dir, name+".jsonl"))
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, maxTrainLine)
		for n := 1; lines.Scan(); n++ {
			var r inject.Row
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				f.Close()
				return nil, fmt.Errorf("%s, line %d: %w", name, n, err)
			}
			out = append(out, r)
		}
		f.Close()
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}
