package doctor

import (
	"context"
	"errors"
)

func (d *Doctor) agents(context.Context) {}

// Install writes umpire's settings for a client into a home, as `umpire init` does.
func (d *Doctor) Install(client, home, project string) error {
	return errors.New("there is no `umpire init` yet")
}
