// Package queue has the commands by which people answer agents: approve, deny, questions and watch
// on this machine, and queue, rules, history, login and token at a gateway.
package queue

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/visible"
)

// gatewayFlags are the flags of every command that calls a gateway.
type gatewayFlags struct {
	server string
	json   bool
}

func (f *gatewayFlags) add(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&f.server, "server", "", "URL of the gateway (default $UMPIRE_SERVER or "+gatewayclient.DefaultURL+")")
	cmd.PersistentFlags().BoolVar(&f.json, "json", false, "print one JSON document")
}

func (f *gatewayFlags) get(cmd *cobra.Command, path string, out any) error {
	return gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodGet, path, nil, out)
}

// show prints the gateway's response as JSON, or decodes it into v and calls people.
func (f *gatewayFlags) show(cmd *cobra.Command, path string, v any, people func(io.Writer)) error {
	var raw json.RawMessage
	if err := f.get(cmd, path, &raw); err != nil {
		return err
	}
	if f.json {
		return cli.PrintLine(cmd.OutOrStdout(), raw)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return err
	}
	people(cmd.OutOrStdout())
	return nil
}

// print prints the result of a command, for people or as one JSON document.
func (f *gatewayFlags) print(cmd *cobra.Command, v any, people func(io.Writer)) error {
	if !f.json {
		people(cmd.OutOrStdout())
		return nil
	}
	return cli.PrintLine(cmd.OutOrStdout(), v)
}

// New returns `umpire queue`. at returns the person who must confirm approvals.
func New(at func() (terminal.Person, error)) *cobra.Command {
	var f gatewayFlags
	cmd := &cobra.Command{
		Use:     "queue",
		Short:   "List and answer the requests at the gateway",
		Example: "  umpire queue\n  umpire queue show req-12\n  umpire queue approve req-12 --note 'only this once'\n  umpire queue deny --all network",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var out struct {
				Pending []Request      `json:"pending"`
				Waiting map[string]int `json:"waiting"` // by agent
			}
			return f.show(cmd, "/api/queue", &out, func(w io.Writer) {
				for i := range out.Pending {
					out.Pending[i].print(w)
				}
				more := -len(out.Pending)
				for _, n := range out.Waiting {
					more += n
				}
				if more > 0 {
					fmt.Fprintf(w, "and %d more, from %s in total; the oldest of each agent come first\n", more, plural.Count(len(out.Waiting), "agent"))
				}
				if len(out.Pending) == 0 {
					fmt.Fprintln(w, "no pending requests")
				}
			})
		},
	}
	f.add(cmd)
	var full bool
	show := &cobra.Command{Use: "show ID", Short: "Show one request",
		Long: `Show one request, with long differences shortened. --json includes new file contents in base64.`, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			raw, q, err := f.request(cmd, args[0])
			switch {
			case err != nil:
				return err
			case f.json:
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", raw)
				return err
			case full:
				return showFull(cmd, &f, q.ID)
			}
			return q.show(cmd.OutOrStdout(), raw)
		}}
	show.Flags().BoolVar(&full, "full", false, "show everything that an answer covers")
	output := &cobra.Command{Use: "output ID", Short: "Follow the output of an approved command", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		return followOutput(cmd, &f, args[0])
	}}
	stop := &cobra.Command{Use: "stop ID", Short: "Stop an approved command and its processes", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		var out map[string]any
		if err := gatewayclient.AsOperator(cmd.Context(), f.server, http.MethodPost, "/api/queue/"+url.PathEscape(args[0])+"/stop", nil, &out); err != nil {
			return about(args[0], err)
		}
		return f.print(cmd, out, func(w io.Writer) { fmt.Fprintln(w, "stopped", visible.Line(args[0])) })
	}}
	cmd.AddCommand(show, output, stop, newQueueAnswer(&f, true, at), newQueueAnswer(&f, false, at), newQueueWatch(&f))
	return cmd
}

// about says in an error which request it is about.
func about(id string, err error) error {
	return fmt.Errorf("%s: %w", visible.Line(id), err)
}

// open streams a part of a request: whole or output.
func (f *gatewayFlags) open(cmd *cobra.Command, id, part string) (io.ReadCloser, error) {
	secret, err := gatewayclient.OperatorToken()
	if err != nil {
		return nil, err
	}
	return gatewayclient.Open(cmd.Context(), gatewayclient.OperatorClient(secret), http.MethodGet, gatewayclient.URL(f.server)+"/api/queue/"+url.PathEscape(id)+"/"+part, secret, nil)
}

// showFull prints everything that an answer to a request covers.
func showFull(cmd *cobra.Command, f *gatewayFlags, id string) error {
	body, err := f.open(cmd, id, "whole")
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	for in := bufio.NewReader(body); ; {
		line, err := in.ReadString('\n')
		if _, bad := fmt.Fprint(cmd.OutOrStdout(), visible.Block(line)); bad != nil {
			return bad
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// followOutput prints the output of a command until it ends, and fails if the command failed.
func followOutput(cmd *cobra.Command, f *gatewayFlags, id string) error {
	body, err := f.open(cmd, id, "output")
	if err != nil {
		return about(id, err)
	}
	defer func() { _ = body.Close() }()
	return printOutput(cmd, body, f.json)
}

// printOutput prints the lines of a command's output, and fails if the command failed.
func printOutput(cmd *cobra.Command, body io.Reader, asJSON bool) error {
	open := false // the last line printed has no end
	for in := json.NewDecoder(body); ; {
		var line struct {
			Stream   string `json:"stream,omitempty"`
			Text     string `json:"text,omitempty"`
			Status   string `json:"status,omitempty"`
			ExitCode *int   `json:"exitCode,omitempty"`
		}
		if err := in.Decode(&line); errors.Is(err, io.EOF) {
			return errors.New("lost the connection to the gateway")
		} else if err != nil {
			return err
		}
		if asJSON {
			if err := cli.PrintLine(cmd.OutOrStdout(), line); err != nil {
				return err
			}
		}
		switch {
		case line.Status != "":
			if line.ExitCode == nil {
				return fmt.Errorf("no output: the request is %s", visible.Line(line.Status))
			}
			if open {
				fmt.Fprintln(cmd.ErrOrStderr())
			}
			if !asJSON {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s, exit code %d\n", visible.Line(line.Status), *line.ExitCode)
			}
			if *line.ExitCode != 0 {
				return cli.ExitError(cli.ExitFailure)
			}
			return nil
		case asJSON:
		default:
			if line.Text != "" {
				open = !strings.HasSuffix(line.Text, "\n")
			}
			w := cmd.OutOrStdout()
			if line.Stream == "stderr" {
				w = cmd.ErrOrStderr()
			}
			fmt.Fprint(w, visible.Block(line.Text))
		}
	}
}
