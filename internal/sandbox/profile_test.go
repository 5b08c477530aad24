package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestProfileShow(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{".claude/skills", "moved/skills", "proj"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "s.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, "s.json"), filepath.Join(home, ".claude/settings.json")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		moved    string
		writable []string
		want     []Mount
		fails    bool
	}{
		{name: "a link is shown as what it leads to", want: []Mount{
			{From: filepath.Join(elsewhere, "s.json"), To: filepath.Join(home, ".claude/settings.json")},
			{From: filepath.Join(home, ".claude/skills"), To: filepath.Join(home, ".claude/skills")},
		}},
		{name: "moved by its variable", moved: filepath.Join(home, "moved"), want: []Mount{{From: filepath.Join(home, "moved/skills"), To: filepath.Join(home, "moved/skills")}}},
		{name: "moved out of the home", moved: elsewhere, fails: true},
		{name: "what is writable is not shown twice", writable: []string{filepath.Join(home, ".claude")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Config{Home: home, Dir: filepath.Join(home, "proj"), State: filepath.Join(elsewhere, "run"), Args: []string{"/bin/true"}, Writable: tt.writable}
			err := FindProfile("/usr/bin/claude").Show(&c, func(name string) string {
				return map[string]string{"CLAUDE_CONFIG_DIR": tt.moved}[name]
			})
			if (err != nil) != tt.fails || !slices.Equal(c.Shown, tt.want) {
				t.Errorf("%v, %+v", err, c.Shown)
			}
			if err == nil {
				if err := c.Check(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestCheckShown(t *testing.T) {
	for name, m := range map[string]Mount{
		"outside the home":    {From: "/etc/x", To: "/etc/y"},
		"the home itself":     {From: "/srv", To: "/home/me"},
		"over the project":    {From: "/srv", To: "/home/me/p/q"},
		"the host's to write": {From: "/srv", To: "/home/me/.x", Writable: true},
		"not clean":           {From: "/srv", To: "/home/me/../you"},
	} {
		c := Config{Home: "/home/me", Dir: "/home/me/p", State: "/home/me/.state/run", Args: []string{"/bin/true"}, Shown: []Mount{m}}
		if c.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
