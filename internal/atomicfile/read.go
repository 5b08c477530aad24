package atomicfile

import (
	"fmt"
	"io"
	"os"
)

// maxSmall limits files that contain a token, a certificate or a policy, in bytes.
const maxSmall = 1 << 20

// ReadSmall reads a file that a user or a policy names, up to maxSmall: it may be a device that
// never ends.
func ReadSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(b) > maxSmall {
		err = fmt.Errorf("%s is larger than %d bytes: pass another file", path, maxSmall)
	}
	return b, err
}
