// Package parsed holds the built-in packs as policyfile reads them, so that a program that
// needs their rules one by one does not read YAML first, which takes over ten times as long.
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

// Encode returns the bytes that are embedded here. It fails for packs that would not come
// back as they are.
func Encode(packs []*policyfile.Pack) ([]byte, error) {
	var w bytes.Buffer
	if err := gob.NewEncoder(&w).Encode(packs); err != nil {
		return nil, err
	}
	switch back, err := decode(w.Bytes()); {
	case err != nil:
		return nil, err
	case !reflect.DeepEqual(back, packs): // a pointer to false comes back as none
		return nil, errors.New("a rule holds what gob does not keep")
	}
	return w.Bytes(), nil
}

func decode(data []byte) (packs []*policyfile.Pack, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&packs)
	return packs, err
}
