package operation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// A folder is a working tree of the project if git lists it and its own .git leads back.
func TestWorktrees(t *testing.T) {
	const entry = "/home/dev/proj/.git/worktrees/"
	files := map[string]string{
		entry + "fix/gitdir":   "/home/dev/fix/.git\n",
		"/home/dev/fix/.git":   "gitdir: " + entry + "fix\n",
		entry + "near/gitdir":  "../../../../near/.git\n",
		"/home/dev/near/.git":  "gitdir: ../proj/.git/worktrees/near\n",
		entry + "other/gitdir": "/home/dev/other/.git\n", // a repository of its own: its .git is a folder
		entry + "theft/gitdir": "/home/dev/theft/.git\n",
		"/home/dev/theft/.git": "gitdir: /home/dev/owner/.git/worktrees/theft\n", // of another repository
		entry + "swap/gitdir":  "/home/dev/swap/.git\n",
		"/home/dev/swap/.git":  "gitdir: " + entry + "fix\n", // of another entry
		entry + "home/gitdir":  "/home/dev/.git\n",
		"/home/dev/.git":       "gitdir: " + entry + "home\n",
		entry + "up/gitdir":    "/home/.git\n",
		"/home/.git":           "gitdir: " + entry + "up\n",
		entry + "root/gitdir":  "/.git\n",
		"/.git":                "gitdir: " + entry + "root\n",
		entry + "case/gitdir":  "/home/DEV/.git\n",
		"/home/DEV/.git":       "gitdir: " + entry + "case\n",
		entry + "name/gitdir":  "/home/dev/name/git\n",
		"/home/dev/name/git":   "gitdir: " + entry + "name\n",
		"/home/dev/name/.git":  "gitdir: " + entry + "name\n",
		entry + "two/gitdir":   "/home/dev/two/.git\n/home/dev/x/.git\n",
		"/home/dev/two/.git":   "gitdir: " + entry + "two\n",
		entry + "bare/gitdir":  "/home/dev/bare/.git\n",
		"/home/dev/bare/.git":  entry + "bare\n",
	}
	env := Env{
		ReadFile: func(p string) ([]byte, bool) { s, ok := files[p]; return []byte(s), ok },
		ReadDir: func(dir string) (names []string) {
			for p := range files {
				if name, ok := strings.CutPrefix(p, dir+"/"); ok {
					name, _, _ = strings.Cut(name, "/")
					names = append(names, name)
				}
			}
			return append(names, "..", "../../..")
		},
	}
	for path, want := range map[string]bool{
		"/home/dev/fix": true, "/home/dev/fix/src": true, "../fix/src/../lib": true, "/home/dev/near/a": true,
		"/home/dev/fixed": false, "/home/dev/fix/../x": false, "/home/dev/fi?": false, "/home/dev/*": false, "/home/dev/other/a": false, "/home/dev/theft/a": false, "/home/dev/swap/a": false,
		"/home/dev": false, "/home/dev/x": false, "/home/eve": false, "/etc": false, "/home/dev/name/a": false, "/home/dev/two/a": false, "/home/dev/bare/a": false, "src": false,
	} {
		input, _ := json.Marshal(map[string]string{"command": "rm -rf " + path})
		a := &umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev"}
		for _, op := range Read(a, env) {
			if got := op.Places&umpire.PlaceWorktree != 0; op.Kind == umpire.Delete && got != want {
				t.Errorf("%s is in a working tree: %v, want %v", path, got, want)
			}
		}
	}
}
