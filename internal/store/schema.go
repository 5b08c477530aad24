package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/umpire-dev/umpire/internal/doclink"
)

// firstVersion is the version of the first release's databases.
const firstVersion = 7

// migrations make a database of firstVersion, and upgrade it from each version to the next. They
// never change after a release: a later one corrects a mistake. The SQL works in both databases.
var migrations = []string{
	`CREATE TABLE chain (id INTEGER PRIMARY KEY CHECK (id = 1), requests BIGINT NOT NULL, name TEXT NOT NULL DEFAULT '',
		cut BIGINT NOT NULL DEFAULT 0, cut_hash TEXT NOT NULL DEFAULT '');
	INSERT INTO chain (id, requests) VALUES (1, 0);
	CREATE TABLE event (chain TEXT NOT NULL, n BIGINT NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL, who TEXT NOT NULL,
		data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, signature TEXT NOT NULL, PRIMARY KEY (chain, n));
	CREATE TABLE checkpoint (id BIGINT PRIMARY KEY, at BIGINT NOT NULL, chain TEXT NOT NULL, n BIGINT NOT NULL, first BIGINT NOT NULL UNIQUE,
		last BIGINT NOT NULL UNIQUE, base TEXT NOT NULL, head TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, signer TEXT NOT NULL,
		signature TEXT NOT NULL, UNIQUE (chain, n));
	CREATE TABLE request (id TEXT PRIMARY KEY, seq BIGINT NOT NULL UNIQUE, agent TEXT NOT NULL, session TEXT NOT NULL, category TEXT NOT NULL,
		target TEXT NOT NULL, idem TEXT NOT NULL, state TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, body TEXT NOT NULL,
		lease BIGINT NOT NULL DEFAULT 0, seen BIGINT NOT NULL DEFAULT 0, digest TEXT NOT NULL DEFAULT '');
	CREATE UNIQUE INDEX request_idem ON request (agent, idem) WHERE idem <> '';
	CREATE INDEX request_pending ON request (expires) WHERE state = 'pending';
	CREATE INDEX request_target ON request (target) WHERE state = 'pending' AND target <> '';
	CREATE INDEX request_agent ON request (agent, id);
	CREATE INDEX request_state ON request (state, id);
	CREATE INDEX request_category ON request (category, id);
	CREATE INDEX request_leased ON request (seen) WHERE state = 'pending' AND lease > 0;
	CREATE INDEX request_waiting ON request (agent, id) WHERE state = 'pending';
	CREATE INDEX request_same ON request (digest) WHERE state = 'pending' AND digest <> '';
	CREATE TABLE record (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id))`,
}

// newestVersion is the version of databases that this program writes.
func newestVersion() int { return firstVersion + len(migrations) - 1 }

// migrate upgrades the database to this program's version, each step in a transaction.
func (s *Store) migrate(ctx context.Context) error {
	if _, err := s.db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"); err != nil {
		return err
	}
	for {
		done, err := s.step(ctx)
		if err != nil || done {
			return err
		}
	}
}

func (s *Store) step(ctx context.Context) (done bool, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // no effect after a commit
	if s.postgres {
		// Two gateways that start at once must not both do the same step.
		if _, err := tx.ExecContext(ctx, "LOCK TABLE schema_version IN ACCESS EXCLUSIVE MODE"); err != nil {
			return false, err
		}
	}
	version := 0
	switch err := tx.QueryRowContext(ctx, "SELECT version FROM schema_version").Scan(&version); {
	case errors.Is(err, sql.ErrNoRows):
		if _, err := tx.ExecContext(ctx, "INSERT INTO schema_version (version) VALUES (0)"); err != nil {
			return false, err
		}
	case err != nil:
		return false, err
	}
	switch newest := newestVersion(); {
	case version > newest:
		return false, doclink.Wrap(fmt.Errorf("the database has version %d, and this umpire knows %d: use a newer umpire", version, newest), doclink.OldUmpire)
	case version == newest:
		return true, tx.Commit()
	case version > 0 && version < firstVersion:
		return false, fmt.Errorf("the database has version %d, which no release of umpire wrote: move it away", version)
	}
	next := max(version+1, firstVersion)
	_, err = tx.ExecContext(ctx, migrations[next-firstVersion])
	if err == nil && version == 0 && s.postgres { // gateways number requests without waiting for each other
		_, err = tx.ExecContext(ctx, "CREATE SEQUENCE request_number")
	}
	if err != nil {
		return false, fmt.Errorf("bring the database to version %d: %w", next, err)
	}
	if _, err := tx.ExecContext(ctx, s.sql("UPDATE schema_version SET version = ?"), next); err != nil {
		return false, err
	}
	return false, tx.Commit()
}
