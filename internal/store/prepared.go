package store

import (
	"context"
	"database/sql"
)

// maxPrepared limits the number of prepared statements.
const maxPrepared = 128

// prepared caches the prepared statements of SQLite's writer, which otherwise compiles each text
// again. Only the writer uses it. The driver of PostgreSQL has a cache.
type prepared struct {
	db     *sql.DB // database of the statements
	ready  map[string]*sql.Stmt
	wanted []string
}

// exec runs a statement in a transaction of the writer.
func (p *prepared) exec(ctx context.Context, db *sql.DB, tx *sql.Tx, text string, args []any) (sql.Result, error) {
	if p.db != db {
		*p = prepared{db: db, ready: map[string]*sql.Stmt{}}
	}
	if stmt := p.ready[text]; stmt != nil {
		return tx.StmtContext(ctx, stmt).ExecContext(ctx, args...)
	}
	if len(p.ready)+len(p.wanted) < maxPrepared {
		p.wanted = append(p.wanted, text)
	}
	return tx.ExecContext(ctx, text, args...)
}

// more prepares the used statements, between two transactions: there is only one connection.
func (p *prepared) more(ctx context.Context) {
	for _, text := range p.wanted {
		if p.ready[text] != nil {
			continue
		}
		if stmt, err := p.db.PrepareContext(ctx, text); err == nil { // otherwise it is compiled each time
			p.ready[text] = stmt
		}
	}
	p.wanted = nil
}
