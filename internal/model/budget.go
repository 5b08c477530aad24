package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Budget limits the spending of all processes of a user per day.
type Budget struct {
	Path    string // file with the total
	Calls   int    // requests per day
	Most    Cost   // money per day
	Setting string // name of the settings for errors; "judge" if empty

	now func() time.Time // for tests
}

// ledger is the spending of one day.
type ledger struct {
	Day   string `json:"day"`
	Calls int    `json:"calls"`
	Spent Cost   `json:"spent"`
}

// Spend reserves the highest possible cost of one call in the day's budget, before the call. Pass
// the actual cost to settle. If the budget cannot be stored, Spend fails.
func (b *Budget) Spend(ctx context.Context, most Cost) (settle func(cost Cost), err error) {
	var day string
	setting := cmp.Or(b.Setting, "judge")
	err = b.edit(ctx, func(l *ledger) error {
		switch {
		case l.Calls >= b.Calls:
			return fmt.Errorf("%w: %d calls; raise %s.callsPerDay", ErrBudget, l.Calls, setting)
		case most > 0 && l.Spent+most > b.Most:
			return fmt.Errorf("%w: %.2f cents of %.2f; raise %s.centsPerDay", ErrBudget, l.Spent.Cents(), b.Most.Cents(), setting)
		}
		l.Calls++
		l.Spent += most
		day = l.Day
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(cost Cost) {
		if cost == most {
			return
		}
		// The caller's time may be over, but the account must be correct. On failure it keeps the
		// higher amount.
		_ = b.edit(context.WithoutCancel(ctx), func(l *ledger) error {
			if l.Day == day {
				l.Spent = max(0, l.Spent+cost-most)
			}
			return nil
		})
	}, nil
}

// Spent returns today's spending.
func (b *Budget) Spent() (calls int, cost Cost, err error) {
	l, err := b.load()
	return l.Calls, l.Spent, err
}

func (b *Budget) load() (l ledger, err error) {
	now := time.Now
	if b.now != nil {
		now = b.now
	}
	if err := read(b.Path, &l); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ledger{}, fmt.Errorf("cannot read the budget: %w", err)
	}
	if today := now().Format(time.DateOnly); l.Day != today || l.Calls < 0 || l.Spent < 0 {
		l = ledger{Day: today}
	}
	return l, nil
}

func (b *Budget) edit(ctx context.Context, f func(*ledger) error) error {
	return locked(ctx, b.Path, func() error {
		l, err := b.load()
		if err != nil {
			return err
		}
		if err := f(&l); err != nil {
			return err
		}
		return write(b.Path, l)
	})
}
