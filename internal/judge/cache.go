package judge

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/regular"
)

// Limits of the cache: it never exceeds 4 MB.
const (
	maxEntries = 2000
	maxEntry   = 2 << 10 // bytes
)

// Cache stores each answer as a file. Any number of processes may use it at once. Entries that are
// old, damaged or for another key count as missing.
type Cache struct {
	Dir string
	Age time.Duration // maximum age of an answer

	now func() time.Time // for tests
}

type cacheEntry struct {
	Key      string          `json:"key"`
	At       time.Time       `json:"at"`
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Answer   json.RawMessage `json:"answer"`
}

func (c *Cache) clock() time.Time {
	if c.now != nil {
		return c.now()
	}
	return time.Now()
}

func (c *Cache) path(key string) string { return filepath.Join(c.Dir, key+".json") }

// Get returns the cached answer for a key. A nil cache has none.
func (c *Cache) Get(key string) (model.Response, bool) {
	if c == nil || !private(c.Dir) {
		return model.Response{}, false
	}
	data, err := regular.Read(c.path(key), maxEntry)
	if err != nil {
		return model.Response{}, false
	}
	var e cacheEntry
	age := time.Duration(0)
	if json.Unmarshal(data, &e) == nil {
		age = c.clock().Sub(e.At)
	}
	if e.Key != key || schema.Check(e.Answer) != nil || age > c.Age || age < -time.Minute {
		return model.Response{}, false
	}
	return model.Response{JSON: e.Answer, Provider: e.Provider, Model: e.Model}, true
}

// Put stores an answer. If that fails, the model is asked again next time.
func (c *Cache) Put(key string, a model.Response) {
	if c == nil || os.MkdirAll(c.Dir, 0o700) != nil || !private(c.Dir) {
		return
	}
	data, err := json.Marshal(cacheEntry{key, c.clock().UTC(), a.Provider, a.Model, a.JSON})
	if err != nil || len(data) > maxEntry {
		return
	}
	c.tidy()
	_ = atomicfile.WriteNoSync(c.path(key), data, 0o600) // on failure, the model is asked again
}

// tidy removes the oldest tenth when the cache is full.
func (c *Cache) tidy() {
	names, err := os.ReadDir(c.Dir)
	if err != nil || len(names) < maxEntries {
		return
	}
	type aged struct {
		name string
		at   time.Time
	}
	var all []aged
	for _, n := range names {
		if info, err := n.Info(); err == nil && (strings.HasSuffix(n.Name(), ".json") || time.Since(info.ModTime()) > time.Hour) {
			all = append(all, aged{n.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return a.at.Compare(b.at) })
	for _, a := range all[:min(len(all), len(names)-maxEntries*9/10)] {
		os.Remove(filepath.Join(c.Dir, a.name))
	}
}

// private reports whether no other user can put answers into a folder.
func private(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o022 == 0)
}
