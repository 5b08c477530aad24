package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/umpire-dev/umpire/internal/doclink"
)

// migrations upgrade a database from each version to the next. They never change after a release: a
// later one corrects a mistake. The SQL works in both databases.
var migrations = []string{
	`CREATE TABLE chain (id INTEGER PRIMARY KEY CHECK (id = 1), seq BIGINT NOT NULL, hash TEXT NOT NULL, requests BIGINT NOT NULL);
	INSERT INTO chain (id, seq, hash, requests) VALUES (1, 0, '', 0);
	CREATE TABLE event (seq BIGINT PRIMARY KEY, at BIGINT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL, who TEXT NOT NULL,
		data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL);
	CREATE TABLE request (id TEXT PRIMARY KEY, seq BIGINT NOT NULL UNIQUE, agent TEXT NOT NULL, session TEXT NOT NULL, category TEXT NOT NULL,
		target TEXT NOT NULL, idem TEXT NOT NULL, state TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, body TEXT NOT NULL);
	CREATE UNIQUE INDEX request_idem ON request (agent, idem) WHERE idem <> '';
	CREATE INDEX request_pending ON request (expires) WHERE state = 'pending';
	CREATE INDEX request_target ON request (target) WHERE state = 'pending' AND target <> '';
	CREATE INDEX request_agent ON request (agent, id);
	CREATE INDEX request_state ON request (state, id);
	CREATE INDEX request_category ON request (category, id)`,
	`CREATE TABLE record (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id))`,
	`ALTER TABLE chain ADD COLUMN name TEXT NOT NULL DEFAULT '';
	ALTER TABLE chain ADD COLUMN cut BIGINT NOT NULL DEFAULT 0;
	ALTER TABLE chain ADD COLUMN cut_hash TEXT NOT NULL DEFAULT '';
	ALTER TABLE request ADD COLUMN lease BIGINT NOT NULL DEFAULT 0;
	ALTER TABLE request ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
	CREATE INDEX request_leased ON request (seen) WHERE state = 'pending' AND lease > 0`,
	`CREATE INDEX request_waiting ON request (agent, id) WHERE state = 'pending'`,
	// Requests of an older program have no digest here: they wait for an hour or so.
	`ALTER TABLE request ADD COLUMN digest TEXT NOT NULL DEFAULT '';
	CREATE INDEX request_same ON request (digest) WHERE state = 'pending' AND digest <> ''`,
	// One chain for each writer. The chain that all shared has the name "".
	`ALTER TABLE event RENAME TO shared_event;
	CREATE TABLE event (chain TEXT NOT NULL, n BIGINT NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL, who TEXT NOT NULL,
		data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, signature TEXT NOT NULL, PRIMARY KEY (chain, n));
	INSERT INTO event (chain, n, at, kind, request, who, data, prev, hash, signature)
		SELECT '', seq, at, kind, request, who, data, prev, hash, '' FROM shared_event;
	DROP TABLE shared_event;
	CREATE TABLE checkpoint (id BIGINT PRIMARY KEY, at BIGINT NOT NULL, chain TEXT NOT NULL, n BIGINT NOT NULL, first BIGINT NOT NULL UNIQUE,
		last BIGINT NOT NULL UNIQUE, base TEXT NOT NULL, head TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL, signer TEXT NOT NULL,
		signature TEXT NOT NULL, UNIQUE (chain, n))`,
	`ALTER TABLE chain DROP COLUMN seq;
	ALTER TABLE chain DROP COLUMN hash`,
}

// splitVersion is the version that gave each writer a separate chain.
const splitVersion = 6

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
	if version > len(migrations) {
		return false, doclink.Wrap(fmt.Errorf("the database has version %d, and this umpire knows %d: use a newer umpire", version, len(migrations)), doclink.OldUmpire)
	}
	if version == len(migrations) {
		return true, tx.Commit()
	}
	if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
		return false, fmt.Errorf("bring the database to version %d: %w", version+1, err)
	}
	if version+1 == splitVersion {
		if err := s.split(ctx, tx); err != nil {
			return false, fmt.Errorf("bring the database to version %d: %w", version+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, s.sql("UPDATE schema_version SET version = ?"), version+1); err != nil {
		return false, err
	}
	return false, tx.Commit()
}

// split covers the chain that all gateways shared with checkpoints. The chain ends there.
func (s *Store) split(ctx context.Context, tx *sql.Tx) error {
	if s.postgres { // gateways number requests without waiting for each other
		if _, err := tx.ExecContext(ctx, "CREATE SEQUENCE request_number; SELECT setval('request_number', requests + 1, false) FROM chain"); err != nil {
			return err
		}
	}
	var end, n int64
	var base string
	if err := tx.QueryRowContext(ctx, "SELECT seq, cut, cut_hash FROM chain").Scan(&end, &n, &base); err != nil {
		return err
	}
	by, err := newChain("")
	if err != nil {
		return err
	}
	tip := checkpoint{Last: n}
	for n < end {
		to := min(end, n+maxSpan)
		c := checkpoint{N: n + 1, Base: base}
		var at int64
		if err := tx.QueryRowContext(ctx, s.sql("SELECT at, hash FROM event WHERE chain = '' AND n = ?"), to).Scan(&at, &c.Head); err != nil {
			return fmt.Errorf("read event %d: %w", to, err)
		}
		c.At = time.UnixMilli(at)
		c.follow(&tip, to-n, by)
		if _, err := tx.ExecContext(ctx, s.sql(insertCheckpoint), c.row()...); err != nil {
			return err
		}
		tip, n, base = c, to, c.Head
	}
	return nil
}
