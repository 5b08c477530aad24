package snapshot_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "umpire")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	user := filepath.Join(dir, "policy.yaml")
	sources := snapshot.StatAll([]string{user}) // before they are read

	p, err := policy.Compile(policy.Source{Default: umpire.Ask})
	if err != nil {
		fmt.Println(err)
		return
	}
	path := snapshot.Path(dir, "/work", user)
	err = snapshot.Write(path, &snapshot.Snapshot{Policy: p, Build: "v1", Written: time.Now(), Sources: sources})
	fmt.Println(err)

	s, err := snapshot.Open(path, "v1", snapshot.Stat)
	fmt.Println(s.Policy.Default(), err)

	// A policy file comes to be, and what is kept no longer holds.
	err = os.WriteFile(user, []byte("version: 1\n"), 0o600)
	fmt.Println(err)
	_, err = snapshot.Open(path, "v1", snapshot.Stat)
	fmt.Println(errors.Is(err, snapshot.ErrStale))
	// Output:
	// <nil>
	// ask <nil>
	// <nil>
	// true
}
