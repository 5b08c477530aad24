//go:build !unix

package live

import (
	"context"
	"errors"
	"time"
)

// Supported reports whether clients can be tested on this system: HOME must determine their home.
const Supported = false

func (s *session) run(context.Context, time.Duration) (string, error) {
	return "", errors.New("clients cannot be tried on this system")
}
