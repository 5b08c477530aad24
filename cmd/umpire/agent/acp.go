package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/internal/agent/acp"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/agent/provider"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/version"
)

// maxACPLog is the size in bytes at which a new log begins.
const maxACPLog = 4 << 20

// runACP lets an editor drive the agent. Only the protocol goes to standard output; everything
// else goes to a file.
func (f *flags) runACP(cmd *cobra.Command) error {
	state, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	// Check now: an editor shows why a program did not start, but not always why a session failed.
	at, err := project.At("")
	if err != nil {
		return err
	}
	_, settings, err := readSettings(at.Home)
	if err == nil {
		_, err = f.provides(settings, os.Getenv)
	}
	if err != nil && !errors.Is(err, provider.ErrNoKey) { // the key may be in the .env of a trusted folder
		return err
	}
	log, err := openACPLog(filepath.Join(state, "agent", "acp.log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // each line was written at once
	return acp.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), acp.Options{
		Version: version.String(),
		Log:     slog.New(slog.NewTextHandler(log, nil)),
		List: func(dir string) ([]session.Metadata, error) {
			list, err := session.List(filepath.Join(state, "agent", "sessions"), nil)
			if dir == "" || err != nil {
				return list, err
			}
			var here []session.Metadata
			for _, m := range list {
				if m.Cwd == dir {
					here = append(here, m)
				}
			}
			return here, nil
		},
		Open: func(ctx context.Context, dir, id string, l acp.Links) (acp.Opened, error) {
			own := *f
			own.dir, own.resume = dir, id
			// An editor cannot ask for trust: `umpire agent trust` needs a terminal.
			w, err := newWorld(own, log, nil)
			if err != nil {
				return acp.Opened{}, err
			}
			s, err := w.begin()
			if err != nil {
				return acp.Opened{}, err
			}
			w.caller.Asker = gatewayAsker{local: l.Asker, w: w}
			t, err := w.talk(s, func(o *conversation.Options) {
				o.Output, o.Notice, o.Warn = l.Output, l.Notice, l.Notice
			})
			if err != nil {
				return acp.Opened{}, errors.Join(err, s.Close())
			}
			// The request's context ends with the request; the servers end with the session.
			end := w.servers(context.WithoutCancel(ctx), nil, func(text string) { slog.New(slog.NewTextHandler(log, nil)).Warn(text) })
			return acp.Opened{Conversation: t, End: func() { end(); w.end() }}, nil
		},
	})
}

func openACPLog(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxACPLog {
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, fmt.Errorf("the log is full: %w", err)
		}
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
}
