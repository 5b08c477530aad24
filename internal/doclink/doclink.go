// Package doclink links errors to the section of docs/errors.md that explains them.
package doclink

import "errors"

// home is the URL of the documentation.
const home = "https://umpire-dev.github.io/umpire/docs/"

// Name is the heading of a section of docs/errors.md. Released programs print it, so it must not
// change.
type Name string

// The errors that have a section.
const (
	NoAgent     Name = "no-agent"
	Policy      Name = "policy"
	Hook        Name = "hook"
	HookProgram Name = "hook-program"
	ForeignHook Name = "foreign-hook"
	Gateway     Name = "gateway"
	Token       Name = "token"
	Database    Name = "database"
	OldUmpire   Name = "old-umpire"
	Key         Name = "key"
	Sandbox     Name = "sandbox"
	AuditLog    Name = "audit-log"
)

// Names lists all sections.
var Names = []Name{NoAgent, Policy, Hook, HookProgram, ForeignHook, Gateway, Token, Database, OldUmpire, Key, Sandbox, AuditLog}

// URL returns the URL of the section.
func (n Name) URL() string { return home + "errors#" + string(n) }

type linked struct {
	error
	name Name
}

func (l linked) Unwrap() error { return l.error }

// DocLink returns the section's name.
func (l linked) DocLink() Name { return l.name }

// Wrap links an error to a section. Its text stays. Wrap(nil) is nil.
func Wrap(err error, name Name) error {
	if err == nil {
		return nil
	}
	return linked{err, name}
}

// Of returns the URL of the section that explains err, or "". An error type can name its section
// with a method DocLink.
func Of(err error) string {
	var l interface{ DocLink() Name }
	if errors.As(err, &l) {
		return l.DocLink().URL()
	}
	return ""
}
