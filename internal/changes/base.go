package changes

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
)

// Limits on stored originals of the project's files.
const (
	maxBase  = 1 << 20 // bytes of a file
	maxBases = 2000    // files
)

func baseFile(p string) string {
	sum := sha256.Sum256([]byte(p))
	return filepath.Join("base", hex.EncodeToString(sum[:]))
}

// Base returns a file of the project before the program's change, if it was stored.
func (b *Box) Base(p string) (data []byte, ok bool) {
	err := b.readFile(baseFile(p), func(r io.Reader) (err error) {
		data, err = io.ReadAll(r)
		ok = err == nil
		return err
	})
	return data, ok && err == nil
}
