package shell

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"sort"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Bounds on reading the objects of a repository.
const (
	maxObjects = 64       // of one commit
	maxObject  = 64 << 10 // bytes
	maxPacks   = 16
	maxIDs     = 1 << 20 // bytes of the part of a pack's index that is searched
)

// gitObjects reads objects of a repository, loose or in packs.
type gitObjects struct {
	sh   *shell
	dir  string // .git/objects
	left int    // objects that may still be read
}

// read returns the kind and the content of an object, at most limit bytes.
func (g *gitObjects) read(id string, limit int64) (kind, body string) {
	raw, err := hex.DecodeString(id)
	if g.left--; err != nil || len(raw) != 20 || g.left < 0 {
		return "", ""
	}
	if loose, ok := g.sh.env.ReadFile(path.Join(g.dir, id[:2], id[2:])); ok {
		head, body, _ := strings.Cut(inflated(loose, limit+32), "\x00")
		kind, _, _ = strings.Cut(head, " ")
		return kind, body
	}
	packs, _ := g.sh.paths.view.Names(path.Join(g.dir, "pack"))
	for _, n := range packs[:min(len(packs), maxPacks)] {
		if name, ok := strings.CutSuffix(n.Name, ".idx"); ok {
			pack := path.Join(g.dir, "pack", name)
			if at := g.offset(pack+".idx", raw); at > 0 {
				return g.packed(pack+".pack", at, limit)
			}
		}
	}
	return "", ""
}

// offset returns the position of an object in a pack according to the pack's index, or 0.
func (g *gitObjects) offset(index string, id []byte) int64 {
	const table, ids = 8, 8 + 1024
	v := g.sh.paths.view
	head := v.ReadAt(index, 0, ids)
	if len(head) < ids || string(head[:8]) != "\xfftOc\x00\x00\x00\x02" {
		return 0
	}
	below := func(first int) int64 { return int64(binary.BigEndian.Uint32(head[table+4*first:])) }
	from, to, all := int64(0), below(int(id[0])), below(255)
	if id[0] > 0 {
		from = below(int(id[0]) - 1)
	}
	if to <= from || (to-from)*20 > maxIDs {
		return 0
	}
	list := v.ReadAt(index, ids+20*from, int(to-from)*20)
	i := sort.Search(len(list)/20, func(i int) bool { return bytes.Compare(list[20*i:20*i+20], id) >= 0 })
	if 20*i+20 > len(list) || !bytes.Equal(list[20*i:20*i+20], id) {
		return 0
	}
	at := v.ReadAt(index, ids+24*all+4*(from+int64(i)), 4)
	if len(at) < 4 || at[0] >= 0x80 { // a pack of more than 2 GB
		return 0
	}
	return int64(binary.BigEndian.Uint32(at))
}

// packed reads the entry at a position of a pack. The entry may hold the difference to an earlier one.
func (g *gitObjects) packed(pack string, at, limit int64) (kind, body string) {
	b := g.sh.paths.view.ReadAt(pack, at, int(limit))
	g.left--
	_, n := binary.Uvarint(b) // the kind, and the size of the object
	if n <= 0 || g.left < 0 {
		return "", ""
	}
	const difference = 6
	if b[0]>>4&7 != difference {
		kind = map[byte]string{1: "commit", 2: "tree", 3: "blob"}[b[0]>>4&7]
		return kind, inflated(b[n:], limit)
	}
	back := int64(-1)
	for more := true; more && n < len(b); n++ {
		back, more = (back+1)<<7|int64(b[n]&0x7f), b[n] >= 0x80
	}
	if back <= 0 || back > at {
		return "", ""
	}
	kind, base := g.packed(pack, at-back, maxObject)
	return kind, patched(base, []byte(inflated(b[n:], maxObject)))
}

// patched applies a difference: parts of the base to copy, and bytes to insert.
func patched(base string, d []byte) string {
	for range 2 { // the sizes of both objects
		_, n := binary.Uvarint(d)
		d = d[max(n, 0):]
	}
	var out strings.Builder
	for len(d) > 0 && out.Len() < maxObject {
		op := d[0]
		d = d[1:]
		if op < 0x80 {
			n := min(int(op), len(d))
			out.Write(d[:n])
			d = d[n:]
			continue
		}
		var from, size int
		for bit := range 7 {
			if op>>bit&1 == 0 || len(d) == 0 {
				continue
			}
			if bit < 4 {
				from |= int(d[0]) << (8 * bit)
			} else {
				size |= int(d[0]) << (8 * (bit - 4))
			}
			d = d[1:]
		}
		if size == 0 {
			size = 0x10000
		}
		from = min(from, len(base))
		out.WriteString(base[from:min(from+size, len(base))])
	}
	return out.String()
}

// inflated returns the first bytes of a compressed text.
func inflated(b []byte, limit int64) string {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	return string(text)
}

// tree returns the tree of a commit, or "".
func (g *gitObjects) tree(commit string) string {
	kind, body := g.read(commit, 256)
	id, found := strings.CutPrefix(body, "tree ")
	if kind != "commit" || !found {
		return ""
	}
	return id[:min(40, len(id))]
}

// brings implements command.Host. The adversary's branch replaces a folder of build output by a link
// to the home folder, and the same command line empties it.
func (sh *shell) brings(root command.Word, was, is string) {
	if sh.env.ReadFile == nil || !sh.local() {
		return
	}
	top, _ := sh.Path(root)
	g := &gitObjects{sh: sh, dir: path.Join(top, ".git/objects"), left: maxObjects}
	g.links(g.tree(was), g.tree(is), top)
}

// links plans the links that are in one tree and not in another.
func (g *gitObjects) links(was, is, at string) {
	if was == is || is == "" {
		return
	}
	old := map[string]string{}
	g.entries(was, func(_, name, id string) { old[name] = id })
	g.entries(is, func(mode, name, id string) {
		switch {
		case old[name] == id:
		case mode == "120000":
			if _, target := g.read(id, 4096); target != "" {
				g.sh.planLink(command.Lit(path.Join(at, name)), command.Lit(target))
			}
		case mode == "40000":
			g.links(old[name], id, path.Join(at, name))
		}
	})
}

// entries calls f for each entry of a tree.
func (g *gitObjects) entries(tree string, f func(mode, name, id string)) {
	kind, body := "", ""
	if tree != "" {
		kind, body = g.read(tree, maxObject)
	}
	for kind == "tree" {
		head, rest, ok := strings.Cut(body, "\x00")
		mode, name, _ := strings.Cut(head, " ")
		if !ok || len(rest) < 20 {
			return
		}
		f(mode, name, hex.EncodeToString([]byte(rest[:20])))
		body = rest[20:]
	}
}
