package terminal

import (
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"time"
)

// Person is a terminal with a person at it.
type Person interface {
	io.Writer
	Ask(question string) (string, error)
	Key(wait time.Duration) (byte, error)
	Drop()
	Raw() bool
	Cooked()
	Close() error
}

var _ Person = (*Terminal)(nil)

// Yes reports whether an answer means yes.
func Yes(s string) bool {
	s = strings.ToLower(s)
	return s == "y" || s == "yes"
}

// UserName returns the name of the user who runs umpire.
func UserName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return fmt.Sprintf("user %d", os.Getuid())
}
