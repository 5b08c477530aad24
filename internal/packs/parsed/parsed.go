// Package parsed holds the built-in packs as policyfile reads them. Programs that need their
// rules one by one save the reading of YAML, which takes over ten times as long.
package parsed

import (
	"bytes"
	_ "embed"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"

	"github.com/umpire-dev/umpire/internal/policyfile"
)

//go:embed packs.gob
var encoded []byte

// Packs returns all packs, by their names' order, to be changed as the caller likes.
func Packs() ([]*policyfile.Pack, error) {
	packs, err := decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("the built-in packs of this umpire are damaged: %w", err)
	}
	return packs, nil
}

// Encode returns the bytes to embed here. It fails for packs that Decode would not restore
// exactly.
func Encode(packs []*policyfile.Pack) ([]byte, error) {
	var w bytes.Buffer
	f := file{Packs: packs}
	for i, p := range packs {
		for j, r := range p.Rules {
			if r.When.Tainted != nil && !*r.When.Tainted {
				f.Untainted = append(f.Untainted, [2]int{i, j})
			}
		}
	}
	if err := gob.NewEncoder(&w).Encode(f); err != nil {
		return nil, err
	}
	switch back, err := decode(w.Bytes()); {
	case err != nil:
		return nil, err
	case !reflect.DeepEqual(back, packs):
		return nil, errors.New("a rule holds what gob does not keep")
	}
	return w.Bytes(), nil
}

// file is what is encoded. Gob drops a pointer to false, so the rules for sessions that are
// not tainted are listed beside.
type file struct {
	Packs     []*policyfile.Pack
	Untainted [][2]int // pack, rule
}

func decode(data []byte) ([]*policyfile.Pack, error) {
	var f file
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&f); err != nil {
		return nil, err
	}
	for _, at := range f.Untainted {
		if at[0] >= len(f.Packs) || at[1] >= len(f.Packs[at[0]].Rules) {
			return nil, errors.New("a rule is missing")
		}
		f.Packs[at[0]].Rules[at[1]].When.Tainted = new(bool)
	}
	return f.Packs, nil
}
