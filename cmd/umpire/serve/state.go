package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/gatewayclient"
)

// isPostgres reports whether --database names a PostgreSQL database.
func isPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// checkDatabase rejects a value that is neither a PostgreSQL URL nor a folder.
func checkDatabase(database string) error {
	if isPostgres(database) || !strings.Contains(database, "://") && !strings.HasPrefix(database, "postgre") && !strings.Contains(database, "=") {
		return nil
	}
	return cli.Usagef("--database must be a PostgreSQL URL, postgres://user:password@host/name")
}

// setting returns an environment variable by its name with the prefix UMPIRE_, or without it, as
// other gateways of this kind use.
func setting(name string) (value, from string) {
	if v := os.Getenv("UMPIRE_" + name); v != "" {
		return v, "UMPIRE_" + name
	}
	return os.Getenv(name), name
}

// tellSettings logs the variables without a prefix that configure the gateway, because other
// programs set such names as well.
func tellSettings(cmd *cobra.Command, log *slog.Logger) {
	for name, flag := range map[string]string{"SERVER_PORT": "listen", "PROXY_PORT": "proxy", "PROXY_INLINE": "proxy", "WORKSPACE": "workspace", "MAX_UPTIME": "max-uptime"} {
		if value, from := setting(name); value != "" && from == name && !cmd.Flags().Changed(flag) {
			log.Warn("an environment variable sets up the gateway: write UMPIRE_"+name+" if it is meant for umpire, or set --"+flag, "variable", name, "value", value)
		}
	}
}

// guardState checks that only this user can access the folders of the state. It removes read access
// of others from a folder. It rejects a folder that others can write, and a token that others can
// read, because they may already have used it.
func guardState(log *slog.Logger) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	state, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	for _, dir := range []string{state, filepath.Join(state, "gateway")} {
		fi, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		mode := fi.Mode().Perm()
		if mode&0o022 != 0 {
			return fmt.Errorf("other users can write to %s (mode %o): check its contents, then run `chmod 700 %s`", dir, mode, dir)
		}
		if mode&0o055 != 0 {
			if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder
				return err
			}
			log.Warn("removed read access of other users from the state folder", "folder", dir, "mode", fmt.Sprintf("%o", mode))
		}
	}
	file := filepath.Join(state, "operator.token")
	fi, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !fi.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: remove it", file)
	case fi.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("other users can read the administrator token in %s (mode %o): run `chmod 600 %s`; on a shared machine, also revoke the token with `umpire token revoke`", file, fi.Mode().Perm(), file)
	}
	return nil
}

// firstToken creates an administrator token if the database has none, and stores it in a file that
// only this user can read. An existing file belongs to another database: a database that lost its
// tokens is not a new start. In the user's own database (own), firstToken replaces a token whose
// file is lost. It warns if the database has administrators, but not the one of the file.
func firstToken(ctx context.Context, cmd *cobra.Command, g *gateway.Gateway, own bool) (made bool, err error) {
	tokens, err := g.Tokens(ctx)
	if err != nil {
		return false, err
	}
	path, err := gatewayclient.TokenFile()
	if err != nil {
		return false, err
	}
	kept, unread := os.ReadFile(path)
	lost := slices.DeleteFunc(slices.Clone(tokens), func(t gateway.Token) bool { return t.Role != gateway.Admin || t.By != "" })
	switch {
	case !slices.ContainsFunc(tokens, func(t gateway.Token) bool { return t.Role == gateway.Admin }):
		if _, err := os.Lstat(path); err == nil {
			return false, fmt.Errorf("the database has no administrator, but %s exists: it belongs to another database, or this one was emptied. Restore a backup of the database, or remove the file to start over", path)
		}
	case own && errors.Is(unread, fs.ErrNotExist) && len(lost) > 0:
		if holds, err := holdsAdmin(ctx, g); err != nil || holds {
			return false, err
		}
	default:
		if known, err := g.Knows(ctx, strings.TrimSpace(string(kept))); err != nil || known || unread != nil {
			return false, err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: the token in %s is not valid for this database: it was revoked, or the database is another gateway's. If the database is right, put an administrator's token into the file\n", path)
		return false, nil
	}
	return true, writeToken(ctx, cmd.ErrOrStderr(), g, path, lost)
}

// holdsAdmin reports whether UMPIRE_TOKEN has a valid token of an operator: who keeps the token
// there instead of in the file has not lost it.
func holdsAdmin(ctx context.Context, g *gateway.Gateway) (bool, error) {
	secret := os.Getenv("UMPIRE_TOKEN")
	if !strings.HasPrefix(secret, "umpo_") {
		return false, nil
	}
	return g.Knows(ctx, secret)
}

// writeToken creates an administrator token, revokes the lost ones that it replaces, and writes it
// to a file. It writes the file last: a start that is cut short leaves no lost token that is valid
// for ever, because the next start replaces all of them.
func writeToken(ctx context.Context, errs io.Writer, g *gateway.Gateway, path string, lost []gateway.Token) error {
	secret, _, err := g.NewToken(ctx, gateway.Token{Kind: gateway.Operator, Role: gateway.Admin, Name: "admin"})
	if err != nil {
		return err
	}
	for i := range lost {
		if err := g.Revoke(ctx, lost[i].ID, ""); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := atomicfile.Write(path, []byte(secret+"\n"), 0o600); err != nil {
		return err
	}
	if len(lost) > 0 {
		fmt.Fprintf(errs, "warning: %s was missing: its token was revoked\n", path)
	}
	fmt.Fprintf(errs, "wrote an administrator token to %s; other umpire commands read it there\n", path)
	return nil
}

// rereadOn makes the gateway reload its policy and credentials at each signal, until ctx ends.
func rereadOn(ctx context.Context, reload <-chan os.Signal, g *gateway.Gateway, log *slog.Logger) {
	for {
		select {
		case <-reload:
			if err := g.Reload(context.WithoutCancel(ctx)); err != nil {
				log.Error("SIGHUP: the last valid policy stays in force", "error", err)
			} else {
				log.Info("SIGHUP: reloaded the policy")
			}
		case <-ctx.Done():
			return
		}
	}
}
