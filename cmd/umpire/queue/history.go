package queue

import (
	"fmt"
	"io"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// NewHistory returns `umpire history`.
func NewHistory() *cobra.Command {
	var f gatewayFlags
	var category, status string
	var limit int
	cmd := &cobra.Command{
		Use: "history", Short: "List settled requests at the gateway, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 || limit > 1000 {
				return cli.Usagef("--limit is %d: must be 1 to 1000", limit)
			}
			q := url.Values{"limit": {fmt.Sprint(limit)}}
			for k, v := range map[string]string{"category": category, "status": status} {
				if v != "" {
					q.Set(k, v)
				}
			}
			var out struct {
				Requests []Request `json:"requests"`
			}
			return f.show(cmd, "/api/history?"+q.Encode(), &out, func(w io.Writer) {
				for i := range out.Requests {
					out.Requests[i].print(w)
				}
				if len(out.Requests) == 0 {
					fmt.Fprintln(w, "no settled requests")
				}
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&category, "category", "", "only requests of this category: network, filesystem, git, packages, sandbox or exec")
	cmd.Flags().StringVar(&status, "status", "", "only requests with this status: approved, denied, expired, superseded, cancelled or conflict")
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "number of requests, at most 1000")
	return cmd
}
