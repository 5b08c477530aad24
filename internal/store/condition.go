package store

import (
	"database/sql"
	"errors"
	"slices"

	"github.com/umpire-dev/umpire/internal/approval"
)

// conditions returns the records that changes depend on, each once.
func conditions(ops []op) (kinds, ids []string) {
	var seen [][2]string
	for _, o := range ops {
		for _, c := range o.provided {
			if name := [2]string{c.Kind, c.ID}; !slices.Contains(seen, name) {
				seen = append(seen, name)
				kinds, ids = append(kinds, c.Kind), append(ids, c.ID)
			}
		}
	}
	return kinds, ids
}

// readConditions reads the records that changes depend on.
func (b *batch) readConditions(ops []op) error {
	kinds, ids := conditions(ops)
	for i, id := range ids {
		err := b.record(b.tx.QueryRowContext(b.ctx, "SELECT kind, id, body FROM record WHERE kind = ? AND id = ?", kinds[i], id).Scan)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}

// record stores the body of a record that a change depends on.
func (b *batch) record(scan func(...any) error) error {
	var name [2]string
	var body []byte
	if err := scan(&name[0], &name[1], &body); err != nil {
		return err
	}
	if b.records == nil {
		b.records = map[[2]string]string{}
	}
	b.records[name] = string(body)
	return nil
}

// provided returns an approval.StaleError if a condition does not hold.
func (b *batch) provided(all []approval.Condition) error {
	for _, c := range all {
		if body, found := b.records[[2]string{c.Kind, c.ID}]; !found && (c.Any || c.Body != "") || found && !c.Any && body != c.Body {
			return approval.StaleError{Kind: c.Kind, ID: c.ID}
		}
	}
	return nil
}

// recordKey is the lock of a record: a change of the record holds it exclusively, and changes that
// depend on it share it.
func recordKey(kind, id string) int64 { return lockKey("record " + kind + " " + id) }
